/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/instrument.h"

#include "jvm-bridge/classfile/around.h"
#include "jvm-bridge/instrument/access_guards.h"
#include "jvm-bridge/instrument/atomic_calls.h"
#include "jvm-bridge/instrument/builder_calls.h"
#include "jvm-bridge/instrument/clone_calls.h"
#include "jvm-bridge/instrument/release_guards.h"
#include "jvm-bridge/instrument/sync_methods.h"

#include <stdlib.h>

/* A method that was added to the class for calls of the method with that constant. */
struct atomic {
    struct atomic *next;
    uint32_t called;
    uint16_t added;
};

/* A hook whose constant the class has got. */
struct known_hook {
    const struct ditto_hook *hook;
    const char *class_name;
    uint16_t method;
};
enum { KNOWN_HOOKS = 32 };

struct pass {
    const struct ditto_cf *cf;
    const struct ditto_instrument_options *options;
    const char *hook_class, *site_class, *call_class;
    struct ditto_rw *rw;
    struct ditto_buf sites;
    uint32_t site_count;
    struct atomic *atomics;
    unsigned atomic_count;
    uint8_t *traits; /* of methods that are called, by constant: see traits_of() */
    struct known_hook known_hooks[KNOWN_HOOKS];
    unsigned known_hook_count;
};

/* What is known about the method at hand. */
struct method_pass {
    struct pass *pass;
    uint32_t number;
    struct ditto_ed *ed;
    struct ditto_guards guards, mutings;
    bool constructor;
    bool initializer;
    bool called_back;
    const struct ditto_pause *pause;
    enum { NOT_ASKED, STAY, MAY_LEAVE } builders;
    bool edited;
};

static void report(const struct pass *pass, const struct ditto_cf_member *method, const char *why)
{
    if (pass->options->report)
        pass->options->report(pass->options->context, pass->cf, method, why);
}

static bool wanted(const struct pass *pass, enum ditto_site_kind kind)
{
    return !(pass->options->leave_out >> kind & 1);
}

static int32_t new_site(void *context, enum ditto_site_kind kind, uint32_t bci, uint32_t field)
{
    struct method_pass *mp = context;
    struct ditto_site site = {mp->number, bci, (uint16_t)field, (uint16_t)kind};
    ditto_buf_bytes(&mp->pass->sites, &site, sizeof site);
    return mp->pass->options->first_site + (int32_t)mp->pass->site_count++;
}

/* The constant of a hook that is in a table, by its place there: a class calls a few ones often. */
static uint16_t hook_constant(struct pass *pass, const char *class_name,
                              const struct ditto_hook *hook)
{
    for (unsigned i = 0; i < pass->known_hook_count; i++)
        if (pass->known_hooks[i].hook == hook && pass->known_hooks[i].class_name == class_name)
            return pass->known_hooks[i].method;
    uint16_t method = ditto_pool_ref(ditto_rw_pool(pass->rw), DITTO_TAG_METHOD, class_name,
                                     hook->name, hook->descriptor);
    if (pass->known_hook_count < KNOWN_HOOKS)
        pass->known_hooks[pass->known_hook_count++] = (struct known_hook){hook, class_name, method};
    return method;
}

static void call_hook(void *context, struct ditto_snippet *code, const struct ditto_hook *hook,
                      int32_t site)
{
    struct method_pass *mp = context;
    if (!hook->name)
        return;
    struct ditto_pool *pool = ditto_rw_pool(mp->pass->rw);
    if (ditto_hook_takes_site(hook))
        ditto_snippet_push_int(code, pool, site);
    ditto_snippet_op_u2(code, DITTO_OP_INVOKESTATIC,
                        hook_constant(mp->pass, mp->pass->site_class, hook));
}

