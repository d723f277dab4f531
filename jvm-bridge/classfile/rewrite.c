/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/rewrite.h"

#include "jvm-bridge/classfile/codewriter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct added_method {
    struct added_method *next;
    struct ditto_ed ed;
};

struct ditto_rw {
    const struct ditto_cf *cf;
    struct ditto_arena arena;
    struct ditto_pool pool;
    struct ditto_names names;
    struct ditto_ed **editors; /* by method */
    struct ditto_buf added_fields;
    uint32_t added_field_count;
    struct added_method *added_methods, **added_methods_end;
};

struct ditto_rw *ditto_rw_open(const struct ditto_cf *cf)
{
    struct ditto_arena arena = {0};
    struct ditto_rw *rw = DITTO_NEW(&arena, struct ditto_rw);
    rw->cf = cf;
    rw->arena = arena;
    ditto_pool_init(&rw->pool, cf, &rw->arena);
    ditto_names_init(&rw->names, cf, &rw->arena);
    rw->editors = DITTO_NEW_ARRAY(&rw->arena, struct ditto_ed *, cf->method_count);
    rw->added_methods_end = &rw->added_methods;
    return rw;
}

void ditto_rw_close(struct ditto_rw *rw)
{
    ditto_pool_free(&rw->pool);
    ditto_buf_free(&rw->added_fields);
    /* The rewriter lies in its own arena, so that must be taken out first. */
    struct ditto_arena arena = rw->arena;
    ditto_arena_free(&arena);
}

struct ditto_pool *ditto_rw_pool(struct ditto_rw *rw)
{
    return &rw->pool;
}

struct ditto_arena *ditto_rw_arena(struct ditto_rw *rw)
{
    return &rw->arena;
}

static void prepare(struct ditto_rw *rw, struct ditto_ed *ed)
{
    ed->cf = rw->cf;
    ed->arena = &rw->arena;
    ed->pool = &rw->pool;
    ed->names = &rw->names;
}

struct ditto_ed *ditto_rw_edit(struct ditto_rw *rw, uint32_t method, struct ditto_error *error)
{
    struct ditto_ed *ed = DITTO_NEW(&rw->arena, struct ditto_ed);
    bool present;
    error->text[0] = '\0';
    prepare(rw, ed);
    ed->method = rw->cf->methods[method];
    if (!ditto_cf_code(rw->cf, &ed->method, &present, &ed->code, error) || !present ||
        !ditto_ed_open(ed, error))
        return NULL;
    rw->editors[method] = ed;
    return ed;
}

void ditto_rw_abandon(struct ditto_rw *rw, uint32_t method)
{
    rw->editors[method] = NULL;
}

void ditto_rw_add_field(struct ditto_rw *rw, uint16_t access, const char *name,
                        const char *descriptor)
{
    ditto_buf_u2(&rw->added_fields, access);
    ditto_buf_u2(&rw->added_fields, ditto_pool_utf8(&rw->pool, ditto_cf_string(name)));
    ditto_buf_u2(&rw->added_fields, ditto_pool_utf8(&rw->pool, ditto_cf_string(descriptor)));
    ditto_buf_u2(&rw->added_fields, 0);
    rw->added_field_count++;
}

struct ditto_ed *ditto_rw_add_method(struct ditto_rw *rw, uint16_t access, const char *name,
                                     const char *descriptor, uint16_t max_stack,
                                     uint16_t max_locals)
{
    struct added_method *added = DITTO_NEW(&rw->arena, struct added_method);
    struct ditto_ed *ed = &added->ed;
    *rw->added_methods_end = added;
    rw->added_methods_end = &added->next;
    prepare(rw, ed);
    ed->access = access;
    ed->method.name = ditto_pool_utf8(&rw->pool, ditto_cf_string(name));
    ed->method.descriptor = ditto_pool_utf8(&rw->pool, ditto_cf_string(descriptor));
    ed->code.max_stack = max_stack;
    ed->code.max_locals = max_locals;
    ed->max_locals = max_locals;
    ed->listing.code = &ed->code;
    ed->listing.bci = DITTO_NEW_ARRAY(&rw->arena, uint32_t, 1);
    ed->listing.index = DITTO_NEW_ARRAY(&rw->arena, uint32_t, 1);
    ed->label_count = 1;
    ed->entry.arena = ed->tail.arena = &rw->arena;
    ed->uses_frames = rw->cf->major >= DITTO_CF_HAS_FRAMES;
    bool valid = ditto_stackmap_initial(&ed->map.initial, &rw->names, access, ditto_cf_string(name),
                                        ditto_cf_string(descriptor));
    assert(valid);
    (void)valid;
    return ed;
}

