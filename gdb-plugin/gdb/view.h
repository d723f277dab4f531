/* SPDX-License-Identifier: MIT */
/*
 * What gdb sees of the machine at the present position: frames as stacks, registers, memory.
 *
 * Frames of classes that are not in the program are left out, so that a step from a method through
 * the JDK into another method of the program is a step into a function, as its user means it.
 *
 * A frame is that of a function which begins with `push rbp; mov rbp, rsp`: at rbp the caller's
 * rbp, above it the return address, below it the slots of the locals, 8 bytes each.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_VIEW_H
#define DITTO_GDB_PLUGIN_GDB_VIEW_H

#include "gdb-plugin/program/program.h"

struct view_frame {
    const struct program_method *method; /* NULL for what stands for no method */
    int32_t bci;
    size_t depth; /* in the machine */
    uint64_t pc, fp;
};

struct view_stack {
    struct view_frame *frames; /* innermost first; the last is always the thread's root */
    size_t count, room;
    uint32_t thread;
    bool valid;
};

struct view {
    struct ditto_machine *machine;
    struct program *program;
    /* A thread that is shown at its root, wherever it is; STACKS_MAX: none. */
    uint32_t parked;
    /* Threads that are shown inside __cxa_throw, _Unwind_DebugHook; STACKS_MAX: none. */
    uint32_t throwing, catching;
    struct view_stack stacks[4]; /* of the threads that were asked for last */
    unsigned next_stack;
    struct {
        uint64_t object;
        char *bytes;
        size_t length;
    } text; /* of the string that was asked for last; object 0: none */
};

void view_init(struct view *view, struct ditto_machine *machine, struct program *program);
void view_destroy(struct view *view);

/* To be called whenever the machine has moved, or who is parked or throwing has changed. */
void view_changed(struct view *view);

/* Valid until the view changes or four other threads were asked for. */
const struct view_stack *view_stack(struct view *view, uint32_t thread);

/* Where gdb finds an object, or an array's elements if the descriptor says that it is one. */
uint64_t view_reference(const char *descriptor, uint64_t object);

/* The object, or 0, that an address of an object or of an array's elements belongs to. */
uint64_t view_object(uint64_t address);

/* A value's 8 bytes as they are in memory. */
uint64_t view_word(const char *descriptor, const struct ditto_value *value);

/* How many bytes could be read. */
size_t view_read(struct view *view, uint64_t address, uint8_t *bytes, size_t length);

#endif
