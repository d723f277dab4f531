/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/edit.h"

#include <assert.h>
#include <string.h>

static void *append(struct ditto_arena *arena, struct ditto_list *list, size_t element_size)
{
    if (list->count == list->capacity) {
        uint32_t capacity = list->capacity ? list->capacity * 2 : 8;
        void *data = ditto_arena_array(arena, capacity, element_size);
        if (list->count)
            memcpy(data, list->data, list->count * element_size);
        list->data = data;
        list->capacity = capacity;
    }
    return (char *)list->data + element_size * list->count++;
}

bool ditto_ed_open(struct ditto_ed *ed, struct ditto_error *error)
{
    if (!ditto_listing_make(&ed->listing, &ed->code, ed->arena, error))
        return false;
    ed->uses_frames = ed->cf->major >= DITTO_CF_HAS_FRAMES;
    if (ed->uses_frames) {
        if (!ditto_stackmap_decode(&ed->map, ed->names, &ed->method, &ed->code, error))
            return false;
        for (uint32_t i = 0; i < ed->map.count; i++)
            if (ed->listing.index[ed->map.frames[i].bci] == DITTO_NO_INSN)
                return ditto_cf_fail(error, "a frame stands at %u, inside an instruction",
                                     ed->map.frames[i].bci);
    } else if (!ditto_stackmap_initial(&ed->map.initial, ed->names, ed->method.access,
                                       ditto_cf_utf8(ed->cf, ed->method.name),
                                       ditto_cf_utf8(ed->cf, ed->method.descriptor))) {
        return ditto_cf_fail(error, "the method's descriptor is invalid");
    }
    uint32_t slots = 0;
    for (uint32_t i = 0; i < ed->map.initial.local_count; i++)
        slots += ditto_type_is_wide(ed->map.initial.locals[i]) ? 2 : 1;
    if (slots > ed->code.max_locals)
        return ditto_cf_fail(error, "the parameters take %u locals, but max_locals is %u", slots,
                             ed->code.max_locals);
    ed->before = DITTO_NEW_ARRAY(ed->arena, struct ditto_snippet *, ed->listing.count);
    ed->after = DITTO_NEW_ARRAY(ed->arena, struct ditto_snippet *, ed->listing.count);
    ed->instead = DITTO_NEW_ARRAY(ed->arena, struct ditto_snippet *, ed->listing.count);
    ed->entry.arena = ed->tail.arena = ed->arena;
    ed->label_count = ed->listing.count + 1;
    ed->max_locals = ed->code.max_locals;
    ed->access = ed->method.access;
    return true;
}

static struct ditto_snippet *code_at(struct ditto_ed *ed, struct ditto_snippet **place)
{
    if (!*place) {
        *place = DITTO_NEW(ed->arena, struct ditto_snippet);
        (*place)->arena = ed->arena;
    }
    return *place;
}

struct ditto_snippet *ditto_ed_entry(struct ditto_ed *ed)
{
    return &ed->entry;
}

struct ditto_snippet *ditto_ed_before(struct ditto_ed *ed, uint32_t insn)
{
    return code_at(ed, &ed->before[insn]);
}

struct ditto_snippet *ditto_ed_after(struct ditto_ed *ed, uint32_t insn, bool joins_next)
{
    struct ditto_snippet *code = code_at(ed, &ed->after[insn]);
    code->joins_next |= joins_next;
    return code;
}

struct ditto_snippet *ditto_ed_instead(struct ditto_ed *ed, uint32_t insn)
{
    return code_at(ed, &ed->instead[insn]);
}

struct ditto_snippet *ditto_ed_tail(struct ditto_ed *ed)
{
    return &ed->tail;
}

ditto_label ditto_ed_new_label(struct ditto_ed *ed)
{
    return ed->label_count++;
}

void ditto_ed_inner_handler(struct ditto_ed *ed, struct ditto_new_handler handler)
{
    *(struct ditto_new_handler *)append(ed->arena, &ed->first_handlers, sizeof handler) = handler;
}

void ditto_ed_outer_handler(struct ditto_ed *ed, struct ditto_new_handler handler)
{
    *(struct ditto_new_handler *)append(ed->arena, &ed->last_handlers, sizeof handler) = handler;
}

static ditto_type *copy_types(struct ditto_arena *arena, const ditto_type *types, uint32_t count)
{
    ditto_type *copy = DITTO_NEW_ARRAY(arena, ditto_type, count);
    if (count)
        memcpy(copy, types, count * sizeof *copy);
    return copy;
}

