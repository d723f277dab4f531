/* SPDX-License-Identifier: MIT */
/* Sleeping on a 32-bit word and waking who sleeps there; and a small lock made of that. */
#ifndef DITTO_CORE_BASE_FUTEX_H
#define DITTO_CORE_BASE_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns when woken, when the word is not `expected`, or for no reason: look again. */
static inline void ditto_futex_wait(_Atomic uint32_t *word, uint32_t expected)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static inline void ditto_futex_wake(_Atomic uint32_t *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

/* Tells the processor that this is a spinning loop. */
static inline void ditto_spin_hint(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/*
 * A lock that is one zeroed word: 0 free, 1 held, 2 held and perhaps waited for.  Acquiring is an
 * acquire, releasing a release operation on the word, so what the holder did happens before what
 * the next one does.  A releaser that finds 2 wakes one sleeper; a sleeper takes the lock with 2,
 * because it cannot know whether it was the only one.
 */
void ditto_lock_slow(_Atomic uint32_t *lock);

static inline void ditto_lock(_Atomic uint32_t *lock)
{
    uint32_t free = 0;
    if (!atomic_compare_exchange_strong_explicit(lock, &free, 1, memory_order_acquire,
                                                 memory_order_relaxed))
        ditto_lock_slow(lock);
}

static inline void ditto_unlock(_Atomic uint32_t *lock)
{
    if (atomic_exchange_explicit(lock, 0, memory_order_release) == 2)
        ditto_futex_wake(lock, 1);
}

#endif
