/* SPDX-License-Identifier: MIT */
/*
 * A log of every turn and step of a stretch of the run that ends at the present, so that single
 * steps back need no JVM: frames come from it, and a JVM is brought to a step when somebody looks
 * at values.
 */
#ifndef DITTO_GDB_PLUGIN_MACHINE_STEP_LOG_H
#define DITTO_GDB_PLUGIN_MACHINE_STEP_LOG_H

#include "gdb-plugin/machine/positions.h"

struct replica;

/* The callers of a frame, shared by all steps in it. */
struct log_stack {
    struct log_stack *next; /* in the list of all */
    bool used;              /* by an entry that is left, while others are taken off */
    size_t count;
    struct ditto_location frames[];
};

struct log_entry {
    uint32_t thread;
    bool is_step; /* an arrival at a bytecode, or the thread's end */
    bool is_end;
    uint64_t turn, clock;
    uint64_t step; /* of a step: its number in the turn */
    struct ditto_location location;
    const struct log_stack *callers;
};

/* A thread's frames where the log begins. */
struct log_begin {
    uint32_t thread;
    struct ditto_location *frames;
    size_t count;
};

/* A thread's last step. */
struct log_last {
    bool any;
    uint64_t turn, step;
    const struct log_stack *callers;
};

/*
 * Between two events a thread may take any number of steps, so there is a limit to the entries that
 * are kept: the older ones go, and are logged again when somebody wants to go back that far.
 */
struct log {
    struct log_entry *entries;
    size_t count, room;
    size_t at; /* the present: so many entries have happened */
    struct log_stack *stacks;
    struct log_begin *begins;
    size_t begin_count;
    struct log_last *lasts; /* by replay id */
    size_t last_count;
    int64_t from; /* the cut where it begins; -1: the beginning of the run */
    bool cut;     /* its older entries are gone */
    bool whole;   /* the move that made it came to its end */
};

void log_free(struct log *log);

/* Before the move that is to be logged: where all threads are. */
void log_begin(struct log *log, struct replica *replica, int64_t from);
/* The listener's part of that move, and what follows it. */
void log_take(struct log *log, struct replica *replica, struct ditto_message *message);
void log_finish(struct log *log, struct replica *replica);

/*
 * One step of `thread` back from the present: how many entries have happened before it.  False if
 * the log does not go back that far; `*at` is then how many have happened with it, or 0 if it is
 * not in the log.
 */
bool log_step_back(const struct log *log, uint32_t thread, size_t *at);

/* Where the run is when `at` entries have happened; there must be one. */
void log_position(const struct log *log, size_t at, struct position *position);

/* The frames of a thread then; false if the log does not know. */
bool log_frames(const struct log *log, size_t at, uint32_t thread,
                const struct ditto_location **frames, size_t *count,
                struct ditto_location **buffer);

#endif
