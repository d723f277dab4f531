/* SPDX-License-Identifier: MIT */
/*
 * One run of a debugged replay: what stops it, and where it then is.
 *
 * A step is an arrival of a thread at an original bytecode of a recorded method.  Arrivals are seen
 * by JVMTI's single steps, which are switched on for a thread only while somebody wants to count,
 * and otherwise at breakpoints alone.  A thread that stands somewhere is stepped until its turn
 * ends, so that where it stops next can be told; with its next turn counting begins anew.
 *
 * `run` is written by the service when all threads rest.  One by one, a single thread is between
 * gates at a time and has what is said to be its own; when threads run together nothing stops them
 * and `lock` guards what is found.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/debug/go.h"
#include "jvm-bridge/debug/inspect.h"
#include "jvm-bridge/debug/sending.h"
#include "jvm-bridge/debug/write_counts.h"
#include "jvm-bridge/instrument/hook_table.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

enum { LOG_MOST = 1 << 16 };

/* A breakpoint, and how often the present turn of a thread has come to it. */
struct stop_point {
    struct ditto_debug_method *method; /* NULL: not known yet */
    jlocation at;                      /* -1: not set in the JVM */
    uint32_t thread;
    uint64_t turn, times;
};

static struct {
    struct ditto_wire_run asked;
    struct ditto_wire_halt halt;
    struct stop_point *points; /* those asked for, and one more for the target's mark */
    uint32_t point_count;
    bool reached;                  /* the target's turn is done */
    bool stopped;                  /* halt says why */
    struct ditto_turn now, before; /* the last two turns, one by one */
    struct ditto_debug_method *range_method;
    jint range_depth;
    struct ditto_wire log;
    uint32_t log_count;
    struct ditto_wire writes;
    uint32_t write_count;
} run;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool one_by_one(void)
{
    return run.asked.pace == DITTO_ONE_BY_ONE;
}

static bool stops(void)
{
    return one_by_one() && !(run.asked.flags & (DITTO_RUN_REMEMBER | DITTO_RUN_WRITES));
}

static void set_stepping(struct ditto_java_thread *self, bool on)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jthread thread = NULL;
    if (ditto_debug_of(self)->stepping == on)
        return;
    ditto_debug_of(self)->stepping = on;
    (*jvmti)->GetCurrentThread(jvmti, &thread);
    (*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                       JVMTI_EVENT_SINGLE_STEP, thread);
}

/* -------------------------------------------------------------------- spots */

/* Where the calling thread is, as well as it is known. */
static struct ditto_wire_spot spot_of(const struct ditto_java_thread *self)
{
    const struct ditto_turn *turn = ditto_thread_turn(ditto_handle_of(self));
    const struct ditto_debug_thread *debug = ditto_debug_of(self);
    struct ditto_wire_spot spot = {.kind = debug->counting,
                                   .thread = ditto_replay_id(ditto_handle_of(self)),
                                   .turn = turn->turn,
                                   .clock = turn->clock,
                                   .step = debug->steps,
                                   .nth = debug->nth};
    if (debug->counting == DITTO_SPOT_STEP && spot.step)
        spot.step--;
    if (debug->counting == DITTO_SPOT_MARK) {
        spot.class_name = debug->mark->class_name;
        spot.method = debug->mark->name;
        spot.descriptor = debug->mark->descriptor;
        spot.bci = debug->mark_bci;
    }
    return spot;
}

static struct ditto_wire_spot spot_after(const struct ditto_turn *turn)
{
    return (struct ditto_wire_spot){
        .kind = DITTO_SPOT_ALL, .thread = turn->thread, .turn = turn->turn, .clock = turn->clock};
}

static bool is_target_turn(const struct ditto_java_thread *self)
{
    const struct ditto_wire_spot *target = &run.asked.target;
    return target->kind != DITTO_SPOT_NONE && one_by_one() &&
           target->thread == ditto_replay_id(ditto_handle_of(self)) &&
           target->turn == ditto_thread_turn(ditto_handle_of(self))->turn;
}

