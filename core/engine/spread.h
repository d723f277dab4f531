/* SPDX-License-Identifier: MIT */
/*
 * Two threads that take turns need two processors.
 *
 * In a recording, threads on two processors take turns at what they share within a tenth of a
 * microsecond.  A replay keeps up with that only while both have a processor and the one that waits
 * can spin; on one processor each turn costs a switch of threads, ten times as much and more.  The
 * system does not know that they belong together, and often leaves both on the processor where one
 * woke the other, next to one that has nothing to do.  So a thread that keeps finding another
 * waiting thread of the replay on its processor, though there is one for each, moves away.
 */
#ifndef DITTO_CORE_ENGINE_SPREAD_H
#define DITTO_CORE_ENGINE_SPREAD_H

#include <stdatomic.h>
#include <stdint.h>

/* Beyond that number processors share an entry; then threads move for nothing now and then. */
enum { DITTO_SPREAD_PROCESSORS = 256 };

/* One for all threads of a replay, zeroed. */
struct ditto_spread {
    uint32_t processors; /* that the threads may use */
    /* Who waited last on each, a number that is not 0.  Only a hint: stores are relaxed. */
    _Atomic uint32_t last_on[DITTO_SPREAD_PROCESSORS];
};

/* Part of each thread, zeroed. */
struct ditto_spread_self {
    uint32_t met;      /* how often in a row it found somebody else on its processor */
    uint32_t patience; /* how often that has to be before it moves, less the least */
};

void ditto_spread_prepare(struct ditto_spread *spread);

/*
 * `who`, the calling thread, has to wait, and spinning was no use; every thread of the replay that
 * can run could have a processor of its own.
 */
void ditto_spread_out(struct ditto_spread *spread, struct ditto_spread_self *self, uint32_t who);

#endif
