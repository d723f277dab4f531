/* SPDX-License-Identifier: MIT */
/* The events of core/ditto.h, passed on to the order's half for the session's mode. */
#include "core/detached.h"
#include "core/session.h"

void ditto_load_begin(struct ditto_thread *thread, ditto_place *place)
{
    thread->events->load_begin(thread, place);
}

void ditto_load_end(struct ditto_thread *thread, ditto_place *place)
{
    thread->events->load_end(thread, place);
}

void ditto_store_begin(struct ditto_thread *thread, ditto_place *place)
{
    thread->events->store_begin(thread, place);
}

void ditto_store_end(struct ditto_thread *thread, ditto_place *place)
{
    thread->events->store_end(thread, place);
}

void ditto_acquire_begin(struct ditto_thread *thread, ditto_monitor *monitor)
{
    thread->events->acquire_begin(thread, monitor);
}

void ditto_acquire_end(struct ditto_thread *thread, ditto_monitor *monitor)
{
    thread->events->acquire_end(thread, monitor);
    thread->held++;
}

void ditto_release(struct ditto_thread *thread, ditto_monitor *monitor)
{
    thread->events->release(thread, monitor);
    thread->held--;
}

void ditto_cond_wait(struct ditto_thread *thread, ditto_monitor *monitor, pthread_cond_t *condition,
                     pthread_mutex_t *mutex)
{
    bool by_trace = thread->session->replaying && thread->events != &ditto_detached_events;
    thread->events->release(thread, monitor);
    if (by_trace)
        pthread_mutex_unlock(mutex);
    thread->events->acquire_begin(thread, monitor);
    if (by_trace)
        pthread_mutex_lock(mutex);
    else
        pthread_cond_wait(condition, mutex);
    thread->events->acquire_end(thread, monitor);
}