/* Counting goes on from a mark: a breakpoint or an exception. */
static void count_from(struct ditto_java_thread *self, enum ditto_spot_kind kind,
                       const struct ditto_debug_method *method, int32_t bci, uint64_t nth)
{
    ditto_debug_of(self)->counting = (uint8_t)kind;
    ditto_debug_of(self)->mark = method;
    ditto_debug_of(self)->mark_bci = bci;
    ditto_debug_of(self)->nth = nth;
    ditto_debug_of(self)->steps = 0;
}

/* The calling thread stands here, until the next run; and says why, unless that is said. */
static void stand(struct ditto_java_thread *self, enum ditto_wire_why why, uint32_t index)
{
    run.stopped = true;
    run.halt.why = (uint8_t)why;
    run.halt.present = spot_of(self);
    if (why == DITTO_HALT_BREAK || why == DITTO_HALT_THROW)
        run.halt.hit =
            (struct ditto_wire_hit){.why = (uint8_t)why, .index = index, .at = run.halt.present};
    ditto_timeline_stand(ditto_handle_of(self));
    if (!one_by_one())
        ditto_debug_of(self)->counting = DITTO_SPOT_NONE;
    set_stepping(self, one_by_one());
}

/* ---------------------------------------------------------------------- log */

static void flush(void)
{
    if (run.log_count) {
        ditto_wire_set32(&run.log, 5, run.log_count);
        ditto_debug_send(&run.log);
    }
    run.log_count = 0;
    if (run.write_count) {
        ditto_wire_set32(&run.writes, 5, run.write_count);
        ditto_debug_send(&run.writes);
    }
    run.write_count = 0;
}

static struct ditto_wire *log_entry(const struct ditto_java_thread *self, enum ditto_log_kind kind)
{
    const struct ditto_turn *turn = ditto_thread_turn(ditto_handle_of(self));
    if (run.log_count == LOG_MOST)
        flush();
    if (run.log_count == 0) {
        ditto_wire_begin(&run.log, DITTO_SAY_LOG);
        ditto_wire_put32(&run.log, 0);
    }
    run.log_count++;
    ditto_wire_put32(&run.log, ditto_replay_id(ditto_handle_of(self)));
    ditto_wire_put64(&run.log, turn->turn);
    ditto_wire_put64(&run.log, turn->clock);
    ditto_wire_put8(&run.log, (uint8_t)kind);
    return &run.log;
}

static void log_turn(const struct ditto_java_thread *self)
{
    log_entry(self, DITTO_LOG_TURN);
}

/* The callers are sent when they may be others than at the thread's last step. */
static void log_step(struct ditto_java_thread *self, const struct ditto_debug_method *method,
                     int32_t bci)
{
    struct ditto_wire *log = log_entry(self, DITTO_LOG_STEP);
    jint depth = 0;
    ditto_wire_put32(log, method->number);
    ditto_wire_put32(log, (uint32_t)bci);
    (*ditto_agent.jvmti)->GetFrameCount(ditto_agent.jvmti, NULL, &depth);
    if (bci >= 0 && ditto_debug_of(self)->logged == method &&
        ditto_debug_of(self)->logged_depth == depth) {
        ditto_wire_put32(log, UINT32_MAX);
        return;
    }
    ditto_debug_of(self)->logged = method;
    ditto_debug_of(self)->logged_depth = depth;
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    ditto_wire_put32(log, count > 0 ? (uint32_t)count - 1 : 0);
    for (jint i = 1; i < count; i++) {
        const struct ditto_debug_method *caller = ditto_debug_method(frames[i].method);
        ditto_wire_put32(log, caller->number);
        ditto_wire_put32(log, (uint32_t)ditto_debug_bci(caller, frames[i].location));
    }
    free(frames);
}

/* ---------------------------------------------------------------- stop points */

static void set_point(struct stop_point *point, const struct ditto_wire_break *asked)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    point->method = ditto_debug_method_named(asked->class_name, asked->method, asked->descriptor);
    point->at = point->method ? ditto_debug_location(point->method, asked->bci) : -1;
    jmethodID id =
        point->method ? atomic_load_explicit(&point->method->id, memory_order_acquire) : NULL;
    if (point->at < 0 || !id) {
        point->at = -1;
        return;
    }
    jvmtiError error = (*jvmti)->SetBreakpoint(jvmti, id, point->at);
    if (error != JVMTI_ERROR_NONE && error != JVMTI_ERROR_DUPLICATE)
        point->at = -1;
}

