/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/access_guards.h"

#include <string.h>

/* Bounds what the handlers' frames of one method may take together; a made-up method with thousands
 * of locals could ask for gigabytes. */
enum { MOST_TYPES = 4 * 1024 * 1024 };

/* One handler, for all accesses that the same entries of the program's exception table cover. */
struct ditto_guard_group {
    struct ditto_guard_group *next;
    uint32_t covering_count;
    uint32_t *covering; /* indexes into the exception table, in order */
    uint32_t local_count;
    ditto_type *locals; /* in the form of a frame */
    ditto_label handler;
};

struct ditto_guard_range {
    struct ditto_guard_range *next;
    struct ditto_guard_group *group;
    ditto_label start, end;
    uint32_t last_insn;
};

void ditto_guards_init(struct ditto_guards *guards, struct ditto_ed *ed, uint16_t abandon)
{
    *guards = (struct ditto_guards){.ed = ed, .abandon = abandon, .types_left = MOST_TYPES};
    guards->gathered = DITTO_NEW_ARRAY(ed->arena, ditto_type, ed->code.max_locals);
    guards->spread = DITTO_NEW_ARRAY(ed->arena, ditto_type, ed->code.max_locals);
    guards->locals = DITTO_NEW_ARRAY(ed->arena, ditto_type, ed->code.max_locals);
    guards->covering = DITTO_NEW_ARRAY(ed->arena, uint32_t, ed->code.handler_count);
}

bool ditto_guards_state(struct ditto_guards *guards, uint32_t insn,
                        const struct ditto_flow_state **state, struct ditto_error *error)
{
    struct ditto_ed *ed = guards->ed;
    struct ditto_flow *flow = guards->flow;
    if (!flow) {
        flow = guards->flow = DITTO_NEW(ed->arena, struct ditto_flow);
        if (!ditto_flow_open(flow, ed->names, &ed->code, &ed->listing, &ed->map, DITTO_FLOW_AUTO,
                             error))
            return false;
    }
    while (flow->next <= insn)
        if (!ditto_flow_next(flow, error))
            return false;
    *state = &flow->state;
    return true;
}

static uint32_t find_covering(const struct ditto_guards *guards, uint32_t bci)
{
    const struct ditto_cf_code *code = &guards->ed->code;
    uint32_t count = 0;
    for (uint32_t i = 0; i < code->handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(code, i);
        if (bci < h.start || bci >= h.end)
            continue;
        guards->covering[count++] = i;
        /* What catches everything hides all entries behind it. */
        if (!h.catch_type)
            break;
    }
    return count;
}

/* The locals that all covering handlers together ask for, by slot. False when two ask for different
 * types. */
static bool gather_locals(const struct ditto_guards *guards, uint32_t covering_count,
                          struct ditto_flow_state *all)
{
    const struct ditto_ed *ed = guards->ed;
    uint32_t slots = ed->code.max_locals;
    ditto_type *one = guards->spread;
    for (uint32_t slot = 0; slot < slots; slot++)
        all->locals[slot] = DITTO_TYPE_TOP;
    if (guards->keeps_this) {
        all->locals[0] = ed->map.initial.locals[0];
        all->locals_used = 1;
    }
    for (uint32_t i = 0; i < covering_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(&ed->code, guards->covering[i]);
        const struct ditto_frame *frame = ditto_stackmap_at(&ed->map, h.handler);
        uint32_t used;
        if (!frame || !ditto_frame_spread(frame, one, slots, &used))
            continue;
        for (uint32_t slot = 0; slot < used; slot++) {
            if (all->locals[slot] == DITTO_TYPE_TOP)
                all->locals[slot] = one[slot];
            else if (one[slot] != DITTO_TYPE_TOP && one[slot] != all->locals[slot])
                return false;
        }
        if (used > all->locals_used)
            all->locals_used = used;
    }
    return true;
}

/* The handler's locals for an access, in the form of a frame, into guards->locals. `none` is set
 * when no handler is possible. */
static bool handler_locals(struct ditto_guards *guards, uint32_t insn, bool this_uninit,
                           uint32_t covering_count, uint32_t *count, bool *none,
                           struct ditto_error *error)
{
    struct ditto_ed *ed = guards->ed;
    *none = false;
    *count = 0;
    if (!ed->uses_frames || (covering_count == 0 && !this_uninit && !guards->keeps_this))
        return true;
    struct ditto_flow_state all = {.locals = guards->gathered};
    const struct ditto_flow_state *state = &all, *actual;
    bool agree = gather_locals(guards, covering_count, &all);
    if (!agree || this_uninit) {
        if (!ditto_guards_state(guards, insn, &actual, error))
            return false;
        bool kept = false;
        /* A frame before super(...) must show the object under construction, or the verifier
         * objects. */
        for (uint32_t slot = 0; slot < actual->locals_used && this_uninit; slot++) {
            if (actual->locals[slot] != DITTO_TYPE_UNINIT_THIS)
                continue;
            kept = true;
            all.locals[slot] = DITTO_TYPE_UNINIT_THIS;
            if (all.locals_used <= slot)
                all.locals_used = slot + 1;
        }
        *none = this_uninit && !kept;
        if (!agree)
            state = actual;
    }
    *count = ditto_flow_frame_locals(state, guards->locals);
    return true;
}

