/* SPDX-License-Identifier: MIT */
/* What a move met of what was looked for, in the order of time. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_HITS_H
#define DITTO_GDB_PLUGIN_MACHINE_HITS_H

#include "gdb-plugin/machine/positions.h"

struct replica;

/* Frames of a thread, innermost first. */
struct stack {
    struct ditto_location *frames; /* owned */
    size_t count;                  /* 0: not known */
};

struct hit {
    struct ditto_message_hit message;
    struct position at, before;
    const struct ditto_method *method; /* of a watched access */
    struct stack stack;                /* of a breakpoint */
};

/* What the last search found, in the order of time; those after the present are taken off. */
struct hits {
    struct ditto_message asked; /* what was searched for; empty: nothing is known */
    struct hit *all;
    size_t count, room;
    int64_t from;      /* the cut where the search began */
    bool passing;      /* some values are objects that only the searching JVM knows */
    size_t dropped;    /* breakpoints that were met before the first that is here */
    uint64_t question; /* of the move, as in machine.h: those that were not wanted are gone */
};

/* Forgets what was found, and has this looked for instead. */
void hits_begin(struct hits *hits, const struct ditto_message_go *request);
/* A listener's: the context is the hits. */
void hits_take(void *context, struct replica *replica, const struct ditto_message_hit *hit,
               struct ditto_message *frames);
/* After the move: methods get their names. */
void hits_name(struct hits *hits, struct replica *jvm);
/* Whether the same was looked for. */
bool hits_are_of(const struct hits *hits, const struct ditto_message_go *request);
void hit_free(struct hit *hit);
void hits_free(struct hits *hits);

#endif
