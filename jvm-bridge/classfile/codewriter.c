/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/codewriter.h"

#include "jvm-bridge/classfile/annotation.h"
#include "jvm-bridge/classfile/frames.h"
#include "jvm-bridge/classfile/layout.h"

#include <stdlib.h>
#include <string.h>

/* The place of an original index. Lines and locals may name the inside of an instruction; that
 * means it. */
static uint32_t place_of(const struct ditto_layout *layout, uint32_t bci)
{
    const uint32_t *index = layout->ed->listing.index;
    while (index[bci] == DITTO_NO_INSN)
        bci--;
    return layout->label_at[index[bci]];
}

/* Where a range that starts with an instruction begins: earlier if the code before it asked for
 * that. */
static uint32_t range_start(const struct ditto_layout *layout, uint32_t insn)
{
    const struct ditto_ed *ed = layout->ed;
    if (insn > 0 && ed->after[insn - 1] && ed->after[insn - 1]->joins_next)
        return layout->after_at[insn - 1];
    return layout->label_at[insn];
}

static uint32_t write_new_handlers(const struct ditto_layout *layout, const struct ditto_list *list,
                                   struct ditto_buf *out)
{
    const struct ditto_new_handler *handlers = list->data;
    uint32_t written = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t start = layout->label_at[handlers[i].start],
                 end = layout->label_at[handlers[i].end];
        if (start >= end)
            continue;
        ditto_buf_u2(out, start);
        ditto_buf_u2(out, end);
        ditto_buf_u2(out, layout->label_at[handlers[i].handler]);
        ditto_buf_u2(out, handlers[i].catch_type);
        written++;
    }
    return written;
}

static bool write_handlers(const struct ditto_layout *layout, struct ditto_buf *out,
                           uint32_t *inner, struct ditto_error *error)
{
    const struct ditto_ed *ed = layout->ed;
    const uint32_t *number = ed->listing.index;
    size_t count_at = out->size;
    ditto_buf_u2(out, 0);
    *inner = write_new_handlers(layout, &ed->first_handlers, out);
    uint32_t count = *inner;
    for (uint32_t i = 0; i < ed->code.handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(&ed->code, i);
        ditto_buf_u2(out, range_start(layout, number[h.start]));
        ditto_buf_u2(out, layout->label_at[number[h.end]]);
        ditto_buf_u2(out, layout->label_at[number[h.handler]]);
        ditto_buf_u2(out, h.catch_type);
        count++;
    }
    count += write_new_handlers(layout, &ed->last_handlers, out);
    if (count > 65535)
        return ditto_cf_fail(error, "the exception table would have %u entries, 65535 are allowed",
                             count);
    ditto_buf_set_u2(out, count_at, count);
    return true;
}

/* A frame on its way into the table; where two meet at one index the first noted stays. */
struct placed_frame {
    struct ditto_frame frame;
    uint32_t rank;
};

static int by_place(const void *a, const void *b)
{
    const struct placed_frame *x = a, *y = b;
    if (x->frame.bci != y->frame.bci)
        return x->frame.bci < y->frame.bci ? -1 : 1;
    return x->rank < y->rank ? -1 : 1;
}

/* The types with `new` instructions at their new places, and the method's new locals behind the old
 * ones. */