static enum ditto_site_kind kind_of(uint8_t opcode)
{
    if (opcode >= DITTO_OP_IALOAD && opcode <= DITTO_OP_SALOAD)
        return DITTO_SITE_ARRAY_LOAD;
    if (opcode >= DITTO_OP_IASTORE && opcode <= DITTO_OP_SASTORE)
        return DITTO_SITE_ARRAY_STORE;
    switch (opcode) {
    case DITTO_OP_GETFIELD:
        return DITTO_SITE_LOAD;
    case DITTO_OP_PUTFIELD:
        return DITTO_SITE_STORE;
    case DITTO_OP_GETSTATIC:
        return DITTO_SITE_STATIC_LOAD;
    case DITTO_OP_PUTSTATIC:
        return DITTO_SITE_STATIC_STORE;
    case DITTO_OP_MONITORENTER:
        return DITTO_SITE_ACQUIRE;
    case DITTO_OP_MONITOREXIT:
        return DITTO_SITE_RELEASE;
    default:
        return DITTO_SITE_UNUSED;
    }
}

static bool is_field(enum ditto_site_kind kind)
{
    return kind >= DITTO_SITE_LOAD && kind <= DITTO_SITE_STATIC_STORE;
}

/* Puts a copy of the object, and of an array's index, on top of what the instruction is about to
 * take. */
static void copy_operands(struct ditto_snippet *code, enum ditto_site_kind kind, bool wide_value)
{
    switch (kind) {
    case DITTO_SITE_STORE:
        if (wide_value) {
            ditto_snippet_op(code, DITTO_OP_DUP2_X1);
            ditto_snippet_op(code, DITTO_OP_POP2);
            ditto_snippet_op(code, DITTO_OP_DUP_X2);
        } else {
            ditto_snippet_op(code, DITTO_OP_DUP2);
            ditto_snippet_op(code, DITTO_OP_POP);
        }
        break;
    case DITTO_SITE_ARRAY_LOAD:
        ditto_snippet_op(code, DITTO_OP_DUP2);
        break;
    case DITTO_SITE_ARRAY_STORE:
        ditto_snippet_op(code, wide_value ? DITTO_OP_DUP2_X2 : DITTO_OP_DUP_X2);
        ditto_snippet_op(code, wide_value ? DITTO_OP_POP2 : DITTO_OP_POP);
        ditto_snippet_op(code, wide_value ? DITTO_OP_DUP2_X2 : DITTO_OP_DUP2_X1);
        break;
    default:
        ditto_snippet_op(code, DITTO_OP_DUP);
        break;
    }
}

/* Loads a static and drops it, so that its class is initialized; instrument.h says why. */
static void touch_static(struct ditto_snippet *code, const struct ditto_cf *cf, uint32_t field,
                         bool wide_value)
{
    struct ditto_cf_ref ref;
    ditto_cf_ref(cf, field, &ref);
    if (ditto_cf_same(ref.owner, ditto_cf_class_name(cf, cf->this_class)) &&
        ditto_cf_own_field(cf, ref.name, ref.descriptor))
        return;
    ditto_snippet_op_u2(code, DITTO_OP_GETSTATIC, (uint16_t)field);
    ditto_snippet_op(code, wide_value ? DITTO_OP_POP2 : DITTO_OP_POP);
}

static bool is_store(enum ditto_site_kind kind)
{
    return kind == DITTO_SITE_STORE || kind == DITTO_SITE_STATIC_STORE ||
           kind == DITTO_SITE_ARRAY_STORE;
}

/* The first letter of an element's type, in a descriptor; a boolean's or a byte's is an int's. */
static char element_type(uint8_t opcode)
{
    static const char types[] = "IJFDLIII";
    return types[opcode >= DITTO_OP_IASTORE ? opcode - DITTO_OP_IASTORE : opcode - DITTO_OP_IALOAD];
}

