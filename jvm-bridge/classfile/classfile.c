/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/classfile.h"

#include <string.h>

/* Reads forward and remembers the first thing that went wrong; after that it reads zeroes, so that
 * callers need to look only where a count decides about a loop or an allocation. */
struct reader {
    const uint8_t *bytes;
    uint32_t at, end;
    const char *what;
    bool failed;
    struct ditto_error *error;
};

static uint32_t skip(struct reader *r, uint32_t size)
{
    uint32_t at = r->at;
    if (r->failed || size > r->end - r->at) {
        if (!r->failed)
            ditto_cf_fail(r->error,
                          "class file ends inside %s: %u bytes wanted at offset %u, %u left",
                          r->what, size, r->at, r->end - r->at);
        r->failed = true;
        return r->end;
    }
    r->at += size;
    return at;
}

static uint32_t read(struct reader *r, uint32_t size)
{
    uint32_t at = skip(r, size), value = 0;
    for (uint32_t i = 0; !r->failed && i < size; i++)
        value = value << 8 | r->bytes[at + i];
    return value;
}

static uint32_t constant_size(uint8_t tag)
{
    switch (tag) {
    case DITTO_TAG_CLASS:
    case DITTO_TAG_STRING:
    case DITTO_TAG_METHOD_TYPE:
    case DITTO_TAG_MODULE:
    case DITTO_TAG_PACKAGE:
        return 2;
    case DITTO_TAG_METHOD_HANDLE:
        return 3;
    case DITTO_TAG_INTEGER:
    case DITTO_TAG_FLOAT:
    case DITTO_TAG_FIELD:
    case DITTO_TAG_METHOD:
    case DITTO_TAG_INTERFACE_METHOD:
    case DITTO_TAG_NAME_AND_TYPE:
    case DITTO_TAG_DYNAMIC:
    case DITTO_TAG_INVOKE_DYNAMIC:
        return 4;
    case DITTO_TAG_LONG:
    case DITTO_TAG_DOUBLE:
        return 8;
    default:
        return 0;
    }
}

uint32_t ditto_cf_constant_size(const uint8_t *constant)
{
    return constant[0] == DITTO_TAG_UTF8 ? 3u + ditto_u2(constant + 1)
                                         : 1 + constant_size(constant[0]);
}

static bool read_pool(struct ditto_cf *cf, struct reader *r)
{
    r->what = "the constant pool";
    cf->pool_count = (uint16_t)read(r, 2);
    if (r->failed)
        return false;
    if (cf->pool_count == 0)
        return ditto_cf_fail(r->error, "the constant pool's count is 0, at least 1 is needed");
    cf->pool = DITTO_NEW_ARRAY(&cf->arena, uint32_t, cf->pool_count);
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        cf->pool[i] = r->at;
        uint8_t tag = (uint8_t)read(r, 1);
        uint32_t size = tag == DITTO_TAG_UTF8 ? read(r, 2) : constant_size(tag);
        if (r->failed)
            return false;
        if (size == 0 && tag != DITTO_TAG_UTF8)
            return ditto_cf_fail(r->error, "constant %u has the unknown tag %u", i, tag);
        skip(r, size);
        if (r->failed)
            return false;
        if (tag == DITTO_TAG_LONG || tag == DITTO_TAG_DOUBLE)
            i++;
        if (i >= cf->pool_count)
            return ditto_cf_fail(r->error, "the last constant, %u, needs two slots and has one",
                                 i - 1);
    }
    cf->pool_end = r->at;
    return true;
}

/* Whether the u2 at `at` is the index of a constant with one of the tags in the bit set. */
static bool refers_to(const struct ditto_cf *cf, uint32_t at, uint32_t tags)
{
    uint8_t tag = ditto_cf_tag(cf, ditto_u2(cf->bytes + at));
    return tag && (tags >> tag & 1);
}