static bool move_types(const struct ditto_layout *layout, const ditto_type **types, uint32_t *count,
                       bool locals, struct ditto_error *error)
{
    const struct ditto_ed *ed = layout->ed;
    uint32_t more = locals && ed->new_locals.count ? ed->max_locals : 0, slots = 0;
    bool changes = more > 0;
    for (uint32_t i = 0; i < *count; i++)
        changes |= ditto_type_tag((*types)[i]) == DITTO_TYPE_UNINIT;
    if (!changes)
        return true;
    ditto_type *moved = DITTO_NEW_ARRAY(ed->arena, ditto_type, *count + more);
    uint32_t size = 0;
    for (uint32_t i = 0; i < *count; i++) {
        ditto_type type = (*types)[i];
        slots += ditto_type_is_wide(type) ? 2 : 1;
        if (ditto_type_tag(type) == DITTO_TYPE_UNINIT) {
            uint32_t insn = ed->listing.index[ditto_type_data(type)];
            if (insn == DITTO_NO_INSN)
                return ditto_cf_fail(error,
                                     "a frame speaks of a new at %u, where no instruction is",
                                     ditto_type_data(type));
            type = DITTO_TYPE(DITTO_TYPE_UNINIT, layout->insn_at[insn]);
        }
        moved[size++] = type;
    }
    if (more) {
        uint32_t first_new = ed->max_locals - ed->new_locals.count;
        if (slots > first_new)
            return ditto_cf_fail(error, "a frame has more locals than max_locals allows");
        for (; slots < first_new; slots++)
            moved[size++] = DITTO_TYPE_TOP;
        memcpy(moved + size, ed->new_locals.data, ed->new_locals.count * sizeof *moved);
        size += ed->new_locals.count;
    }
    *types = moved;
    *count = size;
    return true;
}

/* A conditional jump that grew jumps over a wide one: what follows is a jump's target now and needs
 * a frame.
 */
static bool frames_after_grown(const struct ditto_layout *layout, struct placed_frame *frames,
                               uint32_t *count, struct ditto_error *error)
{
    struct ditto_ed *ed = layout->ed;
    struct ditto_flow flow;
    if (!ditto_flow_open(&flow, ed->names, &ed->code, &ed->listing, &ed->map, DITTO_FLOW_AUTO,
                         error))
        return false;
    while (ditto_flow_next(&flow, error)) {
        if (flow.index == 0 || !layout->grown[flow.index - 1] ||
            !(ditto_op(ed->code.code[ed->listing.bci[flow.index - 1]])->flags & DITTO_OPF_COND))
            continue;
        struct ditto_frame *frame = &frames[*count].frame;
        ditto_type *locals = DITTO_NEW_ARRAY(ed->arena, ditto_type, flow.state.locals_used);
        ditto_type *stack = DITTO_NEW_ARRAY(ed->arena, ditto_type, flow.state.stack_count);
        if (flow.state.stack_count)
            memcpy(stack, flow.state.stack, flow.state.stack_count * sizeof *stack);
        *frame = (struct ditto_frame){.bci = layout->after_at[flow.index - 1],
                                      .local_count = ditto_flow_frame_locals(&flow.state, locals),
                                      .stack_count = flow.state.stack_count,
                                      .locals = locals,
                                      .stack = stack};
        frames[*count].rank = *count;
        ++*count;
    }
    return !flow.failed;
}

static uint16_t class_constant(void *context, struct ditto_cf_text name)
{
    return ditto_pool_class(context, name);
}

/* Writes the contents of the StackMapTable. */
static bool write_frames(const struct ditto_layout *layout, struct ditto_buf *out,
                         struct ditto_error *error)
{
    struct ditto_ed *ed = layout->ed;
    const struct ditto_new_frame *new_frames = ed->frames.data;
    uint32_t most = ed->map.count + ed->frames.count, count = 0;
    for (uint32_t i = 0; i < ed->listing.count; i++)
        most += layout->grown[i];
    struct placed_frame *placed = DITTO_NEW_ARRAY(ed->arena, struct placed_frame, most);
    for (uint32_t i = 0; i < ed->map.count; i++, count++) {
        placed[count] = (struct placed_frame){ed->map.frames[i], count};
        placed[count].frame.bci = layout->label_at[ed->listing.index[ed->map.frames[i].bci]];
    }
    for (uint32_t i = 0; i < ed->frames.count; i++, count++) {
        placed[count] = (struct placed_frame){new_frames[i].frame, count};
        placed[count].frame.bci = layout->label_at[new_frames[i].label];
    }
    if (layout->grew_conditionals && !frames_after_grown(layout, placed, &count, error))
        return false;
    if (count)
        qsort(placed, count, sizeof *placed, by_place);
    struct ditto_frame *frames = DITTO_NEW_ARRAY(ed->arena, struct ditto_frame, count);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct ditto_frame frame = placed[i].frame;
        if (kept && frames[kept - 1].bci == frame.bci)
            continue;
        if (!move_types(layout, &frame.locals, &frame.local_count, true, error) ||
            !move_types(layout, &frame.stack, &frame.stack_count, false, error))
            return false;
        frames[kept++] = frame;
    }
    ditto_stackmap_encode(&ed->map.initial, frames, kept, ed->names, class_constant, ed->pool, out);
    return true;
}