/* Calls a hook with the value that is on top of the stack. */
static void show_value(struct method_pass *mp, struct ditto_snippet *code,
                       const struct ditto_insn *insn, enum ditto_site_kind kind)
{
    struct ditto_cf_ref ref;
    char type;
    if (kind == DITTO_SITE_ACQUIRE || kind == DITTO_SITE_RELEASE)
        return;
    if (!is_field(kind))
        type = element_type(insn->opcode);
    else if (ditto_cf_ref(mp->pass->cf, insn->operand, &ref) && ref.descriptor.size)
        type = ref.descriptor.data[0];
    else
        return;
    ditto_snippet_op(code, type == 'J' || type == 'D' ? DITTO_OP_DUP2 : DITTO_OP_DUP);
    const struct ditto_hook *hook = ditto_value_hook(is_store(kind), type);
    ditto_snippet_op_u2(code, DITTO_OP_INVOKESTATIC,
                        ditto_pool_ref(ditto_rw_pool(mp->pass->rw), DITTO_TAG_METHOD,
                                       mp->pass->hook_class, hook->name, hook->descriptor));
}

static void instrument_site(struct method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                            enum ditto_site_kind kind, bool wide_value, ditto_label *start,
                            ditto_label *end)
{
    struct ditto_ed *ed = mp->ed;
    const struct ditto_hook_pair *hooks = &ditto_hooks[kind];
    int32_t site = new_site(mp, kind, insn->bci, is_field(kind) ? insn->operand : 0);
    struct ditto_snippet *before = ditto_ed_before(ed, index);
    struct ditto_snippet *after = ditto_ed_after(ed, index, kind == DITTO_SITE_ACQUIRE);
    *start = ditto_ed_new_label(ed);
    *end = ditto_ed_new_label(ed);
    if (kind == DITTO_SITE_STATIC_LOAD || kind == DITTO_SITE_STATIC_STORE)
        touch_static(before, mp->pass->cf, insn->operand, wide_value);
    if (mp->pass->options->values && is_store(kind))
        show_value(mp, before, insn, kind);
    ditto_snippet_label(before, *start);
    if (kind == DITTO_SITE_ACQUIRE && ditto_hook_takes_object(&hooks->after))
        ditto_snippet_op(before, DITTO_OP_DUP);
    if (ditto_hook_takes_object(&hooks->before))
        copy_operands(before, kind, wide_value);
    call_hook(mp, before, &hooks->before, site);
    /* Once a monitor is held its own handler must see every exception, so the guard ends before the
     * hook; and what is guarded of a release is its hook alone. */
    if (kind == DITTO_SITE_RELEASE)
        ditto_snippet_label(before, *end);
    if (kind == DITTO_SITE_ACQUIRE)
        ditto_snippet_label(after, *end);
    call_hook(mp, after, &hooks->after, site);
    if (kind != DITTO_SITE_ACQUIRE && kind != DITTO_SITE_RELEASE)
        ditto_snippet_label(after, *end);
    if (mp->pass->options->values && !is_store(kind))
        show_value(mp, after, insn, kind);
    ditto_ed_stack_grows(ed, 3);
    mp->edited = true;
}

/* Whether a field instruction shall be instrumented; learns whether its value takes two slots. */
static bool wants_field(const struct pass *pass, const struct ditto_insn *insn, bool *wide_value,
                        struct ditto_error *error, bool *failed)
{
    struct ditto_cf_ref ref;
    if (ditto_cf_tag(pass->cf, insn->operand) != DITTO_TAG_FIELD ||
        !ditto_cf_ref(pass->cf, insn->operand, &ref) || ref.descriptor.size == 0) {
        *failed = !ditto_cf_fail(error, "%s at %u names no field", ditto_op(insn->opcode)->name,
                                 insn->bci);
        return false;
    }
    *wide_value = ref.descriptor.data[0] == 'J' || ref.descriptor.data[0] == 'D';
    return !pass->options->include_field ||
           pass->options->include_field(pass->options->context, pass->cf, &ref);
}

