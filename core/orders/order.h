/* SPDX-License-Identifier: MIT */
/*
 * What an order is: a pair of recording and replaying algorithms, the state they keep, and the way
 * they write constraints down.
 *
 * Nothing outside core/orders/ knows what a constraint means, or compares an order's name.  The
 * engine passes on the events that an order wants; the commands and the debugger print items by
 * the names that it gives them, and offer what it says it can show.  core/orders/README.md tells
 * how to add one.
 */
#ifndef DITTO_CORE_ORDERS_ORDER_H
#define DITTO_CORE_ORDERS_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/stream.h"

struct ditto_session;
struct ditto_thread;

/* --------------------------------------------------------------------- events */

/* What is woven into a program, and passed on by the engine.  What an order does not want costs
 * nothing. */
enum {
    DITTO_WANTS_LOADS = 1,
    DITTO_WANTS_STORES = 2,
    DITTO_WANTS_ACQUIRES = 4,
    DITTO_WANTS_RELEASES = 8,
    DITTO_WANTS_ENDS = 16,   /* begin and end around an access; without: one call before it */
    DITTO_WANTS_POINTS = 32, /* counted points: back-edges, entries, before what may block */
    DITTO_WANTS_PARKS = 64   /* a thread leaves recorded code, and comes back */
};

/*
 * The events, in one mode.  `place` and `monitor` point to place_size and monitor_size bytes that
 * began as zeros.  None of these fails: recording, a stopped writer makes them do nothing;
 * replaying, they wait, or stop the replay and do not return.  What an order does not want, and
 * start, join and end if it has no use for them, may be NULL.
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
    void (*point)(struct ditto_thread *thread);
    void (*park)(struct ditto_thread *thread);
    void (*unpark)(struct ditto_thread *thread);
    /* What the child knows begins with what the parent does; the joiner gains the dead one's. */
    void (*start)(struct ditto_thread *parent, struct ditto_thread *child);
    void (*join)(struct ditto_thread *thread, struct ditto_thread *other);
    /* After the thread's last event, while its streams are still open. */
    void (*end)(struct ditto_thread *thread);
};

enum ditto_event_kind { DITTO_EVENT_LOAD, DITTO_EVENT_STORE, DITTO_EVENT_ACQUIRE };

/* -------------------------------------------------------------------- options */

/*
 * Something that is chosen when a recording begins: a word out of several, or a number from 1 on.
 * `record --NAME` chooses it, the trace has it as a property, and a replay takes it from there.
 */
struct ditto_order_option {
    const char *name;
    const char *const *words; /* the first is the default; NULL behind the last.  NULL: a number */
    uint64_t preset, most;    /* of a number: the default; more than `most` says the same */
};

/* An order has no more. */
enum { DITTO_ORDER_OPTIONS = 8 };

/* --------------------------------------------------------------------- places */

/* What has a place of its own. */
enum ditto_grain_kind {
    DITTO_GRAIN_FIELD,  /* each field; of an array as many stretches as `array_places` says */
    DITTO_GRAIN_OBJECT, /* each object and array */
};

struct ditto_grain {
    enum ditto_grain_kind kind;
    size_t array_places; /* most places of one array */
};

/* --------------------------------------------------------------------- coding */

enum { DITTO_ITEM_VALUES = 4 };

/*
 * A piece of a stream: a free run of `run` events, then one that is constrained, unless kind is
 * DITTO_ITEM_RUN, where more of the run may follow.
 */
struct ditto_item {
    uint64_t run;
    uint8_t kind;
    uint64_t value[DITTO_ITEM_VALUES];
};

enum { DITTO_ITEM_RUN = 0 };

/* What a value of a constraint is. */
enum ditto_role {
    DITTO_ROLE_CLOCK,   /* of the section Time */
    DITTO_ROLE_COUNT,   /* of events */
    DITTO_ROLE_THREAD,  /* a replay id */
    DITTO_ROLE_POSITION /* how far a thread, or the session, is */
};

/* The names of a kind of constraint and of its values, in the words of the design. */
struct ditto_item_kind {
    const char *name; /* "load" */
    struct {
        const char *name; /* "store_clock"; NULL behind the last */
        enum ditto_role role;
    } value[DITTO_ITEM_VALUES];
};

enum { DITTO_SAID_MAX = 256 };

/* What a decoder remembers from one item to the next; zeroed at the beginning of each chunk. */
struct ditto_decoder {
    uint64_t previous[DITTO_ITEM_VALUES];
};

struct ditto_order_coding {
    const struct ditto_item_kind *kinds; /* indexed by ditto_item.kind; the first is not used */
    uint8_t kind_count;
    /* Decodes the item at *from and moves *from behind it; false on bytes that mean nothing. */
    bool (*decode)(enum ditto_stream_kind stream, const uint8_t **from, const uint8_t *end,
                   struct ditto_decoder *decoder, struct ditto_item *item);
    /*
     * Parts encoded items into columns, and puts them together again: what is in the columns comes
     * from a file and may be anything; false if these are columns of no items.  Both may be NULL.
     */
    ditto_split_fn *split;
    bool (*join)(const uint8_t *columns, const struct ditto_column_lengths *lengths, uint8_t *to);
    /* A constraint in words, in DITTO_SAID_MAX bytes: "load after store_clock 12". */
    void (*say)(const struct ditto_item *item, char *text, size_t size);
};

/* -------------------------------------------------------------- clocks, and quick events */

/* The clock of the section Time, for orders that keep it. */
struct ditto_order_clock {
    uint64_t (*now)(const struct ditto_thread *thread);
    /* Replaying, after an event's begin and before its end: the clock that the thread will have. */
    uint64_t (*after)(const struct ditto_thread *thread, enum ditto_event_kind kind,
                      const void *where);
};

/* A number that quick events need, usually an offset. */
struct ditto_quick_number {
    const char *name;
    uint64_t number;
};

/* False: none of them has that name. */
bool ditto_quick_find(const struct ditto_quick_number *numbers, size_t count, const char *name,
                      int64_t *number);

/*
 * The half of the algorithm that needs no call of the engine; see core/engine/quick.h.  `text`
 * names the algorithm, for whoever brings a translation of it.
 */
struct ditto_order_quick {
    const char *text;
    /* Whether this session has quick events at all: its options may exclude them. */
    bool (*is_on)(const struct ditto_session *session);
    /* The number of that name, of the order's own fields; false: there is none. */
    bool (*number)(const struct ditto_session *session, const char *name, int64_t *number);
    /* The slow halves of what may end a quick event: wakes those who wait for a place's state, and
     * one who sleeps for the place's lock, which has been let go. */
    void (*wake)(struct ditto_thread *thread, void *place);
    void (*wake_lock)(void *place);
};

/* ------------------------------------------------------------------- the order */

struct ditto_order {
    const char *name; /* `record --order NAME` */
    unsigned wants;
    const struct ditto_order_option *options; /* a name that is NULL behind the last; or NULL */
    /* All zeroed when they begin. */
    size_t session_size, thread_size, place_size, monitor_size;
    /* From the options that were chosen. */
    struct ditto_grain (*grain)(const struct ditto_session *session);
    const struct ditto_order_events *record, *replay;
    const struct ditto_order_coding *coding;
    const struct ditto_order_clock *clock; /* NULL: it has none */
    const struct ditto_order_quick *quick; /* NULL: every event is a call */
    /* What the debugger and the commands may offer. */
    struct {
        bool cuts;      /* `goto CLOCK` is a consistent state: a timeline is possible */
        bool free_runs; /* what lies between constraints are free runs */
    } shows;
};

#endif
