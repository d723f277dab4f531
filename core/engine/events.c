/* SPDX-License-Identifier: MIT */
/* The events of core/ditto.h, passed on to the order's half for the session's mode. */
#include "core/engine/detached.h"
#include "core/engine/state.h"

/* An order may take the access back: then there is nothing to end. */
static void begin(struct ditto_thread *thread, ditto_place *place, uintptr_t kind)
{
    atomic_store_explicit(&thread->access, (uintptr_t)place | kind, memory_order_relaxed);
}

static void end(struct ditto_thread *thread)
{
    atomic_store_explicit(&thread->access, 0, memory_order_relaxed);
}

void ditto_load_begin(struct ditto_thread *thread, ditto_place *place)
{
    begin(thread, place, DITTO_LOADING);
    thread->events->load_begin(thread, place);
}

void ditto_load_end(struct ditto_thread *thread, ditto_place *place)
{
    thread->events->load_end(thread, place);
    end(thread);
}

void ditto_store_begin(struct ditto_thread *thread, ditto_place *place)
{
    begin(thread, place, DITTO_STORING);
    thread->events->store_begin(thread, place);
}

void ditto_store_end(struct ditto_thread *thread, ditto_place *place)
{
    thread->events->store_end(thread, place);
    end(thread);
}

bool ditto_update_begin(struct ditto_thread *thread, ditto_place *place)
{
    begin(thread, place, DITTO_UPDATING);
    return thread->events->update_begin(thread, place);
}

void ditto_update_end(struct ditto_thread *thread, ditto_place *place, bool stored)
{
    thread->events->update_end(thread, place, stored);
    end(thread);
}

void ditto_access_end(struct ditto_thread *thread)
{
    uintptr_t access = atomic_load_explicit(&thread->access, memory_order_relaxed);
    ditto_place *place = (ditto_place *)(access & ~(uintptr_t)DITTO_ACCESS_KIND);
    if (!place)
        return;
    if (access & DITTO_UPDATING)
        ditto_update_end(thread, place, false);
    else if (access & DITTO_STORING)
        ditto_store_end(thread, place);
    else
        ditto_load_end(thread, place);
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

void ditto_point(struct ditto_thread *thread)
{
    thread->events->point(thread);
}

void ditto_park(struct ditto_thread *thread)
{
    thread->events->park(thread);
}

void ditto_unpark(struct ditto_thread *thread)
{
    thread->events->unpark(thread);
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
