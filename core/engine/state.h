/* SPDX-License-Identifier: MIT */
/*
 * What the engine's files and the orders share: sessions, threads, and what a thread waits for.
 * Structs alone; the files beside this one each own some of their fields.  Users of the engine
 * include core/ditto.h.
 */
#ifndef DITTO_CORE_ENGINE_STATE_H
#define DITTO_CORE_ENGINE_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/ditto.h"
#include "core/engine/spread.h"
#include "core/engine/turn.h"
#include "core/orders/order.h"
#include "core/reading/counts.h"
#include "core/reading/items.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* ------------------------------------------------------------------ waiting: core/engine/wait.h */

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
    bool is_flag; /* it waits for a ditto_flag, its key, which no event of the trace stands for */
};

enum { DITTO_WAIT_BUCKETS = 256 };

struct ditto_wait_table {
    struct ditto_wait_bucket {
        _Alignas(64) _Atomic uint32_t lock; /* guards the list */
        struct ditto_waiter *first;
    } buckets[DITTO_WAIT_BUCKETS];
    struct ditto_spread spread;
};

/* ---------------------------------------------------------------------------------- sessions */

struct ditto_session {
    /* One for each thread's handle, and one until ditto_close(). */
    _Atomic uint32_t references;
    struct ditto_session *next; /* in the list of core/engine/detached.c */
    bool detached;              /* this is a forked child: nothing is recorded or replayed here */
    bool replaying;
    const struct ditto_order *order;
    const struct ditto_order_events *events; /* of new threads */
    struct ditto_order_events order_events;  /* the order's in this mode, without gaps */
    uint64_t choices[DITTO_ORDER_OPTIONS];   /* of its options: a word's index, or a number */
    struct ditto_grain grain;
    void *order_state; /* owned: its session_size bytes */

    struct ditto_writer *writer; /* recording */
    struct ditto_record_options record_options;

    struct ditto_reader *reader; /* replaying */
    struct ditto_replay_options replay_options;
    struct ditto_wait_table waits;
    /*
     * Low half: how many threads of a replay can run on without anybody's help.  Who goes to sleep
     * takes itself out; who wakes another puts that one in first.  High half: how often one was put
     * in.  See core/engine/running.h.
     */
    _Atomic uint64_t active;
    /* By whoever takes the last one out. */
    void (*nobody_runs)(struct ditto_session *session);
    /*
     * A replay that was closed, 1, or not, 0: threads that come to the end of their trace wait here
     * until it is, and run on without the trace then.
     */
    _Atomic uint32_t closed;
    _Atomic bool stopping; /* the first to set it reports; the others wait for the end */
    /* Whether a thread is in ditto_exiting(), or will be, and then whether it may leave. */
    _Atomic uint32_t exiting;
    struct ditto_timeline *timeline; /* of a debugged replay, or NULL */

    const char *input_names[DITTO_NAMED_INPUTS];
    _Atomic bool input_named[DITTO_NAMED_INPUTS]; /* recording: the trace has the name */

    struct ditto_thread *main;
    /*
     * Starting a thread is an ordered section: its place among all starts is recorded as an
     * acquisition of this monitor, so replay ids come out the same.
     */
    pthread_mutex_t start_lock;
    void *start_monitor;
    uint32_t next_replay_id; /* guarded by start_lock */
    uint32_t adopted_id;     /* DITTO_NO_THREAD: none was in the recording */
    bool adopted;            /* guarded by start_lock */

    pthread_mutex_t threads_lock; /* guards the list of living threads */
    struct ditto_thread *threads;
    uint64_t ended_events; /* of those that are no longer in the list; guarded by threads_lock */
};

/* ----------------------------------------------------------------------------------- threads */

/* An update that a caller has begun as a quick event is DITTO_UPDATING | DITTO_STORING. */
enum { DITTO_LOADING = 0, DITTO_STORING = 1, DITTO_UPDATING = 2, DITTO_ACCESS_KIND = 3 };

enum { DITTO_NOT_EXITING, DITTO_EXITING, DITTO_MAY_EXIT };

/* What a thread of a replay is doing, for those who find that nobody can go on. */
enum ditto_thread_phase {
    DITTO_RUNNING,
    DITTO_WAITING,  /* in the wait table, see `waiter` */
    DITTO_JOINING,  /* for `joined` */
    DITTO_AT_END,   /* has done all its events in the trace, and wants to do one more */
    DITTO_AT_GATE,  /* of a debugged replay's timeline: held before an event */
    DITTO_STANDING, /* likewise: stopped between two events */
    DITTO_ENDED,
};

/* The trace of a thread in a replay: items, and how far the present one has been used. */
struct ditto_replay_stream {
    struct ditto_items items;
    uint64_t run;           /* events that are still free */
    struct ditto_item item; /* the constraint after them; DITTO_ITEM_RUN: there is none yet */
};

/* Of a debugged replay; core/engine/timeline.c's. */
struct ditto_gate {
    uint64_t clock; /* of what it is held before */
    bool tick, counts;
    bool begun; /* it has passed its first */
    _Atomic uint32_t open;
    struct ditto_turn latest;
};

struct ditto_thread {
    struct ditto_session *session;
    const struct ditto_order_events *events;
    uint32_t replay_id;
    /* Recording, without the free run at the end of the stream: its tail counts them, so that one
     * store makes a free event part of the trace and of the count.  See ditto_thread_events(). */
    uint64_t memory_events;
    uint64_t sync_events;
    uint64_t values;
    uint64_t held; /* replaying: how many monitors it has acquired and not released */
    /* The access under way: its place, with its kind in the lowest bits; 0: none. */
    _Atomic uintptr_t access;
    int32_t muted; /* the thread's own: see ditto_muted() */
    char *name;    /* owned */

    struct ditto_stream memory, sync, value; /* recording */
    const _Atomic bool *stop_flag;

    struct ditto_replay_stream memory_trace, sync_trace; /* replaying */
    struct ditto_cursor value_trace;
    const uint8_t *value_at, *value_end;
    struct ditto_thread_counts in_trace; /* once `counted`; only for ditto_exiting() */
    bool counted;
    bool in_trace_to_the_end; /* the trace has the thread's end, so it has all its events */
    _Atomic uint32_t phase;   /* enum ditto_thread_phase */
    struct ditto_waiter waiter;
    _Atomic(struct ditto_thread *) joined;
    struct ditto_gate gate; /* in a debugged replay */
    _Atomic bool outside;   /* likewise: blocked in what the engine does not see, and not counted */
    const char *wanted;     /* the event for which the trace had nothing any more */

    _Atomic uint32_t references;          /* the thread's own, and its starter's */
    struct ditto_thread *next, *previous; /* in the session's list */

    _Alignas(16) unsigned char order_state[]; /* the order's thread_size bytes */
};

/* The thread's clock; 0 if its order has none. */
static inline uint64_t ditto_thread_clock(const struct ditto_thread *thread)
{
    const struct ditto_order_clock *clock = thread->session->order->clock;
    return clock ? clock->now(thread) : 0;
}

/* The thread's loads and stores so far; the one under way counts. */
static inline uint64_t ditto_thread_memory_events(const struct ditto_thread *thread)
{
    return thread->memory_events + thread->memory.tail;
}

/* All of its events so far. */
static inline uint64_t ditto_thread_events(const struct ditto_thread *thread)
{
    return ditto_thread_memory_events(thread) + thread->sync_events;
}

#endif
