/* SPDX-License-Identifier: MIT */
#include "core/engine/quick.h"

#include <stddef.h>

#include "core/engine/state.h"

bool ditto_quick(const struct ditto_session *session, int64_t numbers[DITTO_QUICK_NUMBERS])
{
    ditto_quick_objects(session, numbers);
    const struct {
        enum ditto_quick_number number;
        size_t offset;
    } of_thread[] = {
        {DITTO_QUICK_ACCESS, offsetof(struct ditto_thread, access)},
        {DITTO_QUICK_CLOCK, offsetof(struct ditto_thread, clock)},
        {DITTO_QUICK_MEMORY_EVENTS, offsetof(struct ditto_thread, memory_events)},
        {DITTO_QUICK_REPLAY_ID, offsetof(struct ditto_thread, replay_id)},
        {DITTO_QUICK_WORD, offsetof(struct ditto_thread, memory.word)},
        {DITTO_QUICK_USED, offsetof(struct ditto_thread, memory.used)},
        {DITTO_QUICK_TAIL, offsetof(struct ditto_thread, memory.tail)},
        {DITTO_QUICK_RUN, offsetof(struct ditto_thread, memory_trace.run)},
        {DITTO_QUICK_MUTED, offsetof(struct ditto_thread, muted)},
    };
    for (size_t i = 0; i < sizeof of_thread / sizeof *of_thread; i++)
        numbers[of_thread[i].number] = (int64_t)of_thread[i].offset;
    numbers[DITTO_QUICK_STOP_FLAG] =
        session->replaying ? 0 : (int64_t)(uintptr_t)ditto_writer_stop_flag(session->writer);
    return session->order->quick && session->order->quick(session, numbers);
}
