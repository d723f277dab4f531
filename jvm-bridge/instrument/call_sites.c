/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/call_sites.h"

#include "jvm-bridge/instrument/atomic_calls.h"
#include "jvm-bridge/instrument/builder_calls.h"

/*
 * What may be special about calls of a method.  It is found out once for each constant, because it
 * takes comparing texts, and asked for at each call, several times.
 */
enum {
    LOOKED_AT = 1,
    MUTED = 2,
    REPLACED = 4, /* by some of the instructions that could call it */
    CLONES = 8,
    ATOMIC = 16,
};

static uint8_t look_at_call(const struct ditto_pass *pass, uint32_t constant)
{
    static const uint8_t callers[] = {DITTO_OP_INVOKEVIRTUAL, DITTO_OP_INVOKESPECIAL,
                                      DITTO_OP_INVOKESTATIC};
    const struct ditto_instrument_options *options = pass->options;
    struct ditto_cf_ref ref;
    unsigned traits = LOOKED_AT;
    if (!ditto_cf_ref(pass->cf, constant, &ref))
        return (uint8_t)traits;
    if (options->mutes && options->mutes(options->context, pass->cf, &ref))
        traits |= MUTED;
    for (size_t i = 0; options->replace_call && i < sizeof callers; i++)
        if (options->replace_call(options->context, pass->cf, callers[i], &ref))
            traits |= REPLACED;
    if (options->clone_field && ditto_cf_is(ref.name, "clone"))
        traits |= CLONES;
    if (options->atomics && ditto_atomic_kind(&ref) != DITTO_SITE_UNUSED)
        traits |= ATOMIC;
    return (uint8_t)traits;
}

/* Of the method that the instruction calls; 0 if it calls none. */
static unsigned traits_of(const struct ditto_pass *pass, const struct ditto_insn *insn)
{
    if (insn->opcode < DITTO_OP_INVOKEVIRTUAL || insn->opcode > DITTO_OP_INVOKEINTERFACE ||
        insn->operand >= pass->cf->pool_count)
        return 0;
    uint8_t *traits = &pass->traits[insn->operand];
    if (!*traits)
        *traits = look_at_call(pass, insn->operand);
    return *traits;
}

const struct ditto_call_hook *ditto_call_replacement(const struct ditto_pass *pass,
                                                     const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    if (!(traits_of(pass, insn) & REPLACED) || insn->opcode > DITTO_OP_INVOKESTATIC ||
        !ditto_cf_ref(pass->cf, insn->operand, &ref))
        return NULL;
    return pass->options->replace_call(pass->options->context, pass->cf, insn->opcode, &ref);
}

enum ditto_cloning ditto_call_cloning(const struct ditto_pass *pass, const struct ditto_insn *insn)
{
    return traits_of(pass, insn) & CLONES ? ditto_cloning(pass->cf, insn) : DITTO_NO_CLONE;
}

void ditto_call_edit_clone(struct ditto_method_pass *mp, const struct ditto_insn *insn,
                           uint32_t index, enum ditto_cloning kind, bool recorded)
{
    ditto_cloning_edit(mp->ed, index, kind, mp->pass->options->clone_field, mp->pass->site_class,
                       recorded ? ditto_pass_site(mp, DITTO_SITE_COPY, insn->bci, 0) : -1);
    mp->edited = true;
}

enum ditto_site_kind ditto_call_atomic_kind(const struct ditto_pass *pass,
                                            const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    if (!(traits_of(pass, insn) & ATOMIC) || !ditto_cf_ref(pass->cf, insn->operand, &ref))
        return DITTO_SITE_UNUSED;
    enum ditto_site_kind kind = ditto_atomic_kind(&ref);
    uint8_t caller = kind == DITTO_SITE_CALL ? DITTO_OP_INVOKESTATIC : DITTO_OP_INVOKEVIRTUAL;
    return insn->opcode == caller && ditto_pass_wants(pass, kind) ? kind : DITTO_SITE_UNUSED;
}