/* The constant of the class that an instruction may initialize, or 0. */
static uint16_t initialized_class(const struct pass *pass, const struct ditto_insn *insn)
{
    const struct ditto_cf *cf = pass->cf;
    struct ditto_cf_text name;
    struct ditto_cf_ref ref;
    if (!pass->options->may_initialize || cf->major < DITTO_CF_HAS_CLASS_CONSTANTS)
        return 0;
    switch (insn->opcode) {
    case DITTO_OP_NEW:
        name = ditto_cf_class_name(cf, insn->operand);
        break;
    case DITTO_OP_GETSTATIC:
    case DITTO_OP_PUTSTATIC:
    case DITTO_OP_INVOKESTATIC:
        if (!ditto_cf_ref(cf, insn->operand, &ref))
            return 0;
        name = ref.owner;
        break;
    default:
        return 0;
    }
    if (name.size == 0 || ditto_cf_same(name, ditto_cf_class_name(cf, cf->this_class)) ||
        !pass->options->may_initialize(pass->options->context, cf, name))
        return 0;
    return ditto_pool_class(ditto_rw_pool(pass->rw), name);
}

static void check_initialization(struct method_pass *mp, const struct ditto_insn *insn,
                                 uint32_t index)
{
    uint16_t class = initialized_class(mp->pass, insn);
    if (class == 0)
        return;
    struct ditto_snippet *before = ditto_ed_before(mp->ed, index);
    ditto_snippet_ldc(before, class);
    call_hook(mp, before, &ditto_hooks[DITTO_SITE_INIT].before,
              new_site(mp, DITTO_SITE_INIT, insn->bci, insn->operand));
    ditto_ed_stack_grows(mp->ed, 2);
    mp->edited = true;
}

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

static uint8_t look_at_call(const struct pass *pass, uint32_t constant)
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
static unsigned traits_of(const struct pass *pass, const struct ditto_insn *insn)
{
    if (insn->opcode < DITTO_OP_INVOKEVIRTUAL || insn->opcode > DITTO_OP_INVOKEINTERFACE ||
        insn->operand >= pass->cf->pool_count)
        return 0;
    uint8_t *traits = &pass->traits[insn->operand];
    if (!*traits)
        *traits = look_at_call(pass, insn->operand);
    return *traits;
}

/* The hook that takes the place of a call, or NULL. */
static const struct ditto_call_hook *replacement(const struct pass *pass,
                                                 const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    if (!(traits_of(pass, insn) & REPLACED) || insn->opcode > DITTO_OP_INVOKESTATIC ||
        !ditto_cf_ref(pass->cf, insn->operand, &ref))
        return NULL;
    return pass->options->replace_call(pass->options->context, pass->cf, insn->opcode, &ref);
}

static enum ditto_cloning cloning(const struct pass *pass, const struct ditto_insn *insn)
{
    return traits_of(pass, insn) & CLONES ? ditto_cloning(pass->cf, insn) : DITTO_NO_CLONE;
}

static void edit_clone(struct method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                       enum ditto_cloning kind, bool recorded)
{
    ditto_cloning_edit(mp->ed, index, kind, mp->pass->options->clone_field, mp->pass->site_class,
                       recorded ? new_site(mp, DITTO_SITE_COPY, insn->bci, 0) : -1);
    mp->edited = true;
}

static void call_made(struct method_pass *mp, struct ditto_snippet *code, bool of_this)
{
    if (of_this)
        ditto_snippet_local(code, DITTO_OP_ALOAD, 0);
    else
        ditto_snippet_op(code, DITTO_OP_DUP);
    call_hook(mp, code, &ditto_made_hook, 0);
    ditto_ed_stack_grows(mp->ed, 1);
}

/* Tells what a constructor or an instruction has made.  A constructor whose first local is no
 * longer the object keeps it to itself. */
