/* SPDX-License-Identifier: MIT */
/* What the machine's files share. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_STATE_H
#define DITTO_GDB_PLUGIN_MACHINE_STATE_H

#include <stdatomic.h>
#include <time.h>

#include "core/orders/order.h"
#include "gdb-plugin/machine/machine.h"
#include "gdb-plugin/machine/object_numbers.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/step_log.h"
#include "trace/reader.h"

enum { METHOD_BUCKETS = 4096 };

struct method_entry {
    struct method_entry *next;
    struct ditto_method method;
};

/* Frames of a thread, innermost first. */
struct stack {
    struct ditto_code *frames; /* owned */
    size_t count;              /* 0: not known */
};

/* What the last search found, in the order of time; those after the present are taken off. */
struct hit {
    struct ditto_wire_hit wire;
    struct spot at, before;
    const struct ditto_method *place; /* of a watched access */
    struct stack stack;               /* of a breakpoint */
};

struct hits {
    struct ditto_wire asked; /* what was searched for; empty: nothing is known */
    struct hit *all;
    size_t count, capacity;
    int64_t from;      /* the cut where the search began */
    bool passing;      /* some values are objects that only the searching JVM knows */
    size_t dropped;    /* breakpoints that were met before the first that is here */
    uint64_t question; /* of the run, as in machine.h: those that were not wanted are gone */
};

struct ditto_machine {
    char *path, *java;
    struct jdk *jdk; /* NULL: not opened yet, or not there */
    struct ditto_reader *reader;
    struct ditto_machine_options options;
    uint32_t replicas; /* how many were started */

    /*
     * The present.  `jvm` stands there, or is NULL: then the log says where the present is, and a
     * JVM is brought there when somebody looks.
     */
    struct spot present;
    struct replica *jvm;
    struct log log;      /* what led to the present, if log.count */
    struct hits watched; /* what the log saw of what is watched */
    struct hits hits;    /* of the last search back */
    struct stack shown;  /* the frames of the present's thread, if a hit told them */

    /* JVMs before and behind the present, in no order; see spares.c. */
    struct replica *spares;
    uint64_t last_clock; /* until it is known: of those threads that have ended */
    bool last_clock_known;

    int wake; /* an eventfd: somebody interrupts */
    _Atomic bool interrupted;
    double done; /* how far what takes long at present is, of 1 */

    struct method_entry *methods[METHOD_BUCKETS];
    struct numbers numbers;

    /* What was handed out, until the next move. */
    struct ditto_code *frames;
    struct ditto_thread_view *views;
    char **whats;
    uint64_t *held;
    size_t view_count;
    char **sources;
    size_t source_count;
    struct ditto_compiled_place *places;
    uint8_t *code;
    char **texts; /* names of classes, until the machine is closed */
    size_t text_count;
};

/* Whether a long run must stop; asks options.busy now and then. */
bool machine_is_busy(struct ditto_machine *machine);
double machine_seconds(void);
/* Interrupts from before are not meant for what follows. */
void machine_forget_interrupts(struct ditto_machine *machine);
bool machine_is_interrupted(const struct ditto_machine *machine);

/* A JVM at the present, brought there if need be; NULL if that failed. */
struct replica *machine_jvm(struct ditto_machine *machine);

/* A value as the machine shows it. */
struct ditto_value machine_value(struct ditto_machine *machine, struct replica *jvm,
                                 struct ditto_wire_value wire);

/* The trace's class path, or ".". */
const char *machine_class_path(struct ditto_machine *machine);

/* ---------------------------------------------------------------- spares.c */

/*
 * A JVM to go to `clock` and beyond, taken out of the spares, or started: the one that is nearest
 * before.  With `before` it must not have done anything of that clock.
 */
struct replica *spare_take(struct ditto_machine *machine, uint64_t clock, bool before,
                           struct ditto_error *error);
/* The cut of the nearest spare that is so many clocks before, at least and at most; -1: none. */
int64_t spare_before(const struct ditto_machine *machine, uint64_t clock, uint64_t least,
                     uint64_t most);
/* A JVM that may be of use again. */
void spare_keep(struct ditto_machine *machine, struct replica *replica);
/* Starts what is missing for going back from the present. */
void spares_replenish(struct ditto_machine *machine);
void spares_end(struct ditto_machine *machine);

/* A JVM brought to a spot, or to the cut at a clock; NULL with the error. */
struct replica *bring_to_spot(struct ditto_machine *machine, const struct spot *spot,
                              struct ditto_error *error);
struct replica *bring_to_cut(struct ditto_machine *machine, uint64_t clock,
                             struct ditto_error *error);

/* ---------------------------------------------------------------- hits.c */

/* Forgets what was found, and has this looked for instead. */
void hits_begin(struct hits *hits, const struct ditto_wire_run *request);
/* A listener's: the context is the hits. */
void hits_take(void *context, struct replica *replica, const struct ditto_wire_hit *hit,
               struct ditto_wire *frames);
/* After the run: methods get their names. */
void hits_name(struct hits *hits, struct replica *jvm);
/* Whether the same was looked for. */
bool hits_are_of(const struct hits *hits, const struct ditto_wire_run *request);
void hit_free(struct hit *hit);
void hits_free(struct hits *hits);
/* The present has moved otherwise than by a search. */
void hits_forget(struct ditto_machine *machine);
/* The present has moved. */
void shown_free(struct ditto_machine *machine);

/* ---------------------------------------------------------------- forward.c, backward.c */

/* The watches and breakpoints of a run as the wire has them; to be freed. */
void request_fill(struct ditto_machine *machine, const struct ditto_run *run,
                  struct ditto_wire_run *request);
void request_free(struct ditto_wire_run *request);

void run_back(struct ditto_machine *machine, const struct ditto_run *run, struct ditto_halt *halt);
/* Without `replica` values that only one JVM knows are null. */
void halt_from_hit(struct ditto_machine *machine, struct replica *replica,
                   const struct ditto_wire_hit *hit, const struct spot *at,
                   const struct ditto_method *place, struct ditto_halt *halt);
void halt_lost(struct ditto_halt *halt, const struct ditto_error *error);

/* The present moves to where `jvm` is; what was there becomes a spare. */
void machine_move(struct ditto_machine *machine, struct replica *jvm);

#endif