static bool same_group(const struct ditto_guard_group *group, const uint32_t *covering,
                       uint32_t covering_count, const ditto_type *locals, uint32_t local_count)
{
    return group->covering_count == covering_count && group->local_count == local_count &&
           (!covering_count ||
            memcmp(group->covering, covering, covering_count * sizeof *covering) == 0) &&
           (!local_count || memcmp(group->locals, locals, local_count * sizeof *locals) == 0);
}

/* NULL when there would be too many types. */
static struct ditto_guard_group *group_of(struct ditto_guards *guards, uint32_t covering_count,
                                          uint32_t local_count)
{
    struct ditto_ed *ed = guards->ed;
    for (struct ditto_guard_group *group = guards->groups; group; group = group->next)
        if (same_group(group, guards->covering, covering_count, guards->locals, local_count))
            return group;
    if (local_count > guards->types_left)
        return NULL;
    guards->types_left -= local_count;
    struct ditto_guard_group *group = DITTO_NEW(ed->arena, struct ditto_guard_group);
    group->covering = DITTO_NEW_ARRAY(ed->arena, uint32_t, covering_count);
    if (covering_count)
        memcpy(group->covering, guards->covering, covering_count * sizeof *group->covering);
    group->covering_count = covering_count;
    group->locals = DITTO_NEW_ARRAY(ed->arena, ditto_type, local_count);
    if (local_count)
        memcpy(group->locals, guards->locals, local_count * sizeof *group->locals);
    group->local_count = local_count;
    group->handler = ditto_ed_new_label(ed);
    group->next = guards->groups;
    guards->groups = group;
    return group;
}

/* Whether nothing between two accesses could throw or change a local: one range can then hold both.
 */
static bool quiet_between(const struct ditto_listing *listing, uint32_t first, uint32_t second)
{
    for (uint32_t i = first + 1; i < second; i++) {
        struct ditto_insn insn = ditto_listing_insn(listing, i);
        if (!(ditto_op(insn.opcode)->flags & DITTO_OPF_QUIET))
            return false;
    }
    return true;
}

bool ditto_guards_add(struct ditto_guards *guards, uint32_t insn, bool this_uninit,
                      ditto_label start, ditto_label end, struct ditto_error *error)
{
    struct ditto_ed *ed = guards->ed;
    uint32_t covering_count = find_covering(guards, ed->listing.bci[insn]), local_count;
    bool none;
    if (!handler_locals(guards, insn, this_uninit, covering_count, &local_count, &none, error))
        return false;
    if (none)
        return true;
    struct ditto_guard_group *group = group_of(guards, covering_count, local_count);
    if (!group)
        return ditto_cf_fail(error, "the method has too many locals and handlers");
    struct ditto_guard_range *last = guards->last_range;
    if (!guards->apart && last && last->group == group &&
        quiet_between(&ed->listing, last->last_insn, insn)) {
        last->end = end;
        last->last_insn = insn;
        return true;
    }
    struct ditto_guard_range *range = DITTO_NEW(ed->arena, struct ditto_guard_range);
    *range =
        (struct ditto_guard_range){.group = group, .start = start, .end = end, .last_insn = insn};
    if (last)
        last->next = range;
    else
        guards->ranges = range;
    guards->last_range = range;
    return true;
}

void ditto_guards_finish(struct ditto_guards *guards)
{
    struct ditto_ed *ed = guards->ed;
    struct ditto_snippet *tail = ditto_ed_tail(ed);
    for (const struct ditto_guard_range *range = guards->ranges; range; range = range->next)
        ditto_ed_inner_handler(
            ed, (struct ditto_new_handler){range->start, range->end, range->group->handler, 0});
    for (const struct ditto_guard_group *group = guards->groups; group; group = group->next) {
        ditto_label end = ditto_ed_new_label(ed);
        ditto_type caught = ditto_names_literal(ed->names, "java/lang/Throwable");
        ditto_ed_frame(ed, group->handler, group->locals, group->local_count, &caught, 1);
        ditto_snippet_label(tail, group->handler);
        ditto_snippet_op_u2(tail, DITTO_OP_INVOKESTATIC, guards->abandon);
        ditto_snippet_op(tail, DITTO_OP_ATHROW);
        ditto_snippet_label(tail, end);
        for (uint32_t i = 0; i < group->covering_count; i++) {
            struct ditto_cf_handler h = ditto_cf_handler(&ed->code, group->covering[i]);
            ditto_ed_inner_handler(ed, (struct ditto_new_handler){group->handler, end,
                                                                  ed->listing.index[h.handler],
                                                                  h.catch_type});
        }
        ditto_ed_stack_at_least(ed, 1);
    }
}
