/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/frames.h"

#include "jvm-bridge/classfile/typestep.h"

#include <string.h>

/* Bounds on the merging: types kept for all meeting points together, and work done. Real methods
 * stay far below; a made-up one could ask for the product of its instructions and its locals. */
enum { MOST_TYPES = 4 * 1024 * 1024, MOST_WORK = 32 * 1024 * 1024 };

/* What is known at a meeting point, in the form of ditto_flow_state. */
struct ditto_flow_entry {
    bool known, queued, this_uninit;
    uint32_t locals_used, stack_count;
    ditto_type *locals, *stack;
};

bool ditto_frame_spread(const struct ditto_frame *frame, ditto_type *locals, uint32_t slots,
                        uint32_t *used)
{
    uint32_t slot = 0;
    for (uint32_t i = 0; i < frame->local_count; i++) {
        uint32_t size = ditto_type_is_wide(frame->locals[i]) ? 2 : 1;
        if (size > slots - slot)
            return false;
        locals[slot++] = frame->locals[i];
        if (size == 2)
            locals[slot++] = DITTO_TYPE_TOP;
    }
    *used = slot;
    while (slot < slots)
        locals[slot++] = DITTO_TYPE_TOP;
    return true;
}

uint32_t ditto_flow_frame_locals(const struct ditto_flow_state *state, ditto_type *types)
{
    uint32_t count = 0, needed = 0;
    for (uint32_t slot = 0; slot < state->locals_used; slot++) {
        types[count++] = state->locals[slot];
        if (state->locals[slot] != DITTO_TYPE_TOP)
            needed = count;
        if (ditto_type_is_wide(state->locals[slot]))
            slot++;
    }
    return needed;
}

static bool set_from_frame(struct ditto_flow *flow, const struct ditto_frame *frame,
                           struct ditto_error *error)
{
    struct ditto_flow_state *state = &flow->state;
    bool good =
        ditto_frame_spread(frame, state->locals, flow->code->max_locals, &state->locals_used);
    state->stack_slots = state->stack_count = 0;
    state->this_uninit = false;
    state->reachable = true;
    for (uint32_t i = 0; good && i < frame->stack_count; i++) {
        uint32_t slots = ditto_type_is_wide(frame->stack[i]) ? 2 : 1;
        good = slots <= flow->code->max_stack - state->stack_slots;
        if (good) {
            state->stack[state->stack_count++] = frame->stack[i];
            state->stack_slots += slots;
        }
    }
    for (uint32_t i = 0; i < frame->local_count; i++)
        if (frame->locals[i] == DITTO_TYPE_UNINIT_THIS)
            state->this_uninit = true;
    return good ||
           ditto_cf_fail(error, "the frame at %u holds more than max_locals or max_stack allow",
                         frame->bci);
}

struct merger {
    struct ditto_flow *flow;
    uint32_t *queue; /* instruction numbers, a stack */
    uint32_t queued;
    uint32_t types_left, work_left;
    const ditto_type *caught; /* the stack of a handler while one is merged into, else NULL */
    const char *problem;
};

static ditto_type merge_types(struct ditto_names *names, ditto_type a, ditto_type b)
{
    if (a == b)
        return a;
    enum ditto_type_tag x = ditto_type_tag(a), y = ditto_type_tag(b);
    if (x == DITTO_TYPE_NULL && y == DITTO_TYPE_CLASS)
        return b;
    if (y == DITTO_TYPE_NULL && x == DITTO_TYPE_CLASS)
        return a;
    if (x == DITTO_TYPE_CLASS && y == DITTO_TYPE_CLASS)
        return ditto_names_literal(names, "java/lang/Object");
    return DITTO_TYPE_TOP;
}

static ditto_type *copy_types(struct merger *m, const ditto_type *types, uint32_t count)
{
    if (count > m->types_left) {
        m->problem = "the method is too large to analyse without a StackMapTable";
        return NULL;
    }
    m->types_left -= count;
    ditto_type *copy = DITTO_NEW_ARRAY(m->flow->names->arena, ditto_type, count);
    if (count)
        memcpy(copy, types, count * sizeof *copy);
    return copy;
}

