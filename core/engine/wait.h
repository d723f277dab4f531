/* SPDX-License-Identifier: MIT */
/*
 * The wait table of a replay: threads that wait for one place or monitor to reach one state.
 *
 * Whoever changes a state wakes those, and only those, whose wait it ends.  The state carries a
 * count of its waiters, so that in the usual case, nobody waiting, that costs one load.
 */
#ifndef DITTO_CORE_ENGINE_WAIT_H
#define DITTO_CORE_ENGINE_WAIT_H

#include "core/engine/state.h"

/*
 * Waits until waiter->ready says something other than DITTO_NOT_YET, and returns that.  The caller
 * has filled in key, count, ready, need, thread, away, describe and is_flag.
 */
enum ditto_ready ditto_wait(struct ditto_wait_table *table, struct ditto_waiter *waiter);

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