static bool tell_made(struct method_pass *mp, const struct ditto_insn *insn, uint32_t index,
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
static void tell_returned(struct method_pass *mp, const struct ditto_insn *insn, uint32_t index)
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

/* The kind of access that a call of Unsafe, VarHandle or StringBuilder is, DITTO_SITE_CALL for one
 * of Arrays; DITTO_SITE_UNUSED for any other. */
static enum ditto_site_kind atomic_kind(const struct pass *pass, const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    if (!(traits_of(pass, insn) & ATOMIC) || !ditto_cf_ref(pass->cf, insn->operand, &ref))
        return DITTO_SITE_UNUSED;
    enum ditto_site_kind kind = ditto_atomic_kind(&ref);
    uint8_t caller = kind == DITTO_SITE_CALL ? DITTO_OP_INVOKESTATIC : DITTO_OP_INVOKEVIRTUAL;
    return insn->opcode == caller && wanted(pass, kind) ? kind : DITTO_SITE_UNUSED;
}

static uint16_t atomic_method(struct pass *pass, uint32_t called)
{
    struct atomic *atomic = pass->atomics;
    while (atomic && atomic->called != called)
        atomic = atomic->next;
    if (!atomic) {
        struct ditto_cf_ref ref;
        ditto_cf_ref(pass->cf, called, &ref);
        atomic = DITTO_NEW(ditto_rw_arena(pass->rw), struct atomic);
        const struct ditto_hook_classes classes = {pass->hook_class, pass->site_class,
                                                   pass->call_class};
        *atomic = (struct atomic){
            pass->atomics, called,
            ditto_atomic_add(pass->rw, pass->cf, &classes, &ref, pass->atomic_count++)};
        pass->atomics = atomic;
    }
    return atomic->added;
}

static void replace_atomic(struct method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                           enum ditto_site_kind kind)
{
    struct ditto_snippet *instead = ditto_ed_instead(mp->ed, index);
    ditto_snippet_push_int(instead, ditto_rw_pool(mp->pass->rw), new_site(mp, kind, insn->bci, 0));
    ditto_snippet_op_u2(instead, DITTO_OP_INVOKESTATIC, atomic_method(mp->pass, insn->operand));
    ditto_ed_stack_grows(mp->ed, 1);
    mp->edited = true;
}

static void replace_call(struct method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                         const struct ditto_call_hook *instead)
{
    struct ditto_pool *pool = ditto_rw_pool(mp->pass->rw);
    struct ditto_snippet *code = ditto_ed_instead(mp->ed, index);
    if (instead->takes_site) {
        ditto_snippet_push_int(code, pool, new_site(mp, DITTO_SITE_CALL, insn->bci, 0));
        ditto_ed_stack_grows(mp->ed, 1);
    }
    ditto_snippet_op_u2(code, DITTO_OP_INVOKESTATIC,
                        ditto_pool_ref(pool, DITTO_TAG_METHOD, mp->pass->call_class,
                                       instead->hook.name, instead->hook.descriptor));
    mp->edited = true;
}

static bool is_muted(const struct pass *pass, const struct ditto_insn *insn)
{
    return traits_of(pass, insn) & MUTED;
}

static const char muting_class[] = DITTO_HOOK_CLASS;

/* Calls before super(...) are left alone: there is no handler for an object that is not made yet.
 */
static bool mute(struct method_pass *mp, uint32_t index, struct ditto_error *error)
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
                        hook_constant(mp->pass, muting_class, &ditto_mute_hooks.before));
    ditto_snippet_label(before, start);
    ditto_snippet_label(after, end);
    ditto_snippet_op_u2(after, DITTO_OP_INVOKESTATIC,
                        hook_constant(mp->pass, muting_class, &ditto_mute_hooks.after));
    mp->edited = true;
    return ditto_guards_add(&mp->mutings, index, false, start, end, error);
}

static void mutings_init(struct method_pass *mp)
{
    ditto_guards_init(&mp->mutings, mp->ed,
                      hook_constant(mp->pass, muting_class, &ditto_mute_hooks.after));
    mp->mutings.apart = true;
}

