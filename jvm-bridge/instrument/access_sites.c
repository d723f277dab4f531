/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/access_sites.h"

enum ditto_site_kind ditto_access_kind(uint8_t opcode)
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

bool ditto_access_is_of_field(enum ditto_site_kind kind)
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
static void show_value(struct ditto_method_pass *mp, struct ditto_snippet *code,
                       const struct ditto_insn *insn, enum ditto_site_kind kind)
{
    struct ditto_cf_ref ref;
    char type;
    if (kind == DITTO_SITE_ACQUIRE || kind == DITTO_SITE_RELEASE)
        return;
    if (!ditto_access_is_of_field(kind))
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

void ditto_access_edit(struct ditto_method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                       enum ditto_site_kind kind, bool wide_value, ditto_label *start,
                       ditto_label *end)
{
    struct ditto_ed *ed = mp->ed;
    const struct ditto_hook_pair *hooks = &ditto_hooks[kind];
    int32_t site =
        ditto_pass_site(mp, kind, insn->bci, ditto_access_is_of_field(kind) ? insn->operand : 0);
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
    ditto_pass_call(mp, before, &hooks->before, site);
    /* Once a monitor is held its own handler must see every exception, so the guard ends before the
     * hook; and what is guarded of a release is its hook alone. */
    if (kind == DITTO_SITE_RELEASE)
        ditto_snippet_label(before, *end);
    if (kind == DITTO_SITE_ACQUIRE)
        ditto_snippet_label(after, *end);
    ditto_pass_call(mp, after, &hooks->after, site);
    if (kind != DITTO_SITE_ACQUIRE && kind != DITTO_SITE_RELEASE)
        ditto_snippet_label(after, *end);
    if (mp->pass->options->values && !is_store(kind))
        show_value(mp, after, insn, kind);
    ditto_ed_stack_grows(ed, 3);
    mp->edited = true;
}

bool ditto_access_wants_field(const struct ditto_pass *pass, const struct ditto_insn *insn,
                              bool *wide_value, struct ditto_error *error, bool *failed)
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

uint16_t ditto_initialized_class(const struct ditto_pass *pass, const struct ditto_insn *insn)
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

void ditto_check_initialization(struct ditto_method_pass *mp, const struct ditto_insn *insn,
                                uint32_t index)
{
    uint16_t class = ditto_initialized_class(mp->pass, insn);
    if (class == 0)
        return;
    struct ditto_snippet *before = ditto_ed_before(mp->ed, index);
    ditto_snippet_ldc(before, class);
    ditto_pass_call(mp, before, &ditto_hooks[DITTO_SITE_INIT].before,
                    ditto_pass_site(mp, DITTO_SITE_INIT, insn->bci, insn->operand));
    ditto_ed_stack_grows(mp->ed, 2);
    mp->edited = true;
}
