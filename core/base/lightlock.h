/* SPDX-License-Identifier: MIT */
/*
 * A lock for places: two zeroed words, taken by one atomic operation and let go by none.
 *
 * It is let go by a plain store, and then the releaser looks whether somebody sleeps.  That is the
 * wrong way round for a processor, which may look before the store is visible, and a sleeper would
 * sleep for ever.  So whoever is about to sleep, which is rare, pays for both: it says so in
 * `sleepers`, makes the kernel run a full barrier on every processor that runs a thread of this
 * process (membarrier), and looks at the lock once more.  When that barrier hits a releaser
 *
 *     before its store: its look at `sleepers` comes later still, and finds the sleeper;
 *     after its store:  the store is visible to the sleeper's second look, which finds the lock
 * free.
 *
 * One barrier is enough for all the times that it sleeps until it has the lock: whoever takes the
 * lock after it sees `sleepers`, too, when letting it go.
 *
 * A kernel that does not have membarrier makes ditto_light_lock_fenced true, and every release a
 * full barrier.
 *
 * Taking the lock is an acquire and letting it go a release operation on `held`.
 */
#ifndef DITTO_CORE_BASE_LIGHTLOCK_H
#define DITTO_CORE_BASE_LIGHTLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ditto_light_lock {
    _Atomic uint32_t held;     /* by whom, a number that is not 0; 0: free */
    _Atomic uint32_t sleepers; /* and those about to */
};

extern bool ditto_light_lock_fenced;

/* Once for the process, before the first lock is taken. */
void ditto_light_lock_prepare(void);

void ditto_light_lock_wait(struct ditto_light_lock *lock, uint32_t who);
void ditto_light_lock_wake(struct ditto_light_lock *lock);

/* False if somebody has it. */
static inline bool ditto_light_lock_try(struct ditto_light_lock *lock, uint32_t who)
{
    uint32_t free = 0;
    return atomic_compare_exchange_strong_explicit(&lock->held, &free, who, memory_order_acquire,
                                                   memory_order_relaxed);
}

static inline void ditto_light_lock(struct ditto_light_lock *lock, uint32_t who)
{
    if (!ditto_light_lock_try(lock, who))
        ditto_light_lock_wait(lock, who);
}

/* Only for `who` to ask. */
static inline bool ditto_light_lock_is_held(struct ditto_light_lock *lock, uint32_t who)
{
    return atomic_load_explicit(&lock->held, memory_order_relaxed) == who;
}

static inline void ditto_light_unlock(struct ditto_light_lock *lock)
{
    if (__builtin_expect(ditto_light_lock_fenced, 0))
        atomic_exchange_explicit(&lock->held, 0, memory_order_seq_cst);
    else
        atomic_store_explicit(&lock->held, 0, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(atomic_load_explicit(&lock->sleepers, memory_order_seq_cst) != 0, 0))
        ditto_light_lock_wake(lock);
}

#endif