void ditto_ed_frame(struct ditto_ed *ed, ditto_label label, const ditto_type *locals,
                    uint32_t local_count, const ditto_type *stack, uint32_t stack_count)
{
    if (!ed->uses_frames)
        return;
    struct ditto_new_frame *frame = append(ed->arena, &ed->frames, sizeof *frame);
    frame->label = label;
    frame->frame = (struct ditto_frame){.local_count = local_count,
                                        .stack_count = stack_count,
                                        .locals = copy_types(ed->arena, locals, local_count),
                                        .stack = copy_types(ed->arena, stack, stack_count)};
}

uint32_t ditto_ed_new_local(struct ditto_ed *ed, ditto_type type)
{
    *(ditto_type *)append(ed->arena, &ed->new_locals, sizeof type) = type;
    return ed->max_locals++;
}

void ditto_ed_stack_grows(struct ditto_ed *ed, uint32_t slots)
{
    if (ed->stack_growth < slots)
        ed->stack_growth = slots;
}

void ditto_ed_stack_at_least(struct ditto_ed *ed, uint32_t slots)
{
    if (ed->stack_least < slots)
        ed->stack_least = slots;
}

static struct ditto_new_insn *add_item(struct ditto_snippet *code)
{
    struct ditto_new_insn *item = DITTO_NEW(code->arena, struct ditto_new_insn);
    if (code->last)
        code->last->next = item;
    else
        code->first = item;
    code->last = item;
    return item;
}

static void add_plain(struct ditto_snippet *code, const uint8_t *bytes, uint8_t size)
{
    struct ditto_new_insn *item = add_item(code);
    item->kind = DITTO_NEW_PLAIN;
    item->size = size;
    memcpy(item->bytes, bytes, size);
}

void ditto_snippet_op(struct ditto_snippet *code, uint8_t opcode)
{
    assert(ditto_op(opcode)->form == DITTO_FORM_PLAIN);
    add_plain(code, &opcode, 1);
}

void ditto_snippet_op_u2(struct ditto_snippet *code, uint8_t opcode, uint16_t operand)
{
    const uint8_t bytes[] = {opcode, (uint8_t)(operand >> 8), (uint8_t)operand};
    add_plain(code, bytes, sizeof bytes);
}

void ditto_snippet_jump(struct ditto_snippet *code, uint8_t opcode, ditto_label label)
{
    assert(ditto_op(opcode)->form == DITTO_FORM_JUMP2);
    struct ditto_new_insn *item = add_item(code);
    item->kind = DITTO_NEW_JUMP;
    item->size = 3;
    item->bytes[0] = opcode;
    item->label = label;
}

void ditto_snippet_label(struct ditto_snippet *code, ditto_label label)
{
    struct ditto_new_insn *item = add_item(code);
    item->kind = DITTO_NEW_LABEL;
    item->label = label;
}

void ditto_snippet_local(struct ditto_snippet *code, uint8_t opcode, uint32_t local)
{
    enum { LOAD = 0x15, LOAD_0 = 0x1a, STORE = 0x36, STORE_0 = 0x3b };
    assert(ditto_op(opcode)->form == DITTO_FORM_LOCAL && local <= 65535);
    if (local < 4 && opcode != DITTO_OP_RET) {
        bool store = opcode >= STORE;
        uint32_t kind = opcode - (store ? STORE : LOAD);
        uint8_t shorter = (uint8_t)((store ? STORE_0 : LOAD_0) + 4 * kind + local);
        add_plain(code, &shorter, 1);
    } else if (local < 256) {
        const uint8_t bytes[] = {opcode, (uint8_t)local};
        add_plain(code, bytes, sizeof bytes);
    } else {
        const uint8_t bytes[] = {DITTO_OP_WIDE, opcode, (uint8_t)(local >> 8), (uint8_t)local};
        add_plain(code, bytes, sizeof bytes);
    }
}

void ditto_snippet_ldc(struct ditto_snippet *code, uint16_t constant)
{
    if (constant < 256) {
        const uint8_t bytes[] = {DITTO_OP_LDC, (uint8_t)constant};
        add_plain(code, bytes, sizeof bytes);
    } else {
        ditto_snippet_op_u2(code, DITTO_OP_LDC_W, constant);
    }
}

void ditto_snippet_push_int(struct ditto_snippet *code, struct ditto_pool *pool, int32_t value)
{
    if (value >= -1 && value <= 5) {
        ditto_snippet_op(code, (uint8_t)(DITTO_OP_ICONST_0 + value));
    } else if (value == (int8_t)value) {
        const uint8_t bytes[] = {DITTO_OP_BIPUSH, (uint8_t)value};
        add_plain(code, bytes, sizeof bytes);
    } else if (value == (int16_t)value) {
        ditto_snippet_op_u2(code, DITTO_OP_SIPUSH, (uint16_t)value);
    } else {
        ditto_snippet_ldc(code, ditto_pool_int(pool, value));
    }
}
