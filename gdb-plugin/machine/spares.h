/* SPDX-License-Identifier: MIT */
/*
 * Replay JVMs along the timeline.
 *
 * A JVM can only go forward, and cannot be copied, so going back uses up one that is before the
 * target.  Some are kept waiting: one or two a little before the present, for steps back and looks
 * at them, and others further back.  They are started and sent on their way without waiting, and
 * waited for when one is needed.  JVMs that the present has left behind it in time, because it went
 * back, are kept for going forward again.
 *
 * A JVM that is at clock C has done all events before C, none after, and some of C: it can go to
 * any cut from C on, and to any position with a later clock.
 */
#ifndef DITTO_GDB_PLUGIN_MACHINE_SPARES_H
#define DITTO_GDB_PLUGIN_MACHINE_SPARES_H

#include "gdb-plugin/machine/state.h"

/*
 * A JVM to go to `clock` and beyond, taken out of the spares, or started: the one that is nearest
 * before.  With `before` it must not have done anything of that clock.
 */
struct replica *spare_take(struct ditto_machine *machine, uint64_t clock, bool before,
                           struct ditto_error *error);
/* The cut of the nearest spare that is so many clocks before, at least and at most; -1: none. */
int64_t spare_before(const struct ditto_machine *machine, uint64_t clock, uint64_t least,
                     uint64_t most);
/* A JVM that may be of use again. */
void spare_keep(struct ditto_machine *machine, struct replica *replica);
/* Starts what is missing for going back from the present. */
void spares_replenish(struct ditto_machine *machine);
void spares_end(struct ditto_machine *machine);

/* A JVM brought to a position, or to the cut at a clock; NULL with the error. */
struct replica *bring_to_position(struct ditto_machine *machine, const struct position *position,
                                  struct ditto_error *error);
struct replica *bring_to_cut(struct ditto_machine *machine, uint64_t clock,
                             struct ditto_error *error);

#endif