/* The method with its Code attribute written anew, at its place among the others. */
static bool write_method(struct ditto_rw *rw, struct ditto_ed *ed, struct ditto_buf *out,
                         struct ditto_bcimap **map, struct ditto_error *error)
{
    const struct ditto_cf_member *method = &ed->method;
    ditto_buf_u2(out, ed->access);
    ditto_buf_u2(out, method->name);
    ditto_buf_u2(out, method->descriptor);
    bool added = method->end == 0;
    ditto_buf_u2(out, added ? 1 : method->attrs.count);
    if (added)
        return ditto_write_code(ed, out, map, error);
    uint32_t at = method->attrs.first;
    for (uint32_t i = 0; i < method->attrs.count; i++) {
        struct ditto_cf_attr attr;
        ditto_cf_next_attr(rw->cf, &at, &attr);
        if (attr.start == ed->code.attr.start) {
            if (!ditto_write_code(ed, out, map, error))
                return false;
        } else {
            ditto_buf_bytes(out, rw->cf->bytes + attr.start, at - attr.start);
        }
    }
    return true;
}

static bool write_methods(struct ditto_rw *rw, struct ditto_buf *out,
                          struct ditto_rw_result *result, struct ditto_error *error)
{
    const struct ditto_cf *cf = rw->cf;
    uint32_t count = cf->method_count;
    size_t count_at = out->size;
    ditto_buf_u2(out, count);
    for (uint32_t i = 0; i < cf->method_count; i++) {
        struct ditto_rw_method *method = &result->methods[i];
        size_t start = out->size;
        if (rw->editors[i]) {
            if (write_method(rw, rw->editors[i], out, &method->map, error)) {
                method->outcome = DITTO_RW_WRITTEN;
                continue;
            }
            method->outcome = DITTO_RW_LEFT_ALONE;
            char *reason = DITTO_NEW_ARRAY(&result->arena, char, sizeof error->text);
            memcpy(reason, error->text, sizeof error->text);
            method->reason = reason;
            out->size = start;
        }
        ditto_buf_bytes(out, cf->bytes + cf->methods[i].start,
                        cf->methods[i].end - cf->methods[i].start);
    }
    for (struct added_method *added = rw->added_methods; added; added = added->next, count++) {
        struct ditto_bcimap *map;
        if (!write_method(rw, &added->ed, out, &map, error))
            return false;
        free(map);
    }
    if (count > 65535)
        return ditto_cf_fail(error, "the class would have %u methods, 65535 are allowed", count);
    ditto_buf_set_u2(out, count_at, count);
    return true;
}

static bool write_class(struct ditto_rw *rw, struct ditto_rw_result *result,
                        struct ditto_buf *methods, struct ditto_buf *out, struct ditto_error *error)
{
    const struct ditto_cf *cf = rw->cf;
    enum { POOL_AT = 10, MEMBERS_START = 2 };
    if (!write_methods(rw, methods, result, error))
        return false;
    if (rw->pool.full)
        return ditto_cf_fail(error, "the constant pool would have more than 65535 entries");
    if (cf->field_count + rw->added_field_count > 65535)
        return ditto_cf_fail(error, "the class would have more than 65535 fields");
    ditto_buf_bytes(out, cf->bytes, POOL_AT - 2);
    ditto_buf_u2(out, rw->pool.count);
    ditto_buf_bytes(out, cf->bytes + POOL_AT, cf->pool_end - POOL_AT);
    ditto_buf_bytes(out, rw->pool.added.data, rw->pool.added.size);
    ditto_buf_bytes(out, cf->bytes + cf->pool_end, cf->fields_at - cf->pool_end);
    ditto_buf_u2(out, cf->field_count + rw->added_field_count);
    ditto_buf_bytes(out, cf->bytes + cf->fields_at + MEMBERS_START,
                    cf->methods_at - cf->fields_at - MEMBERS_START);
    ditto_buf_bytes(out, rw->added_fields.data, rw->added_fields.size);
    ditto_buf_bytes(out, methods->data, methods->size);
    ditto_buf_bytes(out, cf->bytes + cf->attrs_at, cf->size - cf->attrs_at);
    return true;
}

bool ditto_rw_write(struct ditto_rw *rw, struct ditto_rw_result *result, struct ditto_error *error)
{
    struct ditto_buf methods = {0}, out = {0};
    *result = (struct ditto_rw_result){.method_count = rw->cf->method_count};
    result->methods = DITTO_NEW_ARRAY(&result->arena, struct ditto_rw_method, result->method_count);
    bool good = write_class(rw, result, &methods, &out, error);
    ditto_buf_free(&methods);
    result->data = out.data;
    result->size = out.size;
    if (!good)
        ditto_rw_result_free(result);
    return good;
}

void ditto_rw_result_free(struct ditto_rw_result *result)
{
    for (uint32_t i = 0; i < result->method_count; i++)
        free(result->methods[i].map);
    ditto_arena_free(&result->arena);
    free(result->data);
    *result = (struct ditto_rw_result){0};
}
