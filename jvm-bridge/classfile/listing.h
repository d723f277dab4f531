/* SPDX-License-Identifier: MIT */
/*
 * The instructions of a method, numbered from 0: where each begins, and which begins at a bytecode
 * index.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_LISTING_H
#define DITTO_JVM_BRIDGE_CLASSFILE_LISTING_H

#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/classfile/classfile.h"

#define DITTO_NO_INSN UINT32_MAX

struct ditto_listing {
    const struct ditto_cf_code *code;
    uint32_t count;
    uint32_t *bci; /* by number; bci[count] is the size of the code */
    uint32_t *
        index; /* by bytecode index up to the size of the code; DITTO_NO_INSN inside instructions */
    bool has_subroutines; /* jsr or ret */
};

/* Decodes all code. Checks that every jump and every exception-table entry speaks of whole
 * instructions, and that the last instruction does not run off the end. */
bool ditto_listing_make(struct ditto_listing *listing, const struct ditto_cf_code *code,
                        struct ditto_arena *arena, struct ditto_error *error);

/* Instruction number `index`; cannot fail on a listing that was made. */
struct ditto_insn ditto_listing_insn(const struct ditto_listing *listing, uint32_t index);

/* Calls for each instruction number that `insn` may jump to. */
void ditto_listing_targets(const struct ditto_listing *listing, const struct ditto_insn *insn,
                           void (*visit)(void *context, uint32_t target), void *context);

#endif
