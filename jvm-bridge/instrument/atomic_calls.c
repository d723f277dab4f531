/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/atomic_calls.h"

#include <stdio.h>
#include <string.h>

#include "jvm-bridge/classfile/shape.h"
#include "jvm-bridge/instrument/array_calls.h"
#include "jvm-bridge/instrument/builder_calls.h"

#define OBJECT "Ljava/lang/Object;"

static bool begins(struct ditto_cf_text text, const char *beginning)
{
    size_t size = strlen(beginning);
    return text.size >= size && memcmp(text.data, beginning, size) == 0;
}

static bool is_var_handle(const struct ditto_cf_ref *method)
{
    return ditto_cf_is(method->owner, "java/lang/invoke/VarHandle");
}

static bool is_unsafe(const struct ditto_cf_ref *method)
{
    return ditto_cf_is(method->owner, "jdk/internal/misc/Unsafe") ||
           ditto_cf_is(method->owner, "sun/misc/Unsafe");
}

static bool is_exchange(const struct ditto_cf_ref *method)
{
    return begins(method->name, "compareAndExchange");
}

/*
 * Whether what is found can be told from the result.  That of an exchange may be of another type
 * than what is expected, or be dropped: it then counts as a store, which replays as well.
 */
static bool says_whether_stored(const struct ditto_cf_ref *method, const struct ditto_shape *shape)
{
    if (!is_exchange(method))
        return shape->result == 'I';
    return shape->count > 2 && shape->result == shape->parameters[shape->count - 2].type;
}

enum ditto_site_kind ditto_atomic_kind(const struct ditto_cf_ref *method)
{
    static const struct {
        const char *beginning;
        enum ditto_site_kind raw, var;
    } names[] = {
        {"compareAnd", DITTO_SITE_RAW_UPDATE, DITTO_SITE_VAR_UPDATE},
        {"weakCompareAndSet", DITTO_SITE_RAW_UPDATE, DITTO_SITE_VAR_UPDATE},
        {"getAnd", DITTO_SITE_RAW_STORE, DITTO_SITE_VAR_STORE},
        {"get", DITTO_SITE_RAW_LOAD, DITTO_SITE_VAR_LOAD},
        {"put", DITTO_SITE_RAW_STORE, DITTO_SITE_UNUSED},
        {"set", DITTO_SITE_UNUSED, DITTO_SITE_VAR_STORE},
    };
    bool var = is_var_handle(method);
    struct ditto_shape shape;
    enum ditto_site_kind builder = ditto_builder_kind(method);
    if (ditto_arrays_has(method))
        return ditto_shape_of(method->descriptor, false, &shape) ? DITTO_SITE_CALL
                                                                 : DITTO_SITE_UNUSED;
    if (builder != DITTO_SITE_UNUSED)
        return ditto_shape_of(method->descriptor, true, &shape) ? builder : DITTO_SITE_UNUSED;
    if (!var && !(is_unsafe(method) && begins(method->descriptor, "(" OBJECT "J")))
        return DITTO_SITE_UNUSED;
    /* VarHandle's other methods, whose descriptors are fixed. */
    if (var && (begins(method->descriptor, "(Ljava/lang/invoke/VarHandle$AccessMode;)") ||
                begins(method->descriptor, "(Ljava/lang/String;)Ljava/lang/invoke/")))
        return DITTO_SITE_UNUSED;
    enum ditto_site_kind kind = DITTO_SITE_UNUSED;
    for (size_t i = 0; i < sizeof names / sizeof *names && kind == DITTO_SITE_UNUSED; i++)
        if (begins(method->name, names[i].beginning))
            kind = var ? names[i].var : names[i].raw;
    if (kind == DITTO_SITE_UNUSED || !ditto_shape_of(method->descriptor, true, &shape))
        return DITTO_SITE_UNUSED;
    bool update = kind == DITTO_SITE_RAW_UPDATE || kind == DITTO_SITE_VAR_UPDATE;
    if (update && !says_whether_stored(method, &shape))
        return var ? DITTO_SITE_VAR_STORE : DITTO_SITE_RAW_STORE;
    return kind;
}

/* The strong form of a weak compare-and-set: of Unsafe, the name goes on with the type and ends
 * with the memory order. */
static void strong_name(const struct ditto_cf_ref *method, char *name, size_t size)
{
    static const char weak[] = "weakCompareAndSet";
    static const char *const orders[] = {"Plain", "Acquire", "Release"};
    if (!begins(method->name, weak)) {
        snprintf(name, size, "%.*s", (int)method->name.size, method->name.data);
        return;
    }
    int type = is_var_handle(method) ? 0 : (int)(method->name.size - (sizeof weak - 1));
    snprintf(name, size, "compareAndSet%.*s", type, method->name.data + sizeof weak - 1);
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        size_t length = strlen(name), suffix = strlen(orders[i]);
        if (length > suffix && strcmp(name + length - suffix, orders[i]) == 0)
            name[length - suffix] = '\0';
    }
}