static void mark_break(struct ditto_wire_break *mark)
{
    const struct ditto_wire_spot *target = &run.asked.target;
    *mark = (struct ditto_wire_break){target->class_name, target->method, target->descriptor,
                                      target->bci};
}

static void set_points(void)
{
    for (uint32_t i = 0; i < run.point_count; i++) {
        struct ditto_wire_break mark;
        mark_break(&mark);
        if (run.points[i].at < 0)
            set_point(&run.points[i], i < run.asked.break_count ? &run.asked.breaks[i] : &mark);
    }
}

static void clear_points(void)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    for (uint32_t i = 0; i < run.point_count; i++)
        if (run.points[i].at >= 0)
            (*jvmti)->ClearBreakpoint(jvmti, run.points[i].method->id, run.points[i].at);
    free(run.points);
    run.points = NULL;
    run.point_count = 0;
}

void JNICALL ditto_debug_class_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    if (!ditto_debug_methods_prepared(class))
        return;
    pthread_mutex_lock(&lock);
    set_points();
    pthread_mutex_unlock(&lock);
}

/* One more arrival of this turn at the point: the how-manieth. */
static uint64_t count_arrival(struct stop_point *point, const struct ditto_java_thread *self)
{
    uint32_t thread = ditto_replay_id(ditto_handle_of(self));
    uint64_t turn = ditto_thread_turn(ditto_handle_of(self))->turn;
    if (point->thread != thread || point->turn != turn || point->times == 0) {
        point->thread = thread;
        point->turn = turn;
        point->times = 0;
    }
    return ++point->times;
}

/* ------------------------------------------------------------------- arrivals */

/* Whether the walk that was asked for ends with this arrival. */
static bool walk_ends(const struct ditto_java_thread *self, const struct ditto_debug_method *method,
                      int32_t bci)
{
    if (run.asked.walk == DITTO_WALK_NONE ||
        run.asked.walker != ditto_replay_id(ditto_handle_of(self)))
        return false;
    if (run.asked.walk == DITTO_WALK_STEP || method != run.range_method || bci < run.asked.from ||
        bci >= run.asked.to)
        return true;
    jint depth = 0;
    (*ditto_agent.jvmti)->GetFrameCount(ditto_agent.jvmti, NULL, &depth);
    return depth != run.range_depth;
}

static bool at_target(const struct ditto_java_thread *self)
{
    const struct ditto_wire_spot *target = &run.asked.target;
    struct ditto_wire_spot here = spot_of(self);
    if (!is_target_turn(self) || here.kind != target->kind || here.step != target->step)
        return false;
    return here.kind == DITTO_SPOT_STEP || here.nth == target->nth;
}

/* The calling thread's frames, for whoever is shown the hit: none if they are many. */
static void put_frames(struct ditto_wire *wire)
{
    enum { FRAMES_MOST = 64 };
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    if (count > FRAMES_MOST)
        count = 0;
    ditto_wire_put32(wire, (uint32_t)count);
    for (jint i = 0; i < count; i++) {
        const struct ditto_debug_method *method = ditto_debug_method(frames[i].method);
        ditto_wire_put32(wire, method->number);
        ditto_wire_put32(wire, (uint32_t)ditto_debug_bci(method, frames[i].location));
    }
    free(frames);
}

