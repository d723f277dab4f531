/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/clone_calls.h"

#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/instrument/hook_table.h"

/* An array has no code that could call the clone() of Object by invokespecial. */
enum ditto_cloning ditto_cloning(const struct ditto_cf *cf, const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    if ((insn->opcode != DITTO_OP_INVOKESPECIAL && insn->opcode != DITTO_OP_INVOKEVIRTUAL) ||
        !ditto_cf_ref(cf, insn->operand, &ref) || !ditto_cf_is(ref.name, "clone") ||
        !ditto_cf_is(ref.descriptor, "()Ljava/lang/Object;") || ref.owner.size == 0 ||
        ref.owner.data[0] == '[')
        return DITTO_NO_CLONE;
    return insn->opcode == DITTO_OP_INVOKESPECIAL && ditto_cf_is(ref.owner, "java/lang/Object")
               ? DITTO_A_CLONE
               : DITTO_PERHAPS_A_CLONE;
}

static void call(struct ditto_ed *ed, struct ditto_snippet *code, const char *hooks,
                 const struct ditto_hook *hook)
{
    ditto_snippet_op_u2(
        code, DITTO_OP_INVOKESTATIC,
        ditto_pool_ref(ed->pool, DITTO_TAG_METHOD, hooks, hook->name, hook->descriptor));
}

static void clear_number(struct ditto_ed *ed, struct ditto_snippet *code, const char *number)
{
    ditto_snippet_op(code, DITTO_OP_DUP);
    ditto_snippet_push_int(code, ed->pool, 0);
    ditto_snippet_op_u2(code, DITTO_OP_PUTFIELD,
                        ditto_pool_ref(ed->pool, DITTO_TAG_FIELD, "java/lang/Object", number, "I"));
}

void ditto_cloning_edit(struct ditto_ed *ed, uint32_t index, enum ditto_cloning kind,
                        const char *number, const char *hooks, int32_t site)
{
    const struct ditto_clone_hooks *all = &ditto_clone_hooks;
    struct ditto_snippet *after = ditto_ed_after(ed, index, false);
    bool recorded = site >= 0, sure = kind == DITTO_A_CLONE;
    if (recorded) {
        struct ditto_snippet *before = ditto_ed_before(ed, index);
        ditto_snippet_op(before, DITTO_OP_DUP);
        if (!sure) {
            ditto_snippet_op(before, DITTO_OP_DUP);
            call(ed, before, hooks, &all->before);
        }
    }
    if (sure)
        clear_number(ed, after, number);
    if (recorded) {
        ditto_snippet_op(after, DITTO_OP_DUP_X1);
        ditto_snippet_push_int(after, ed->pool, site);
        call(ed, after, hooks, sure ? &all->copied : &all->after);
    } else if (!sure) {
        ditto_snippet_op(after, DITTO_OP_DUP);
        call(ed, after, hooks, &all->answered);
    }
    /* On top of the receiver, or of the answer that takes its place: the original, below it, the
     * copy again, and the site. */
    ditto_ed_stack_grows(ed, 3);
}