static bool check_pool(const struct ditto_cf *cf, struct ditto_error *error)
{
    const uint32_t utf8 = 1u << DITTO_TAG_UTF8, class = 1u << DITTO_TAG_CLASS;
    const uint32_t name_and_type = 1u << DITTO_TAG_NAME_AND_TYPE;
    const uint32_t members =
        1u << DITTO_TAG_FIELD | 1u << DITTO_TAG_METHOD | 1u << DITTO_TAG_INTERFACE_METHOD;
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        uint32_t at = cf->pool[i] + 1;
        bool good = true;
        switch (ditto_cf_tag(cf, i)) {
        case DITTO_TAG_CLASS:
        case DITTO_TAG_STRING:
        case DITTO_TAG_METHOD_TYPE:
        case DITTO_TAG_MODULE:
        case DITTO_TAG_PACKAGE:
            good = refers_to(cf, at, utf8);
            break;
        case DITTO_TAG_FIELD:
        case DITTO_TAG_METHOD:
        case DITTO_TAG_INTERFACE_METHOD:
            good = refers_to(cf, at, class) && refers_to(cf, at + 2, name_and_type);
            break;
        case DITTO_TAG_NAME_AND_TYPE:
            good = refers_to(cf, at, utf8) && refers_to(cf, at + 2, utf8);
            break;
        case DITTO_TAG_METHOD_HANDLE:
            good = refers_to(cf, at + 1, members);
            break;
        case DITTO_TAG_DYNAMIC:
        case DITTO_TAG_INVOKE_DYNAMIC:
            good = refers_to(cf, at + 2, name_and_type);
            break;
        default:
            break;
        }
        if (!good)
            return ditto_cf_fail(
                error,
                "constant %u (tag %u) refers to a constant that is missing or of the wrong kind", i,
                cf->bytes[cf->pool[i]]);
    }
    return true;
}

static bool read_attrs(const struct ditto_cf *cf, struct reader *r, struct ditto_cf_attrs *attrs)
{
    attrs->count = (uint16_t)read(r, 2);
    attrs->first = r->at;
    for (uint32_t i = 0; i < attrs->count && !r->failed; i++) {
        uint32_t name = read(r, 2);
        skip(r, read(r, 4));
        if (!r->failed && ditto_cf_tag(cf, name) != DITTO_TAG_UTF8)
            return ditto_cf_fail(r->error,
                                 "attribute %u of %s has no name: constant %u is not text", i,
                                 r->what, name);
    }
    return !r->failed;
}

static bool read_members(struct ditto_cf *cf, struct reader *r, uint16_t *count,
                         struct ditto_cf_member **members)
{
    *count = (uint16_t)read(r, 2);
    /* A member takes at least 8 bytes, which bounds what a false count can make us allocate. */
    if (r->failed || *count > (r->end - r->at) / 8)
        return r->failed
                   ? false
                   : ditto_cf_fail(r->error, "%u %s do not fit into the file", *count, r->what);
    *members = DITTO_NEW_ARRAY(&cf->arena, struct ditto_cf_member, *count);
    for (uint32_t i = 0; i < *count; i++) {
        struct ditto_cf_member *member = *members + i;
        member->start = r->at;
        member->access = (uint16_t)read(r, 2);
        member->name = (uint16_t)read(r, 2);
        member->descriptor = (uint16_t)read(r, 2);
        if (!read_attrs(cf, r, &member->attrs))
            return false;
        member->end = r->at;
        if (ditto_cf_tag(cf, member->name) != DITTO_TAG_UTF8 ||
            ditto_cf_tag(cf, member->descriptor) != DITTO_TAG_UTF8)
            return ditto_cf_fail(r->error, "number %u of %s has no valid name and descriptor", i,
                                 r->what);
    }
    return true;
}