static bool merge_array(struct merger *m, ditto_type *into, const ditto_type *from, uint32_t count)
{
    bool changed = false;
    for (uint32_t i = 0; i < count; i++) {
        ditto_type merged = merge_types(m->flow->names, into[i], from[i]);
        changed |= merged != into[i];
        into[i] = merged;
    }
    return changed;
}

/* Lets the current state, with the stack of a handler if `caught` is set, flow into an instruction.
 */
static void flow_into(void *context, uint32_t target)
{
    struct merger *m = context;
    const struct ditto_flow_state *state = &m->flow->state;
    struct ditto_flow_entry *entry = m->flow->entries[target];
    const ditto_type *stack = m->caught ? m->caught : state->stack;
    uint32_t stack_count = m->caught ? 1 : state->stack_count;
    bool changed = false;
    if (m->problem)
        return;
    if (!entry->known) {
        entry->locals = copy_types(m, state->locals, state->locals_used);
        entry->stack = copy_types(m, stack, stack_count);
        if (m->problem)
            return;
        entry->locals_used = state->locals_used;
        entry->stack_count = stack_count;
        entry->this_uninit = state->this_uninit;
        entry->known = changed = true;
    } else {
        if (entry->stack_count != stack_count) {
            m->problem = "two ways meet with stacks of different height";
            return;
        }
        uint32_t common =
            entry->locals_used < state->locals_used ? entry->locals_used : state->locals_used;
        changed = merge_array(m, entry->locals, state->locals, common);
        for (uint32_t i = common; i < entry->locals_used; i++)
            changed |= entry->locals[i] != DITTO_TYPE_TOP;
        entry->locals_used = common;
        changed |= merge_array(m, entry->stack, stack, stack_count);
        changed |= state->this_uninit && !entry->this_uninit;
        entry->this_uninit |= state->this_uninit;
    }
    if (changed && !entry->queued) {
        entry->queued = true;
        m->queue[m->queued++] = target;
    }
}

static void flow_into_handlers(struct merger *m, uint32_t bci)
{
    const struct ditto_cf_code *code = m->flow->code;
    for (uint32_t i = 0; i < code->handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(code, i);
        if (bci < h.start || bci >= h.end)
            continue;
        ditto_type caught = h.catch_type
                                ? ditto_names_constant(m->flow->names, h.catch_type)
                                : ditto_names_literal(m->flow->names, "java/lang/Throwable");
        m->caught = &caught;
        flow_into(m, m->flow->listing->index[h.handler]);
        m->caught = NULL;
    }
}

static void set_from_entry(struct ditto_flow *flow, const struct ditto_flow_entry *entry)
{
    struct ditto_flow_state *state = &flow->state;
    state->reachable = entry->known;
    state->this_uninit = entry->this_uninit;
    state->locals_used = entry->locals_used;
    state->stack_count = entry->stack_count;
    state->stack_slots = 0;
    if (entry->locals_used)
        memcpy(state->locals, entry->locals, entry->locals_used * sizeof *state->locals);
    for (uint32_t i = entry->locals_used; i < flow->code->max_locals; i++)
        state->locals[i] = DITTO_TYPE_TOP;
    for (uint32_t i = 0; i < entry->stack_count; i++) {
        state->stack[i] = entry->stack[i];
        state->stack_slots += ditto_type_is_wide(entry->stack[i]) ? 2 : 1;
    }
}

static bool run_block(struct merger *m, uint32_t index, struct ditto_error *error)
{
    struct ditto_flow *flow = m->flow;
    set_from_entry(flow, flow->entries[index]);
    struct ditto_step step = {flow->names, flow->code, &flow->state, .locals_changed = true};
    for (;; index++) {
        struct ditto_insn insn = ditto_listing_insn(flow->listing, index);
        uint32_t work = 1;
        if (step.locals_changed) {
            work += flow->code->handler_count + flow->state.locals_used;
            flow_into_handlers(m, insn.bci);
            step.locals_changed = false;
        }
        if (work > m->work_left)
            return ditto_cf_fail(error,
                                 "the method is too complex to analyse without a StackMapTable");
        m->work_left -= work;
        if (!ditto_step(&step, &insn, error))
            return false;
        ditto_listing_targets(flow->listing, &insn, flow_into, m);
        if (m->problem)
            return ditto_cf_fail(error, "%s, near %u", m->problem, insn.bci);
        if (ditto_op(insn.opcode)->flags & DITTO_OPF_END)
            return true;
        if (flow->entries[index + 1]) {
            flow_into(m, index + 1);
            return !m->problem || ditto_cf_fail(error, "%s, near %u", m->problem, insn.bci);
        }
    }
}

