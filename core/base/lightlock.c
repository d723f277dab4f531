/* SPDX-License-Identifier: MIT */
#include "core/base/lightlock.h"

#include <linux/membarrier.h>
#include <pthread.h>

#include "core/base/futex.h"

/*
 * A holder does a few dozen instructions; one that is still not done was most likely preempted.
 *
 * Every look takes the lock's cache line away from the holder, who needs it to let the lock go, and
 * often to take it again.  Who looks less often while it waits lets the holder do several events at
 * the price of one: a recording of a place that two threads fight for gets half as long, and has
 * half as many turns to replay.
 */
enum { SPINS = 100, YIELDS = 4, PAUSE_MOST = 8 };

bool ditto_light_lock_fenced;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void)
{
    ditto_light_lock_fenced =
        syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
}

void ditto_light_lock_prepare(void)
{
    pthread_once(&once, prepare);
}

/*
 * False if this process may not have the barrier, though it was promised (there is no memory for
 * it, a filter forbids it, or the process was frozen and came back): then it must not sleep.
 */
static bool barrier_everywhere(void)
{
    return ditto_light_lock_fenced ||
           syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0;
}

/* 0: it is taken now; else by whom it is held. */
static uint32_t try_to_take(struct ditto_light_lock *lock, uint32_t who)
{
    uint32_t holder = atomic_load_explicit(&lock->held, memory_order_relaxed);
    if (holder == 0)
        atomic_compare_exchange_strong_explicit(&lock->held, &holder, who, memory_order_acquire,
                                                memory_order_relaxed);
    return holder;
}

void ditto_light_lock_wait(struct ditto_light_lock *lock, uint32_t who)
{
    uint32_t holder;
    int pause = 1;
    for (int spins = 0; spins < SPINS; spins += pause) {
        if (try_to_take(lock, who) == 0)
            return;
        if (pause < PAUSE_MOST)
            pause *= 2;
        for (int i = 0; i < pause; i++)
            ditto_spin_hint();
    }
    for (int i = 0; i < YIELDS; i++) {
        if (try_to_take(lock, who) == 0)
            return;
        sched_yield();
    }
    atomic_fetch_add_explicit(&lock->sleepers, 1, memory_order_seq_cst);
    bool may_sleep = barrier_everywhere();
    while ((holder = try_to_take(lock, who))) {
        if (may_sleep)
            ditto_futex_wait(&lock->held, holder);
        else
            sched_yield();
    }
    atomic_fetch_sub_explicit(&lock->sleepers, 1, memory_order_relaxed);
}

void ditto_light_lock_wake(struct ditto_light_lock *lock)
{
    ditto_futex_wake(&lock->held, 1);
}
