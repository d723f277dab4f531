/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/arrivals.h"

#include <stdlib.h>

#include "jvm-bridge/debug/breakpoints.h"
#include "jvm-bridge/debug/go_state.h"
#include "jvm-bridge/debug/inspect.h"
#include "jvm-bridge/debug/telling.h"
#include "jvm-bridge/vm/vm.h"

/* Whether the walk that was asked for ends with this arrival. */
static bool walk_ends(const struct ditto_java_thread *self, const struct ditto_debug_method *method,
                      int32_t bci)
{
    if (ditto_go.asked.walk == DITTO_WALK_NONE ||
        ditto_go.asked.walker != ditto_replay_id(ditto_handle_of(self)))
        return false;
    if (ditto_go.asked.walk == DITTO_WALK_STEP || method != ditto_go.range_method ||
        bci < ditto_go.asked.from || bci >= ditto_go.asked.to)
        return true;
    jint depth = 0;
    (*ditto_agent.jvmti)->GetFrameCount(ditto_agent.jvmti, NULL, &depth);
    return depth != ditto_go.range_depth;
}

static bool at_target(const struct ditto_java_thread *self)
{
    const struct ditto_message_position *target = &ditto_go.asked.target;
    struct ditto_message_position here = ditto_debug_position_of(self);
    if (!ditto_debug_is_target_turn(self) || here.kind != target->kind || here.step != target->step)
        return false;
    return here.kind == DITTO_POSITION_STEP || here.nth == target->nth;
}

static void arrive(struct ditto_java_thread *self, const struct ditto_debug_method *method,
                   int32_t bci)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    int64_t hit = -1;
    uint64_t hit_times = 0;
    bool target = false;
    if (debug->counting != DITTO_POSITION_NONE)
        debug->steps++;
    if (debug->returned_seen)
        debug->returned.type = '\0';
    debug->returned_seen = true;
    if (ditto_go.asked.flags & DITTO_GO_LOG)
        ditto_debug_log_step(self, method, bci);
    for (uint32_t i = 0; i < ditto_debug_breakpoints(); i++) {
        uint64_t times = ditto_debug_arrival(i, self, method, bci);
        if (!times)
            continue;
        if (i < ditto_go.asked.break_count && hit < 0) {
            hit = i;
            hit_times = times;
        }
        if (i == ditto_go.asked.break_count && ditto_debug_is_target_turn(self) &&
            times == ditto_go.asked.target.nth) {
            if (debug->counting != DITTO_POSITION_STEP || ditto_go.asked.target.step)
                ditto_debug_count_from(self, DITTO_POSITION_MARK, method, bci, times);
            target = ditto_go.asked.target.step == 0;
        }
    }
    target = target || at_target(self);
    if (ditto_go.asked.target.kind == DITTO_POSITION_MARK &&
        debug->counting == DITTO_POSITION_MARK && ditto_debug_is_target_turn(self) && !target)
        ditto_debug_set_stepping(self, true);
    if (hit >= 0 && debug->counting == DITTO_POSITION_NONE && (ditto_debug_stops() || target))
        ditto_debug_count_from(self, DITTO_POSITION_MARK, method, bci, hit_times);
    if (debug->stop_next && ditto_debug_stops()) {
        debug->stop_next = false;
        ditto_go.halt.hit = debug->hit;
        ditto_go.halt.hit.at = ditto_debug_position_of(self);
        ditto_debug_stand(self, DITTO_HALT_WATCH, debug->hit.index);
    } else if (target) {
        ditto_debug_stand(self, DITTO_HALT_TARGET, 0);
    } else if (hit >= 0 && ditto_debug_stops()) {
        ditto_debug_stand(self, DITTO_HALT_BREAK, (uint32_t)hit);
    } else if (hit >= 0 && ditto_debug_one_by_one()) {
        struct ditto_message_hit found = {.why = DITTO_HALT_BREAK, .index = (uint32_t)hit};
        found.at = ditto_debug_position_of(self);
        if (found.at.kind == DITTO_POSITION_NONE) {
            found.at.kind = DITTO_POSITION_MARK;
            found.at.nth = hit_times;
            found.at.step = 0;
            found.at.class_name = method->class_name;
            found.at.method = method->name;
            found.at.descriptor = method->descriptor;
            found.at.bci = bci;
        }
        ditto_debug_remember(&found);
    } else if (walk_ends(self, method, bci)) {
        ditto_debug_stand(self, DITTO_HALT_STEPPED, 0);
    }
}

void JNICALL ditto_debug_single_step(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id,
                                     jlocation at)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    struct ditto_java_thread *self = ditto_current();
    struct ditto_debug_thread *debug = self ? ditto_debug_of(self) : NULL;
    if (!self || !debug->stepping)
        return;
    const struct ditto_debug_method *method = ditto_debug_method(id);
    if (!method->location || at < 0 || at >= (jlocation)method->size || !method->arrival[at])
        return;
    arrive(self, method, method->location[at]);
    /* The JVM comes to a breakpoint that is here next, and it has been dealt with. */
    debug->skip = !debug->stepping && ditto_debug_has_breakpoint(method, at) ? method : NULL;
    debug->skip_at = at;
}

void JNICALL ditto_debug_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id,
                                    jlocation at)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    struct ditto_java_thread *self = ditto_current();
    struct ditto_debug_thread *debug = self ? ditto_debug_of(self) : NULL;
    if (!self || debug->stepping)
        return;
    const struct ditto_debug_method *method = ditto_debug_method(id);
    bool skip = debug->skip == method && debug->skip_at == at;
    debug->skip = NULL;
    if (!skip && method->location)
        arrive(self, method, ditto_debug_bci(method, at));
}