static bool write_lines(const struct ditto_layout *layout, const struct ditto_cf_attr *attr,
                        struct ditto_buf *out, struct ditto_error *error)
{
    const uint8_t *at = layout->ed->cf->bytes + attr->at;
    if (attr->size < 2 || attr->size != 2 + 4u * ditto_u2(at))
        return ditto_cf_fail(error, "a LineNumberTable has an invalid length");
    uint32_t count = ditto_u2(at);
    ditto_buf_bytes(out, at, 2);
    at += 2;
    for (uint32_t i = 0; i < count; i++, at += 4) {
        if (ditto_u2(at) >= layout->ed->code.size)
            return ditto_cf_fail(error, "a line begins at %u, outside of the code", ditto_u2(at));
        ditto_buf_u2(out, place_of(layout, ditto_u2(at)));
        ditto_buf_bytes(out, at + 2, 2);
    }
    return true;
}

static bool move_range(void *context, uint32_t old_start, uint32_t old_length, uint32_t *new_start,
                       uint32_t *new_length)
{
    const struct ditto_layout *layout = context;
    if (old_start + old_length > layout->ed->code.size)
        return false;
    uint32_t start = place_of(layout, old_start);
    *new_length = place_of(layout, old_start + old_length) - start;
    *new_start = start;
    return true;
}

static bool move_instruction(void *context, uint32_t old_bci, uint32_t *new_bci)
{
    const struct ditto_layout *layout = context;
    const struct ditto_listing *listing = &layout->ed->listing;
    if (old_bci >= listing->code->size || listing->index[old_bci] == DITTO_NO_INSN)
        return false;
    *new_bci = layout->insn_at[listing->index[old_bci]];
    return true;
}

/* LocalVariableTable and LocalVariableTypeTable have the same shape. */
static bool write_locals(struct ditto_layout *layout, const struct ditto_cf_attr *attr,
                         struct ditto_buf *out, struct ditto_error *error)
{
    const uint8_t *at = layout->ed->cf->bytes + attr->at;
    if (attr->size < 2 || attr->size != 2 + 10u * ditto_u2(at))
        return ditto_cf_fail(error, "a table of local variables has an invalid length");
    uint32_t count = ditto_u2(at), start, length;
    ditto_buf_bytes(out, at, 2);
    at += 2;
    for (uint32_t i = 0; i < count; i++, at += 10) {
        if (!move_range(layout, ditto_u2(at), ditto_u2(at + 2), &start, &length))
            return ditto_cf_fail(error, "a local variable's range leaves the code");
        /* Parameters are there on entry, too. */
        if (ditto_u2(at) == 0) {
            length += start;
            start = 0;
        }
        ditto_buf_u2(out, start);
        ditto_buf_u2(out, length);
        ditto_buf_bytes(out, at + 4, 6);
    }
    return true;
}

enum attr_kind { ATTR_OTHER, ATTR_FRAMES, ATTR_LINES, ATTR_LOCALS, ATTR_ANNOTATIONS, ATTR_STALE };

