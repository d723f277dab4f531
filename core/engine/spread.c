/* SPDX-License-Identifier: MIT */
#include "core/engine/spread.h"

#include <sched.h>

/*
 * Moving costs as much as some ten turns.  Where it does not last, because the system has other
 * plans or other programs need the processor, the thread asks for more and more evidence.
 */
enum { PATIENCE_LEAST = 4, PATIENCE_MOST = 1024 };

void ditto_spread_prepare(struct ditto_spread *spread)
{
    cpu_set_t mask;
    spread->processors =
        sched_getaffinity(0, sizeof mask, &mask) == 0 ? (uint32_t)CPU_COUNT(&mask) : 1;
}

/*
 * Leaves this processor: it is forbidden to the thread and allowed again.  Between the two calls
 * the system moves the thread, and afterwards it has no reason to move it back.
 */
static void move(int processor)
{
    cpu_set_t mask, others;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        return;
    others = mask;
    CPU_CLR((unsigned)processor, &others);
    if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0)
        sched_setaffinity(0, sizeof mask, &mask);
}

void ditto_spread_out(struct ditto_spread *spread, struct ditto_spread_self *self, uint32_t who)
{
    int processor = sched_getcpu();
    if (processor < 0)
        return;
    _Atomic uint32_t *last = &spread->last_on[processor % DITTO_SPREAD_PROCESSORS];
    uint32_t before = atomic_exchange_explicit(last, who, memory_order_relaxed);
    if (before == who && self->patience > 0)
        self->patience--;
    /* Of two that meet, always the same one moves: else they would move together, and meet again.
     */
    self->met = before > who ? self->met + 1 : 0;
    if (self->met < PATIENCE_LEAST + self->patience)
        return;
    self->met = 0;
    self->patience = 2 * self->patience + PATIENCE_LEAST;
    if (self->patience > PATIENCE_MOST)
        self->patience = PATIENCE_MOST;
    atomic_store_explicit(last, before, memory_order_relaxed);
    move(processor);
}
