/* SPDX-License-Identifier: MIT */
/*
 * Conditions of breakpoints, in the bytecode that gdb compiles them to (its manual, "Agent
 * Expressions"): so that thousands of hits can be passed over without gdb, and without bringing a
 * JVM to each for gdb to look at.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_CONDITION_H
#define DITTO_GDB_PLUGIN_GDB_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct condition {
    uint8_t *code; /* owned */
    size_t size;
};

/* What a condition sees; both false if there is nothing to see. */
struct condition_world {
    bool (*read_register)(void *context, unsigned number, uint64_t *value);
    bool (*read_memory)(void *context, uint64_t address, uint8_t *bytes, size_t length);
    void *context;
};

/* False if it has no value: it reads what is not there, divides by zero, does not end, or uses what
 * is not for us (floating point, trace state variables). */
bool condition_value(const struct condition *condition, const struct condition_world *world,
                     uint64_t *value);

#endif
