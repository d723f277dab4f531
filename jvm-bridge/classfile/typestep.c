/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/typestep.h"

#include <string.h>

/* Each of these answers false for "the stack or the locals do not allow it"; the message is made
 * once, above.
 */

static bool push(struct ditto_step *s, ditto_type type)
{
    struct ditto_flow_state *state = s->state;
    uint32_t slots = ditto_type_is_wide(type) ? 2 : 1;
    if (slots > s->code->max_stack - state->stack_slots)
        return false;
    state->stack[state->stack_count++] = type;
    state->stack_slots += slots;
    return true;
}

static bool pop(struct ditto_step *s, ditto_type *type)
{
    struct ditto_flow_state *state = s->state;
    if (state->stack_count == 0)
        return false;
    *type = state->stack[--state->stack_count];
    state->stack_slots -= ditto_type_is_wide(*type) ? 2 : 1;
    return true;
}

/* Whether a value may stand where the letter of an opcode's effect, or a field's type, asks for
 * one. */
static bool fits(ditto_type type, char letter)
{
    switch (letter) {
    case 'I':
        return type == DITTO_TYPE_INT;
    case 'F':
        return type == DITTO_TYPE_FLOAT;
    case 'L':
        return type == DITTO_TYPE_LONG;
    case 'D':
        return type == DITTO_TYPE_DOUBLE;
    default:
        return ditto_type_is_reference(type);
    }
}

static bool pop_letter(struct ditto_step *s, char letter)
{
    ditto_type type;
    return pop(s, &type) && fits(type, letter);
}

static ditto_type type_of_letter(char letter)
{
    return letter == 'I'   ? DITTO_TYPE_INT
           : letter == 'F' ? DITTO_TYPE_FLOAT
           : letter == 'L' ? DITTO_TYPE_LONG
           : letter == 'D' ? DITTO_TYPE_DOUBLE
                           : DITTO_TYPE_NULL;
}

static bool pop_like(struct ditto_step *s, ditto_type wanted)
{
    ditto_type type;
    return pop(s, &type) &&
           (ditto_type_is_reference(wanted) ? ditto_type_is_reference(type) : type == wanted);
}

static bool fixed_effect(struct ditto_step *s, const char *effect)
{
    const char *arrow = strchr(effect, '>');
    for (const char *p = arrow; p > effect; p--)
        if (!pop_letter(s, p[-1]))
            return false;
    for (const char *p = arrow + 1; *p; p++)
        if (!push(s, type_of_letter(*p)))
            return false;
    return true;
}

static bool load(struct ditto_step *s, uint32_t local, char letter)
{
    uint32_t slots = letter == 'L' || letter == 'D' ? 2 : 1;
    if (local + slots > s->code->max_locals || !fits(s->state->locals[local], letter))
        return false;
    return push(s, s->state->locals[local]);
}

static bool store(struct ditto_step *s, uint32_t local, char letter)
{
    struct ditto_flow_state *state = s->state;
    ditto_type type;
    if (!pop(s, &type) || !fits(type, letter))
        return false;
    uint32_t end = local + (ditto_type_is_wide(type) ? 2 : 1);
    if (end > s->code->max_locals)
        return false;
    if (local > 0 && ditto_type_is_wide(state->locals[local - 1]))
        state->locals[local - 1] = DITTO_TYPE_TOP;
    state->locals[local] = type;
    if (end == local + 2)
        state->locals[local + 1] = DITTO_TYPE_TOP;
    if (end > state->locals_used)
        state->locals_used = end;
    s->locals_changed = true;
    return true;
}

/* The opcode's number among five in the order int, long, float, double, reference, as a letter. */
static char letter_of(uint32_t kind)
{
    return "ILFDA"[kind];
}

static bool load_constant(struct ditto_step *s, uint32_t index, bool two_slots)
{
    const struct ditto_cf *cf = s->names->cf;
    struct ditto_cf_ref ref;
    ditto_type type;
    uint32_t at = 0;
    switch (ditto_cf_tag(cf, index)) {
    case DITTO_TAG_INTEGER:
        type = DITTO_TYPE_INT;
        break;
    case DITTO_TAG_FLOAT:
        type = DITTO_TYPE_FLOAT;
        break;
    case DITTO_TAG_LONG:
        type = DITTO_TYPE_LONG;
        break;
    case DITTO_TAG_DOUBLE:
        type = DITTO_TYPE_DOUBLE;
        break;
    case DITTO_TAG_STRING:
        type = ditto_names_literal(s->names, "java/lang/String");
        break;
    case DITTO_TAG_CLASS:
        type = ditto_names_literal(s->names, "java/lang/Class");
        break;
    case DITTO_TAG_METHOD_HANDLE:
        type = ditto_names_literal(s->names, "java/lang/invoke/MethodHandle");
        break;
    case DITTO_TAG_METHOD_TYPE:
        type = ditto_names_literal(s->names, "java/lang/invoke/MethodType");
        break;
    case DITTO_TAG_DYNAMIC:
        if (!ditto_cf_ref(cf, index, &ref) ||
            !ditto_descriptor_next(s->names, ref.descriptor, &at, &type))
            return false;
        break;
    default:
        return false;
    }
    return ditto_type_is_wide(type) == two_slots && push(s, type);
}