/* Whether what a method that is not recorded throws comes to one that is. */
static bool comes_to_program(jmethodID catcher)
{
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    bool comes = false;
    for (jint i = 0; i < count && !comes; i++) {
        comes = ditto_debug_method(frames[i].method)->location;
        if (!comes && frames[i].method == catcher)
            break;
    }
    free(frames);
    return comes;
}

void JNICALL ditto_debug_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id,
                                   jlocation at, jobject exception, jmethodID catcher,
                                   jlocation caught_at)
{
    (void)jvmti;
    (void)thread;
    (void)caught_at;
    struct ditto_java_thread *self = ditto_current();
    if (!self || !ditto_debug_one_by_one())
        return;
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    const struct ditto_debug_method *method = ditto_debug_method(id);
    /* What our own handlers throw on was told when it was thrown first. */
    if (method->location ? ditto_debug_bci(method, at) < 0 : !comes_to_program(catcher))
        return;
    /* While the thread stands here; gone with its next step. */
    ditto_debug_returns(jni, 'L', 0, exception);
    debug->returned_seen = true;
    uint64_t nth = ++debug->throws;
    bool target = ditto_debug_is_target_turn(self) &&
                  ditto_go.asked.target.kind == DITTO_POSITION_THROW &&
                  ditto_go.asked.target.nth == nth;
    /* One exception may lead to the next without a step between them. */
    if (debug->counting == DITTO_POSITION_NONE || debug->counting == DITTO_POSITION_THROW || target)
        ditto_debug_count_from(self, DITTO_POSITION_THROW, method, 0, nth);
    if (target)
        ditto_debug_set_stepping(self, true);
    if (target && ditto_go.asked.target.step == 0) {
        ditto_debug_stand(self, DITTO_HALT_TARGET, 0);
    } else if (ditto_go.asked.flags & DITTO_GO_THROWS && ditto_debug_stops()) {
        ditto_debug_stand(self, DITTO_HALT_THROW, 0);
    } else if (ditto_go.asked.flags & DITTO_GO_THROWS) {
        const struct ditto_message_hit found = {.why = DITTO_HALT_THROW,
                                                .at = ditto_debug_position_of(self)};
        ditto_debug_remember(&found);
    }
}

/* ---------------------------------------------------------------------- turns */

void ditto_debug_passed(void *context, struct ditto_thread *thread)
{
    (void)context;
    struct ditto_java_thread *self = ditto_current();
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    debug->counting = DITTO_POSITION_NONE;
    debug->steps = debug->throws = 0;
    debug->skip = NULL;
    debug->returned.type = '\0';
    if (!ditto_debug_one_by_one()) {
        ditto_debug_set_stepping(self, false);
        return;
    }
    ditto_go.before = ditto_go.now;
    ditto_go.now = *ditto_thread_turn(thread);
    bool target = ditto_debug_is_target_turn(self);
    bool step = ditto_go.asked.flags & DITTO_GO_LOG ||
                (ditto_go.asked.walk && ditto_go.asked.walker == ditto_go.now.thread) ||
                (target && ditto_go.asked.target.kind == DITTO_POSITION_STEP) || debug->stop_next;
    if (ditto_go.asked.flags & DITTO_GO_LOG)
        ditto_debug_log_turn(self);
    if (target && ditto_go.asked.target.kind == DITTO_POSITION_ALL) {
        ditto_go.reached = true;
        ditto_timeline_hold(ditto_agent.session);
    }
    if (step)
        debug->counting = DITTO_POSITION_STEP;
    ditto_debug_set_stepping(self, step);
}

void ditto_debug_thread_ends(struct ditto_java_thread *self)
{
    if (!ditto_debug_one_by_one() || ditto_go.stopped)
        return;
    if (ditto_go.asked.flags & DITTO_GO_LOG)
        ditto_debug_log_end(self);
    const struct ditto_turn *turn = ditto_thread_turn(ditto_handle_of(self));
    bool walker = ditto_go.asked.walk && ditto_go.asked.walker == turn->thread;
    if (!walker && !ditto_debug_is_target_turn(self))
        return;
    ditto_go.stopped = true;
    ditto_go.halt.why = walker ? DITTO_HALT_STEPPED : DITTO_HALT_TARGET;
    ditto_go.halt.present = ditto_debug_position_after(turn);
    ditto_timeline_hold(ditto_agent.session);
}

/* ------------------------------------------------------------------- returns */

void ditto_debug_returns(JNIEnv *jni, char type, uint64_t bits, jobject object)
{
    struct ditto_java_thread *self = ditto_current();
    if (!self)
        return;
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    if (debug->returned_object)
        (*jni)->DeleteGlobalRef(jni, debug->returned_object);
    debug->returned_object = object ? (*jni)->NewGlobalRef(jni, object) : NULL;
    debug->returned = (struct ditto_message_value){type, bits};
    debug->returned_seen = false;
}

struct returned {
    JNIEnv *jni;
    uint32_t thread;
    struct ditto_message_value value;
};

static void find_returned(void *context, const struct ditto_java_thread *thread)
{
    struct returned *returned = context;
    if (ditto_replay_id(thread->handle) != returned->thread)
        return;
    returned->value = ditto_debug_of(thread)->returned;
    if (returned->value.type == 'L')
        returned->value.bits =
            ditto_debug_key(returned->jni, ditto_debug_of(thread)->returned_object);
}

bool ditto_debug_returned(JNIEnv *jni, uint32_t thread, struct ditto_message_value *value)
{
    struct returned returned = {.jni = jni, .thread = thread};
    ditto_java_threads_each(find_returned, &returned);
    *value = returned.value;
    return value->type != '\0';
}
