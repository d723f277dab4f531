/* SPDX-License-Identifier: MIT */
#include "core/engine/running.h"

#define ONE_MORE ((UINT64_C(1) << 32) + 1)

void ditto_one_more(struct ditto_session *session)
{
    atomic_fetch_add_explicit(&session->active, ONE_MORE, memory_order_seq_cst);
}

void ditto_one_less(struct ditto_session *session)
{
    uint64_t before = atomic_fetch_sub_explicit(&session->active, 1, memory_order_seq_cst);
    if (ditto_active_in(before) == 1)
        session->nobody_runs(session);
}

/*
 * A thread that seems blocked in what the engine does not see may wake at any instruction, and come
 * to idle, while it is being taken out: it must be taken out once.  It has set its phase before it
 * comes here.  All exchanges of `outside` have one order.  If the thread's comes after the other's,
 * it sees that it is out already.  If it comes before, the other sees a phase that is not running,
 * takes its word back, and leaves the counting to the thread, unless the thread has seen that word.
 */
void ditto_thread_idles(struct ditto_thread *thread)
{
    if (!thread->session->timeline ||
        !atomic_exchange_explicit(&thread->outside, false, memory_order_acq_rel))
        ditto_one_less(thread->session);
}

void ditto_thread_outside(struct ditto_thread *thread)
{
    if (atomic_exchange_explicit(&thread->outside, true, memory_order_acq_rel))
        return;
    if (atomic_load_explicit(&thread->phase, memory_order_seq_cst) == DITTO_RUNNING ||
        !atomic_exchange_explicit(&thread->outside, false, memory_order_acq_rel))
        ditto_one_less(thread->session);
}

void ditto_thread_runs(struct ditto_thread *thread)
{
    ditto_one_more(thread->session);
    atomic_store_explicit(&thread->phase, DITTO_RUNNING, memory_order_seq_cst);
}

bool ditto_is_waiting(const struct ditto_thread *thread)
{
    uint32_t phase = atomic_load_explicit(&thread->phase, memory_order_relaxed);
    return phase == DITTO_WAITING || phase == DITTO_JOINING || phase == DITTO_AT_END;
}

__attribute__((noinline, no_sanitize("thread"))) uint64_t ditto_glance(const uint64_t *counter)
{
    return *(const volatile uint64_t *)counter;
}

__attribute__((noinline, no_sanitize("thread"))) uint64_t
ditto_glance_events(const struct ditto_thread *thread)
{
    const volatile struct ditto_thread *running = thread;
    return running->memory_events + running->memory.tail + running->sync_events;
}