static bool field(struct ditto_step *s, const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    ditto_type type;
    uint32_t at = 0;
    if (ditto_cf_tag(s->names->cf, insn->operand) != DITTO_TAG_FIELD ||
        !ditto_cf_ref(s->names->cf, insn->operand, &ref) ||
        !ditto_descriptor_next(s->names, ref.descriptor, &at, &type))
        return false;
    switch (insn->opcode) {
    case DITTO_OP_GETSTATIC:
        return push(s, type);
    case DITTO_OP_PUTSTATIC:
        return pop_like(s, type);
    case DITTO_OP_GETFIELD:
        return pop_letter(s, 'A') && push(s, type);
    default:
        return pop_like(s, type) && pop_letter(s, 'A');
    }
}

/* A constructor has run: every copy of the uninitialized object has its class now. */
static void initialize(struct ditto_step *s, ditto_type was, ditto_type is)
{
    struct ditto_flow_state *state = s->state;
    for (uint32_t i = 0; i < state->stack_count; i++)
        if (state->stack[i] == was)
            state->stack[i] = is;
    for (uint32_t i = 0; i < state->locals_used; i++) {
        if (state->locals[i] == was) {
            state->locals[i] = is;
            s->locals_changed = true;
        }
    }
    if (was == DITTO_TYPE_UNINIT_THIS)
        state->this_uninit = false;
}

static bool call_constructor(struct ditto_step *s, struct ditto_cf_ref ref)
{
    ditto_type object;
    if (!pop(s, &object))
        return false;
    if (object == DITTO_TYPE_UNINIT_THIS)
        initialize(s, object, ditto_names_constant(s->names, s->names->cf->this_class));
    else if (ditto_type_tag(object) == DITTO_TYPE_UNINIT)
        initialize(s, object, ditto_names_type(s->names, ref.owner));
    else
        return false;
    return true;
}

static bool call(struct ditto_step *s, const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    if (!ditto_cf_ref(s->names->cf, insn->operand, &ref) || ref.descriptor.size < 3 ||
        ref.descriptor.data[0] != '(')
        return false;
    uint8_t tag = ditto_cf_tag(s->names->cf, insn->operand);
    if (tag == DITTO_TAG_FIELD ||
        (insn->opcode == DITTO_OP_INVOKEDYNAMIC) != (tag == DITTO_TAG_INVOKE_DYNAMIC))
        return false;
    ditto_type parameters[256], type;
    uint32_t count = 0, at = 1;
    while (at < ref.descriptor.size && ref.descriptor.data[at] != ')')
        if (count == 256 ||
            !ditto_descriptor_next(s->names, ref.descriptor, &at, &parameters[count++]))
            return false;
    at++;
    if (at >= ref.descriptor.size)
        return false;
    while (count > 0)
        if (!pop_like(s, parameters[--count]))
            return false;
    if (insn->opcode == DITTO_OP_INVOKESPECIAL && ditto_cf_is(ref.name, "<init>"))
        return call_constructor(s, ref);
    if (insn->opcode != DITTO_OP_INVOKESTATIC && insn->opcode != DITTO_OP_INVOKEDYNAMIC &&
        !pop_letter(s, 'A'))
        return false;
    if (ref.descriptor.data[at] == 'V')
        return true;
    return ditto_descriptor_next(s->names, ref.descriptor, &at, &type) && push(s, type);
}

static bool load_from_reference_array(struct ditto_step *s)
{
    ditto_type array;
    if (!pop_letter(s, 'I') || !pop(s, &array) || !ditto_type_is_reference(array))
        return false;
    if (ditto_type_tag(array) != DITTO_TYPE_CLASS)
        return push(s, DITTO_TYPE_NULL);
    struct ditto_cf_text name = ditto_names_text(s->names, array);
    ditto_type element = ditto_names_literal(s->names, "java/lang/Object");
    uint32_t at = 1;
    if (name.size > 1 && name.data[0] == '[' &&
        !ditto_descriptor_next(s->names, name, &at, &element))
        return false;
    return push(s, element);
}