static void call(struct ditto_snippet *code, struct ditto_pool *pool, const char *hook_class,
                 const struct ditto_hook *hook)
{
    ditto_snippet_op_u2(
        code, DITTO_OP_INVOKESTATIC,
        ditto_pool_ref(pool, DITTO_TAG_METHOD, hook_class, hook->name, hook->descriptor));
}

static bool is_text(enum ditto_site_kind kind)
{
    return kind == DITTO_SITE_TEXT_LOAD || kind == DITTO_SITE_TEXT_STORE;
}

#define BUILDER  "L" DITTO_BUILDER_CLASS ";"
#define BUFFER   "Ljava/lang/StringBuffer;"
#define SEQUENCE "Ljava/lang/CharSequence;"
#define STRING   "Ljava/lang/String;"

/* Methods of the builder in whose place one is called that takes a string: of a buffer, or of a
 * part of a sequence, whose bounds are then left out. */
static const struct text_form {
    const char *descriptor, *instead;
    bool of_part;
} text_forms[] = {{"(" BUFFER ")" BUILDER, "(" STRING ")" BUILDER, false},
                  {"(" SEQUENCE "II)" BUILDER, "(" STRING ")" BUILDER, true},
                  {"(I" SEQUENCE "II)" BUILDER, "(I" STRING ")" BUILDER, true}};

static const struct text_form *text_form(const struct ditto_cf_ref *method)
{
    for (size_t i = 0; i < sizeof text_forms / sizeof *text_forms; i++)
        if (ditto_cf_is(method->descriptor, text_forms[i].descriptor))
            return &text_forms[i];
    return NULL;
}

static const struct ditto_hook *text_hook(struct ditto_cf_text type, const struct text_form *form)
{
    if (ditto_cf_is(type, OBJECT))
        return &ditto_text_hooks.object;
    if (ditto_cf_is(type, SEQUENCE))
        return form ? &ditto_text_hooks.part : &ditto_text_hooks.sequence;
    if (ditto_cf_is(type, BUFFER))
        return form ? &ditto_text_hooks.sequence : NULL;
    return ditto_cf_is(type, "[C") ? &ditto_text_hooks.characters : NULL;
}

/* What a builder is given: strings for what has code of its own, copies of arrays. */
static void prepare_texts(struct ditto_snippet *code, struct ditto_pool *pool, const char *calls,
                          const struct ditto_shape *shape, const struct text_form *form)
{
    for (unsigned i = 1; i < shape->count; i++) {
        const struct ditto_parameter *parameter = &shape->parameters[i];
        const struct ditto_hook *hook = text_hook(parameter->text, form);
        if (!hook)
            continue;
        ditto_shape_load(code, parameter);
        if (hook == &ditto_text_hooks.part) {
            ditto_shape_load(code, parameter + 1);
            ditto_shape_load(code, parameter + 2);
        }
        ditto_snippet_local(code, DITTO_OP_ILOAD, shape->locals);
        call(code, pool, calls, hook);
        ditto_snippet_local(code, DITTO_OP_ASTORE, parameter->local);
    }
}

/* What the before hook takes: the builder; the object and the offset; or the handle, what may be
 * its object or array, and what may be the index. */
static void load_operands(struct ditto_snippet *code, const struct ditto_shape *shape,
                          enum ditto_site_kind kind, bool var)
{
    const struct ditto_parameter *all = shape->parameters;
    if (is_text(kind)) {
        ditto_shape_load(code, &all[0]);
        return;
    }
    if (!var) {
        ditto_shape_load(code, &all[1]);
        ditto_shape_load(code, &all[2]);
        return;
    }
    ditto_shape_load(code, &all[0]);
    if (shape->count > 1 && all[1].type == 'A')
        ditto_shape_load(code, &all[1]);
    else
        ditto_snippet_op(code, DITTO_OP_ACONST_NULL);
    if (shape->count > 2 && all[2].is_int)
        ditto_shape_load(code, &all[2]);
    else
        ditto_snippet_op(code, DITTO_OP_ICONST_0);
}

/* Whether the update has stored: its result says so, or a comparison of it with what it expected.
 */
static void load_whether_stored(struct ditto_snippet *code, struct ditto_pool *pool,
                                const char *hook_class, const struct ditto_cf_ref *method,
                                const struct ditto_shape *shape)
{
    static const char *const comparisons[] = {"(II)Z", "(JJ)Z", "(FF)Z", "(DD)Z",
                                              "(" OBJECT OBJECT ")Z"};
    char type = shape->result;
    ditto_snippet_op(code, type == 'J' || type == 'D' ? DITTO_OP_DUP2 : DITTO_OP_DUP);
    if (!is_exchange(method))
        return;
    const struct ditto_parameter *expected = &shape->parameters[shape->count - 2];
    ditto_shape_load(code, expected);
    const struct ditto_hook hook = {"isSame", comparisons[strchr("IJFDA", type) - "IJFDA"]};
    call(code, pool, hook_class, &hook);
}

