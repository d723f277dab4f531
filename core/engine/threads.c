/* SPDX-License-Identifier: MIT */
#include "core/engine/threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/debug.h"
#include "core/base/die.h"
#include "core/engine/detached.h"
#include "core/engine/inputs.h"
#include "core/engine/lifetime.h"
#include "core/engine/running.h"
#include "core/engine/stop.h"
#include "core/engine/timeline.h"

static void open_record_streams(struct ditto_thread *thread)
{
    struct ditto_writer *writer = thread->session->writer;
    ditto_split_fn *split = thread->session->order->coding->split;
    ditto_stream_init(&thread->memory, writer, DITTO_STREAM_MEMORY, thread->replay_id, split);
    ditto_stream_init(&thread->sync, writer, DITTO_STREAM_SYNC, thread->replay_id, split);
    ditto_stream_init(&thread->value, writer, DITTO_STREAM_VALUE, thread->replay_id, NULL);
    thread->stop_flag = ditto_writer_stop_flag(writer);
}

static void open_replay_streams(struct ditto_thread *thread)
{
    struct ditto_session *session = thread->session;
    uint32_t id = thread->replay_id;
    ditto_items_init(&thread->memory_trace.items, session->reader, session->order,
                     DITTO_STREAM_MEMORY, id);
    ditto_items_init(&thread->sync_trace.items, session->reader, session->order, DITTO_STREAM_SYNC,
                     id);
    ditto_cursor_init(&thread->value_trace, session->reader, DITTO_STREAM_VALUE, id);
    const struct ditto_thread_info *info = ditto_reader_find_thread(session->reader, id);
    thread->in_trace_to_the_end = info && info->ended;
}

static const char *recorded_name(const struct ditto_session *session, uint32_t id, const char *name)
{
    const struct ditto_thread_info *info = ditto_reader_find_thread(session->reader, id);
    return info && info->name ? info->name : name;
}

struct ditto_thread *ditto_thread_make(struct ditto_session *session, struct ditto_thread *parent,
                                       uint32_t replay_id, const char *name)
{
    if (session->replaying)
        name = recorded_name(session, replay_id, name);
    struct ditto_thread *thread =
        ditto_alloc_zeroed(1, sizeof *thread + session->order->thread_size, "a thread");
    thread->session = session;
    atomic_fetch_add_explicit(&session->references, 1, memory_order_relaxed);
    thread->events = session->events;
    thread->replay_id = replay_id;
    thread->name = ditto_copy_text(name, "the name of a thread");
    atomic_init(&thread->references, 2);
    if (parent)
        session->events->start(parent, thread);
    if (session->detached) {
        ; /* a forked child's own */
    } else if (session->replaying) {
        open_replay_streams(thread);
        ditto_thread_runs(thread);
    } else {
        open_record_streams(thread);
        const struct ditto_meta record = {
            .type = DITTO_META_THREAD_START,
            .replay_id = replay_id,
            .parent = parent ? parent->replay_id : DITTO_NO_THREAD,
            .clock = ditto_thread_clock(thread),
            .text = ditto_text(name),
        };
        ditto_writer_meta(session->writer, &record);
    }
    DITTO_DEBUG(threads, 1, "thread %" PRIu32 " (%s) begins", replay_id, name);
    pthread_mutex_lock(&session->threads_lock);
    thread->next = session->threads;
    if (thread->next)
        thread->next->previous = thread;
    session->threads = thread;
    pthread_mutex_unlock(&session->threads_lock);
    return thread;
}

/* Skips, in a replay, the one that was adopted, whenever that was. */
static uint32_t new_replay_id(struct ditto_session *session)
{
    if (session->replaying && session->next_replay_id == session->adopted_id)
        session->next_replay_id++;
    return session->next_replay_id++;
}

struct ditto_thread *ditto_thread_start(struct ditto_thread *parent, const char *name)
{
    struct ditto_session *session = parent->session;
    parent->events->acquire_begin(parent, session->start_monitor);
    pthread_mutex_lock(&session->start_lock);
    parent->events->acquire_end(parent, session->start_monitor);
    struct ditto_thread *child =
        ditto_thread_make(session, parent, new_replay_id(session), name ? name : "");
    parent->events->release(parent, session->start_monitor);
    pthread_mutex_unlock(&session->start_lock);
    return child;
}

static const char adopted_property[] = "adopted-thread";

void ditto_threads_find_adopted(struct ditto_session *session)
{
    const char *id = ditto_property(session, adopted_property);
    uint32_t number = id ? (uint32_t)strtoul(id, NULL, 10) : 0;
    session->adopted_id = number ? number : DITTO_NO_THREAD;
}

const char *ditto_adopted_name(const struct ditto_session *session)
{
    const struct ditto_thread_info *info =
        session->replaying && session->adopted_id != DITTO_NO_THREAD
            ? ditto_reader_find_thread(session->reader, session->adopted_id)
            : NULL;
    return info ? info->name : NULL;
}

