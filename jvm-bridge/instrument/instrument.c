/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/instrument.h"

#include <stdlib.h>

#include "jvm-bridge/classfile/around.h"
#include "jvm-bridge/instrument/access_sites.h"
#include "jvm-bridge/instrument/call_sites.h"
#include "jvm-bridge/instrument/release_guards.h"
#include "jvm-bridge/instrument/sync_methods.h"

static void report(const struct ditto_pass *pass, const struct ditto_cf_member *method,
                   const char *why)
{
    if (pass->options->report)
        pass->options->report(pass->options->context, pass->cf, method, why);
}

static void call_made(struct ditto_method_pass *mp, struct ditto_snippet *code, bool of_this)
{
    if (of_this)
        ditto_snippet_local(code, DITTO_OP_ALOAD, 0);
    else
        ditto_snippet_op(code, DITTO_OP_DUP);
    ditto_pass_call(mp, code, &ditto_made_hook, 0);
    ditto_ed_stack_grows(mp->ed, 1);
}

/* Tells what a constructor or an instruction has made.  A constructor whose first local is no
 * longer the object keeps it to itself. */
static bool tell_made(struct ditto_method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                      struct ditto_error *error)
{
    if (insn->opcode == DITTO_OP_NEWARRAY || insn->opcode == DITTO_OP_ANEWARRAY ||
        insn->opcode == DITTO_OP_MULTIANEWARRAY) {
        call_made(mp, ditto_ed_after(mp->ed, index, false), false);
    } else if (mp->constructor && insn->opcode == DITTO_OP_RETURN) {
        const struct ditto_flow_state *state;
        if (!ditto_guards_state(&mp->guards, index, &state, error))
            return false;
        if (state->reachable && mp->ed->code.max_locals > 0 &&
            ditto_type_tag(state->locals[0]) == DITTO_TYPE_CLASS)
            call_made(mp, ditto_ed_before(mp->ed, index), true);
    }
    return true;
}

/* Tells what a method returns. */
static void tell_returned(struct ditto_method_pass *mp, const struct ditto_insn *insn,
                          uint32_t index)
{
    if (insn->opcode < DITTO_OP_IRETURN || insn->opcode > DITTO_OP_ARETURN)
        return;
    char type = "IJFDL"[insn->opcode - DITTO_OP_IRETURN];
    const struct ditto_hook *hook = ditto_returned_hook(type);
    struct ditto_snippet *before = ditto_ed_before(mp->ed, index);
    ditto_snippet_op(before, type == 'J' || type == 'D' ? DITTO_OP_DUP2 : DITTO_OP_DUP);
    ditto_snippet_op_u2(before, DITTO_OP_INVOKESTATIC,
                        ditto_pool_ref(ditto_rw_pool(mp->pass->rw), DITTO_TAG_METHOD,
                                       mp->pass->hook_class, hook->name, hook->descriptor));
    ditto_ed_stack_grows(mp->ed, 2);
}

/* Looks at one instruction; false when the method must be left alone. */
static bool visit(struct ditto_method_pass *mp, uint32_t index, struct ditto_error *error)
{
    struct ditto_insn insn = ditto_listing_insn(&mp->ed->listing, index);
    enum ditto_site_kind kind = ditto_access_kind(insn.opcode);
    bool wide_value = insn.opcode == DITTO_OP_LASTORE || insn.opcode == DITTO_OP_DASTORE,
         failed = false;
    enum ditto_cloning clone = ditto_call_cloning(mp->pass, &insn);
    if (clone != DITTO_NO_CLONE)
        ditto_call_edit_clone(mp, &insn, index, clone, ditto_pass_wants(mp->pass, DITTO_SITE_COPY));
    ditto_check_initialization(mp, &insn, index);
    if (mp->pass->options->for_debugging) {
        if (!tell_made(mp, &insn, index, error))
            return false;
        tell_returned(mp, &insn, index);
    }
    const struct ditto_call_hook *instead = ditto_call_replacement(mp->pass, &insn);
    if (instead) {
        ditto_call_replace(mp, &insn, index, instead);
        return true;
    }
    if (ditto_call_is_muted(mp->pass, &insn))
        return ditto_call_mute(mp, index, error);
    enum ditto_site_kind atomic = ditto_call_atomic_kind(mp->pass, &insn);
    if (atomic != DITTO_SITE_UNUSED && !ditto_call_is_of_own_builder(mp, atomic)) {
        ditto_call_replace_atomic(mp, &insn, index, atomic);
        return true;
    }
    if (kind == DITTO_SITE_UNUSED || !ditto_pass_wants(mp->pass, kind))
        return true;
    if (ditto_access_is_of_field(kind) &&
        !ditto_access_wants_field(mp->pass, &insn, &wide_value, error, &failed))
        return !failed;
    bool this_uninit = false;
    if (mp->constructor) {
        const struct ditto_flow_state *state;
        if (!ditto_guards_state(&mp->guards, index, &state, error))
            return false;
        if (!state->reachable)
            return true;
        this_uninit = state->this_uninit;
        uint32_t below = kind == DITTO_SITE_STORE ? 2 : 1;
        bool on_object = kind == DITTO_SITE_LOAD || kind == DITTO_SITE_STORE;
        if (on_object && state->stack_count < below)
            return ditto_cf_fail(error, "%s at %u finds too little on the stack",
                                 ditto_op(insn.opcode)->name, insn.bci);
        if (on_object && state->stack[state->stack_count - below] == DITTO_TYPE_UNINIT_THIS)
            return true;
    }
    ditto_label start, end;
    ditto_access_edit(mp, &insn, index, kind, wide_value, &start, &end);
    if (kind == DITTO_SITE_RELEASE) {
        ditto_guard_release(mp->ed, index, start, end);
        return true;
    }
    return ditto_guards_add(&mp->guards, index, this_uninit, start, end, error);
}