static uint16_t atomic_method(struct ditto_pass *pass, uint32_t called)
{
    struct ditto_added_atomic *atomic = pass->atomics;
    while (atomic && atomic->called != called)
        atomic = atomic->next;
    if (!atomic) {
        struct ditto_cf_ref ref;
        ditto_cf_ref(pass->cf, called, &ref);
        atomic = DITTO_NEW(ditto_rw_arena(pass->rw), struct ditto_added_atomic);
        const struct ditto_hook_classes classes = {pass->hook_class, pass->site_class,
                                                   pass->call_class};
        *atomic = (struct ditto_added_atomic){
            pass->atomics, called,
            ditto_atomic_add(pass->rw, pass->cf, &classes, &ref, pass->atomic_count++)};
        pass->atomics = atomic;
    }
    return atomic->added;
}

void ditto_call_replace_atomic(struct ditto_method_pass *mp, const struct ditto_insn *insn,
                               uint32_t index, enum ditto_site_kind kind)
{
    struct ditto_snippet *instead = ditto_ed_instead(mp->ed, index);
    ditto_snippet_push_int(instead, ditto_rw_pool(mp->pass->rw),
                           ditto_pass_site(mp, kind, insn->bci, 0));
    ditto_snippet_op_u2(instead, DITTO_OP_INVOKESTATIC, atomic_method(mp->pass, insn->operand));
    ditto_ed_stack_grows(mp->ed, 1);
    mp->edited = true;
}

void ditto_call_replace(struct ditto_method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                        const struct ditto_call_hook *instead)
{
    struct ditto_pool *pool = ditto_rw_pool(mp->pass->rw);
    struct ditto_snippet *code = ditto_ed_instead(mp->ed, index);
    if (instead->takes_site) {
        ditto_snippet_push_int(code, pool, ditto_pass_site(mp, DITTO_SITE_CALL, insn->bci, 0));
        ditto_ed_stack_grows(mp->ed, 1);
    }
    ditto_snippet_op_u2(code, DITTO_OP_INVOKESTATIC,
                        ditto_pool_ref(pool, DITTO_TAG_METHOD, mp->pass->call_class,
                                       instead->hook.name, instead->hook.descriptor));
    mp->edited = true;
}

bool ditto_call_is_muted(const struct ditto_pass *pass, const struct ditto_insn *insn)
{
    return traits_of(pass, insn) & MUTED;
}

static const char muting_class[] = DITTO_HOOK_CLASS;

bool ditto_call_mute(struct ditto_method_pass *mp, uint32_t index, struct ditto_error *error)
{
    const struct ditto_flow_state *state = NULL;
    if (mp->constructor && !ditto_guards_state(&mp->mutings, index, &state, error))
        return false;
    if (state && (!state->reachable || state->this_uninit))
        return true;
    struct ditto_snippet *before = ditto_ed_before(mp->ed, index),
                         *after = ditto_ed_after(mp->ed, index, false);
    ditto_label start = ditto_ed_new_label(mp->ed), end = ditto_ed_new_label(mp->ed);
    ditto_snippet_op_u2(before, DITTO_OP_INVOKESTATIC,
                        ditto_pass_hook(mp->pass, muting_class, &ditto_mute_hooks.before));
    ditto_snippet_label(before, start);
    ditto_snippet_label(after, end);
    ditto_snippet_op_u2(after, DITTO_OP_INVOKESTATIC,
                        ditto_pass_hook(mp->pass, muting_class, &ditto_mute_hooks.after));
    mp->edited = true;
    return ditto_guards_add(&mp->mutings, index, false, start, end, error);
}

void ditto_mutings_init(struct ditto_method_pass *mp)
{
    ditto_guards_init(&mp->mutings, mp->ed,
                      ditto_pass_hook(mp->pass, muting_class, &ditto_mute_hooks.after));
    mp->mutings.apart = true;
}

bool ditto_call_is_of_own_builder(struct ditto_method_pass *mp, enum ditto_site_kind kind)
{
    if (kind != DITTO_SITE_TEXT_LOAD && kind != DITTO_SITE_TEXT_STORE)
        return false;
    if (mp->builders == DITTO_BUILDERS_UNKNOWN)
        mp->builders = ditto_builders_stay(mp->ed) ? DITTO_BUILDERS_STAY : DITTO_BUILDERS_MAY_LEAVE;
    return mp->builders == DITTO_BUILDERS_STAY;
}
