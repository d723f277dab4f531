/* SPDX-License-Identifier: MIT */
#include "core/engine/detached.h"

static void no_place_event(struct ditto_thread *thread, void *place)
{
    (void)thread;
    (void)place;
}

static bool no_update_begin(struct ditto_thread *thread, void *place)
{
    (void)thread;
    (void)place;
    return true;
}

static void no_update_end(struct ditto_thread *thread, void *place, bool stored)
{
    (void)thread;
    (void)place;
    (void)stored;
}

static void no_moment(struct ditto_thread *thread)
{
    (void)thread;
}

static void no_thread_event(struct ditto_thread *thread, struct ditto_thread *other)
{
    (void)thread;
    (void)other;
}

const struct ditto_order_events ditto_detached_events = {
    .load_begin = no_place_event,
    .load_end = no_place_event,
    .store_begin = no_place_event,
    .store_end = no_place_event,
    .update_begin = no_update_begin,
    .update_end = no_update_end,
    .acquire_begin = no_place_event,
    .acquire_end = no_place_event,
    .release = no_place_event,
    .point = no_moment,
    .park = no_moment,
    .unpark = no_moment,
    .start = no_thread_event,
    .join = no_thread_event,
    .end = no_moment,
};

struct ditto_order_events ditto_without_gaps(const struct ditto_order_events *events)
{
    const struct ditto_order_events *nothing = &ditto_detached_events;
#define OR_NOTHING(event) .event = events->event ? events->event : nothing->event
    return (struct ditto_order_events){
        OR_NOTHING(load_begin),    OR_NOTHING(load_end),     OR_NOTHING(store_begin),
        OR_NOTHING(store_end),     OR_NOTHING(update_begin), OR_NOTHING(update_end),
        OR_NOTHING(acquire_begin), OR_NOTHING(acquire_end),  OR_NOTHING(release),
        OR_NOTHING(point),         OR_NOTHING(park),         OR_NOTHING(unpark),
        OR_NOTHING(start),         OR_NOTHING(join),         OR_NOTHING(end),
    };
#undef OR_NOTHING
}

/*
 * The sessions of this process.  A forked child has one thread, and inherits the mappings of the
 * parent's trace and the middle of whatever the other threads were doing.  So all locks are taken
 * over the fork, and in the child every session is cut off: its calls do nothing.
 */
static struct {
    pthread_mutex_t lock; /* guards the list */
    pthread_once_t once;
    struct ditto_session *first;
} sessions = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void before_fork(void)
{
    pthread_mutex_lock(&sessions.lock);
    for (struct ditto_session *session = sessions.first; session; session = session->next) {
        pthread_mutex_lock(&session->start_lock);
        if (session->writer)
            ditto_writer_before_fork(session->writer);
        pthread_mutex_lock(&session->threads_lock);
    }
}

static void after_fork(void)
{
    for (struct ditto_session *session = sessions.first; session; session = session->next) {
        pthread_mutex_unlock(&session->threads_lock);
        if (session->writer)
            ditto_writer_after_fork(session->writer);
        pthread_mutex_unlock(&session->start_lock);
    }
    pthread_mutex_unlock(&sessions.lock);
}

static void after_fork_in_child(void)
{
    for (struct ditto_session *session = sessions.first; session; session = session->next) {
        session->detached = true;
        session->events = &ditto_detached_events;
        for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
            thread->events = &ditto_detached_events;
            /* No more quick events: they would go to the parent's trace. */
            thread->memory.word = NULL;
            thread->memory_trace.run = 0;
        }
    }
    after_fork();
}

static void install_handlers(void)
{
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void ditto_watch_forks(struct ditto_session *session)
{
    pthread_once(&sessions.once, install_handlers);
    pthread_mutex_lock(&sessions.lock);
    session->next = sessions.first;
    sessions.first = session;
    pthread_mutex_unlock(&sessions.lock);
}

void ditto_unwatch_forks(struct ditto_session *session)
{
    pthread_mutex_lock(&sessions.lock);
    struct ditto_session **link = &sessions.first;
    while (*link && *link != session)
        link = &(*link)->next;
    if (*link)
        *link = session->next;
    pthread_mutex_unlock(&sessions.lock);
}