/* Hooks around a whole method. */
struct watch {
    struct ditto_method_pass *mp;
    const struct ditto_hook_pair *hooks;
    int32_t site;
};

static void watch_entry(void *context, struct ditto_snippet *code)
{
    const struct watch *watch = context;
    ditto_pass_call(watch->mp, code, &watch->hooks->before, watch->site);
}

static void watch_exit(void *context, struct ditto_snippet *code)
{
    const struct watch *watch = context;
    ditto_pass_call(watch->mp, code, &watch->hooks->after, watch->site);
}

static void watch_method(struct ditto_method_pass *mp, const struct ditto_hook_pair *hooks,
                         int32_t site)
{
    struct watch watch = {mp, hooks, site};
    ditto_ed_around(mp->ed, &(struct ditto_around){watch_entry, watch_exit, watch_exit, &watch});
    mp->edited = true;
}

static bool instrument_code(struct ditto_method_pass *mp, bool make_explicit,
                            struct ditto_error *error)
{
    struct ditto_ed *ed = mp->ed;
    if (ed->listing.has_subroutines)
        return ditto_cf_fail(error, "it uses jsr or ret");
    ditto_guards_init(&mp->guards, ed,
                      ditto_pass_hook(mp->pass, mp->pass->site_class, &ditto_abandon_hook));
    ditto_mutings_init(mp);
    struct ditto_sync sync = {
        .ed = ed, .context = mp, .new_site = ditto_pass_site, .call_hook = ditto_pass_call};
    if (mp->pass->options->for_debugging) {
        ditto_snippet_op(ditto_ed_entry(ed), DITTO_OP_NOP);
        mp->edited = true;
    }
    if (make_explicit) {
        ditto_sync_begin(&sync);
        mp->guards.keeps_this = mp->mutings.keeps_this = sync.lock_is_this;
        mp->edited = true;
    }
    for (uint32_t i = 0; i < ed->listing.count; i++)
        if (!visit(mp, i, error))
            return false;
    ditto_guards_finish(&mp->guards);
    ditto_guards_finish(&mp->mutings);
    if (make_explicit)
        ditto_sync_finish(&sync);
    if (mp->initializer && mp->pass->options->class_initializers)
        watch_method(mp, &ditto_hooks[DITTO_SITE_CLINIT],
                     ditto_pass_site(mp, DITTO_SITE_CLINIT, DITTO_SITE_WHOLE_METHOD, 0));
    if (mp->called_back)
        watch_method(mp, &ditto_callback_hooks, 0);
    if (mp->pause) {
        ditto_pause_edit(ed, mp->pause);
        mp->edited = true;
    }
    return true;
}

/* What of it matters in a method that is not included. */
static enum ditto_cloning cloning_outside(const struct ditto_pass *pass,
                                          const struct ditto_insn *insn)
{
    enum ditto_cloning clone = ditto_call_cloning(pass, insn);
    return clone == DITTO_PERHAPS_A_CLONE && pass->options->only_objects_clone ? DITTO_NO_CLONE
                                                                               : clone;
}

