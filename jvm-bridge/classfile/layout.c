/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/layout.h"

static const struct ditto_new_insn *first_item(const struct ditto_snippet *code)
{
    return code ? code->first : NULL;
}

/* An instruction's size at its place: the padding of a switch depends on it. */
static uint32_t insn_size(const struct ditto_layout *layout, uint32_t index, uint32_t at)
{
    const struct ditto_listing *listing = &layout->ed->listing;
    uint32_t bci = listing->bci[index], size = listing->bci[index + 1] - bci;
    uint8_t opcode = listing->code->code[bci];
    if (opcode == DITTO_OP_TABLESWITCH || opcode == DITTO_OP_LOOKUPSWITCH)
        return size - (3 - (bci & 3)) + (3 - (at & 3));
    if (layout->grown[index])
        return ditto_op(opcode)->flags & DITTO_OPF_COND ? 8 : 5;
    return size;
}

static uint32_t place_items(struct ditto_layout *layout, struct ditto_snippet *code, uint32_t at)
{
    for (struct ditto_new_insn *item = code ? code->first : NULL; item; item = item->next) {
        item->bci = at;
        if (item->kind == DITTO_NEW_LABEL)
            layout->label_at[item->label] = at;
        at += item->grown ? 5 : item->size;
    }
    return at;
}

static void place_all(struct ditto_layout *layout)
{
    struct ditto_ed *ed = layout->ed;
    uint32_t at = place_items(layout, &ed->entry, 0);
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        layout->label_at[i] = at;
        at = place_items(layout, ed->before[i], at);
        layout->insn_at[i] = at;
        at = ed->instead[i] ? place_items(layout, ed->instead[i], at)
                            : at + insn_size(layout, i, at);
        layout->after_at[i] = at;
        at = place_items(layout, ed->after[i], at);
    }
    layout->label_at[ed->listing.count] = at;
    layout->size = place_items(layout, &ed->tail, at);
}

static bool too_far(uint32_t from, uint32_t to)
{
    int32_t distance = (int32_t)to - (int32_t)from;
    return distance != (int16_t)distance;
}

struct growth {
    bool grew, impossible;
};

static void grow_items(const struct ditto_layout *layout, struct ditto_snippet *code,
                       struct growth *growth)
{
    for (struct ditto_new_insn *item = code ? code->first : NULL; item; item = item->next) {
        if (item->kind != DITTO_NEW_JUMP || item->grown ||
            !too_far(item->bci, layout->label_at[item->label]))
            continue;
        if (ditto_op(item->bytes[0])->flags & DITTO_OPF_COND)
            growth->impossible = true;
        item->grown = growth->grew = true;
    }
}

static void grow_all(struct ditto_layout *layout, struct growth *growth)
{
    struct ditto_ed *ed = layout->ed;
    grow_items(layout, &ed->entry, growth);
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        grow_items(layout, ed->before[i], growth);
        grow_items(layout, ed->instead[i], growth);
        grow_items(layout, ed->after[i], growth);
        struct ditto_insn insn = ditto_listing_insn(&ed->listing, i);
        if (ed->instead[i] || layout->grown[i] || ditto_op(insn.opcode)->form != DITTO_FORM_JUMP2 ||
            !too_far(layout->insn_at[i], layout->label_at[ed->listing.index[insn.target]]))
            continue;
        layout->grown[i] = growth->grew = true;
        if (ditto_op(insn.opcode)->flags & DITTO_OPF_COND)
            layout->grew_conditionals = true;
    }
    grow_items(layout, &ed->tail, growth);
}

bool ditto_layout_make(struct ditto_layout *layout, struct ditto_ed *ed, struct ditto_error *error)
{
    uint32_t count = ed->listing.count;
    *layout = (struct ditto_layout){.ed = ed};
    layout->label_at = DITTO_NEW_ARRAY(ed->arena, uint32_t, ed->label_count);
    layout->insn_at = DITTO_NEW_ARRAY(ed->arena, uint32_t, count);
    layout->after_at = DITTO_NEW_ARRAY(ed->arena, uint32_t, count);
    layout->grown = DITTO_NEW_ARRAY(ed->arena, bool, count);
    /* A jump that has grown stays so, even if it would be short enough again: otherwise this might
     * not end.
     */
    struct growth growth;
    do {
        growth = (struct growth){0};
        place_all(layout);
        if (layout->size > DITTO_LARGEST_CODE)
            return ditto_cf_fail(
                error,
                "with the inserted code the method would have %u bytes of code, %d are allowed",
                layout->size, DITTO_LARGEST_CODE);
        grow_all(layout, &growth);
        if (growth.impossible)
            return ditto_cf_fail(error,
                                 "a conditional jump of the inserted code is longer than 32 KB");
    } while (growth.grew);
    return true;
}

struct writer {
    const struct ditto_layout *layout;
    struct ditto_buf *out;
    struct ditto_bcimap_builder *map;
    size_t start;
};

static uint32_t here(const struct writer *w)
{
    return (uint32_t)(w->out->size - w->start);
}

