/* SPDX-License-Identifier: MIT */
#include "core/base/futex.h"

/* A holder does a few dozen instructions; one that is still not done was most likely preempted. */
enum { SPINS = 100, YIELDS = 4 };

void ditto_lock_slow(_Atomic uint32_t *lock)
{
    for (int i = 0; i < SPINS + YIELDS; i++) {
        uint32_t free = 0;
        if (atomic_load_explicit(lock, memory_order_relaxed) == 0 &&
            atomic_compare_exchange_weak_explicit(lock, &free, 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        if (i < SPINS)
            ditto_spin_hint();
        else
            sched_yield();
    }
    while (atomic_exchange_explicit(lock, 2, memory_order_acquire) != 0)
        ditto_futex_wait(lock, 2);
}