/* Only remembered: the thread goes on. */
static void remember(const struct ditto_wire_hit *hit)
{
    pthread_mutex_lock(&lock);
    run.halt.hit = *hit;
    run.halt.accesses++;
    if (run.asked.flags & DITTO_RUN_WRITES) {
        if (run.write_count == 0) {
            ditto_wire_begin(&run.writes, DITTO_SAY_WRITES);
            ditto_wire_put32(&run.writes, 0);
        }
        run.write_count++;
        ditto_wire_put_hit(&run.writes, hit);
        if (hit->why == DITTO_HALT_BREAK)
            put_frames(&run.writes);
        else
            ditto_wire_put32(&run.writes, 0);
        if (run.write_count == LOG_MOST) {
            ditto_wire_set32(&run.writes, 5, run.write_count);
            ditto_debug_send(&run.writes);
            run.write_count = 0;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void arrive(struct ditto_java_thread *self, const struct ditto_debug_method *method,
                   int32_t bci)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    int64_t hit = -1;
    uint64_t hit_times = 0;
    bool target = false;
    if (debug->counting != DITTO_SPOT_NONE)
        debug->steps++;
    if (debug->returned_seen)
        debug->returned.type = '\0';
    debug->returned_seen = true;
    if (run.asked.flags & DITTO_RUN_LOG)
        log_step(self, method, bci);
    for (uint32_t i = 0; i < run.point_count; i++) {
        struct stop_point *point = &run.points[i];
        if (point->method != method || point->at < 0 || method->place[point->at] != bci)
            continue;
        uint64_t times = count_arrival(point, self);
        if (i < run.asked.break_count && hit < 0) {
            hit = i;
            hit_times = times;
        }
        if (i == run.asked.break_count && is_target_turn(self) && times == run.asked.target.nth) {
            if (debug->counting != DITTO_SPOT_STEP || run.asked.target.step)
                count_from(self, DITTO_SPOT_MARK, method, bci, times);
            target = run.asked.target.step == 0;
        }
    }
    target = target || at_target(self);
    if (run.asked.target.kind == DITTO_SPOT_MARK && debug->counting == DITTO_SPOT_MARK &&
        is_target_turn(self) && !target)
        set_stepping(self, true);
    if (hit >= 0 && debug->counting == DITTO_SPOT_NONE && (stops() || target))
        count_from(self, DITTO_SPOT_MARK, method, bci, hit_times);
    if (debug->stop_next && stops()) {
        debug->stop_next = false;
        run.halt.hit = debug->hit;
        run.halt.hit.at = spot_of(self);
        stand(self, DITTO_HALT_WATCH, debug->hit.index);
    } else if (target) {
        stand(self, DITTO_HALT_TARGET, 0);
    } else if (hit >= 0 && stops()) {
        stand(self, DITTO_HALT_BREAK, (uint32_t)hit);
    } else if (hit >= 0 && one_by_one()) {
        struct ditto_wire_hit found = {.why = DITTO_HALT_BREAK, .index = (uint32_t)hit};
        found.at = spot_of(self);
        if (found.at.kind == DITTO_SPOT_NONE) {
            found.at.kind = DITTO_SPOT_MARK;
            found.at.nth = hit_times;
            found.at.step = 0;
            found.at.class_name = method->class_name;
            found.at.method = method->name;
            found.at.descriptor = method->descriptor;
            found.at.bci = bci;
        }
        remember(&found);
    } else if (walk_ends(self, method, bci)) {
        stand(self, DITTO_HALT_STEPPED, 0);
    }
}

static bool has_point(const struct ditto_debug_method *method, jlocation at)
{
    for (uint32_t i = 0; i < run.point_count; i++)
        if (run.points[i].method == method && run.points[i].at == at)
            return true;
    return false;
}

void JNICALL ditto_debug_single_step(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id,
                                     jlocation at)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    struct ditto_java_thread *self = ditto_current();
    if (!self || !ditto_debug_of(self)->stepping)
        return;
    const struct ditto_debug_method *method = ditto_debug_method(id);
    if (!method->place || at < 0 || at >= (jlocation)method->size || !method->arrival[at])
        return;
    arrive(self, method, method->place[at]);
    /* The JVM comes to a breakpoint that is here next, and it has been dealt with. */
    ditto_debug_of(self)->skip =
        !ditto_debug_of(self)->stepping && has_point(method, at) ? method : NULL;
    ditto_debug_of(self)->skip_at = at;
}

void JNICALL ditto_debug_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID id,
                                    jlocation at)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    struct ditto_java_thread *self = ditto_current();
    if (!self || ditto_debug_of(self)->stepping)
        return;
    const struct ditto_debug_method *method = ditto_debug_method(id);
    bool skip = ditto_debug_of(self)->skip == method && ditto_debug_of(self)->skip_at == at;
    ditto_debug_of(self)->skip = NULL;
    if (!skip && method->place)
        arrive(self, method, ditto_debug_bci(method, at));
}

