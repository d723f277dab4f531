/* SPDX-License-Identifier: MIT */
/*
 * Why no wake-up is lost.  A waiter adds itself to the state's count, W, and then looks at the
 * state, R.  A changer stores the new state, S, and then loads the count, L.  All four are
 * sequentially consistent, so they have one order that both threads agree on.  Either W comes
 * before L, and the changer sees the count and searches the bucket; or L before W, hence S before
 * R, and the waiter sees the new state and does not sleep.  In the first case the bucket's lock
 * decides: the changer comes after the waiter and finds it there, or before it, and then the
 * waiter, which looks at the state once more under the lock, sees the change.
 */
#include "core/engine/wait.h"

#include <sched.h>

#include "core/base/debug.h"
#include "core/base/futex.h"
#include "core/engine/running.h"

static enum ditto_ready look(const struct ditto_waiter *waiter)
{
    return waiter->ready(waiter->key, waiter->need);
}

/*
 * The thread that will do what is waited for is running on another processor and gets there within
 * a microsecond (spin), or is ready and has no processor (yield), or itself waits for others
 * (sleep).
 *
 * How far away it is tells the last from the first two.  Threads that ran side by side when they
 * were recorded, and do so again, are a few ticks apart; one that was preempted then has to wait
 * until others have come thousands of ticks further.  Between the two there is hardly anything.
 *
 * Spinning for a thread that has no processor only keeps it from getting one.  So each thread spins
 * about twice as long as it lately took to succeed, and when it did not succeed, less the next
 * time. The least is enough for one answer from another processor, so a thread notices when
 * spinning pays again; where there is a processor for each thread that can run, for the few events
 * that the other does before it answers.
 *
 * Sleeping takes little where another thread goes on instead.  But where none can, the processor
 * itself falls asleep, and to wake it takes as long as hundreds of turns, most of all in a virtual
 * machine.  So as long as there is a processor for each thread that can run, a thread gives up
 * later: after longer than a thread takes to wake, or two that take turns would each fall asleep
 * while the other wakes, and go on so.
 */
enum { SPINS_LEAST = 8, SPINS_ALONE = 64, SPINS_FIRST = 100, SPINS_MOST = 400 };
enum { FAR = 256, YIELDS_CROWDED = 16, YIELDS_ALONE = 1000 };

/* In a debugged replay the others may be held at gates, to be let on when this thread sleeps. */
static bool crowded(const struct ditto_wait_table *table, const struct ditto_waiter *waiter)
{
    const struct ditto_session *session = waiter->thread->session;
    uint64_t active = atomic_load_explicit(&session->active, memory_order_relaxed);
    return ditto_active_in(active) > table->spread.processors || session->timeline;
}

static enum ditto_ready spin(const struct ditto_wait_table *table, struct ditto_waiter *waiter)
{
    uint32_t limit = waiter->spins ? waiter->spins : SPINS_FIRST;
    if (limit < SPINS_ALONE && !crowded(table, waiter))
        limit = SPINS_ALONE;
    for (uint32_t i = 0; i < limit; i++) {
        enum ditto_ready ready = look(waiter);
        if (ready != DITTO_NOT_YET) {
            uint32_t wanted = 2 * i + SPINS_LEAST;
            waiter->spins =
                wanted > limit ? limit + (wanted - limit) / 2 : limit - (limit - wanted) / 8;
            if (waiter->spins > SPINS_MOST)
                waiter->spins = SPINS_MOST;
            return ready;
        }
        ditto_spin_hint();
    }
    waiter->spins = limit / 2 > SPINS_LEAST ? limit / 2 : SPINS_LEAST;
    return DITTO_NOT_YET;
}

