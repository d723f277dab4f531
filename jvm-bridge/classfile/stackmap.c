/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/stackmap.h"

#include <string.h>

/* Append frames copy their predecessor's locals, so a small attribute could ask for a lot without
 * this. */
enum { MOST_TYPES = 4 * 1024 * 1024 };

enum { SAME_LOCALS_1_EXTENDED = 247, SAME_EXTENDED = 251, FULL = 255 };

struct decoder {
    struct ditto_names *names;
    const uint8_t *bytes;
    uint32_t at, end;
    uint32_t code_size;
    uint32_t types_left;
};

static bool take(struct decoder *d, uint32_t size, uint32_t *value)
{
    if (size > d->end - d->at)
        return false;
    *value = size == 1 ? d->bytes[d->at] : ditto_u2(d->bytes + d->at);
    d->at += size;
    return true;
}

static bool take_type(struct decoder *d, ditto_type *type)
{
    uint32_t tag, data;
    if (!take(d, 1, &tag) || tag > DITTO_TYPE_UNINIT)
        return false;
    *type = tag;
    if (tag < DITTO_TYPE_CLASS)
        return true;
    if (!take(d, 2, &data))
        return false;
    if (tag == DITTO_TYPE_CLASS) {
        if (ditto_cf_tag(d->names->cf, data) != DITTO_TAG_CLASS)
            return false;
        *type = ditto_names_constant(d->names, data);
        return true;
    }
    *type = DITTO_TYPE(tag, data);
    return data < d->code_size;
}

static bool take_types(struct decoder *d, const ditto_type *before, uint32_t before_count,
                       uint32_t more, const ditto_type **types)
{
    uint32_t count = before_count + more;
    if (count > d->types_left || more > d->end - d->at)
        return false;
    d->types_left -= count;
    ditto_type *place = DITTO_NEW_ARRAY(d->names->arena, ditto_type, count);
    if (before_count)
        memcpy(place, before, before_count * sizeof *place);
    for (uint32_t i = before_count; i < count; i++)
        if (!take_type(d, &place[i]))
            return false;
    *types = place;
    return true;
}

static bool take_frame(struct decoder *d, const struct ditto_frame *previous, bool first,
                       struct ditto_frame *frame)
{
    uint32_t kind, delta, count;
    if (!take(d, 1, &kind))
        return false;
    *frame = *previous;
    frame->stack_count = 0;
    if (kind < 128)
        delta = kind & 63;
    else if (kind < SAME_LOCALS_1_EXTENDED || !take(d, 2, &delta))
        return false;
    frame->bci = first ? delta : previous->bci + delta + 1;
    if (frame->bci >= d->code_size)
        return false;
    if (kind < 64 || kind == SAME_EXTENDED)
        return true;
    if (kind < 128 || kind == SAME_LOCALS_1_EXTENDED) {
        frame->stack_count = 1;
        return take_types(d, NULL, 0, 1, &frame->stack);
    }
    if (kind < SAME_EXTENDED) {
        uint32_t chop = SAME_EXTENDED - kind;
        if (chop > frame->local_count)
            return false;
        frame->local_count -= chop;
        return true;
    }
    if (kind < FULL) {
        frame->local_count += kind - SAME_EXTENDED;
        return take_types(d, previous->locals, previous->local_count, kind - SAME_EXTENDED,
                          &frame->locals);
    }
    if (!take(d, 2, &count) || !take_types(d, NULL, 0, count, &frame->locals))
        return false;
    frame->local_count = count;
    if (!take(d, 2, &count) || !take_types(d, NULL, 0, count, &frame->stack))
        return false;
    frame->stack_count = count;
    return true;
}

bool ditto_stackmap_initial(struct ditto_frame *initial, struct ditto_names *names, uint16_t access,
                            struct ditto_cf_text name, struct ditto_cf_text descriptor)
{
    /* At most 255 parameters of at least a letter each; no valid method has more. */
    ditto_type *locals = DITTO_NEW_ARRAY(names->arena, ditto_type, 256);
    uint32_t count = 0, at = 1;
    if (!(access & DITTO_ACC_STATIC))
        locals[count++] = ditto_cf_is(name, "<init>")
                              ? (ditto_type)DITTO_TYPE_UNINIT_THIS
                              : ditto_names_constant(names, names->cf->this_class);
    if (descriptor.size < 3 || descriptor.data[0] != '(')
        return false;
    while (at < descriptor.size && descriptor.data[at] != ')') {
        if (count == 256 || !ditto_descriptor_next(names, descriptor, &at, &locals[count++]))
            return false;
    }
    *initial = (struct ditto_frame){.local_count = count, .locals = locals};
    return at + 1 < descriptor.size;
}

