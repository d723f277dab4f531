/* SPDX-License-Identifier: MIT */
/* What the machine's files share. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_STATE_H
#define DITTO_GDB_PLUGIN_MACHINE_STATE_H

#include "gdb-plugin/machine/hits.h"
#include "gdb-plugin/machine/machine.h"
#include "gdb-plugin/machine/object_numbers.h"
#include "gdb-plugin/machine/positions.h"
#include "gdb-plugin/machine/recording.h"
#include "gdb-plugin/machine/step_log.h"

struct jdk;
struct replica;

struct ditto_machine {
    struct recording recording;
    struct jdk *jdk; /* NULL: not opened yet, or not there */
    struct ditto_machine_options options;

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

/* A JVM at the present, brought there if need be; NULL if that failed. */
struct replica *machine_jvm(struct ditto_machine *machine);

/* A value as the machine shows it. */
struct ditto_value machine_value(struct ditto_machine *machine, struct replica *jvm,
                                 struct ditto_wire_value wire);

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
