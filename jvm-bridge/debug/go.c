/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/go.h"

#include <stdlib.h>

#include "jvm-bridge/debug/breakpoints.h"
#include "jvm-bridge/debug/go_state.h"
#include "jvm-bridge/debug/inspect.h"
#include "jvm-bridge/debug/telling.h"
#include "jvm-bridge/vm/vm.h"

static void begin_range(JNIEnv *jni)
{
    ditto_go.range_method = NULL;
    if (ditto_go.asked.walk != DITTO_WALK_RANGE)
        return;
    jvmtiFrameInfo *frames = NULL;
    jthread walker = ditto_java_thread_find(jni, ditto_go.asked.walker);
    ditto_go.range_depth = walker ? ditto_debug_frames(walker, &frames, NULL) : 0;
    if (ditto_go.range_depth > 0)
        ditto_go.range_method = ditto_debug_method(frames[0].method);
    free(frames);
}

void ditto_debug_go(JNIEnv *jni, const struct ditto_message_go *asked)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    bool throws = asked->flags & DITTO_GO_THROWS || asked->target.kind == DITTO_POSITION_THROW;
    pthread_mutex_lock(&ditto_go.lock);
    ditto_debug_clear_breakpoints();
    free(ditto_go.asked.breaks);
    free(ditto_go.asked.watches);
    ditto_go.asked = *asked;
    ditto_debug_make_breakpoints();
    pthread_mutex_unlock(&ditto_go.lock);
    (*jvmti)->SetEventNotificationMode(jvmti, throws ? JVMTI_ENABLE : JVMTI_DISABLE,
                                       JVMTI_EVENT_EXCEPTION, NULL);
    ditto_go.halt = (struct ditto_message_halt){0};
    ditto_go.reached = ditto_go.stopped = false;
    begin_range(jni);
    ditto_timeline_go(ditto_agent.session, (enum ditto_pace)asked->pace, asked->limit);
}

void ditto_debug_interrupt(void)
{
    ditto_timeline_hold(ditto_agent.session);
}

void ditto_debug_halt(enum ditto_rest why, struct ditto_message_halt *halt)
{
    static const uint8_t whys[] = {[DITTO_REST_HELD] = DITTO_HALT_HELD,
                                   [DITTO_REST_LIMIT] = DITTO_HALT_LIMIT,
                                   [DITTO_REST_END] = DITTO_HALT_END};
    ditto_debug_flush();
    *halt = ditto_go.halt;
    if (ditto_go.stopped)
        return;
    if (!ditto_debug_one_by_one())
        ditto_go.now = ditto_timeline_latest(ditto_agent.session);
    halt->why = ditto_go.reached ? DITTO_HALT_TARGET : whys[why];
    halt->present = ditto_debug_position_after(&ditto_go.now);
}
