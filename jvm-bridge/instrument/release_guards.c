/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/release_guards.h"

/* The handler, as an instruction number, that covers itself and runs straight to the monitorexit;
 * or DITTO_NO_INSN. */
static uint32_t self_covering_handler(const struct ditto_ed *ed, uint32_t insn)
{
    const struct ditto_listing *listing = &ed->listing;
    uint32_t bci = listing->bci[insn];
    for (uint32_t i = 0; i < ed->code.handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(&ed->code, i);
        if (h.catch_type || h.start > h.handler || h.handler > bci || bci >= h.end)
            continue;
        return listing->index[h.handler];
    }
    return DITTO_NO_INSN;
}

/* Whether `insn` is an aload, and of which local. */
static bool is_aload(const struct ditto_insn *insn, uint32_t *local)
{
    *local =
        insn->opcode == DITTO_OP_ALOAD ? insn->operand : (uint32_t)insn->opcode - DITTO_OP_ALOAD_0;
    return insn->opcode == DITTO_OP_ALOAD ||
           (insn->opcode >= DITTO_OP_ALOAD_0 && insn->opcode < DITTO_OP_IALOAD);
}

/* The local that holds the lock all the way from the handler's start to the monitorexit. */
static bool find_lock(const struct ditto_ed *ed, uint32_t handler, uint32_t insn, uint32_t *lock)
{
    struct ditto_insn before = ditto_listing_insn(&ed->listing, insn - 1);
    if (!is_aload(&before, lock))
        return false;
    for (uint32_t i = handler; i < insn; i++) {
        struct ditto_insn each = ditto_listing_insn(&ed->listing, i);
        uint32_t local, slots;
        if (ditto_insn_stores(&each, &local, &slots)) {
            if (local <= *lock && *lock < local + slots)
                return false;
        } else if (!(ditto_op(each.opcode)->flags & DITTO_OPF_QUIET)) {
            return false;
        }
    }
    return true;
}

void ditto_guard_release(struct ditto_ed *ed, uint32_t insn, ditto_label start, ditto_label end)
{
    uint32_t handler = self_covering_handler(ed, insn), lock;
    if (handler == DITTO_NO_INSN || handler >= insn || !find_lock(ed, handler, insn, &lock))
        return;
    uint32_t handler_bci = ed->listing.bci[handler], bci = ed->listing.bci[insn];
    const struct ditto_frame *frame = ditto_stackmap_at(&ed->map, handler_bci);
    if (ed->uses_frames && !frame)
        return;
    /* An entry that begins inside the handler might ask for locals that its start does not have
     * yet. */
    for (uint32_t i = 0; i < ed->code.handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(&ed->code, i);
        if (h.start > handler_bci && h.start <= bci && bci < h.end)
            return;
    }
    struct ditto_snippet *tail = ditto_ed_tail(ed);
    ditto_label release = ditto_ed_new_label(ed), behind = ditto_ed_new_label(ed);
    if (frame)
        ditto_ed_frame(ed, release, frame->locals, frame->local_count, frame->stack,
                       frame->stack_count);
    ditto_snippet_label(tail, release);
    ditto_snippet_local(tail, DITTO_OP_ALOAD, lock);
    ditto_snippet_op(tail, DITTO_OP_MONITOREXIT);
    ditto_snippet_op(tail, DITTO_OP_ATHROW);
    ditto_snippet_label(tail, behind);
    ditto_ed_inner_handler(ed, (struct ditto_new_handler){start, end, release, 0});
    for (uint32_t i = 0; i < ed->code.handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(&ed->code, i);
        if (bci < h.start || bci >= h.end || h.handler == handler_bci)
            continue;
        ditto_ed_inner_handler(ed, (struct ditto_new_handler){release, behind,
                                                              ed->listing.index[h.handler],
                                                              h.catch_type});
    }
    ditto_ed_stack_at_least(ed, 2);
}
