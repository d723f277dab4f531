/* SPDX-License-Identifier: MIT */
/* How far the threads of a session are, and how far they went in the recording. */
#include "core/engine/running.h"
#include "core/reading/counts.h"

uint64_t ditto_all_events(struct ditto_session *session, ditto_visit_fn *visit, void *context)
{
    pthread_mutex_lock(&session->threads_lock);
    uint64_t sum = session->ended_events;
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
        uint64_t events = ditto_glance_events(thread);
        sum += events;
        if (visit)
            visit(context, thread, events);
    }
    pthread_mutex_unlock(&session->threads_lock);
    return sum;
}

uint64_t ditto_recorded_events(const struct ditto_session *session, uint32_t replay_id)
{
    const struct ditto_thread_info *info =
        session->replaying ? ditto_reader_find_thread(session->reader, replay_id) : NULL;
    struct ditto_thread_counts counts;
    if (!info)
        return 0;
    if (info->ended)
        return info->memory_events + info->sync_events;
    ditto_count_thread(session->reader, session->order, replay_id, &counts, NULL);
    return counts.memory.events + counts.sync.events;
}

uint32_t ditto_recorded_threads(const struct ditto_session *session)
{
    return session->replaying ? (uint32_t)ditto_reader_thread_count(session->reader) : 0;
}