/* A method that is not included. */
static bool edit_excluded(struct ditto_pass *pass, uint32_t number,
                          const struct ditto_cf_code *code, const struct ditto_pause *pause)
{
    struct ditto_cf_text name = ditto_cf_utf8(pass->cf, pass->cf->methods[number].name);
    struct ditto_method_pass mp = {
        .pass = pass, .number = number, .constructor = ditto_cf_is(name, "<init>")};
    struct ditto_error error;
    struct ditto_insn insn;
    bool any = pause, muted = false;
    for (uint32_t bci = 0; bci < code->size; bci += insn.size) {
        if (!ditto_insn_decode(code->code, code->size, bci, &insn))
            return false;
        muted = muted || ditto_call_is_muted(pass, &insn);
        any = any || cloning_outside(pass, &insn) != DITTO_NO_CLONE;
    }
    if ((!any && !muted) || !(mp.ed = ditto_rw_edit(pass->rw, number, &error)))
        return false;
    bool may_mute = muted && !mp.ed->listing.has_subroutines;
    if (may_mute)
        ditto_mutings_init(&mp);
    for (uint32_t i = 0; i < mp.ed->listing.count; i++) {
        insn = ditto_listing_insn(&mp.ed->listing, i);
        enum ditto_cloning clone = cloning_outside(pass, &insn);
        if (clone != DITTO_NO_CLONE)
            ditto_call_edit_clone(&mp, &insn, i, clone, false);
        if (may_mute && ditto_call_is_muted(pass, &insn) && !ditto_call_mute(&mp, i, &error)) {
            ditto_rw_abandon(pass->rw, number);
            return false;
        }
    }
    if (may_mute)
        ditto_guards_finish(&mp.mutings);
    if (pause)
        ditto_pause_edit(mp.ed, pause);
    return true;
}

/* A cheap look before the method is taken apart. Damaged code counts, so that it is reported. */
static bool has_sites(const struct ditto_pass *pass, const struct ditto_cf_code *code)
{
    struct ditto_insn insn;
    for (uint32_t bci = 0; bci < code->size; bci += insn.size) {
        if (!ditto_insn_decode(code->code, code->size, bci, &insn))
            return true;
        enum ditto_site_kind kind = ditto_access_kind(insn.opcode);
        if ((kind != DITTO_SITE_UNUSED && ditto_pass_wants(pass, kind)) ||
            ditto_call_replacement(pass, &insn) || ditto_initialized_class(pass, &insn) ||
            ditto_call_cloning(pass, &insn) != DITTO_NO_CLONE ||
            ditto_call_atomic_kind(pass, &insn) != DITTO_SITE_UNUSED ||
            ditto_call_is_muted(pass, &insn))
            return true;
    }
    return false;
}

/* Whether a synchronized method shall and can become an explicit monitor. */
static bool wants_explicit(const struct ditto_pass *pass, const struct ditto_cf_member *method,
                           bool special)
{
    if (!(method->access & DITTO_ACC_SYNCHRONIZED) || special ||
        !ditto_pass_wants(pass, DITTO_SITE_ACQUIRE))
        return false;
    if (method->access & DITTO_ACC_STATIC && pass->cf->major < DITTO_CF_HAS_CLASS_CONSTANTS) {
        report(pass, method,
               "it is static synchronized in a class too old for class constants: its monitor is "
               "not seen");
        return false;
    }
    return true;
}

/* A constructor cannot be covered by a handler from its beginning: it gets no hooks at all. */
static bool instrument_ignored(struct ditto_pass *pass, uint32_t number)
{
    const struct ditto_cf_member *method = &pass->cf->methods[number];
    struct ditto_cf_text name = ditto_cf_utf8(pass->cf, method->name);
    struct ditto_method_pass mp = {.pass = pass, .number = number};
    struct ditto_cf_code code;
    struct ditto_error error;
    bool present;
    if ((name.size && name.data[0] == '<') ||
        !ditto_cf_code(pass->cf, method, &present, &code, &error) || !present)
        return false;
    mp.ed = ditto_rw_edit(pass->rw, number, &error);
    if (mp.ed && !mp.ed->listing.has_subroutines) {
        watch_method(&mp, &ditto_ignore_hooks, 0);
        return true;
    }
    report(pass, method, mp.ed ? "it uses jsr or ret" : error.text);
    ditto_rw_abandon(pass->rw, number);
    return false;
}

