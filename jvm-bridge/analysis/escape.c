/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/analysis/escape.h"

#include "jvm-bridge/classfile/frames.h"

#define BUILDER_TYPE "L" DITTO_BUILDER_CLASS ";"

/* The method at hand. */
struct look {
    const struct ditto_ed *ed;
    ditto_type builder, builders; /* the class, and arrays of it */
    const struct ditto_flow_state *state;
    ditto_type *spread; /* room for max_locals types */
    uint32_t taken;     /* of the stack, by the instruction at hand; as far as that is known */
    bool pushes;        /* it may leave a builder on top of the stack */
    bool leaves;
};

/* Whether what is a builder now is something else at a frame: then it can go on from there unseen.
 * The first so many values on the stack lie there where they lie now. */
static bool weakens(const struct look *look, const struct ditto_frame *frame, uint32_t stacked)
{
    const struct ditto_flow_state *state = look->state;
    uint32_t used;
    if (!ditto_frame_spread(frame, look->spread, look->ed->code.max_locals, &used))
        return true;
    for (uint32_t i = 0; i < state->locals_used && i < used; i++)
        if (state->locals[i] == look->builder && look->spread[i] != look->builder &&
            look->spread[i] != DITTO_TYPE_TOP)
            return true;
    for (uint32_t i = 0; i < stacked && i < frame->stack_count; i++)
        if (state->stack[i] == look->builder && frame->stack[i] != look->builder)
            return true;
    return false;
}

static void look_at_target(void *context, uint32_t target)
{
    struct look *look = context;
    const struct ditto_frame *frame =
        ditto_stackmap_at(&look->ed->map, look->ed->listing.bci[target]);
    look->leaves |= !frame || weakens(look, frame, look->state->stack_count);
}

static bool is_at(const struct look *look, uint32_t below_top)
{
    const struct ditto_flow_state *state = look->state;
    return below_top < state->stack_count &&
           state->stack[state->stack_count - 1 - below_top] == look->builder;
}

/* How many parameters a descriptor has, and whether a builder is answered. */
static uint32_t parameters_of(struct ditto_names *names, struct ditto_cf_text descriptor,
                              ditto_type builder, bool *answers)
{
    uint32_t at = 1, count = 0;
    ditto_type type = DITTO_TYPE_TOP;
    while (at < descriptor.size && descriptor.data[at] != ')' &&
           ditto_descriptor_next(names, descriptor, &at, &type))
        count++;
    at++;
    *answers = at < descriptor.size && descriptor.data[at] == 'L' &&
               ditto_descriptor_next(names, descriptor, &at, &type) && type == builder;
    return count;
}

/* Calls: what is given to them leaves, and what they answer was somebody else's; but for the
 * builder's own methods, which answer the builder.  Two answer a stream that reads it later. */
static void look_at_call(struct look *look, const struct ditto_insn *insn)
{
    const struct ditto_cf *cf = look->ed->cf;
    struct ditto_cf_ref ref;
    bool answers;
    if (!ditto_cf_ref(cf, insn->operand, &ref)) {
        look->leaves = true;
        return;
    }
    uint32_t count = parameters_of(look->ed->names, ref.descriptor, look->builder, &answers);
    bool receiver = insn->opcode != DITTO_OP_INVOKEDYNAMIC && insn->opcode != DITTO_OP_INVOKESTATIC;
    bool own = receiver && ditto_cf_is(ref.owner, DITTO_BUILDER_CLASS) &&
               !ditto_cf_is(ref.name, "chars") && !ditto_cf_is(ref.name, "codePoints");
    for (uint32_t i = 0; i < count; i++)
        look->leaves |= is_at(look, i);
    look->leaves |= (receiver && !own && is_at(look, count)) || (answers && !own);
    look->pushes = answers || (own && ditto_cf_is(ref.name, "<init>"));
    look->taken = count + receiver;
}

static void look_at_field(struct look *look, const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    bool stores = insn->opcode == DITTO_OP_PUTFIELD || insn->opcode == DITTO_OP_PUTSTATIC;
    look->leaves |= stores ? is_at(look, 0)
                           : !ditto_cf_ref(look->ed->cf, insn->operand, &ref) ||
                                 ditto_cf_is(ref.descriptor, BUILDER_TYPE);
}

static bool is_load_of_builder(const struct look *look, const struct ditto_insn *insn)
{
    bool is_short = insn->opcode >= DITTO_OP_ALOAD_0 && insn->opcode <= DITTO_OP_ALOAD_0 + 3;
    uint32_t local = is_short ? (uint32_t)(insn->opcode - DITTO_OP_ALOAD_0) : insn->operand;
    return (is_short || insn->opcode == DITTO_OP_ALOAD) && local < look->state->locals_used &&
           look->state->locals[local] == look->builder;
}

