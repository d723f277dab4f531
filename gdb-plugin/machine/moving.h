/* SPDX-License-Identifier: MIT */
/* The present moves, and what is told of that. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_MOVING_H
#define DITTO_GDB_PLUGIN_MACHINE_MOVING_H

#include "gdb-plugin/machine/state.h"

/* The present moves to where `jvm` is; what was there becomes a spare. */
void machine_move(struct ditto_machine *machine, struct replica *jvm);
/* It moves to where no JVM is. */
void machine_leave(struct ditto_machine *machine);
/* It has moved otherwise than by a search. */
void hits_forget(struct ditto_machine *machine);
/* It has moved. */
void shown_free(struct ditto_machine *machine);

/* What a hit was.  Without `replica` values that only one JVM knows are null. */
void halt_from_hit(struct ditto_machine *machine, struct replica *replica,
                   const struct ditto_message_hit *hit, const struct position *at,
                   const struct ditto_method *method, struct ditto_halt *halt);
void halt_lost(struct ditto_halt *halt, const struct ditto_error *error);

#endif
