/* SPDX-License-Identifier: MIT */
/*
 * The handlers that call abandon() when an instrumented access throws; instrument.h says why they
 * are shared.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_ACCESS_GUARDS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_ACCESS_GUARDS_H

#include "jvm-bridge/classfile/edit.h"
#include "jvm-bridge/classfile/frames.h"

struct ditto_guards {
    struct ditto_ed *ed;
    uint16_t abandon; /* the method constant */
    /* The local whose type every handler must keep because a handler around the whole method needs
     * it. */
    bool keeps_this;
    bool apart; /* each range is one of its own, and does not hold what stands between two */
    struct ditto_guard_group *groups;
    struct ditto_guard_range *ranges, *last_range;
    struct ditto_flow
        *flow; /* opened when it is first needed, then at the latest instruction asked for */
    uint32_t *covering;                     /* room for the exception table's indexes */
    ditto_type *gathered, *spread, *locals; /* room for max_locals types each */
    uint32_t types_left;
};

void ditto_guards_init(struct ditto_guards *guards, struct ditto_ed *ed, uint16_t abandon);

/* The types at an instruction; instructions must be asked for in rising order. False when the
 * analysis fails. `state` stays valid until the next call. */
bool ditto_guards_state(struct ditto_guards *guards, uint32_t insn,
                        const struct ditto_flow_state **state, struct ditto_error *error);

/* Guards [start, end), which is new code around instruction `insn`; instructions in rising order.
 * `this_uninit` says whether the object under construction is still uninitialized there. */
bool ditto_guards_add(struct ditto_guards *guards, uint32_t insn, bool this_uninit,
                      ditto_label start, ditto_label end, struct ditto_error *error);

/* Writes the handlers into the tail, and the exception table's entries. */
void ditto_guards_finish(struct ditto_guards *guards);

#endif
