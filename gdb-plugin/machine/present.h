/* SPDX-License-Identifier: MIT */
/* What the machine's own files ask of the present, beside what machine.h lets everybody ask. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_PRESENT_H
#define DITTO_GDB_PLUGIN_MACHINE_PRESENT_H

#include "gdb-plugin/machine/state.h"

/* A JVM at the present, brought there if need be; NULL if that failed. */
struct replica *machine_jvm(struct ditto_machine *machine);

/* A value as the machine shows it. */
struct ditto_value machine_value(struct ditto_machine *machine, struct replica *jvm,
                                 struct ditto_message_value message);

#endif
