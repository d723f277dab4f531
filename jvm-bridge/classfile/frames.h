/* SPDX-License-Identifier: MIT */
/*
 * A forward type analysis: what the locals and the operand stack hold before each instruction.
 *
 * It answers what an instrumenter must know and the bytecode does not say by itself: how many slots
 * an entry takes, whether an object is still uninitialized, whether `this` is. It is no verifier:
 * it stops with an error where it cannot go on, but lets pass a good deal that the JVM will reject.
 *
 * Where ways meet, a class with a StackMapTable says what holds. Older code has none: there the
 * types are merged until nothing changes any more, two different classes becoming java/lang/Object.
 * Methods with jsr or ret are refused.
 *
 *     struct ditto_flow flow;
 *     if (ditto_flow_open(&flow, ..., error))
 *         while (ditto_flow_next(&flow, error))
 *             ... flow.insn, flow.state ...
 *     if (flow.failed) ... error ...
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_FRAMES_H
#define DITTO_JVM_BRIDGE_CLASSFILE_FRAMES_H

#include "jvm-bridge/classfile/listing.h"
#include "jvm-bridge/classfile/stackmap.h"
#include "jvm-bridge/classfile/type_state.h"

enum ditto_flow_mode {
    DITTO_FLOW_AUTO,    /* the StackMapTable where the JVM would use it, else merging */
    DITTO_FLOW_MERGING, /* merging always: to compare the two */
};

struct ditto_flow {
    uint32_t index; /* of the instruction */
    struct ditto_insn insn;
    struct ditto_flow_state state; /* before it */
    bool failed;
    /* the rest is private */
    struct ditto_names *names;
    const struct ditto_cf_code *code;
    const struct ditto_listing *listing;
    const struct ditto_stackmap *map;
    struct ditto_flow_entry **entries; /* by instruction; NULL when the StackMapTable is used */
    uint32_t next;
};

/* All arguments must outlive the flow; memory comes from the names' arena. */
bool ditto_flow_open(struct ditto_flow *flow, struct ditto_names *names,
                     const struct ditto_cf_code *code, const struct ditto_listing *listing,
                     const struct ditto_stackmap *map, enum ditto_flow_mode mode,
                     struct ditto_error *error);

/* Goes on to the next instruction, in the order of the code. False after the last one and on
 * failure. */
bool ditto_flow_next(struct ditto_flow *flow, struct ditto_error *error);

/* Turns the locals of a state into the form of a frame; returns how many there are. `types` has
 * room for `locals_used`. */
uint32_t ditto_flow_frame_locals(const struct ditto_flow_state *state, ditto_type *types);

/* Spreads a frame's locals over `slots` slots; false when they do not fit. `used` as in
 * locals_used. */
bool ditto_frame_spread(const struct ditto_frame *frame, ditto_type *locals, uint32_t slots,
                        uint32_t *used);

#endif
