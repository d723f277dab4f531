/* SPDX-License-Identifier: MIT */
/*
 * The wait table of a replay: threads that wait for one place or monitor to reach one state.
 *
 * Whoever changes a state wakes those, and only those, whose wait it ends.  The state carries a
 * count of its waiters, so that in the usual case, nobody waiting, that costs one load.
 */
#ifndef DITTO_CORE_ENGINE_WAIT_H
#define DITTO_CORE_ENGINE_WAIT_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "core/engine/spread.h"

struct ditto_thread;

enum ditto_ready {
    DITTO_NOT_YET,
    DITTO_READY,
    DITTO_PASSED, /* the state went by without us: the replay has left the trace */
};

/*
 * Whether `key` has the state that `need` describes.  Reads the state with sequentially consistent
 * loads; see the argument in wait.c.
 */
typedef enum ditto_ready ditto_ready_fn(const void *key, const uint64_t need[3]);

struct ditto_waiter {
    struct ditto_waiter *next, **link; /* in the bucket; link is NULL outside */
    const void *key;
    _Atomic uint32_t *count;
    ditto_ready_fn *ready;
    uint64_t need[3];
    struct ditto_thread *thread;
    _Atomic uint32_t woken;
    uint64_t away;  /* about how many ticks of the clock are missing; 0: who knows */
    uint32_t spins; /* how long the thread spins before it yields; adapts itself */
    struct ditto_spread_self spread;
    /* Describes the wait, for messages: "load after store clock 12 (now 10)". */
    void (*describe)(const struct ditto_waiter *waiter, char *text, size_t size);
};

enum { DITTO_WAIT_BUCKETS = 256 };

struct ditto_wait_table {
    struct ditto_wait_bucket {
        _Alignas(64) _Atomic uint32_t lock; /* guards the list */
        struct ditto_waiter *first;
    } buckets[DITTO_WAIT_BUCKETS];
    struct ditto_spread spread;
};

/*
 * Waits until waiter->ready says something other than DITTO_NOT_YET, and returns that.  The caller
 * has filled in key, count, ready, need, thread, away and describe.
 */
enum ditto_ready ditto_wait(struct ditto_wait_table *table, struct ditto_waiter *waiter);

/* How a wait for a flag describes itself. */
void ditto_describe_flag(const struct ditto_waiter *waiter, char *text, size_t size);

/* The slow half of ditto_wake(). */
void ditto_wake_slow(struct ditto_wait_table *table, const void *key);

/*
 * After a change of `key`'s state, made with a sequentially consistent store or exchange: wakes
 * whose wait that ends.
 */
static inline void ditto_wake(struct ditto_wait_table *table, const void *key,
                              _Atomic uint32_t *count)
{
    if (__builtin_expect(atomic_load_explicit(count, memory_order_seq_cst) != 0, 0))
        ditto_wake_slow(table, key);
}

#endif