bool ditto_stackmap_decode(struct ditto_stackmap *map, struct ditto_names *names,
                           const struct ditto_cf_member *method, const struct ditto_cf_code *code,
                           struct ditto_error *error)
{
    *map = (struct ditto_stackmap){0};
    if (!ditto_stackmap_initial(&map->initial, names, method->access,
                                ditto_cf_utf8(names->cf, method->name),
                                ditto_cf_utf8(names->cf, method->descriptor)))
        return ditto_cf_fail(error, "the method's descriptor is invalid");
    struct ditto_cf_attr attr;
    map->present = ditto_cf_find_attr(names->cf, code->attrs, "StackMapTable", &attr);
    if (!map->present)
        return true;
    struct decoder d = {.names = names,
                        .bytes = names->cf->bytes,
                        .at = attr.at,
                        .end = attr.at + attr.size,
                        .code_size = code->size,
                        .types_left = MOST_TYPES};
    uint32_t count;
    if (!take(&d, 2, &count) || count > attr.size)
        return ditto_cf_fail(error, "a StackMapTable has no valid number of frames");
    map->frames = DITTO_NEW_ARRAY(names->arena, struct ditto_frame, count);
    const struct ditto_frame *previous = &map->initial;
    for (uint32_t i = 0; i < count; i++) {
        if (!take_frame(&d, previous, i == 0, &map->frames[i]))
            return ditto_cf_fail(error, "frame %u of a StackMapTable is invalid or too large", i);
        previous = &map->frames[map->count++];
    }
    if (d.at != d.end)
        return ditto_cf_fail(error, "%u bytes follow the last frame of a StackMapTable",
                             d.end - d.at);
    return true;
}

const struct ditto_frame *ditto_stackmap_at(const struct ditto_stackmap *map, uint32_t bci)
{
    uint32_t low = 0, high = map->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->frames[middle].bci < bci)
            low = middle + 1;
        else
            high = middle;
    }
    return low < map->count && map->frames[low].bci == bci ? &map->frames[low] : NULL;
}

struct encoder {
    const struct ditto_names *names;
    ditto_class_constant *constant;
    void *context;
    struct ditto_buf *out;
};

static void put_types(struct encoder *e, const ditto_type *types, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        enum ditto_type_tag tag = ditto_type_tag(types[i]);
        ditto_buf_u1(e->out, tag);
        if (tag == DITTO_TYPE_CLASS)
            ditto_buf_u2(e->out, e->constant(e->context, ditto_names_text(e->names, types[i])));
        else if (tag == DITTO_TYPE_UNINIT)
            ditto_buf_u2(e->out, ditto_type_data(types[i]));
    }
}

static uint32_t common_prefix(const struct ditto_frame *a, const struct ditto_frame *b)
{
    uint32_t i = 0;
    while (i < a->local_count && i < b->local_count && a->locals[i] == b->locals[i])
        i++;
    return i;
}

static void put_frame(struct encoder *e, const struct ditto_frame *previous, uint32_t delta,
                      const struct ditto_frame *frame)
{
    uint32_t common = common_prefix(previous, frame);
    int change = (int)frame->local_count - (int)previous->local_count;
    bool extends = common == previous->local_count || common == frame->local_count;
    if (extends && change == 0 && frame->stack_count <= 1) {
        uint32_t base = frame->stack_count ? 64 : 0;
        if (delta < 64) {
            ditto_buf_u1(e->out, base + delta);
        } else {
            ditto_buf_u1(e->out, base ? SAME_LOCALS_1_EXTENDED : SAME_EXTENDED);
            ditto_buf_u2(e->out, delta);
        }
        put_types(e, frame->stack, frame->stack_count);
    } else if (extends && change >= -3 && change <= 3 && frame->stack_count == 0) {
        ditto_buf_u1(e->out, (uint32_t)(SAME_EXTENDED + change));
        ditto_buf_u2(e->out, delta);
        put_types(e, frame->locals + common, change > 0 ? (uint32_t)change : 0);
    } else {
        ditto_buf_u1(e->out, FULL);
        ditto_buf_u2(e->out, delta);
        ditto_buf_u2(e->out, frame->local_count);
        put_types(e, frame->locals, frame->local_count);
        ditto_buf_u2(e->out, frame->stack_count);
        put_types(e, frame->stack, frame->stack_count);
    }
}

void ditto_stackmap_encode(const struct ditto_frame *initial, const struct ditto_frame *frames,
                           uint32_t count, const struct ditto_names *names,
                           ditto_class_constant *constant, void *context, struct ditto_buf *out)
{
    struct encoder e = {names, constant, context, out};
    ditto_buf_u2(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct ditto_frame *previous = i ? &frames[i - 1] : initial;
        put_frame(&e, previous, i ? frames[i].bci - previous->bci - 1 : frames[i].bci, &frames[i]);
    }
}
