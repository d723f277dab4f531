/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/go_state.h"

#include "jvm-bridge/vm/vm.h"

struct ditto_go_state ditto_go = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool ditto_debug_one_by_one(void)
{
    return ditto_go.asked.pace == DITTO_ONE_BY_ONE;
}

bool ditto_debug_stops(void)
{
    return ditto_debug_one_by_one() &&
           !(ditto_go.asked.flags & (DITTO_GO_REMEMBER | DITTO_GO_WRITES));
}

void ditto_debug_set_stepping(struct ditto_java_thread *self, bool on)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jthread thread = NULL;
    if (debug->stepping == on)
        return;
    debug->stepping = on;
    (*jvmti)->GetCurrentThread(jvmti, &thread);
    (*jvmti)->SetEventNotificationMode(jvmti, on ? JVMTI_ENABLE : JVMTI_DISABLE,
                                       JVMTI_EVENT_SINGLE_STEP, thread);
}

struct ditto_message_position ditto_debug_position_of(const struct ditto_java_thread *self)
{
    const struct ditto_turn *turn = ditto_thread_turn(ditto_handle_of(self));
    const struct ditto_debug_thread *debug = ditto_debug_of(self);
    struct ditto_message_position position = {.kind = debug->counting,
                                              .thread = ditto_replay_id(ditto_handle_of(self)),
                                              .turn = turn->turn,
                                              .clock = turn->clock,
                                              .step = debug->steps,
                                              .nth = debug->nth};
    if (debug->counting == DITTO_POSITION_STEP && position.step)
        position.step--;
    if (debug->counting == DITTO_POSITION_MARK) {
        position.class_name = debug->mark->class_name;
        position.method = debug->mark->name;
        position.descriptor = debug->mark->descriptor;
        position.bci = debug->mark_bci;
    }
    return position;
}

struct ditto_message_position ditto_debug_position_after(const struct ditto_turn *turn)
{
    return (struct ditto_message_position){.kind = DITTO_POSITION_ALL,
                                           .thread = turn->thread,
                                           .turn = turn->turn,
                                           .clock = turn->clock};
}

bool ditto_debug_is_target_turn(const struct ditto_java_thread *self)
{
    const struct ditto_message_position *target = &ditto_go.asked.target;
    return target->kind != DITTO_POSITION_NONE && ditto_debug_one_by_one() &&
           target->thread == ditto_replay_id(ditto_handle_of(self)) &&
           target->turn == ditto_thread_turn(ditto_handle_of(self))->turn;
}

void ditto_debug_count_from(struct ditto_java_thread *self, enum ditto_spot_kind kind,
                            const struct ditto_debug_method *method, int32_t bci, uint64_t nth)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    debug->counting = (uint8_t)kind;
    debug->mark = method;
    debug->mark_bci = bci;
    debug->nth = nth;
    debug->steps = 0;
}

void ditto_debug_stand(struct ditto_java_thread *self, enum ditto_message_why why, uint32_t index)
{
    ditto_go.stopped = true;
    ditto_go.halt.why = (uint8_t)why;
    ditto_go.halt.present = ditto_debug_position_of(self);
    if (why == DITTO_HALT_BREAK || why == DITTO_HALT_THROW)
        ditto_go.halt.hit = (struct ditto_message_hit){
            .why = (uint8_t)why, .index = index, .at = ditto_go.halt.present};
    ditto_timeline_stand(ditto_handle_of(self));
    if (!ditto_debug_one_by_one())
        ditto_debug_of(self)->counting = DITTO_POSITION_NONE;
    ditto_debug_set_stepping(self, ditto_debug_one_by_one());
}