/* Whether the site is a call of a builder, in a method that keeps its builders to itself. */
static bool is_of_own_builder(struct method_pass *mp, enum ditto_site_kind kind)
{
    if (kind != DITTO_SITE_TEXT_LOAD && kind != DITTO_SITE_TEXT_STORE)
        return false;
    if (mp->builders == NOT_ASKED)
        mp->builders = ditto_builders_stay(mp->ed) ? STAY : MAY_LEAVE;
    return mp->builders == STAY;
}

/* Looks at one instruction; false when the method must be left alone. */
static bool visit(struct method_pass *mp, uint32_t index, struct ditto_error *error)
{
    struct ditto_insn insn = ditto_listing_insn(&mp->ed->listing, index);
    enum ditto_site_kind kind = kind_of(insn.opcode);
    bool wide_value = insn.opcode == DITTO_OP_LASTORE || insn.opcode == DITTO_OP_DASTORE,
         failed = false;
    enum ditto_cloning clone = cloning(mp->pass, &insn);
    if (clone != DITTO_NO_CLONE)
        edit_clone(mp, &insn, index, clone, wanted(mp->pass, DITTO_SITE_COPY));
    check_initialization(mp, &insn, index);
    if (mp->pass->options->for_debugging) {
        if (!tell_made(mp, &insn, index, error))
            return false;
        tell_returned(mp, &insn, index);
    }
    const struct ditto_call_hook *instead = replacement(mp->pass, &insn);
    if (instead) {
        replace_call(mp, &insn, index, instead);
        return true;
    }
    if (is_muted(mp->pass, &insn))
        return mute(mp, index, error);
    enum ditto_site_kind atomic = atomic_kind(mp->pass, &insn);
    if (atomic != DITTO_SITE_UNUSED && !is_of_own_builder(mp, atomic)) {
        replace_atomic(mp, &insn, index, atomic);
        return true;
    }
    if (kind == DITTO_SITE_UNUSED || !wanted(mp->pass, kind))
        return true;
    if (is_field(kind) && !wants_field(mp->pass, &insn, &wide_value, error, &failed))
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
    instrument_site(mp, &insn, index, kind, wide_value, &start, &end);
    if (kind == DITTO_SITE_RELEASE) {
        ditto_guard_release(mp->ed, index, start, end);
        return true;
    }
    return ditto_guards_add(&mp->guards, index, this_uninit, start, end, error);
}

/* Hooks around a whole method. */
struct watch {
    struct method_pass *mp;
    const struct ditto_hook_pair *hooks;
    int32_t site;
};

static void watch_entry(void *context, struct ditto_snippet *code)
{
    const struct watch *watch = context;
    call_hook(watch->mp, code, &watch->hooks->before, watch->site);
}

static void watch_exit(void *context, struct ditto_snippet *code)
{
    const struct watch *watch = context;
    call_hook(watch->mp, code, &watch->hooks->after, watch->site);
}

static void watch_method(struct method_pass *mp, const struct ditto_hook_pair *hooks, int32_t site)
{
    struct watch watch = {mp, hooks, site};
    ditto_ed_around(mp->ed, &(struct ditto_around){watch_entry, watch_exit, watch_exit, &watch});
    mp->edited = true;
}

static bool instrument_code(struct method_pass *mp, bool make_explicit, struct ditto_error *error)
{
    struct ditto_ed *ed = mp->ed;
    if (ed->listing.has_subroutines)
        return ditto_cf_fail(error, "it uses jsr or ret");
    ditto_guards_init(&mp->guards, ed,
                      hook_constant(mp->pass, mp->pass->site_class, &ditto_abandon_hook));
    mutings_init(mp);
    struct ditto_sync sync = {
        .ed = ed, .context = mp, .new_site = new_site, .call_hook = call_hook};
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
                     new_site(mp, DITTO_SITE_CLINIT, DITTO_SITE_WHOLE_METHOD, 0));
    if (mp->called_back)
        watch_method(mp, &ditto_callback_hooks, 0);
    if (mp->pause) {
        ditto_pause_edit(ed, mp->pause);
        mp->edited = true;
    }
    return true;
}