static bool read_class(struct ditto_cf *cf, struct reader *r)
{
    if (read(r, 4) != 0xCAFEBABE)
        return r->failed
                   ? false
                   : ditto_cf_fail(r->error, "not a class file: it does not begin with CAFEBABE");
    cf->minor = (uint16_t)read(r, 2);
    cf->major = (uint16_t)read(r, 2);
    if (!r->failed && (cf->major < DITTO_CF_OLDEST || cf->major > DITTO_CF_NEWEST))
        return ditto_cf_fail(r->error, "class file version %u.%u is not supported (%d to %d are)",
                             cf->major, cf->minor, DITTO_CF_OLDEST, DITTO_CF_NEWEST);
    if (!read_pool(cf, r) || !check_pool(cf, r->error))
        return false;
    r->what = "the class header";
    cf->access = (uint16_t)read(r, 2);
    cf->this_class = (uint16_t)read(r, 2);
    cf->super_class = (uint16_t)read(r, 2);
    skip(r, read(r, 2) * 2);
    if (r->failed)
        return false;
    if (ditto_cf_tag(cf, cf->this_class) != DITTO_TAG_CLASS)
        return ditto_cf_fail(r->error, "the class has no name: constant %u is not a class",
                             cf->this_class);
    r->what = "fields";
    cf->fields_at = r->at;
    if (!read_members(cf, r, &cf->field_count, &cf->fields))
        return false;
    r->what = "methods";
    cf->methods_at = r->at;
    if (!read_members(cf, r, &cf->method_count, &cf->methods))
        return false;
    r->what = "the class";
    cf->attrs_at = r->at;
    if (!read_attrs(cf, r, &cf->attrs))
        return false;
    if (r->at != r->end)
        return ditto_cf_fail(r->error, "%u bytes follow the end of the class", r->end - r->at);
    return true;
}

bool ditto_cf_open(struct ditto_cf *cf, const void *bytes, size_t size, struct ditto_error *error)
{
    *cf = (struct ditto_cf){.bytes = bytes, .size = (uint32_t)size};
    if (size > INT32_MAX)
        return ditto_cf_fail(error, "a class file of %zu bytes is too large", size);
    struct reader r = {.bytes = bytes, .end = cf->size, .what = "the header", .error = error};
    if (read_class(cf, &r))
        return true;
    ditto_cf_close(cf);
    return false;
}

void ditto_cf_close(struct ditto_cf *cf)
{
    ditto_arena_free(&cf->arena);
    *cf = (struct ditto_cf){0};
}

uint8_t ditto_cf_tag(const struct ditto_cf *cf, uint32_t index)
{
    return index < cf->pool_count && cf->pool[index] ? cf->bytes[cf->pool[index]] : 0;
}

struct ditto_cf_text ditto_cf_utf8(const struct ditto_cf *cf, uint32_t index)
{
    if (ditto_cf_tag(cf, index) != DITTO_TAG_UTF8)
        return (struct ditto_cf_text){"", 0};
    const uint8_t *at = cf->bytes + cf->pool[index];
    return (struct ditto_cf_text){(const char *)at + 3, ditto_u2(at + 1)};
}

struct ditto_cf_text ditto_cf_class_name(const struct ditto_cf *cf, uint32_t index)
{
    if (ditto_cf_tag(cf, index) != DITTO_TAG_CLASS)
        return (struct ditto_cf_text){"", 0};
    return ditto_cf_utf8(cf, ditto_u2(cf->bytes + cf->pool[index] + 1));
}

bool ditto_cf_ref(const struct ditto_cf *cf, uint32_t index, struct ditto_cf_ref *ref)
{
    uint8_t tag = ditto_cf_tag(cf, index);
    bool member =
        tag == DITTO_TAG_FIELD || tag == DITTO_TAG_METHOD || tag == DITTO_TAG_INTERFACE_METHOD;
    if (!member && tag != DITTO_TAG_DYNAMIC && tag != DITTO_TAG_INVOKE_DYNAMIC)
        return false;
    const uint8_t *at = cf->bytes + cf->pool[index] + 1;
    ref->owner = member ? ditto_cf_class_name(cf, ditto_u2(at)) : (struct ditto_cf_text){"", 0};
    const uint8_t *name_and_type = cf->bytes + cf->pool[ditto_u2(at + 2)] + 1;
    ref->name = ditto_cf_utf8(cf, ditto_u2(name_and_type));
    ref->descriptor = ditto_cf_utf8(cf, ditto_u2(name_and_type + 2));
    return true;
}