static void mark_meeting_point(void *context, uint32_t target)
{
    struct ditto_flow *flow = context;
    if (!flow->entries[target])
        flow->entries[target] = DITTO_NEW(flow->names->arena, struct ditto_flow_entry);
}

static bool merge_all(struct ditto_flow *flow, struct ditto_error *error)
{
    const struct ditto_listing *listing = flow->listing;
    flow->entries =
        DITTO_NEW_ARRAY(flow->names->arena, struct ditto_flow_entry *, listing->count + 1);
    mark_meeting_point(flow, 0);
    for (uint32_t i = 0; i < listing->count; i++) {
        struct ditto_insn insn = ditto_listing_insn(listing, i);
        ditto_listing_targets(listing, &insn, mark_meeting_point, flow);
    }
    /* Where a protected range begins the locals must reach its handler even if no store follows. */
    for (uint32_t i = 0; i < flow->code->handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(flow->code, i);
        mark_meeting_point(flow, listing->index[h.start]);
        mark_meeting_point(flow, listing->index[h.handler]);
    }
    struct merger m = {.flow = flow, .types_left = MOST_TYPES, .work_left = MOST_WORK};
    m.queue = DITTO_NEW_ARRAY(flow->names->arena, uint32_t, listing->count);
    if (!set_from_frame(flow, &flow->map->initial, error))
        return false;
    flow_into(&m, 0);
    while (m.queued > 0) {
        uint32_t index = m.queue[--m.queued];
        flow->entries[index]->queued = false;
        if (!run_block(&m, index, error))
            return false;
    }
    return true;
}

bool ditto_flow_open(struct ditto_flow *flow, struct ditto_names *names,
                     const struct ditto_cf_code *code, const struct ditto_listing *listing,
                     const struct ditto_stackmap *map, enum ditto_flow_mode mode,
                     struct ditto_error *error)
{
    *flow = (struct ditto_flow){.names = names, .code = code, .listing = listing, .map = map};
    flow->state.locals = DITTO_NEW_ARRAY(names->arena, ditto_type, code->max_locals);
    flow->state.stack = DITTO_NEW_ARRAY(names->arena, ditto_type, code->max_stack + 1u);
    /* Version 50 may go without the table: the JVM then falls back to inferring types, and so do
     * we. */
    bool table = names->cf->major > DITTO_CF_HAS_FRAMES ||
                 (names->cf->major == DITTO_CF_HAS_FRAMES && map->present);
    bool good;
    if (listing->has_subroutines)
        good = ditto_cf_fail(error, "the method uses jsr or ret");
    else if (table && mode == DITTO_FLOW_AUTO)
        good = set_from_frame(flow, &map->initial, error);
    else
        good = merge_all(flow, error);
    flow->failed = !good;
    return good;
}

bool ditto_flow_next(struct ditto_flow *flow, struct ditto_error *error)
{
    if (flow->failed || flow->next == flow->listing->count)
        return false;
    bool falls_through = flow->next > 0 && flow->state.reachable;
    if (falls_through) {
        struct ditto_step step = {flow->names, flow->code, &flow->state, .locals_changed = false};
        falls_through = !(ditto_op(flow->insn.opcode)->flags & DITTO_OPF_END);
        flow->failed = !ditto_step(&step, &flow->insn, error);
    }
    flow->index = flow->next++;
    flow->insn = ditto_listing_insn(flow->listing, flow->index);
    if (flow->failed)
        return false;
    if (flow->entries) {
        if (flow->entries[flow->index])
            set_from_entry(flow, flow->entries[flow->index]);
        else if (!falls_through)
            flow->state.reachable = false;
        return true;
    }
    const struct ditto_frame *frame = ditto_stackmap_at(flow->map, flow->insn.bci);
    if (frame)
        flow->failed = !set_from_frame(flow, frame, error);
    else if (flow->index > 0 && !falls_through)
        flow->failed =
            !ditto_cf_fail(error, "no frame at %u, which only a jump can reach", flow->insn.bci);
    return !flow->failed;
}
