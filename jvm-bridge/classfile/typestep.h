/* SPDX-License-Identifier: MIT */
/*
 * What one instruction does to the types of locals and stack. The analysis in frames.h is built of
 * this.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_TYPESTEP_H
#define DITTO_JVM_BRIDGE_CLASSFILE_TYPESTEP_H

#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/classfile/type_state.h"

struct ditto_step {
    struct ditto_names *names;
    const struct ditto_cf_code *code;
    struct ditto_flow_state *state;
    bool locals_changed; /* set when a local's type changes; cleared by the caller */
};

/* False when the types on the stack do not allow the instruction, with the reason. */
bool ditto_step(struct ditto_step *step, const struct ditto_insn *insn, struct ditto_error *error);

#endif
