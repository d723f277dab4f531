/* SPDX-License-Identifier: MIT */
/*
 * The state of the order `ditto`: what it keeps for each place, monitor and thread.
 *
 * Thread ids are kept plus one, so that zeroed memory is the state of something never touched.
 */
#ifndef DITTO_CORE_ORDERS_DITTO_STATE_H
#define DITTO_CORE_ORDERS_DITTO_STATE_H

#include "core/base/lightlock.h"
#include "core/engine/state.h"

#define NOBODY 0u
#define MANY   UINT32_MAX

/*
 * Recording, everything but the lock is guarded by it.  Replaying, there is no lock: the order of
 * events itself makes stores exclusive, and the atomics hand the state from one thread to another.
 */
struct ditto_place {
    _Atomic uint64_t store_clock; /* of the last store; 0: none yet */
    _Atomic uint64_t load_clock;  /* the highest clock at which it was loaded */
    _Atomic uint64_t load_count;  /* loads since the last store */
    union {
        struct ditto_light_lock lock; /* recording */
        _Atomic uint32_t waiters;     /* replaying */
    };
    uint32_t storer; /* recording: who stored last */
    uint32_t loader; /* recording: who loaded since then: NOBODY, one thread, or MANY */
};

/*
 * Recording, guarded by the monitor that it stands for.  Replaying, `holder` is the gate: only who
 * finds it open, and only when it is its turn, goes on to change the rest.
 */
struct ditto_monitor {
    _Atomic uint64_t sync_clock; /* of the last acquisition or release */
    uint64_t acquire_clock;      /* recording: of the last acquisition */
    _Atomic uint32_t holder;     /* replaying */
    uint32_t depth;              /* replaying: how often the holder has acquired it */
    uint32_t last;               /* recording: who acquired last */
    _Atomic uint32_t waiters;    /* replaying */
};

/*
 * The interaction table: how far this thread knows others to have come.  An entry (thread, clock)
 * says that all ticks of that thread up to and including the clock happened before what this thread
 * does next, and so did its loads below the clock (a load takes the clock of the tick before it, so
 * loads at that clock itself may come later).  It has a fixed size and forgets an entry whose place
 * another thread needs: forgetting costs a redundant constraint, never a wrong trace, and a
 * thread's memory does not grow with the number of threads it has met.
 */
enum { SEEN_SIZE = 256 };

struct thread_state {
    uint64_t clock;
    uint64_t previous_memory, previous_sync; /* recording: clocks last written to the streams */
    bool update_stores; /* replaying: what the trace says of the update under way */
    uint64_t seen_clock[SEEN_SIZE];
    uint32_t seen_thread[SEEN_SIZE];
};

static inline struct thread_state *state_of(struct ditto_thread *thread)
{
    return (struct thread_state *)thread->order_state;
}

static inline uint64_t clock_of(const struct ditto_thread *thread)
{
    return ((const struct thread_state *)thread->order_state)->clock;
}

static inline uint64_t max_clock(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