/* Whether what a method that is not recorded throws comes to one that is. */
static bool comes_to_program(jmethodID catcher)
{
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    bool comes = false;
    for (jint i = 0; i < count && !comes; i++) {
        comes = ditto_debug_method(frames[i].method)->place;
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
    if (!self || !one_by_one())
        return;
    const struct ditto_debug_method *method = ditto_debug_method(id);
    /* What our own handlers throw on was told when it was thrown first. */
    if (method->place ? ditto_debug_bci(method, at) < 0 : !comes_to_program(catcher))
        return;
    /* While the thread stands here; gone with its next step. */
    ditto_debug_returns(jni, 'L', 0, exception);
    ditto_debug_of(self)->returned_seen = true;
    uint64_t nth = ++ditto_debug_of(self)->throws;
    bool target = is_target_turn(self) && run.asked.target.kind == DITTO_SPOT_THROW &&
                  run.asked.target.nth == nth;
    /* One exception may lead to the next without a step between them. */
    if (ditto_debug_of(self)->counting == DITTO_SPOT_NONE ||
        ditto_debug_of(self)->counting == DITTO_SPOT_THROW || target)
        count_from(self, DITTO_SPOT_THROW, method, 0, nth);
    if (target)
        set_stepping(self, true);
    if (target && run.asked.target.step == 0) {
        stand(self, DITTO_HALT_TARGET, 0);
    } else if (run.asked.flags & DITTO_RUN_THROWS && stops()) {
        stand(self, DITTO_HALT_THROW, 0);
    } else if (run.asked.flags & DITTO_RUN_THROWS) {
        const struct ditto_wire_hit found = {.why = DITTO_HALT_THROW, .at = spot_of(self)};
        remember(&found);
    }
}

/* ---------------------------------------------------------------------- turns */

void ditto_debug_passed(void *context, struct ditto_thread *thread)
{
    (void)context;
    struct ditto_java_thread *self = ditto_current();
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    debug->counting = DITTO_SPOT_NONE;
    debug->steps = debug->throws = 0;
    debug->skip = NULL;
    debug->returned.type = '\0';
    if (!one_by_one()) {
        set_stepping(self, false);
        return;
    }
    run.before = run.now;
    run.now = *ditto_thread_turn(thread);
    bool target = is_target_turn(self);
    bool step = run.asked.flags & DITTO_RUN_LOG ||
                (run.asked.walk && run.asked.walker == run.now.thread) ||
                (target && run.asked.target.kind == DITTO_SPOT_STEP) || debug->stop_next;
    if (run.asked.flags & DITTO_RUN_LOG)
        log_turn(self);
    if (target && run.asked.target.kind == DITTO_SPOT_ALL) {
        run.reached = true;
        ditto_timeline_hold(ditto_agent.session);
    }
    if (step)
        debug->counting = DITTO_SPOT_STEP;
    set_stepping(self, step);
}

void ditto_debug_thread_ends(struct ditto_java_thread *self)
{
    if (!one_by_one() || run.stopped)
        return;
    if (run.asked.flags & DITTO_RUN_LOG)
        log_entry(self, DITTO_LOG_END);
    const struct ditto_turn *turn = ditto_thread_turn(ditto_handle_of(self));
    bool walker = run.asked.walk && run.asked.walker == turn->thread;
    if (!walker && !is_target_turn(self))
        return;
    run.stopped = true;
    run.halt.why = walker ? DITTO_HALT_STEPPED : DITTO_HALT_TARGET;
    run.halt.present = spot_after(turn);
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
    debug->returned = (struct ditto_wire_value){type, bits};
    debug->returned_seen = false;
}

struct returned {
    JNIEnv *jni;
    uint32_t thread;
    struct ditto_wire_value value;
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

bool ditto_debug_returned(JNIEnv *jni, uint32_t thread, struct ditto_wire_value *value)
{
    struct returned returned = {.jni = jni, .thread = thread};
    ditto_java_threads_each(find_returned, &returned);
    *value = returned.value;
    return value->type != '\0';
}

/* ------------------------------------------------------------------- accesses */

/* "field descriptor" of a watch against a site's. */
static bool names_member(const struct ditto_wire_watch *watch, const char *member)
{
    size_t length = strlen(watch->field);
    return strncmp(member, watch->field, length) == 0 && member[length] == ' ' &&
           strcmp(member + length + 1, watch->descriptor) == 0;
}

static bool is_static(const struct ditto_site_info *site)
{
    return site->kind == DITTO_SITE_STATIC_LOAD || site->kind == DITTO_SITE_STATIC_STORE;
}

/* The type of that name among a type, its superclasses and their interfaces. */
static struct ditto_type_info *type_named(struct ditto_type_info *type, const char *name)
{
    size_t length = strlen(name);
    for (; type; type = type->super) {
        if (type->signature[0] == 'L' && strncmp(type->signature + 1, name, length) == 0 &&
            type->signature[length + 1] == ';')
            return type;
        for (unsigned i = 0; i < type->interface_count; i++) {
            struct ditto_type_info *found = type_named(type->interfaces[i], name);
            if (found)
                return found;
        }
    }
    return NULL;
}

static bool matches(JNIEnv *jni, const struct ditto_wire_watch *watch, struct ditto_site_info *site,
                    const struct ditto_thing *thing, jint index, bool store)
{
    bool element = watch->field[0] == '\0';
    if (!(watch->kind & (store ? 1 : 2)) || element != (site->member == NULL) ||
        (watch->key && (!thing || thing->key != watch->key)))
        return false;
    if (element)
        return watch->index == index;
    if (!names_member(watch, site->member))
        return false;
    if (!is_static(site))
        return ditto_type_field(thing->type, watch->class_name, site->member) + 1 ==
               atomic_load_explicit(&site->field, memory_order_relaxed);
    jclass class = ditto_site_find_class(jni, site);
    struct ditto_type_info *type =
        class ? type_named(ditto_type_of(jni, class), watch->class_name) : NULL;
    (*jni)->DeleteLocalRef(jni, class);
    return type && (uintptr_t)ditto_type_static(type, site->member) ==
                       atomic_load_explicit(&site->quick, memory_order_acquire);
}

static void read_watched(JNIEnv *jni, const struct ditto_debug_thread *debug,
                         struct ditto_wire_value *value)
{
    const struct ditto_wire_watch *watch = &run.asked.watches[debug->hit.index];
    *value = (struct ditto_wire_value){0};
    if (watch->field[0] == '\0')
        ditto_debug_element(jni, debug->object, watch->index, value);
    else if (debug->object)
        ditto_debug_field(jni, debug->object, watch->class_name, watch->field, watch->descriptor,
                          value);
    else
        ditto_debug_static(jni, watch->class_name, watch->field, watch->descriptor, value);
}

/* How often it was written: the field of this object, or, if no object was named, of all. */
static uint64_t count_write(struct ditto_site_info *site, struct ditto_thing *thing, jint index,
                            bool of_one)
{
    if (is_static(site))
        return ditto_static_writes(site);
    if (site->member && !of_one)
        return ditto_class_writes(site, thing);
    return ditto_thing_writes(site, thing, index);
}

static void place_of_access(struct ditto_wire_hit *hit)
{
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    if (count > 0) {
        const struct ditto_debug_method *method = ditto_debug_method(frames[0].method);
        hit->method = method->number;
        hit->bci = ditto_debug_bci(method, frames[0].location);
    }
    free(frames);
}

void ditto_debug_access(JNIEnv *jni, struct ditto_java_thread *self, jint number,
                        struct ditto_thing *thing, jobject object, jint index, bool store)
{
    struct ditto_site_info *site = ditto_site_at(number);
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    if (store)
        ditto_count_write(site, thing, index);
    /* A constructor stores to what is not yet made. */
    if (store && thing && site->member)
        ditto_debug_met(self, thing);
    for (uint32_t i = 0; i < run.asked.watch_count; i++) {
        const struct ditto_wire_watch *watch = &run.asked.watches[i];
        if (!matches(jni, watch, site, thing, index, store))
            continue;
        uint64_t nth = store ? count_write(site, thing, index, watch->key != 0) : 0;
        if (watch->nth && watch->nth != nth)
            continue;
        debug->hit = (struct ditto_wire_hit){
            .why = DITTO_HALT_WATCH, .index = i, .written = store, .nth = nth};
        debug->hit.key = thing ? thing->key : 0;
        debug->hit.at = spot_of(self);
        debug->hit.at.kind = DITTO_SPOT_STEP;
        debug->hit.at.step = 0;
        debug->hit.before = spot_after(&run.before);
        debug->object = object ? (*jni)->NewGlobalRef(jni, object) : NULL;
        debug->watched = true;
        place_of_access(&debug->hit);
        read_watched(jni, debug, &debug->hit.old);
        if (object && !debug->hit.key)
            debug->hit.key = ditto_debug_key(jni, object);
        return;
    }
}

/* As long as the access lasts nobody else changes what it accesses. */
void ditto_debug_access_ends(struct ditto_java_thread *self)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    JNIEnv *jni = NULL;
    if (!debug->watched ||
        (*ditto_agent.vm)->GetEnv(ditto_agent.vm, (void **)&jni, JNI_VERSION_10) != JNI_OK)
        return;
    jthrowable pending = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    read_watched(jni, debug, &debug->hit.new);
    if (debug->object)
        (*jni)->DeleteGlobalRef(jni, debug->object);
    debug->object = NULL;
    if (pending)
        (*jni)->Throw(jni, pending);
}

void ditto_debug_accessed(struct ditto_java_thread *self)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    if (!debug->watched)
        return;
    debug->watched = false;
    if (stops()) {
        /* It stops at the next bytecode: the access is done, and its instruction, too. */
        debug->stop_next = true;
        debug->counting = DITTO_SPOT_STEP;
        debug->steps = 0;
        set_stepping(self, true);
    } else {
        remember(&debug->hit);
    }
}

