/* SPDX-License-Identifier: MIT */
/* Breakpoints and watchpoints as gdb sets them: addresses. */
#ifndef DITTO_GDB_PLUGIN_GDB_BREAKPOINTS_H
#define DITTO_GDB_PLUGIN_GDB_BREAKPOINTS_H

#include "gdb-plugin/gdb/client.h"
#include "gdb-plugin/gdb/condition.h"

/* A breakpoint or watchpoint of gdb's. */
struct breakpoint {
    unsigned type; /* 0 and 1: breakpoints; 2, 3, 4: written, read, either */
    uint64_t address, length;
    struct condition *conditions; /* one of them must hold; owned; none: it always stops */
    size_t condition_count, condition_room;
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
bool breakpoints_insert(struct client *client, const struct breakpoint *breakpoint);
void breakpoints_remove(struct client *client, const struct breakpoint *breakpoint);
void breakpoints_free(struct client *client);
bool breakpoint_add_condition(struct breakpoint *breakpoint, const uint8_t *code, size_t size);
void breakpoint_free(struct breakpoint *breakpoint);
/* Whether a breakpoint that the thread has come to is to stop it: also if a condition has no value,
 * for gdb asks itself once more, and says why. */
bool breakpoint_holds(const struct breakpoint *breakpoint, struct view *view, uint32_t thread);

#endif