static enum ditto_ready wait_awake(struct ditto_wait_table *table, struct ditto_waiter *waiter)
{
    enum ditto_ready ready = spin(table, waiter);
    if (ready == DITTO_NOT_YET && !crowded(table, waiter)) {
        ditto_spread_out(&table->spread, &waiter->spread, waiter->thread->replay_id + 1);
        ready = look(waiter);
    }
    for (int i = 0; ready == DITTO_NOT_YET; i++) {
        if (i >= (crowded(table, waiter) ? YIELDS_CROWDED : YIELDS_ALONE))
            break;
        sched_yield();
        ready = look(waiter);
    }
    return ready;
}

static struct ditto_wait_bucket *bucket_of(struct ditto_wait_table *table, const void *key)
{
    uint64_t hash = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
    return &table->buckets[hash >> 56];
}

static void insert(struct ditto_wait_bucket *bucket, struct ditto_waiter *waiter)
{
    waiter->next = bucket->first;
    waiter->link = &bucket->first;
    if (waiter->next)
        waiter->next->link = &waiter->next;
    bucket->first = waiter;
}

static void take_out(struct ditto_waiter *waiter)
{
    *waiter->link = waiter->next;
    if (waiter->next)
        waiter->next->link = waiter->link;
    waiter->link = NULL;
}

static void say_wait(const struct ditto_waiter *waiter)
{
    char what[160];
    waiter->describe(waiter, what, sizeof what);
    DITTO_DEBUG(wait, 1, "thread %u sleeps, and waits for %s", waiter->thread->replay_id, what);
}

enum ditto_ready ditto_wait(struct ditto_wait_table *table, struct ditto_waiter *waiter)
{
    enum ditto_ready ready = waiter->away > FAR ? DITTO_NOT_YET : wait_awake(table, waiter);
    if (ready != DITTO_NOT_YET)
        return ready;
    struct ditto_wait_bucket *bucket = bucket_of(table, waiter->key);
    for (;;) {
        atomic_fetch_add_explicit(waiter->count, 1, memory_order_seq_cst);
        ditto_lock(&bucket->lock);
        ready = look(waiter);
        if (ready == DITTO_NOT_YET) {
            atomic_store_explicit(&waiter->woken, 0, memory_order_relaxed);
            atomic_store_explicit(&waiter->thread->phase, DITTO_WAITING, memory_order_relaxed);
            insert(bucket, waiter);
        }
        ditto_unlock(&bucket->lock);
        if (ready == DITTO_NOT_YET) {
            if (ditto_debug_is_on(DITTO_DEBUG_wait, 1))
                say_wait(waiter);
            ditto_thread_idles(waiter->thread);
            while (!atomic_load_explicit(&waiter->woken, memory_order_acquire))
                ditto_futex_wait(&waiter->woken, 0);
            ready = look(waiter);
        }
        atomic_fetch_sub_explicit(waiter->count, 1, memory_order_relaxed);
        if (ready != DITTO_NOT_YET)
            return ready;
    }
}

void ditto_wake_slow(struct ditto_wait_table *table, const void *key)
{
    struct ditto_wait_bucket *bucket = bucket_of(table, key);
    struct ditto_waiter *next, *ended = NULL;
    ditto_lock(&bucket->lock);
    for (struct ditto_waiter *waiter = bucket->first; waiter; waiter = next) {
        next = waiter->next;
        if (waiter->key != key || look(waiter) == DITTO_NOT_YET)
            continue;
        take_out(waiter);
        DITTO_DEBUG(wait, 1, "thread %u is woken", waiter->thread->replay_id);
        ditto_thread_runs(waiter->thread);
        waiter->next = ended;
        ended = waiter;
    }
    ditto_unlock(&bucket->lock);
    /* The system calls come after the lock: others may want the bucket meanwhile. */
    for (struct ditto_waiter *waiter = ended; waiter; waiter = next) {
        next = waiter->next;
        /* From here on the waiter may run, return and be used again: it is not touched any more
         * but for its address. */
        atomic_store_explicit(&waiter->woken, 1, memory_order_release);
        ditto_futex_wake(&waiter->woken, 1);
    }
}