/* The code of an access that is a call: see atomic_calls.h. */
static void write_access(struct ditto_rw *rw, struct ditto_ed *ed,
                         const struct ditto_hook_classes *classes,
                         const struct ditto_cf_ref *method, struct ditto_shape *shape)
{
    struct ditto_pool *pool = ditto_rw_pool(rw);
    enum ditto_site_kind kind = ditto_atomic_kind(method);
    struct ditto_snippet *code = ditto_ed_tail(ed);
    ditto_label start = ditto_ed_new_label(ed), handler = ditto_ed_new_label(ed);
    const struct text_form *form = kind == DITTO_SITE_TEXT_STORE ? text_form(method) : NULL;
    if (kind == DITTO_SITE_TEXT_STORE)
        prepare_texts(code, pool, classes->calls, shape, form);
    ditto_snippet_label(code, start);
    load_operands(code, shape, kind, is_var_handle(method));
    ditto_snippet_local(code, DITTO_OP_ILOAD, shape->locals);
    call(code, pool, classes->sites, &ditto_hooks[kind].before);

    char owner[64], called[128];
    snprintf(owner, sizeof owner, "%.*s", (int)method->owner.size, method->owner.data);
    strong_name(method, called, sizeof called);
    char *types = DITTO_NEW_ARRAY(ditto_rw_arena(rw), char, method->descriptor.size + 1);
    memcpy(types, method->descriptor.data, method->descriptor.size);
    shape->count -= form && form->of_part ? 2 : 0;
    for (unsigned i = 0; i < shape->count; i++)
        ditto_shape_load(code, &shape->parameters[i]);
    ditto_snippet_op_u2(
        code, DITTO_OP_INVOKEVIRTUAL,
        ditto_pool_ref(pool, DITTO_TAG_METHOD, owner, called, form ? form->instead : types));

    if (kind == DITTO_SITE_RAW_UPDATE || kind == DITTO_SITE_VAR_UPDATE)
        load_whether_stored(code, pool, classes->hooks, method, shape);
    ditto_snippet_local(code, DITTO_OP_ILOAD, shape->locals);
    call(code, pool, classes->sites, &ditto_hooks[kind].after);
    ditto_shape_return(code, shape);

    ditto_type caught = ditto_names_literal(ed->names, "java/lang/Throwable");
    ditto_ed_outer_handler(ed, (struct ditto_new_handler){start, handler, handler, 0});
    ditto_ed_frame(ed, handler, NULL, 0, &caught, 1);
    ditto_snippet_label(code, handler);
    call(code, pool, classes->sites, &ditto_abandon_hook);
    ditto_snippet_op(code, DITTO_OP_ATHROW);
}

uint16_t ditto_atomic_add(struct ditto_rw *rw, const struct ditto_cf *cf,
                          const struct ditto_hook_classes *classes,
                          const struct ditto_cf_ref *method, unsigned number)
{
    enum { PRIVATE_STATIC_SYNTHETIC = 0x100a, FOR_HOOKS = 6 };
    struct ditto_pool *pool = ditto_rw_pool(rw);
    struct ditto_arena *arena = ditto_rw_arena(rw);
    bool of_arrays = ditto_arrays_has(method);
    struct ditto_shape shape;
    ditto_shape_of(method->descriptor, !of_arrays, &shape);

    /* The descriptor, with the receiver before the parameters and the site behind them. */
    size_t size = (size_t)method->owner.size + method->descriptor.size + 16;
    char *name = DITTO_NEW_ARRAY(arena, char, 24);
    char *descriptor = DITTO_NEW_ARRAY(arena, char, size);
    const char *result = memrchr(method->descriptor.data, ')', method->descriptor.size);
    size_t parameters = (size_t)(result - method->descriptor.data) - 1;
    int length = of_arrays ? snprintf(descriptor, size, "(")
                           : snprintf(descriptor, size, "(L%.*s;", (int)method->owner.size,
                                      method->owner.data);
    snprintf(name, 24, "$ditto%u", number);
    snprintf(descriptor + length, size - (size_t)length, "%.*sI%.*s", (int)parameters,
             method->descriptor.data + 1, (int)(method->descriptor.size - parameters - 1), result);

    struct ditto_ed *ed =
        ditto_rw_add_method(rw, PRIVATE_STATIC_SYNTHETIC, name, descriptor,
                            (uint16_t)(shape.locals + FOR_HOOKS), (uint16_t)(shape.locals + 2));
    if (of_arrays) {
        ditto_arrays_write(ditto_ed_tail(ed), pool, arena, classes->calls, method, &shape);
        ditto_shape_return(ditto_ed_tail(ed), &shape);
    } else {
        write_access(rw, ed, classes, method, &shape);
    }

    enum { INTERFACE = 0x0200 };
    struct ditto_cf_text this_name = ditto_cf_class_name(cf, cf->this_class);
    char *this_text = DITTO_NEW_ARRAY(arena, char, this_name.size + 1);
    memcpy(this_text, this_name.data, this_name.size);
    return ditto_pool_ref(pool,
                          cf->access & INTERFACE ? DITTO_TAG_INTERFACE_METHOD : DITTO_TAG_METHOD,
                          this_text, name, descriptor);
}
