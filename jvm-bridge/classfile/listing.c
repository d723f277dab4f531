/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/listing.h"

static bool is_jump(uint8_t opcode)
{
    enum ditto_op_form form = ditto_op(opcode)->form;
    return form == DITTO_FORM_JUMP2 || form == DITTO_FORM_JUMP4;
}

static bool is_switch(uint8_t opcode)
{
    return opcode == DITTO_OP_TABLESWITCH || opcode == DITTO_OP_LOOKUPSWITCH;
}

static bool targets_are_whole(const struct ditto_listing *listing, const struct ditto_insn *insn)
{
    if (is_jump(insn->opcode))
        return listing->index[insn->target] != DITTO_NO_INSN;
    if (!is_switch(insn->opcode))
        return true;
    if (listing->index[insn->operand] == DITTO_NO_INSN)
        return false;
    for (uint32_t i = 0; i < insn->count; i++)
        if (listing->index[ditto_insn_case(insn, i)] == DITTO_NO_INSN)
            return false;
    return true;
}

bool ditto_listing_make(struct ditto_listing *listing, const struct ditto_cf_code *code,
                        struct ditto_arena *arena, struct ditto_error *error)
{
    *listing = (struct ditto_listing){.code = code};
    listing->bci = DITTO_NEW_ARRAY(arena, uint32_t, code->size + 1);
    listing->index = DITTO_NEW_ARRAY(arena, uint32_t, code->size + 1);
    for (uint32_t i = 0; i <= code->size; i++)
        listing->index[i] = DITTO_NO_INSN;
    struct ditto_insn insn = {0};
    for (uint32_t bci = 0; bci < code->size; bci += insn.size) {
        if (!ditto_insn_decode(code->code, code->size, bci, &insn))
            return ditto_cf_fail(error, "no valid instruction at bytecode index %u (opcode %u)",
                                 bci, code->code[bci]);
        listing->index[bci] = listing->count;
        listing->bci[listing->count++] = bci;
        if (insn.opcode == DITTO_OP_JSR || insn.opcode == DITTO_OP_JSR_W ||
            insn.opcode == DITTO_OP_RET)
            listing->has_subroutines = true;
    }
    listing->bci[listing->count] = code->size;
    listing->index[code->size] = listing->count;
    if (!(ditto_op(insn.opcode)->flags & DITTO_OPF_END))
        return ditto_cf_fail(error, "the last instruction, %s at %u, runs off the end of the code",
                             ditto_op(insn.opcode)->name, insn.bci);
    for (uint32_t i = 0; i < listing->count; i++) {
        uint8_t opcode = code->code[listing->bci[i]];
        if (!is_jump(opcode) && !is_switch(opcode))
            continue;
        insn = ditto_listing_insn(listing, i);
        if (!targets_are_whole(listing, &insn))
            return ditto_cf_fail(error, "%s at %u jumps into the middle of an instruction",
                                 ditto_op(insn.opcode)->name, insn.bci);
    }
    for (uint32_t i = 0; i < code->handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(code, i);
        if (listing->index[h.start] == DITTO_NO_INSN || listing->index[h.end] == DITTO_NO_INSN ||
            listing->index[h.handler] == DITTO_NO_INSN)
            return ditto_cf_fail(
                error, "entry %u of an exception table points into the middle of an instruction",
                i);
    }
    return true;
}

struct ditto_insn ditto_listing_insn(const struct ditto_listing *listing, uint32_t index)
{
    struct ditto_insn insn;
    ditto_insn_decode(listing->code->code, listing->code->size, listing->bci[index], &insn);
    return insn;
}

void ditto_listing_targets(const struct ditto_listing *listing, const struct ditto_insn *insn,
                           void (*visit)(void *context, uint32_t target), void *context)
{
    if (is_jump(insn->opcode)) {
        visit(context, listing->index[insn->target]);
    } else if (is_switch(insn->opcode)) {
        visit(context, listing->index[insn->operand]);
        for (uint32_t i = 0; i < insn->count; i++)
            visit(context, listing->index[ditto_insn_case(insn, i)]);
    }
}
