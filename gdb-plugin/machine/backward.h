/* SPDX-License-Identifier: MIT */
/*
 * Going back.
 *
 * Single steps come from the log (step_log.h), which is made by running a JVM that is a little
 * before the present up to it, step by step.  Anything else is searched for in stretches, each
 * further back and longer than the one before: a JVM goes through the stretch and remembers the
 * last hit, and another is brought there.
 */
#ifndef DITTO_GDB_PLUGIN_MACHINE_BACKWARD_H
#define DITTO_GDB_PLUGIN_MACHINE_BACKWARD_H

#include "gdb-plugin/machine/state.h"

void go_back(struct ditto_machine *machine, const struct ditto_go *go, struct ditto_halt *halt);

#endif
