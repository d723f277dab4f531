/* SPDX-License-Identifier: MIT */
/* Moving: forwards with the JVM at the present, to a clock with any that can. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_FORWARD_H
#define DITTO_GDB_PLUGIN_MACHINE_FORWARD_H

#include "gdb-plugin/machine/state.h"

void go_forward(struct ditto_machine *machine, const struct ditto_go *go, struct ditto_halt *halt);
/* To the cut there, in whichever direction it lies. */
void go_to_clock(struct ditto_machine *machine, uint64_t clock, struct ditto_halt *halt);

#endif