bool ditto_cf_same(struct ditto_cf_text a, struct ditto_cf_text b)
{
    return a.size == b.size && memcmp(a.data, b.data, a.size) == 0;
}

unsigned ditto_cf_value_size(char type)
{
    switch (type) {
    case 'Z':
    case 'B':
        return 1;
    case 'C':
    case 'S':
        return 2;
    case 'I':
    case 'F':
        return 4;
    case 'J':
    case 'D':
        return 8;
    default:
        return 0;
    }
}

bool ditto_cf_is(struct ditto_cf_text text, const char *string)
{
    return ditto_cf_same(text, (struct ditto_cf_text){string, (uint32_t)strlen(string)});
}

void ditto_cf_next_attr(const struct ditto_cf *cf, uint32_t *at, struct ditto_cf_attr *attr)
{
    attr->start = *at;
    attr->name = ditto_cf_utf8(cf, ditto_u2(cf->bytes + *at));
    attr->size = ditto_u4(cf->bytes + *at + 2);
    attr->at = *at + 6;
    *at = attr->at + attr->size;
}

bool ditto_cf_find_attr(const struct ditto_cf *cf, struct ditto_cf_attrs attrs, const char *name,
                        struct ditto_cf_attr *attr)
{
    uint32_t at = attrs.first;
    for (uint32_t i = 0; i < attrs.count; i++) {
        ditto_cf_next_attr(cf, &at, attr);
        if (ditto_cf_is(attr->name, name))
            return true;
    }
    return false;
}

const struct ditto_cf_member *ditto_cf_own_field(const struct ditto_cf *cf,
                                                 struct ditto_cf_text name,
                                                 struct ditto_cf_text descriptor)
{
    for (uint32_t i = 0; i < cf->field_count; i++)
        if (ditto_cf_same(ditto_cf_utf8(cf, cf->fields[i].name), name) &&
            ditto_cf_same(ditto_cf_utf8(cf, cf->fields[i].descriptor), descriptor))
            return &cf->fields[i];
    return NULL;
}

struct ditto_cf_handler ditto_cf_handler(const struct ditto_cf_code *code, uint32_t index)
{
    const uint8_t *at = code->handlers + 8 * (size_t)index;
    return (struct ditto_cf_handler){ditto_u2(at), ditto_u2(at + 2), ditto_u2(at + 4),
                                     ditto_u2(at + 6)};
}

bool ditto_cf_code(const struct ditto_cf *cf, const struct ditto_cf_member *method, bool *present,
                   struct ditto_cf_code *code, struct ditto_error *error)
{
    *present = ditto_cf_find_attr(cf, method->attrs, "Code", &code->attr);
    if (!*present)
        return true;
    struct reader r = {.bytes = cf->bytes,
                       .at = code->attr.at,
                       .end = code->attr.at + code->attr.size,
                       .what = "a Code attribute",
                       .error = error};
    code->max_stack = (uint16_t)read(&r, 2);
    code->max_locals = (uint16_t)read(&r, 2);
    code->size = read(&r, 4);
    code->code = cf->bytes + skip(&r, code->size);
    code->handler_count = (uint16_t)read(&r, 2);
    code->handlers = cf->bytes + skip(&r, code->handler_count * 8u);
    if (!read_attrs(cf, &r, &code->attrs))
        return false;
    if (r.at != r.end)
        return ditto_cf_fail(error, "%u bytes follow the end of a Code attribute", r.end - r.at);
    if (code->size == 0 || code->size > 65535)
        return ditto_cf_fail(error, "a method has %u bytes of code, 1 to 65535 are allowed",
                             code->size);
    for (uint32_t i = 0; i < code->handler_count; i++) {
        struct ditto_cf_handler h = ditto_cf_handler(code, i);
        if (h.start >= h.end || h.end > code->size || h.handler >= code->size ||
            (h.catch_type && ditto_cf_tag(cf, h.catch_type) != DITTO_TAG_CLASS))
            return ditto_cf_fail(
                error, "entry %u of an exception table is invalid: [%u, %u) to %u, type %u", i,
                h.start, h.end, h.handler, h.catch_type);
    }
    return true;
}