/* ------------------------------------------------------------------------ runs */

static void begin_range(JNIEnv *jni)
{
    run.range_method = NULL;
    if (run.asked.walk != DITTO_WALK_RANGE)
        return;
    jvmtiFrameInfo *frames = NULL;
    jthread walker = ditto_java_thread_find(jni, run.asked.walker);
    run.range_depth = walker ? ditto_debug_frames(walker, &frames, NULL) : 0;
    if (run.range_depth > 0)
        run.range_method = ditto_debug_method(frames[0].method);
    free(frames);
}

void ditto_debug_run(JNIEnv *jni, const struct ditto_wire_run *asked)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    bool throws = asked->flags & DITTO_RUN_THROWS || asked->target.kind == DITTO_SPOT_THROW;
    pthread_mutex_lock(&lock);
    clear_points();
    free(run.asked.breaks);
    free(run.asked.watches);
    run.asked = *asked;
    run.point_count = asked->break_count + (asked->target.kind == DITTO_SPOT_MARK);
    run.points = calloc(run.point_count + 1, sizeof *run.points);
    ditto_agent_expect(run.points, "room for breakpoints");
    for (uint32_t i = 0; i < run.point_count; i++)
        run.points[i].at = -1;
    set_points();
    pthread_mutex_unlock(&lock);
    (*jvmti)->SetEventNotificationMode(jvmti, throws ? JVMTI_ENABLE : JVMTI_DISABLE,
                                       JVMTI_EVENT_EXCEPTION, NULL);
    run.halt = (struct ditto_wire_halt){0};
    run.reached = run.stopped = false;
    begin_range(jni);
    ditto_timeline_go(ditto_agent.session, (enum ditto_pace)asked->pace, asked->limit);
}

void ditto_debug_interrupt(void)
{
    ditto_timeline_hold(ditto_agent.session);
}

void ditto_debug_halt(enum ditto_rest why, struct ditto_wire_halt *halt)
{
    static const uint8_t whys[] = {[DITTO_REST_HELD] = DITTO_HALT_HELD,
                                   [DITTO_REST_LIMIT] = DITTO_HALT_LIMIT,
                                   [DITTO_REST_END] = DITTO_HALT_END};
    flush();
    *halt = run.halt;
    if (run.stopped)
        return;
    if (!one_by_one())
        run.now = ditto_timeline_latest(ditto_agent.session);
    halt->why = run.reached ? DITTO_HALT_TARGET : whys[why];
    halt->present = spot_after(&run.now);
}
