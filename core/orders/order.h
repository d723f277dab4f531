/* SPDX-License-Identifier: MIT */
/*
 * What an order is: a pair of recording and replaying algorithms, the state they keep, and the way
 * they write constraints down.  Nothing outside an order knows what a constraint means; the others
 * only pass on events and print items by the names that the order gives them.
 */
#ifndef DITTO_CORE_ORDERS_ORDER_H
#define DITTO_CORE_ORDERS_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/stream.h"

struct ditto_session;
struct ditto_thread;

/*
 * The events, in one mode.  `place` and `monitor` point to place_size and monitor_size bytes that
 * began as zeros.  None of these fails: recording, a stopped writer makes them do nothing;
 * replaying, they wait, or stop the replay and do not return.
 */
struct ditto_order_events {
    void (*load_begin)(struct ditto_thread *thread, void *place);
    void (*load_end)(struct ditto_thread *thread, void *place);
    void (*store_begin)(struct ditto_thread *thread, void *place);
    void (*store_end)(struct ditto_thread *thread, void *place);
    /* A store, or if it did not store a load.  Replaying, the answer is whether it will store. */
    bool (*update_begin)(struct ditto_thread *thread, void *place);
    void (*update_end)(struct ditto_thread *thread, void *place, bool stored);
    void (*acquire_begin)(struct ditto_thread *thread, void *monitor);
    void (*acquire_end)(struct ditto_thread *thread, void *monitor);
    void (*release)(struct ditto_thread *thread, void *monitor);
    /* The child's clock and knowledge begin with the parent's; the joiner gains the dead one's. */
    void (*start)(struct ditto_thread *parent, struct ditto_thread *child);
    void (*join)(struct ditto_thread *thread, struct ditto_thread *other);
};

enum ditto_event_kind { DITTO_EVENT_LOAD, DITTO_EVENT_STORE, DITTO_EVENT_ACQUIRE };

/*
 * A piece of a stream: a free run of `run` events, then one that is constrained, unless kind is
 * DITTO_ITEM_RUN, where more of the run may follow.
 */
struct ditto_item {
    uint64_t run;
    uint8_t kind;
    uint64_t value[2];
};

enum { DITTO_ITEM_RUN = 0 };

/* The names of a kind of constraint and of its values, in the words of the design. */
struct ditto_item_kind {
    const char *name;     /* "load" */
    const char *value[2]; /* "store_clock", NULL */
    bool clocked;         /* value[0] is a clock of the section Time */
};

struct ditto_order {
    const char *name;
    size_t place_size;
    size_t monitor_size;
    size_t thread_size; /* began as zeros too; see struct ditto_thread */
    const struct ditto_order_events *record;
    const struct ditto_order_events *replay;
    /*
     * Replaying, after an event's begin and before its end: the clock that the thread will have.
     */
    uint64_t (*clock_after)(const struct ditto_thread *thread, enum ditto_event_kind kind,
                            const void *where);
    const struct ditto_item_kind *kinds; /* indexed by ditto_item.kind; the first is not used */
    /*
     * Decodes the item at *from and moves *from behind it; false on bytes that mean nothing.
     * *previous is the decoder's memory, 0 at the beginning of each chunk.
     */
    bool (*decode)(enum ditto_stream_kind stream, const uint8_t **from, const uint8_t *end,
                   uint64_t *previous, struct ditto_item *item);
    /*
     * Parts encoded items into columns, and puts them together again: what is in the columns comes
     * from a file and may be anything; false if these are columns of no items.
     */
    ditto_split_fn *split;
    bool (*join)(const uint8_t *columns, const struct ditto_column_lengths *lengths, uint8_t *to);
    /* Fills in the order's numbers of core/engine/quick.h; false, or NULL here: it has no quick
     * events. */
    bool (*quick)(const struct ditto_session *session, int64_t numbers[]);
};

#endif
