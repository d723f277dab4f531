/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/annotation.h"

#include <string.h>

/* Annotations nest by recursion; nobody writes them this deep, and it bounds our stack. */
enum { DEEPEST = 32 };

struct cursor {
    const uint8_t *bytes;
    uint32_t at, end;
};

static bool take(struct cursor *c, uint32_t size, uint32_t *value)
{
    if (size > c->end - c->at)
        return false;
    *value = 0;
    for (uint32_t i = 0; i < size; i++)
        *value = *value << 8 | c->bytes[c->at + i];
    c->at += size;
    return true;
}

static bool pass(struct cursor *c, uint32_t size)
{
    if (size > c->end - c->at)
        return false;
    c->at += size;
    return true;
}

static bool pass_annotation(struct cursor *c, int depth);

static bool pass_value(struct cursor *c, int depth)
{
    uint32_t tag, count;
    if (depth > DEEPEST || !take(c, 1, &tag))
        return false;
    switch (tag) {
    case 'e':
        return pass(c, 4);
    case '@':
        return pass(c, 2) && pass_annotation(c, depth + 1);
    case '[':
        if (!take(c, 2, &count))
            return false;
        while (count-- > 0)
            if (!pass_value(c, depth + 1))
                return false;
        return true;
    default:
        return pass(c, 2);
    }
}

/* What follows an annotation's type: its element and value pairs. */
static bool pass_annotation(struct cursor *c, int depth)
{
    uint32_t pairs;
    if (!take(c, 2, &pairs))
        return false;
    while (pairs-- > 0)
        if (!pass(c, 2) || !pass_value(c, depth))
            return false;
    return true;
}

static bool same_name(struct ditto_cf_text descriptor, const char *name)
{
    size_t length = strlen(name);
    if (descriptor.size < length + 2 || descriptor.data[0] != 'L' ||
        descriptor.data[descriptor.size - 1] != ';')
        return false;
    const char *last = descriptor.data + descriptor.size - 1 - length;
    for (size_t i = 0; i < length; i++)
        if (last[i] != (name[i] == '.' ? '/' : name[i]))
            return false;
    if (descriptor.size == length + 2)
        return true;
    return !strpbrk(name, "./") && (last[-1] == '/' || last[-1] == '$');
}

bool ditto_cf_has_annotation(const struct ditto_cf *cf, struct ditto_cf_attrs attrs,
                             const char *name)
{
    uint32_t at = attrs.first;
    for (uint32_t i = 0; i < attrs.count; i++) {
        struct ditto_cf_attr attr;
        ditto_cf_next_attr(cf, &at, &attr);
        if (!ditto_cf_is(attr.name, "RuntimeVisibleAnnotations") &&
            !ditto_cf_is(attr.name, "RuntimeInvisibleAnnotations"))
            continue;
        struct cursor c = {cf->bytes, attr.at, attr.at + attr.size};
        uint32_t count, type;
        bool good = take(&c, 2, &count);
        while (good && count-- > 0 && take(&c, 2, &type)) {
            if (same_name(ditto_cf_utf8(cf, type), name))
                return true;
            good = pass_annotation(&c, 0);
        }
    }
    return false;
}

static bool move_local(struct cursor *c, const struct ditto_annotation_moves *moves,
                       struct ditto_buf *out)
{
    uint32_t count, start, length, slot;
    if (!take(c, 2, &count))
        return false;
    ditto_buf_u2(out, count);
    while (count-- > 0) {
        if (!take(c, 2, &start) || !take(c, 2, &length) || !take(c, 2, &slot) ||
            !moves->range(moves->context, start, length, &start, &length))
            return false;
        ditto_buf_u2(out, start);
        ditto_buf_u2(out, length);
        ditto_buf_u2(out, slot);
    }
    return true;
}

static bool move_target(struct cursor *c, const struct ditto_annotation_moves *moves,
                        struct ditto_buf *out)
{
    uint32_t type, value;
    if (!take(c, 1, &type))
        return false;
    ditto_buf_u1(out, type);
    switch (type) {
    case 0x40:
    case 0x41:
        return move_local(c, moves, out);
    case 0x42:
        if (!take(c, 2, &value) || value + moves->exception_entries_before > 65535)
            return false;
        ditto_buf_u2(out, value + moves->exception_entries_before);
        return true;
    case 0x43:
    case 0x44:
    case 0x45:
    case 0x46:
    case 0x47:
    case 0x48:
    case 0x49:
    case 0x4A:
    case 0x4B:
        if (!take(c, 2, &value) || !moves->instruction(moves->context, value, &value))
            return false;
        ditto_buf_u2(out, value);
        if (type < 0x47)
            return true;
        if (!take(c, 1, &value))
            return false;
        ditto_buf_u1(out, value);
        return true;
    default:
        return false;
    }
}

static bool move_annotation(struct cursor *c, const struct ditto_annotation_moves *moves,
                            struct ditto_buf *out)
{
    uint32_t path;
    if (!move_target(c, moves, out))
        return false;
    uint32_t rest = c->at;
    if (!take(c, 1, &path) || !pass(c, 2 * path) || !pass(c, 2) || !pass_annotation(c, 0))
        return false;
    ditto_buf_bytes(out, c->bytes + rest, c->at - rest);
    return true;
}

bool ditto_cf_move_type_annotations(const struct ditto_cf *cf, const struct ditto_cf_attr *attr,
                                    const struct ditto_annotation_moves *moves,
                                    struct ditto_buf *out, struct ditto_error *error)
{
    struct cursor c = {cf->bytes, attr->at, attr->at + attr->size};
    uint32_t count;
    bool good = take(&c, 2, &count);
    if (good)
        ditto_buf_u2(out, count);
    while (good && count-- > 0)
        good = move_annotation(&c, moves, out);
    if (!good || c.at != c.end)
        return ditto_cf_fail(error, "a type annotation of the code is invalid at offset %u", c.at);
    return true;
}