static bool instrument_method(struct ditto_pass *pass, uint32_t number)
{
    const struct ditto_cf *cf = pass->cf;
    const struct ditto_cf_member *method = &cf->methods[number];
    struct ditto_cf_text name = ditto_cf_utf8(cf, method->name);
    struct ditto_error error;
    struct ditto_cf_code code;
    bool present;
    if (pass->options->ignore_method &&
        pass->options->ignore_method(pass->options->context, cf, method))
        return instrument_ignored(pass, number);
    const struct ditto_pause *pause =
        pass->options->pause ? pass->options->pause(pass->options->context, cf, method) : NULL;
    if (pass->options->include_method &&
        !pass->options->include_method(pass->options->context, cf, method))
        return (pause || pass->options->clone_field || pass->options->mutes) &&
               ditto_cf_code(cf, method, &present, &code, &error) && present &&
               edit_excluded(pass, number, &code, pause);
    if (!ditto_cf_code(cf, method, &present, &code, &error)) {
        report(pass, method, error.text);
        return false;
    }
    bool special = name.size > 0 && name.data[0] == '<';
    if (!present) {
        if (method->access & DITTO_ACC_SYNCHRONIZED && ditto_pass_wants(pass, DITTO_SITE_ACQUIRE))
            report(pass, method, "it is native and synchronized: its monitor is not seen");
        return false;
    }
    bool make_explicit = wants_explicit(pass, method, special);
    bool called_back = pass->options->is_called_back &&
                       pass->options->is_called_back(pass->options->context, cf, method);
    bool initializer = ditto_cf_is(name, "<clinit>");
    if (!make_explicit && !pause && !called_back &&
        !(initializer && pass->options->class_initializers) && !pass->options->for_debugging &&
        !has_sites(pass, &code))
        return false;
    uint32_t sites_before = pass->site_count;
    struct ditto_method_pass mp = {.pass = pass,
                                   .number = number,
                                   .constructor = ditto_cf_is(name, "<init>"),
                                   .initializer = initializer,
                                   .called_back = called_back,
                                   .pause = pause};
    mp.ed = ditto_rw_edit(pass->rw, number, &error);
    bool good = mp.ed && instrument_code(&mp, make_explicit, &error);
    if (!good)
        report(pass, method, error.text);
    if (good && mp.edited)
        return true;
    ditto_rw_abandon(pass->rw, number);
    /* The ids of its sites are in no code that will be written, so the next method may have them.
     */
    pass->site_count = sites_before;
    pass->sites.size = sites_before * sizeof(struct ditto_site);
    return false;
}

/* Methods that did not fit after all are reported, and their sites struck out. */
static void settle(const struct ditto_pass *pass, struct ditto_instrumented *result)
{
    for (uint32_t i = 0; i < result->class.method_count; i++)
        if (result->class.methods[i].outcome == DITTO_RW_LEFT_ALONE)
            report(pass, &pass->cf->methods[i], result->class.methods[i].reason);
    for (uint32_t i = 0; i < result->site_count; i++)
        if (result->class.methods[result->sites[i].method].outcome != DITTO_RW_WRITTEN)
            result->sites[i].kind = DITTO_SITE_UNUSED;
}

enum ditto_instrument_outcome ditto_instrument(const struct ditto_cf *cf,
                                               const struct ditto_instrument_options *options,
                                               struct ditto_instrumented *result,
                                               struct ditto_error *error)
{
    *result = (struct ditto_instrumented){0};
    if (options->include_class && !options->include_class(options->context, cf))
        return DITTO_INSTRUMENT_NOTHING;
    struct ditto_pass pass = {
        .cf = cf,
        .options = options,
        .hook_class = options->hook_class ? options->hook_class : DITTO_HOOK_CLASS,
        .call_class = options->hook_class ? options->hook_class : DITTO_CALL_HOOK_CLASS,
        .site_class = options->site_class   ? options->site_class
                      : options->hook_class ? options->hook_class
                                            : DITTO_HOOK_CLASS,
        .rw = ditto_rw_open(cf)};
    bool any = false;
    pass.traits = DITTO_NEW_ARRAY(ditto_rw_arena(pass.rw), uint8_t, cf->pool_count);
    for (uint32_t i = 0; i < cf->method_count; i++)
        any |= instrument_method(&pass, i);
    enum ditto_instrument_outcome outcome = DITTO_INSTRUMENT_NOTHING;
    if (any) {
        bool good = ditto_rw_write(pass.rw, &result->class, error);
        outcome = good ? DITTO_INSTRUMENT_DONE : DITTO_INSTRUMENT_FAILED;
        if (!good)
            report(&pass, NULL, error->text);
    }
    if (outcome == DITTO_INSTRUMENT_DONE) {
        result->sites = (struct ditto_site *)(void *)pass.sites.data;
        result->site_count = pass.site_count;
        settle(&pass, result);
    } else {
        ditto_buf_free(&pass.sites);
    }
    ditto_rw_close(pass.rw);
    return outcome;
}

void ditto_instrumented_free(struct ditto_instrumented *result)
{
    ditto_rw_result_free(&result->class);
    free(result->sites);
    *result = (struct ditto_instrumented){0};
}