static void write_items(struct writer *w, const struct ditto_snippet *code,
                        enum ditto_bci_kind kind, uint32_t old_bci)
{
    for (const struct ditto_new_insn *item = first_item(code); item; item = item->next) {
        if (item->kind == DITTO_NEW_LABEL)
            continue;
        ditto_bcimap_add(w->map, kind, item->bci, old_bci);
        /* Of several instructions in place of one, the first stands for it. */
        if (kind == DITTO_BCI_ORIGINAL)
            kind = DITTO_BCI_AFTER;
        if (item->kind == DITTO_NEW_PLAIN) {
            ditto_buf_bytes(w->out, item->bytes, item->size);
            continue;
        }
        uint32_t distance = w->layout->label_at[item->label] - item->bci;
        if (item->grown) {
            ditto_buf_u1(w->out,
                         item->bytes[0] == DITTO_OP_GOTO ? DITTO_OP_GOTO_W : DITTO_OP_JSR_W);
            ditto_buf_u4(w->out, distance);
        } else {
            ditto_buf_u1(w->out, item->bytes[0]);
            ditto_buf_u2(w->out, distance);
        }
    }
}

static uint8_t opposite(uint8_t conditional)
{
    return conditional >= DITTO_OP_IFNULL ? conditional ^ 1
                                          : (uint8_t)(((conditional + 1) ^ 1) - 1);
}

static void write_jump(struct writer *w, uint32_t index, const struct ditto_insn *insn)
{
    const struct ditto_layout *layout = w->layout;
    uint32_t at = layout->insn_at[index],
             to = layout->label_at[layout->ed->listing.index[insn->target]];
    if (ditto_op(insn->opcode)->form == DITTO_FORM_JUMP4) {
        ditto_buf_u1(w->out, insn->opcode);
        ditto_buf_u4(w->out, to - at);
    } else if (!layout->grown[index]) {
        ditto_buf_u1(w->out, insn->opcode);
        ditto_buf_u2(w->out, to - at);
    } else if (ditto_op(insn->opcode)->flags & DITTO_OPF_COND) {
        ditto_buf_u1(w->out, opposite(insn->opcode));
        ditto_buf_u2(w->out, 8);
        ditto_bcimap_add(w->map, DITTO_BCI_AFTER, at + 3, insn->bci);
        ditto_buf_u1(w->out, DITTO_OP_GOTO_W);
        ditto_buf_u4(w->out, to - (at + 3));
    } else {
        ditto_buf_u1(w->out, insn->opcode == DITTO_OP_GOTO ? DITTO_OP_GOTO_W : DITTO_OP_JSR_W);
        ditto_buf_u4(w->out, to - at);
    }
}

static void write_switch(struct writer *w, uint32_t index, const struct ditto_insn *insn)
{
    const struct ditto_layout *layout = w->layout;
    const uint32_t *number = layout->ed->listing.index;
    uint32_t at = layout->insn_at[index];
    ditto_buf_u1(w->out, insn->opcode);
    while (here(w) & 3)
        ditto_buf_u1(w->out, 0);
    ditto_buf_u4(w->out, layout->label_at[number[insn->operand]] - at);
    if (insn->opcode == DITTO_OP_TABLESWITCH) {
        ditto_buf_u4(w->out, (uint32_t)insn->low);
        ditto_buf_u4(w->out, (uint32_t)insn->low + insn->count - 1);
    } else {
        ditto_buf_u4(w->out, insn->count);
    }
    for (uint32_t i = 0; i < insn->count; i++) {
        if (insn->opcode == DITTO_OP_LOOKUPSWITCH)
            ditto_buf_bytes(w->out, insn->cases + 8 * (size_t)i, 4);
        ditto_buf_u4(w->out, layout->label_at[number[ditto_insn_case(insn, i)]] - at);
    }
}

static void write_insn(struct writer *w, uint32_t index)
{
    const struct ditto_listing *listing = &w->layout->ed->listing;
    struct ditto_insn insn = ditto_listing_insn(listing, index);
    enum ditto_op_form form = ditto_op(insn.opcode)->form;
    ditto_bcimap_add(w->map, DITTO_BCI_ORIGINAL, w->layout->insn_at[index], insn.bci);
    if (form == DITTO_FORM_JUMP2 || form == DITTO_FORM_JUMP4)
        write_jump(w, index, &insn);
    else if (form == DITTO_FORM_TABLE || form == DITTO_FORM_LOOKUP)
        write_switch(w, index, &insn);
    else
        ditto_buf_bytes(w->out, listing->code->code + insn.bci, insn.size);
}

void ditto_layout_write(const struct ditto_layout *layout, struct ditto_buf *out,
                        struct ditto_bcimap_builder *map)
{
    const struct ditto_ed *ed = layout->ed;
    struct writer w = {layout, out, map, out->size};
    write_items(&w, &ed->entry, DITTO_BCI_AFTER, 0);
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        uint32_t bci = ed->listing.bci[i];
        write_items(&w, ed->before[i], DITTO_BCI_BEFORE, bci);
        if (ed->instead[i])
            write_items(&w, ed->instead[i], DITTO_BCI_ORIGINAL, bci);
        else
            write_insn(&w, i);
        write_items(&w, ed->after[i], DITTO_BCI_AFTER, bci);
    }
    write_items(&w, &ed->tail, DITTO_BCI_TAIL, 0);
}