static void look_at(struct look *look, const struct ditto_insn *insn)
{
    const struct ditto_flow_state *state = look->state;
    look->pushes = is_load_of_builder(look, insn);
    look->taken = 0;
    switch (insn->opcode) {
    case DITTO_OP_INVOKEVIRTUAL:
    case DITTO_OP_INVOKESPECIAL:
    case DITTO_OP_INVOKESTATIC:
    case DITTO_OP_INVOKEINTERFACE:
    case DITTO_OP_INVOKEDYNAMIC:
        look_at_call(look, insn);
        break;
    case DITTO_OP_GETFIELD:
    case DITTO_OP_GETSTATIC:
    case DITTO_OP_PUTFIELD:
    case DITTO_OP_PUTSTATIC:
        look_at_field(look, insn);
        break;
    case DITTO_OP_AASTORE:
    case DITTO_OP_ARETURN:
        look->leaves |= is_at(look, 0);
        break;
    case DITTO_OP_CHECKCAST:
        /* A cast to a builder is where one comes from; a cast of one is where it goes unseen. */
        look->leaves |=
            is_at(look, 0) ||
            ditto_cf_is(ditto_cf_class_name(look->ed->cf, insn->operand), DITTO_BUILDER_CLASS);
        break;
    case DITTO_OP_AALOAD:
        look->leaves |=
            state->stack_count > 1 && state->stack[state->stack_count - 2] == look->builders;
        break;
    default:
        /* What moves the stack about. */
        for (uint32_t i = 0; insn->opcode >= DITTO_OP_POP && insn->opcode <= DITTO_OP_SWAP &&
                             i < state->stack_count;
             i++)
            look->pushes |= state->stack[i] == look->builder;
        break;
    }
}

static void look_at_handlers(struct look *look, uint32_t bci)
{
    const struct ditto_cf_code *code = &look->ed->code;
    for (uint32_t i = 0; i < code->handler_count && !look->leaves; i++) {
        struct ditto_cf_handler handler = ditto_cf_handler(code, i);
        if (bci < handler.start || bci >= handler.end)
            continue;
        const struct ditto_frame *frame = ditto_stackmap_at(&look->ed->map, handler.handler);
        look->leaves |= !frame || weakens(look, frame, 0);
    }
}

/* The instruction at hand, whose successor in the code has a frame. */
static bool falls_through_seen(const struct look *look, const struct ditto_frame *next)
{
    uint32_t stacked = look->state->stack_count;
    bool on_top = next->stack_count > 0 && next->stack[next->stack_count - 1] == look->builder;
    return !(look->pushes && next->stack_count > 0 && !on_top) &&
           !weakens(look, next, stacked > look->taken ? stacked - look->taken : 0);
}

bool ditto_builders_stay(struct ditto_ed *ed)
{
    struct look look = {.ed = ed};
    struct ditto_flow flow;
    struct ditto_error error;
    look.builder = ditto_names_literal(ed->names, DITTO_BUILDER_CLASS);
    look.builders = ditto_names_literal(ed->names, "[" BUILDER_TYPE);
    look.spread = DITTO_NEW_ARRAY(ed->arena, ditto_type, ed->code.max_locals);
    /* Without frames nobody says what becomes of a type where ways meet. */
    if (!ed->uses_frames || ed->listing.has_subroutines)
        return false;
    for (uint32_t i = 0; i < ed->map.initial.local_count; i++)
        if (ed->map.initial.locals[i] == look.builder)
            return false;
    if (!ditto_flow_open(&flow, ed->names, &ed->code, &ed->listing, &ed->map, DITTO_FLOW_AUTO,
                         &error))
        return false;
    while (!look.leaves && ditto_flow_next(&flow, &error)) {
        if (!flow.state.reachable)
            return false;
        look.state = &flow.state;
        look_at(&look, &flow.insn);
        ditto_listing_targets(&ed->listing, &flow.insn, look_at_target, &look);
        look_at_handlers(&look, flow.insn.bci);
        const struct ditto_frame *next =
            flow.index + 1 < ed->listing.count
                ? ditto_stackmap_at(&ed->map, ed->listing.bci[flow.index + 1])
                : NULL;
        look.leaves |= next && !falls_through_seen(&look, next);
    }
    return !look.leaves && !flow.failed;
}
