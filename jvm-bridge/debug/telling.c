/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/telling.h"

#include <stdlib.h>

#include "jvm-bridge/debug/inspect.h"
#include "jvm-bridge/debug/sending.h"
#include "jvm-bridge/vm/vm.h"

enum { LOG_MOST = 1 << 16 };

/* One by one, the thread that runs has them; when all rest, the service. */
static struct ditto_message entries;
static uint32_t entry_count;
/* Guarded by the run's lock. */
static struct ditto_message writes;
static uint32_t write_count;

void ditto_debug_flush(void)
{
    if (entry_count) {
        ditto_message_set32(&entries, 5, entry_count);
        ditto_debug_send(&entries);
    }
    entry_count = 0;
    if (write_count) {
        ditto_message_set32(&writes, 5, write_count);
        ditto_debug_send(&writes);
    }
    write_count = 0;
}

static struct ditto_message *log_entry(const struct ditto_java_thread *self,
                                       enum ditto_log_kind kind)
{
    const struct ditto_turn *turn = ditto_thread_turn(ditto_handle_of(self));
    if (entry_count == LOG_MOST)
        ditto_debug_flush();
    if (entry_count == 0) {
        ditto_message_begin(&entries, DITTO_SAY_LOG);
        ditto_message_put32(&entries, 0);
    }
    entry_count++;
    ditto_message_put32(&entries, ditto_replay_id(ditto_handle_of(self)));
    ditto_message_put64(&entries, turn->turn);
    ditto_message_put64(&entries, turn->clock);
    ditto_message_put8(&entries, (uint8_t)kind);
    return &entries;
}

void ditto_debug_log_turn(const struct ditto_java_thread *self)
{
    log_entry(self, DITTO_LOG_TURN);
}

void ditto_debug_log_end(const struct ditto_java_thread *self)
{
    log_entry(self, DITTO_LOG_END);
}

/* The callers are sent when they may be others than at the thread's last step. */
void ditto_debug_log_step(struct ditto_java_thread *self, const struct ditto_debug_method *method,
                          int32_t bci)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    struct ditto_message *entry = log_entry(self, DITTO_LOG_STEP);
    jint depth = 0;
    ditto_message_put32(entry, method->number);
    ditto_message_put32(entry, (uint32_t)bci);
    (*ditto_agent.jvmti)->GetFrameCount(ditto_agent.jvmti, NULL, &depth);
    if (bci >= 0 && debug->logged == method && debug->logged_depth == depth) {
        ditto_message_put32(entry, UINT32_MAX);
        return;
    }
    debug->logged = method;
    debug->logged_depth = depth;
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    ditto_message_put32(entry, count > 0 ? (uint32_t)count - 1 : 0);
    for (jint i = 1; i < count; i++) {
        const struct ditto_debug_method *caller = ditto_debug_method(frames[i].method);
        ditto_message_put32(entry, caller->number);
        ditto_message_put32(entry, (uint32_t)ditto_debug_bci(caller, frames[i].location));
    }
    free(frames);
}

/* The calling thread's frames, for whoever is shown the hit: none if they are many. */
static void put_frames(struct ditto_message *message)
{
    enum { FRAMES_MOST = 64 };
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    if (count > FRAMES_MOST)
        count = 0;
    ditto_message_put32(message, (uint32_t)count);
    for (jint i = 0; i < count; i++) {
        const struct ditto_debug_method *method = ditto_debug_method(frames[i].method);
        ditto_message_put32(message, method->number);
        ditto_message_put32(message, (uint32_t)ditto_debug_bci(method, frames[i].location));
    }
    free(frames);
}

void ditto_debug_remember(const struct ditto_message_hit *hit)
{
    pthread_mutex_lock(&ditto_go.lock);
    ditto_go.halt.hit = *hit;
    ditto_go.halt.accesses++;
    if (ditto_go.asked.flags & DITTO_GO_WRITES) {
        if (write_count == 0) {
            ditto_message_begin(&writes, DITTO_SAY_WRITES);
            ditto_message_put32(&writes, 0);
        }
        write_count++;
        ditto_message_put_hit(&writes, hit);
        if (hit->why == DITTO_HALT_BREAK)
            put_frames(&writes);
        else
            ditto_message_put32(&writes, 0);
        if (write_count == LOG_MOST) {
            ditto_message_set32(&writes, 5, write_count);
            ditto_debug_send(&writes);
            write_count = 0;
        }
    }
    pthread_mutex_unlock(&ditto_go.lock);
}
