/* SPDX-License-Identifier: MIT */
/* What the machine's files share. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_STATE_H
#define DITTO_GDB_PLUGIN_MACHINE_STATE_H

#include "core/base/map.h"
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
    struct position present;
    struct replica *jvm;
    struct log log;      /* what led to the present, if log.count */
    struct hits watched; /* what the log saw of what is watched */
    struct hits hits;    /* of the last search back */
    struct stack shown;  /* the frames of the present's thread, if a hit told them */

    /* JVMs before and behind the present, in no order; see spares.c. */
    struct replica *spares;
    struct numbers numbers;

    /* What was handed out, until the next move. */
    struct ditto_location *frames;
    struct ditto_thread_view *views;
    char **whats;
    uint64_t *held;
    size_t view_count;
    char **sources;
    size_t source_count, source_room;
    struct ditto_compiled_location *locations;
    uint8_t *code;
    struct ditto_map texts; /* names of classes, until the machine is closed */
};

#endif
