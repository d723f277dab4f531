/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/array_calls.h"

#include <string.h>

#include "jvm-bridge/classfile/bytecode.h"

enum use { NONE, READS, SORTS, FILLS };

#define ARRAY "Ljava/lang/Object;"

static enum use use_of(const struct ditto_cf_ref *method)
{
    static const struct {
        const char *name;
        enum use use;
    } methods[] = {
        {"compare", READS}, {"compareUnsigned", READS}, {"equals", READS},
        {"fill", FILLS},    {"hashCode", READS},        {"mismatch", READS},
        {"sort", SORTS},    {"parallelSort", SORTS},    {"toString", READS},
    };
    /* Of primitives: "([I)V", "([III)V". */
    bool of_objects = method->descriptor.size > 2 && method->descriptor.data[2] == 'L';
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (ditto_cf_is(method->name, methods[i].name))
            return of_objects && methods[i].use == SORTS ? NONE : methods[i].use;
    return NONE;
}

bool ditto_arrays_has(const struct ditto_cf_ref *method)
{
    return ditto_cf_is(method->owner, DITTO_ARRAYS_CLASS) && use_of(method) != NONE &&
           method->descriptor.size > 2 && memcmp(method->descriptor.data, "([", 2) == 0;
}

/* Puts an array of the call's own in the place of one that it was given. */
static void replace(struct ditto_snippet *code, struct ditto_pool *pool, const char *hook_class,
                    const char *hook, const struct ditto_parameter *array, uint32_t site)
{
    ditto_shape_load(code, array);
    ditto_snippet_local(code, DITTO_OP_ILOAD, site);
    ditto_snippet_op_u2(
        code, DITTO_OP_INVOKESTATIC,
        ditto_pool_ref(pool, DITTO_TAG_METHOD, hook_class, hook, "(" ARRAY "I)" ARRAY));
    ditto_snippet_op_u2(code, DITTO_OP_CHECKCAST, ditto_pool_class(pool, array->text));
    ditto_snippet_local(code, DITTO_OP_ASTORE, array->local);
}

/* From where to where: what follows the array, or all of it. */
static void load_range(struct ditto_snippet *code, struct ditto_pool *pool,
                       const struct ditto_shape *shape, bool whole)
{
    if (whole) {
        ditto_snippet_op(code, DITTO_OP_ICONST_0);
        ditto_snippet_push_int(code, pool, -1);
        return;
    }
    ditto_shape_load(code, &shape->parameters[1]);
    ditto_shape_load(code, &shape->parameters[2]);
}

void ditto_arrays_write(struct ditto_snippet *code, struct ditto_pool *pool,
                        struct ditto_arena *arena, const char *hook_class,
                        const struct ditto_cf_ref *method, const struct ditto_shape *shape)
{
    const struct ditto_parameter *all = shape->parameters;
    uint32_t site = shape->locals, original = site + 1;
    enum use use = use_of(method);
    if (use != READS) {
        ditto_shape_load(code, &all[0]);
        ditto_snippet_local(code, DITTO_OP_ASTORE, original);
        replace(code, pool, hook_class, use == FILLS ? "blank" : "look", &all[0], site);
    }
    for (unsigned i = 0; i < shape->count && use == READS; i++)
        if (all[i].text.data[0] == '[')
            replace(code, pool, hook_class, "look", &all[i], site);

    char *name = DITTO_NEW_ARRAY(arena, char, method->name.size + 1);
    char *descriptor = DITTO_NEW_ARRAY(arena, char, method->descriptor.size + 1);
    memcpy(name, method->name.data, method->name.size);
    memcpy(descriptor, method->descriptor.data, method->descriptor.size);
    for (unsigned i = 0; i < shape->count; i++)
        ditto_shape_load(code, &all[i]);
    ditto_snippet_op_u2(
        code, DITTO_OP_INVOKESTATIC,
        ditto_pool_ref(pool, DITTO_TAG_METHOD, DITTO_ARRAYS_CLASS, name, descriptor));

    if (use != READS) {
        ditto_shape_load(code, &all[0]);
        ditto_snippet_local(code, DITTO_OP_ALOAD, original);
        load_range(code, pool, shape, shape->count == (use == FILLS ? 2 : 1));
        ditto_snippet_local(code, DITTO_OP_ILOAD, site);
        ditto_snippet_op_u2(
            code, DITTO_OP_INVOKESTATIC,
            ditto_pool_ref(pool, DITTO_TAG_METHOD, hook_class, "put", "(" ARRAY ARRAY "III)V"));
    }
}