static bool allocate(struct ditto_step *s, const struct ditto_insn *insn)
{
    static const char *const primitive[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
    if (insn->opcode == DITTO_OP_NEWARRAY)
        return insn->operand >= 4 && insn->operand <= 11 && pop_letter(s, 'I') &&
               push(s, ditto_names_literal(s->names, primitive[insn->operand - 4]));
    if (ditto_cf_tag(s->names->cf, insn->operand) != DITTO_TAG_CLASS)
        return false;
    struct ditto_cf_text name = ditto_cf_class_name(s->names->cf, insn->operand);
    switch (insn->opcode) {
    case DITTO_OP_ANEWARRAY:
        return pop_letter(s, 'I') && push(s, ditto_names_array_of(s->names, name));
    case DITTO_OP_MULTIANEWARRAY:
        for (uint32_t i = 0; i < insn->count; i++)
            if (!pop_letter(s, 'I'))
                return false;
        return push(s, ditto_names_type(s->names, name));
    case DITTO_OP_CHECKCAST:
        return pop_letter(s, 'A') && push(s, ditto_names_type(s->names, name));
    default: {
        /* An older object of the same `new` that nobody initialized cannot be told from the new
         * one. */
        ditto_type type = DITTO_TYPE(DITTO_TYPE_UNINIT, insn->bci);
        for (uint32_t i = 0; i < s->state->locals_used; i++)
            if (s->state->locals[i] == type)
                s->state->locals[i] = DITTO_TYPE_TOP;
        return push(s, type);
    }
    }
}

/* Takes entries that make up `slots` slots off the stack, top first, into `taken`. */
static bool take_slots(struct ditto_step *s, uint32_t slots, ditto_type *taken, uint32_t *count)
{
    for (*count = 0; slots > 0; ++*count) {
        if (!pop(s, &taken[*count]))
            return false;
        uint32_t size = ditto_type_is_wide(taken[*count]) ? 2 : 1;
        if (size > slots)
            return false;
        slots -= size;
    }
    return true;
}

static bool put_back(struct ditto_step *s, const ditto_type *taken, uint32_t count)
{
    while (count > 0)
        if (!push(s, taken[--count]))
            return false;
    return true;
}

/* dup, dup2 and their forms: the top `copied` slots go in once more below the `under` slots beneath
 * them. */
static bool duplicate(struct ditto_step *s, uint32_t copied, uint32_t under)
{
    ditto_type top[2], below[2];
    uint32_t top_count, below_count;
    return take_slots(s, copied, top, &top_count) && take_slots(s, under, below, &below_count) &&
           put_back(s, top, top_count) && put_back(s, below, below_count) &&
           put_back(s, top, top_count);
}

static bool shuffle(struct ditto_step *s, uint8_t opcode)
{
    ditto_type a[2], b[2];
    uint32_t count;
    switch (opcode) {
    case DITTO_OP_POP:
        return take_slots(s, 1, a, &count);
    case DITTO_OP_POP2:
        return take_slots(s, 2, a, &count);
    case DITTO_OP_SWAP:
        return take_slots(s, 1, a, &count) && take_slots(s, 1, b, &count) && put_back(s, a, 1) &&
               put_back(s, b, 1);
    default:
        return duplicate(s, opcode < DITTO_OP_DUP2 ? 1 : 2, (uint32_t)(opcode - DITTO_OP_DUP) % 3);
    }
}

static bool apply(struct ditto_step *s, const struct ditto_insn *insn)
{
    enum { ILOAD = 0x15, ILOAD_0 = 0x1a, ISTORE = 0x36, ISTORE_0 = 0x3b };
    uint8_t op = insn->opcode;
    if (op >= ILOAD && op < ILOAD_0)
        return load(s, insn->operand, letter_of(op - ILOAD));
    if (op >= ILOAD_0 && op < DITTO_OP_IALOAD)
        return load(s, (op - ILOAD_0) % 4u, letter_of((op - ILOAD_0) / 4u));
    if (op >= ISTORE && op < ISTORE_0)
        return store(s, insn->operand, letter_of(op - ISTORE));
    if (op >= ISTORE_0 && op < DITTO_OP_IASTORE)
        return store(s, (op - ISTORE_0) % 4u, letter_of((op - ISTORE_0) / 4u));
    if (op >= DITTO_OP_POP && op <= DITTO_OP_SWAP)
        return shuffle(s, op);
    if (op >= DITTO_OP_GETSTATIC && op <= DITTO_OP_PUTFIELD)
        return field(s, insn);
    if (op >= DITTO_OP_INVOKEVIRTUAL && op <= DITTO_OP_INVOKEDYNAMIC)
        return call(s, insn);
    switch (op) {
    case DITTO_OP_LDC:
    case DITTO_OP_LDC_W:
    case DITTO_OP_LDC2_W:
        return load_constant(s, insn->operand, op == DITTO_OP_LDC2_W);
    case DITTO_OP_AALOAD:
        return load_from_reference_array(s);
    case DITTO_OP_NEW:
    case DITTO_OP_NEWARRAY:
    case DITTO_OP_ANEWARRAY:
    case DITTO_OP_MULTIANEWARRAY:
    case DITTO_OP_CHECKCAST:
        return allocate(s, insn);
    default:
        return fixed_effect(s, ditto_op(op)->effect);
    }
}

bool ditto_step(struct ditto_step *step, const struct ditto_insn *insn, struct ditto_error *error)
{
    if (apply(step, insn))
        return true;
    return ditto_cf_fail(error, "%s at %u does not fit the types on the stack or in the locals",
                         ditto_op(insn->opcode)->name, insn->bci);
}