static enum attr_kind attr_kind(const struct ditto_cf_attr *attr)
{
    /* The last two hold bytecode indexes, and no JVM reads them: a wrong one is worse than none. */
    static const struct {
        const char *name;
        enum attr_kind kind;
    } known[] = {
        {"StackMapTable", ATTR_FRAMES},
        {"LineNumberTable", ATTR_LINES},
        {"LocalVariableTable", ATTR_LOCALS},
        {"LocalVariableTypeTable", ATTR_LOCALS},
        {"RuntimeVisibleTypeAnnotations", ATTR_ANNOTATIONS},
        {"RuntimeInvisibleTypeAnnotations", ATTR_ANNOTATIONS},
        {"StackMap", ATTR_STALE},
        {"CharacterRangeTable", ATTR_STALE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (ditto_cf_is(attr->name, known[i].name))
            return known[i].kind;
    return ATTR_OTHER;
}

static bool write_attr(struct ditto_layout *layout, const struct ditto_cf_attr *attr,
                       uint32_t inner_handlers, struct ditto_buf *out, struct ditto_error *error)
{
    const struct ditto_ed *ed = layout->ed;
    const struct ditto_annotation_moves moves = {layout, move_instruction, move_range,
                                                 inner_handlers};
    ditto_buf_bytes(out, ed->cf->bytes + attr->start, 2);
    size_t length_at = out->size;
    ditto_buf_u4(out, 0);
    bool good = true;
    switch (attr_kind(attr)) {
    case ATTR_LINES:
        good = write_lines(layout, attr, out, error);
        break;
    case ATTR_LOCALS:
        good = write_locals(layout, attr, out, error);
        break;
    case ATTR_ANNOTATIONS:
        good = ditto_cf_move_type_annotations(ed->cf, attr, &moves, out, error);
        break;
    default:
        ditto_buf_bytes(out, ed->cf->bytes + attr->at, attr->size);
        break;
    }
    ditto_buf_set_u4(out, length_at, (uint32_t)(out->size - length_at - 4));
    return good;
}

static bool write_attrs(struct ditto_layout *layout, uint32_t inner_handlers, struct ditto_buf *out,
                        struct ditto_error *error)
{
    const struct ditto_ed *ed = layout->ed;
    size_t count_at = out->size;
    uint32_t count = 0, at = ed->code.attrs.first;
    ditto_buf_u2(out, 0);
    for (uint32_t i = 0; i < ed->code.attrs.count; i++) {
        struct ditto_cf_attr attr;
        ditto_cf_next_attr(ed->cf, &at, &attr);
        enum attr_kind kind = attr_kind(&attr);
        if (kind == ATTR_FRAMES || kind == ATTR_STALE)
            continue;
        if (!write_attr(layout, &attr, inner_handlers, out, error))
            return false;
        count++;
    }
    if (ed->uses_frames && (ed->map.count || ed->frames.count || layout->grew_conditionals)) {
        ditto_buf_u2(out, ditto_pool_utf8(ed->pool, ditto_cf_string("StackMapTable")));
        size_t length_at = out->size;
        ditto_buf_u4(out, 0);
        if (!write_frames(layout, out, error))
            return false;
        ditto_buf_set_u4(out, length_at, (uint32_t)(out->size - length_at - 4));
        count++;
    }
    if (count > 65535)
        return ditto_cf_fail(error, "the code would have %u attributes, 65535 are allowed", count);
    ditto_buf_set_u2(out, count_at, count);
    return true;
}

bool ditto_write_code(struct ditto_ed *ed, struct ditto_buf *out, struct ditto_bcimap **map,
                      struct ditto_error *error)
{
    struct ditto_layout layout;
    *map = NULL;
    if (!ditto_layout_make(&layout, ed, error))
        return false;
    uint32_t max_stack = ed->code.max_stack + ed->stack_growth;
    if (max_stack < ed->stack_least)
        max_stack = ed->stack_least;
    if (max_stack > 65535 || ed->max_locals > 65535)
        return ditto_cf_fail(
            error, "the method would need %u stack slots and %u locals, 65535 are allowed",
            max_stack, ed->max_locals);
    ditto_buf_u2(out, ditto_pool_utf8(ed->pool, ditto_cf_string("Code")));
    size_t length_at = out->size;
    ditto_buf_u4(out, 0);
    ditto_buf_u2(out, max_stack);
    ditto_buf_u2(out, ed->max_locals);
    ditto_buf_u4(out, layout.size);
    struct ditto_bcimap_builder builder = {0};
    ditto_layout_write(&layout, out, &builder);
    *map = ditto_bcimap_finish(&builder, layout.size, ed->code.size);
    uint32_t inner_handlers;
    if (!write_handlers(&layout, out, &inner_handlers, error) ||
        !write_attrs(&layout, inner_handlers, out, error)) {
        free(*map);
        *map = NULL;
        return false;
    }
    ditto_buf_set_u4(out, length_at, (uint32_t)(out->size - length_at - 4));
    return true;
}
