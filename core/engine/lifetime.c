/* SPDX-License-Identifier: MIT */
#include "core/engine/lifetime.h"

#include <stdlib.h>

#include "core/engine/detached.h"
#include "core/engine/timeline.h"

static void free_session(struct ditto_session *session)
{
    ditto_unwatch_forks(session);
    if (session->writer)
        ditto_writer_free(session->writer);
    ditto_reader_close(session->reader);
    pthread_mutex_destroy(&session->start_lock);
    pthread_mutex_destroy(&session->threads_lock);
    free(session->start_monitor);
    free(session->order_state);
    ditto_timeline_free(session->timeline);
    free(session);
}

void ditto_session_drop(struct ditto_session *session)
{
    if (atomic_fetch_sub_explicit(&session->references, 1, memory_order_acq_rel) == 1)
        free_session(session);
}