struct ditto_thread *ditto_thread_adopt(struct ditto_session *session, const char *name)
{
    const char *expected = ditto_adopted_name(session);
    struct ditto_thread *thread = NULL;
    char id[16];
    pthread_mutex_lock(&session->start_lock);
    if (!session->adopted && (!session->replaying || (expected && strcmp(expected, name) == 0))) {
        session->adopted = true;
        uint32_t own = session->replaying ? session->adopted_id : new_replay_id(session);
        snprintf(id, sizeof id, "%" PRIu32, own);
        ditto_set_property(session, adopted_property, id);
        thread = ditto_thread_make(session, NULL, own, name);
        /* The end that seemed near has this thread's part before it. */
        atomic_store_explicit(&session->exiting, DITTO_NOT_EXITING, memory_order_seq_cst);
    }
    pthread_mutex_unlock(&session->start_lock);
    return thread;
}

static void drop(struct ditto_thread *thread)
{
    /* The last to let go must see what the other did before: acquire and release. */
    if (atomic_fetch_sub_explicit(&thread->references, 1, memory_order_acq_rel) != 1)
        return;
    /* Who finds that nobody can go on looks at threads that are being joined, under this lock. */
    pthread_mutex_lock(&thread->session->threads_lock);
    pthread_mutex_unlock(&thread->session->threads_lock);
    struct ditto_session *session = thread->session;
    free(thread->name);
    free(thread);
    ditto_session_drop(session);
}

/* A replayed thread that ends must have done all that it did in the recording. */
static void check_stream_is_used_up(struct ditto_thread *thread, struct ditto_replay_stream *stream,
                                    const char *what)
{
    struct ditto_error error;
    while (stream->run == 0 && stream->item.kind == DITTO_ITEM_RUN) {
        int next = ditto_items_next(&stream->items, &stream->item, &error);
        if (next < 0)
            ditto_damaged(thread, &error);
        if (next == 0)
            return;
        stream->run = stream->item.run;
    }
    ditto_diverge(thread, "expected another %s, found the end of the thread", what);
}

static void end_record(struct ditto_thread *thread)
{
    const struct ditto_meta record = {
        .type = DITTO_META_THREAD_END,
        .replay_id = thread->replay_id,
        .clock = ditto_thread_clock(thread),
        .memory_events = ditto_thread_memory_events(thread),
        .sync_events = thread->sync_events,
        .values = thread->values,
    };
    /* Events after a stop are not in the trace, so neither is this end. */
    if (!ditto_stop_flag_is_set(thread->stop_flag))
        ditto_writer_meta(thread->session->writer, &record);
    /* The last stream of a recording that was closed meanwhile frees the writer. */
    ditto_stream_close(&thread->memory);
    ditto_stream_close(&thread->sync);
    ditto_stream_close(&thread->value);
}

static void end_replay(struct ditto_thread *thread)
{
    if (thread->events != &ditto_detached_events) {
        check_stream_is_used_up(thread, &thread->memory_trace, "load or store");
        check_stream_is_used_up(thread, &thread->sync_trace, "acquisition");
        ditto_inputs_check_end(thread);
    }
    ditto_items_destroy(&thread->memory_trace.items);
    ditto_items_destroy(&thread->sync_trace.items);
    ditto_cursor_destroy(&thread->value_trace);
}

void ditto_thread_end(struct ditto_thread *thread)
{
    struct ditto_session *session = thread->session;
    DITTO_DEBUG(threads, 1, "thread %" PRIu32 " ends after %" PRIu64 " events", thread->replay_id,
                ditto_thread_events(thread));
    thread->events->end(thread);
    if (!session->detached && session->replaying)
        end_replay(thread);
    else if (!session->detached)
        end_record(thread);
    if (session->timeline)
        ditto_timeline_ended(thread);
    pthread_mutex_lock(&session->threads_lock);
    if (thread->next)
        thread->next->previous = thread->previous;
    if (thread->previous)
        thread->previous->next = thread->next;
    else
        session->threads = thread->next;
    session->ended_events += ditto_thread_events(thread);
    pthread_mutex_unlock(&session->threads_lock);
    atomic_store_explicit(&thread->phase, DITTO_ENDED, memory_order_release);
    if (session->replaying && !session->detached)
        ditto_thread_idles(thread);
    drop(thread);
}

void ditto_join_begin(struct ditto_thread *thread, struct ditto_thread *other)
{
    if (!thread->session->replaying || thread->events == &ditto_detached_events)
        return;
    if (thread->session->timeline) {
        ditto_gate_join(thread, other);
        return;
    }
    atomic_store_explicit(&thread->joined, other, memory_order_relaxed);
    atomic_store_explicit(&thread->phase, DITTO_JOINING, memory_order_seq_cst);
    ditto_thread_idles(thread);
}

void ditto_join_end(struct ditto_thread *thread, struct ditto_thread *other)
{
    if (thread->session->replaying && !thread->session->timeline &&
        thread->events != &ditto_detached_events)
        ditto_thread_runs(thread);
    thread->events->join(thread, other);
}

void ditto_thread_release(struct ditto_thread *other)
{
    drop(other);
}

int32_t *ditto_muted(struct ditto_thread *thread)
{
    return &thread->muted;
}

uint32_t ditto_replay_id(const struct ditto_thread *thread)
{
    return thread->replay_id;
}

const char *ditto_name(const struct ditto_thread *thread)
{
    return thread->name;
}

uint64_t ditto_clock(const struct ditto_thread *thread)
{
    return ditto_thread_clock(thread);
}

uint64_t ditto_events(const struct ditto_thread *thread)
{
    return ditto_thread_events(thread);
}
