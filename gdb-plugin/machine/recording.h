/* SPDX-License-Identifier: MIT */
/* The run that was recorded, and what all JVMs that replay it share. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_RECORDING_H
#define DITTO_GDB_PLUGIN_MACHINE_RECORDING_H

#include "gdb-plugin/machine/interrupts.h"
#include "gdb-plugin/machine/machine.h"
#include "gdb-plugin/machine/methods.h"
#include "trace/reader.h"

struct recording {
    char *path, *java; /* java: NULL as in ditto_machine_options */
    struct ditto_reader *reader;
    uint64_t last_clock; /* until it is known: of those threads that have ended */
    bool last_clock_known;
    uint32_t replicas; /* how many were started */
    struct interrupts interrupts;
    struct methods methods;
};

/* Of one that is zeroed.  What failed to open must be closed, too. */
bool recording_open(struct recording *recording, const char *trace,
                    const struct ditto_machine_options *options, struct ditto_error *error);
void recording_close(struct recording *recording);

/* The trace's class path, or ".". */
const char *recording_class_path(const struct recording *recording);

#endif