/* What of it matters in a method that is not included. */
static enum ditto_cloning cloning_outside(const struct pass *pass, const struct ditto_insn *insn)
{
    enum ditto_cloning clone = cloning(pass, insn);
    return clone == DITTO_PERHAPS_A_CLONE && pass->options->only_objects_clone ? DITTO_NO_CLONE
                                                                               : clone;
}

/* A method that is not included. */
static bool edit_excluded(struct pass *pass, uint32_t number, const struct ditto_cf_code *code,
                          const struct ditto_pause *pause)
{
    struct ditto_cf_text name = ditto_cf_utf8(pass->cf, pass->cf->methods[number].name);
    struct method_pass mp = {
        .pass = pass, .number = number, .constructor = ditto_cf_is(name, "<init>")};
    struct ditto_error error;
    struct ditto_insn insn;
    bool any = pause, muted = false;
    for (uint32_t bci = 0; bci < code->size; bci += insn.size) {
        if (!ditto_insn_decode(code->code, code->size, bci, &insn))
            return false;
        muted = muted || is_muted(pass, &insn);
        any = any || cloning_outside(pass, &insn) != DITTO_NO_CLONE;
    }
    if ((!any && !muted) || !(mp.ed = ditto_rw_edit(pass->rw, number, &error)))
        return false;
    bool may_mute = muted && !mp.ed->listing.has_subroutines;
    if (may_mute)
        mutings_init(&mp);
    for (uint32_t i = 0; i < mp.ed->listing.count; i++) {
        insn = ditto_listing_insn(&mp.ed->listing, i);
        enum ditto_cloning clone = cloning_outside(pass, &insn);
        if (clone != DITTO_NO_CLONE)
            edit_clone(&mp, &insn, i, clone, false);
        if (may_mute && is_muted(pass, &insn) && !mute(&mp, i, &error)) {
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
static bool has_sites(const struct pass *pass, const struct ditto_cf_code *code)
{
    struct ditto_insn insn;
    for (uint32_t bci = 0; bci < code->size; bci += insn.size) {
        if (!ditto_insn_decode(code->code, code->size, bci, &insn))
            return true;
        enum ditto_site_kind kind = kind_of(insn.opcode);
        if ((kind != DITTO_SITE_UNUSED && wanted(pass, kind)) || replacement(pass, &insn) ||
            initialized_class(pass, &insn) || cloning(pass, &insn) != DITTO_NO_CLONE ||
            atomic_kind(pass, &insn) != DITTO_SITE_UNUSED || is_muted(pass, &insn))
            return true;
    }
    return false;
}

/* Whether a synchronized method shall and can become an explicit monitor. */
static bool wants_explicit(const struct pass *pass, const struct ditto_cf_member *method,
                           bool special)
{
    if (!(method->access & DITTO_ACC_SYNCHRONIZED) || special || !wanted(pass, DITTO_SITE_ACQUIRE))
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
static bool instrument_ignored(struct pass *pass, uint32_t number)
{
    const struct ditto_cf_member *method = &pass->cf->methods[number];
    struct ditto_cf_text name = ditto_cf_utf8(pass->cf, method->name);
    struct method_pass mp = {.pass = pass, .number = number};
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

static bool instrument_method(struct pass *pass, uint32_t number)
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
        if (method->access & DITTO_ACC_SYNCHRONIZED && wanted(pass, DITTO_SITE_ACQUIRE))
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
    struct method_pass mp = {.pass = pass,
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
static void settle(const struct pass *pass, struct ditto_instrumented *result)
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
    struct pass pass = {.cf = cf,
                        .options = options,
                        .hook_class = options->hook_class ? options->hook_class : DITTO_HOOK_CLASS,
                        .call_class =
                            options->hook_class ? options->hook_class : DITTO_CALL_HOOK_CLASS,
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
