/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/breakpoints.h"

#include <stdlib.h>

#include "core/base/die.h"
#include "jvm-bridge/vm/vm.h"

/* And how often the present turn of a thread has come to it. */
struct breakpoint {
    struct ditto_debug_method *method; /* NULL: not known yet */
    jlocation at;                      /* -1: not set in the JVM */
    uint32_t thread;
    uint64_t turn, times;
};

/* Guarded by the run's lock where they are set; one by one, the thread that runs counts. */
static struct breakpoint *breakpoints;
static uint32_t count;

static void set(struct breakpoint *breakpoint, const struct ditto_message_break *asked)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    breakpoint->method =
        ditto_debug_method_named(asked->class_name, asked->method, asked->descriptor);
    breakpoint->at = breakpoint->method ? ditto_debug_location(breakpoint->method, asked->bci) : -1;
    jmethodID id = breakpoint->method
                       ? atomic_load_explicit(&breakpoint->method->id, memory_order_acquire)
                       : NULL;
    if (breakpoint->at < 0 || !id) {
        breakpoint->at = -1;
        return;
    }
    jvmtiError error = (*jvmti)->SetBreakpoint(jvmti, id, breakpoint->at);
    if (error != JVMTI_ERROR_NONE && error != JVMTI_ERROR_DUPLICATE)
        breakpoint->at = -1;
}

static void mark_break(struct ditto_message_break *mark)
{
    const struct ditto_message_position *target = &ditto_go.asked.target;
    *mark = (struct ditto_message_break){target->class_name, target->method, target->descriptor,
                                         target->bci};
}

static void set_all(void)
{
    for (uint32_t i = 0; i < count; i++) {
        struct ditto_message_break mark;
        mark_break(&mark);
        if (breakpoints[i].at < 0)
            set(&breakpoints[i],
                i < ditto_go.asked.break_count ? &ditto_go.asked.breaks[i] : &mark);
    }
}

void ditto_debug_clear_breakpoints(void)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    for (uint32_t i = 0; i < count; i++)
        if (breakpoints[i].at >= 0)
            (*jvmti)->ClearBreakpoint(jvmti, breakpoints[i].method->id, breakpoints[i].at);
    free(breakpoints);
    breakpoints = NULL;
    count = 0;
}

void ditto_debug_make_breakpoints(void)
{
    const struct ditto_message_go *asked = &ditto_go.asked;
    count = asked->break_count + (asked->target.kind == DITTO_POSITION_MARK);
    breakpoints = ditto_alloc_zeroed(count, sizeof *breakpoints, "breakpoints");
    for (uint32_t i = 0; i < count; i++)
        breakpoints[i].at = -1;
    set_all();
}

void JNICALL ditto_debug_class_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class)
{
    (void)jvmti;
    (void)jni;
    (void)thread;
    if (!ditto_debug_methods_prepared(class))
        return;
    pthread_mutex_lock(&ditto_go.lock);
    set_all();
    pthread_mutex_unlock(&ditto_go.lock);
}

/* One more arrival of this turn at it: the how-manieth. */
static uint64_t count_arrival(struct breakpoint *breakpoint, const struct ditto_java_thread *self)
{
    uint32_t thread = ditto_replay_id(ditto_handle_of(self));
    uint64_t turn = ditto_thread_turn(ditto_handle_of(self))->turn;
    if (breakpoint->thread != thread || breakpoint->turn != turn || breakpoint->times == 0) {
        breakpoint->thread = thread;
        breakpoint->turn = turn;
        breakpoint->times = 0;
    }
    return ++breakpoint->times;
}

uint32_t ditto_debug_breakpoints(void)
{
    return count;
}

uint64_t ditto_debug_arrival(uint32_t index, const struct ditto_java_thread *self,
                             const struct ditto_debug_method *method, int32_t bci)
{
    struct breakpoint *breakpoint = &breakpoints[index];
    if (breakpoint->method != method || breakpoint->at < 0 ||
        method->location[breakpoint->at] != bci)
        return 0;
    return count_arrival(breakpoint, self);
}

bool ditto_debug_has_breakpoint(const struct ditto_debug_method *method, jlocation at)
{
    for (uint32_t i = 0; i < count; i++)
        if (breakpoints[i].method == method && breakpoints[i].at == at)
            return true;
    return false;
}
