/* SPDX-License-Identifier: MIT */
/* Breakpoints and watchpoints as gdb sets them: addresses. */
#ifndef DITTO_GDB_PLUGIN_GDB_BREAKPOINTS_H
#define DITTO_GDB_PLUGIN_GDB_BREAKPOINTS_H

#include "gdb-plugin/gdb/client.h"
#include "gdb-plugin/gdb/condition.h"

/* A breakpoint or watchpoint of gdb's. */
struct point {
    unsigned type; /* 0 and 1: breakpoints; 2, 3, 4: written, read, either */
    uint64_t address, length;
    struct condition *conditions; /* one of them must hold; owned; none: it always stops */
    size_t condition_count;
};

/*
 * A breakpoint that gdb took away.  When its user sees a stop, gdb takes all away; otherwise only
 * the one that it lets a thread step over.
 */
struct removal {
    uint64_t address;
    bool for_step;
};

/* False if it cannot be kept.  Takes the conditions, or frees them. */
bool points_insert(struct client *client, const struct point *point);
void points_remove(struct client *client, const struct point *point);
void points_free(struct client *client);
bool point_add_condition(struct point *point, const uint8_t *code, size_t size);
void point_free(struct point *point);
/* Whether a breakpoint that the thread has come to is to stop it: also if a condition has no value,
 * for gdb asks itself once more, and says why. */
bool point_holds(const struct point *point, struct view *view, uint32_t thread);

#endif
