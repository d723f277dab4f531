/* SPDX-License-Identifier: MIT */
/* What a caller that does the order's events itself has to know; see core/engine/quick.h. */
#include "core/engine/quick.h"
#include "core/engine/wait.h"
#include "core/orders/ditto/events.h"
#include "core/orders/ditto/state.h"

bool ditto_order_quick(const struct ditto_session *session, int64_t numbers[])
{
    /* Without pruning every event is traced, and none is quick. */
    if (session->pruning == DITTO_PRUNE_NONE)
        return false;
    const size_t state = offsetof(struct ditto_thread, order_state);
    const struct {
        enum ditto_quick_number number;
        size_t value;
    } here[] = {
        {DITTO_QUICK_STORE_CLOCK, offsetof(ditto_place, store_clock)},
        {DITTO_QUICK_LOAD_CLOCK, offsetof(ditto_place, load_clock)},
        {DITTO_QUICK_LOAD_COUNT, offsetof(ditto_place, load_count)},
        {DITTO_QUICK_LOCK, offsetof(ditto_place, lock.held)},
        {DITTO_QUICK_SLEEPERS, offsetof(ditto_place, lock.sleepers)},
        {DITTO_QUICK_FENCED, ditto_light_lock_fenced},
        {DITTO_QUICK_WAITERS, offsetof(ditto_place, waiters)},
        {DITTO_QUICK_STORER, offsetof(ditto_place, storer)},
        {DITTO_QUICK_LOADER, offsetof(ditto_place, loader)},
        {DITTO_QUICK_SEEN_CLOCK, state + offsetof(struct thread_state, seen_clock)},
        {DITTO_QUICK_SEEN_THREAD, state + offsetof(struct thread_state, seen_thread)},
        {DITTO_QUICK_SEEN_SIZE, session->pruning == DITTO_PRUNE_FULL ? SEEN_SIZE : 0},
    };
    for (size_t i = 0; i < sizeof here / sizeof *here; i++)
        numbers[here[i].number] = (int64_t)here[i].value;
    return true;
}

void ditto_quick_wake_lock(ditto_place *place)
{
    ditto_light_lock_wake(&place->lock);
}

void ditto_quick_wake(struct ditto_thread *thread, ditto_place *place)
{
    ditto_wake(&thread->session->waits, place, &place->waiters);
}
