/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/value_methods.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "core/base/text.h"
#include "jvm-bridge/classfile/rewrite.h"
#include "jvm-bridge/instrument/selection.h"
#include "jvm-bridge/vm/say.h"

#define PREFIX "$ditto$"
#define VALUES "java/lang/DittoValues"

/* What DittoValues.begin() answers if the method is not to be called. */
enum { REPLAYED = 2 };

/* Separated by newlines; NULL: none.  Not changed after the start. */
static const char *patterns;

/* By pattern: a class had such a method. */
enum { MOST_PATTERNS = 1024 };
static _Atomic bool found[MOST_PATTERNS];

void ditto_values_begin(void)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    const jvmtiCapabilities prefixes = {.can_set_native_method_prefix = 1};
    patterns = ditto_agent.replay ? ditto_property(ditto_agent.session, "value")
                                  : ditto_agent.options.value;
    if (!patterns)
        return;
    if (!ditto_agent.replay)
        ditto_set_property(ditto_agent.session, "value", patterns);
    if ((*jvmti)->AddCapabilities(jvmti, &prefixes) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetNativeMethodPrefix(jvmti, PREFIX) != JVMTI_ERROR_NONE)
        ditto_agent_refuse("this JVM does not let agents wrap native methods; record without "
                           "--value, or without other agents");
}

bool ditto_values_has_prefix(const char *method)
{
    return ditto_begins(method, PREFIX);
}

void ditto_values_end(void)
{
    const char *at = patterns;
    for (int i = 0; at && *at && i < MOST_PATTERNS; i++) {
        size_t size = strcspn(at, "\n");
        if (!atomic_load_explicit(&found[i], memory_order_relaxed))
            ditto_agent_say("--value %.*s: no class of the program that was loaded has such a "
                            "method",
                            (int)size, at);
        at += size + (at[size] == '\n');
    }
}

/* Whether the user has named the method. */
static bool is_named(struct ditto_cf_text class_name, struct ditto_cf_text method)
{
    const char *at = patterns;
    bool named = false;
    for (int i = 0; *at; i++) {
        const struct ditto_cf_text pattern = {at, (uint32_t)strcspn(at, "\n")};
        /* A pattern that ends in the class's name names no method. */
        if (pattern.size > class_name.size && ditto_pattern_fits(pattern, class_name, method)) {
            named = true;
            if (i < MOST_PATTERNS)
                atomic_store_explicit(&found[i], true, memory_order_relaxed);
        }
        at += pattern.size + (at[pattern.size] == '\n');
    }
    return named;
}

/* Why a method cannot be wrapped; NULL: it can. */
static const char *obstacle(const struct ditto_cf *cf, const struct ditto_cf_member *method,
                            const char *descriptor)
{
    static const char *const kept[] = {"V",  "Z",  "B",  "C",  "S",  "I",
                                       "J",  "F",  "D",  "[Z", "[B", "[C",
                                       "[S", "[I", "[J", "[F", "[D", "Ljava/lang/String;"};
    const char *result = strrchr(descriptor, ')') + 1;
    if (cf->major < DITTO_CF_HAS_CLASS_CONSTANTS)
        return "its class file is older than Java 5; compile it anew";
    if (cf->access & DITTO_ACC_INTERFACE)
        return "a method of an interface; name that of a class";
    if (method->access & DITTO_ACC_ABSTRACT)
        return "an abstract method; name one that does something";
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(result, kept[i]) == 0)
            return NULL;
    return "it answers an object; only primitives, strings and arrays of primitives can be "
           "recorded";
}

/* ----------------------------------------------------------------- the wrapper */

static void call_values(struct ditto_ed *ed, const char *name, const char *descriptor)
{
    ditto_snippet_op_u2(ditto_ed_tail(ed), DITTO_OP_INVOKESTATIC,
                        ditto_pool_ref(ed->pool, DITTO_TAG_METHOD, VALUES, name, descriptor));
}

/* What takes the result, which is on the stack (a zero, if there is none yet), and returns it. */
static void give_result(struct ditto_ed *ed, const char *result, uint32_t how)
{
    struct ditto_snippet *tail = ditto_ed_tail(ed);
    char descriptor[] = "(JI)J";
    bool is_object = result[0] == 'L' || result[0] == '[';
    const char *name = result[0] == 'L' ? "java/lang/String" : result;
    if (is_object)
        ditto_snippet_ldc(tail, ditto_pool_class(ed->pool, ditto_cf_string(name)));
    ditto_snippet_local(tail, DITTO_OP_ILOAD, how);
    if (is_object) {
        call_values(ed, "result", "(Ljava/lang/Object;Ljava/lang/Class;I)Ljava/lang/Object;");
        ditto_snippet_op_u2(tail, DITTO_OP_CHECKCAST,
                            ditto_pool_class(ed->pool, ditto_cf_string(name)));
        ditto_snippet_op(tail, DITTO_OP_ARETURN);
        return;
    }
    switch (result[0]) {
    case 'V':
        call_values(ed, "result", "(I)V");
        ditto_snippet_op(tail, DITTO_OP_RETURN);
        return;
    case 'J':
    case 'F':
    case 'D':
        descriptor[1] = descriptor[4] = result[0];
        break;
    default:
        descriptor[1] = descriptor[4] = 'I';
    }
    call_values(ed, "result", descriptor);
    ditto_snippet_op(tail, result[0] == 'J'   ? DITTO_OP_LRETURN
                           : result[0] == 'F' ? DITTO_OP_FRETURN
                           : result[0] == 'D' ? DITTO_OP_DRETURN
                                              : DITTO_OP_IRETURN);
}

static void push_nothing(struct ditto_snippet *code, char result)
{
    static const struct {
        char type;
        uint8_t opcode;
    } zeros[] = {{'J', DITTO_OP_LCONST_0},    {'F', DITTO_OP_FCONST_0},    {'D', DITTO_OP_DCONST_0},
                 {'L', DITTO_OP_ACONST_NULL}, {'[', DITTO_OP_ACONST_NULL}, {'V', DITTO_OP_NOP}};
    for (size_t i = 0; i < sizeof zeros / sizeof *zeros; i++) {
        if (zeros[i].type == result) {
            ditto_snippet_op(code, zeros[i].opcode);
            return;
        }
    }
    ditto_snippet_op(code, DITTO_OP_ICONST_0);
}

/* The first slot behind the arguments; loads them all if `code` is given. */
static uint32_t arguments(struct ditto_snippet *code, const char *descriptor, bool is_static)
{
    uint32_t slot = 0;
    if (!is_static && code)
        ditto_snippet_local(code, DITTO_OP_ALOAD, 0);
    slot += !is_static;
    for (const char *at = descriptor + 1; *at != ')'; at++) {
        uint8_t opcode = *at == 'J'                 ? DITTO_OP_LLOAD
                         : *at == 'F'               ? DITTO_OP_FLOAD
                         : *at == 'D'               ? DITTO_OP_DLOAD
                         : *at == 'L' || *at == '[' ? DITTO_OP_ALOAD
                                                    : DITTO_OP_ILOAD;
        if (code)
            ditto_snippet_local(code, opcode, slot);
        slot += *at == 'J' || *at == 'D' ? 2 : 1;
        at += strspn(at, "[");
        if (*at == 'L')
            at = strchr(at, ';');
    }
    return slot;
}

/*
 *      int how = DittoValues.begin(This.class.getClassLoader());
 *      if (how == REPLAYED)
 *          return DittoValues.result(0, how);
 *      try {
 *          return DittoValues.result($ditto$method(arguments), how);
 *      } catch (Throwable exception) {
 *          throw DittoValues.threw(exception, how);
 *      }
 */
static void add_wrapper(struct ditto_rw *rw, const struct ditto_cf *cf, const char *class_name,
                        uint16_t access, const char *name, const char *hidden,
                        const char *descriptor)
{
    bool is_static = access & DITTO_ACC_STATIC;
    const char *result = strrchr(descriptor, ')') + 1;
    uint32_t how = arguments(NULL, descriptor, is_static);
    struct ditto_ed *ed =
        ditto_rw_add_method(rw, access & (uint16_t) ~(DITTO_ACC_NATIVE | DITTO_ACC_SYNCHRONIZED),
                            name, descriptor, (uint16_t)(how + 4), (uint16_t)(how + 1));
    struct ditto_snippet *tail = ditto_ed_tail(ed);
    ditto_label call = ditto_ed_new_label(ed), handler = ditto_ed_new_label(ed);
    ditto_snippet_ldc(tail, ditto_pool_class(ed->pool, ditto_cf_class_name(cf, cf->this_class)));
    ditto_snippet_op_u2(tail, DITTO_OP_INVOKEVIRTUAL,
                        ditto_pool_ref(ed->pool, DITTO_TAG_METHOD, "java/lang/Class",
                                       "getClassLoader", "()Ljava/lang/ClassLoader;"));
    call_values(ed, "begin", "(Ljava/lang/ClassLoader;)I");
    ditto_snippet_local(tail, DITTO_OP_ISTORE, how);
    ditto_snippet_local(tail, DITTO_OP_ILOAD, how);
    ditto_snippet_push_int(tail, ed->pool, REPLAYED);
    ditto_snippet_jump(tail, DITTO_OP_IF_ICMPNE, call);
    push_nothing(tail, result[0]);
    give_result(ed, result, how);

    ditto_snippet_label(tail, call);
    arguments(tail, descriptor, is_static);
    ditto_snippet_op_u2(tail, is_static ? DITTO_OP_INVOKESTATIC : DITTO_OP_INVOKESPECIAL,
                        ditto_pool_ref(ed->pool, DITTO_TAG_METHOD, class_name, hidden, descriptor));
    give_result(ed, result, how);

    ditto_snippet_label(tail, handler);
    ditto_snippet_local(tail, DITTO_OP_ILOAD, how);
    call_values(ed, "threw", "(Ljava/lang/Throwable;I)Ljava/lang/Throwable;");
    ditto_snippet_op(tail, DITTO_OP_ATHROW);

    const struct ditto_frame *initial = &ed->map.initial;
    ditto_type locals[257], caught = ditto_names_literal(ed->names, "java/lang/Throwable");
    uint32_t count = initial->local_count;
    memcpy(locals, initial->locals, count * sizeof *locals);
    locals[count++] = DITTO_TYPE_INT;
    ditto_ed_outer_handler(ed, (struct ditto_new_handler){call, handler, handler, 0});
    ditto_ed_frame(ed, call, locals, count, NULL, 0);
    ditto_ed_frame(ed, handler, locals, count, &caught, 1);
}

static void put_u2(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* Texts live until the class is written. */
static char *text_in(struct ditto_arena *arena, const char *prefix, struct ditto_cf_text text)
{
    size_t length = strlen(prefix);
    char *copy = DITTO_NEW_ARRAY(arena, char, length + text.size + 1);
    memcpy(copy, prefix, length);
    memcpy(copy + length, text.data, text.size);
    copy[length + text.size] = '\0';
    return copy;
}

/* `own` is the class's file, which is changed: the method gets the prefix, and is private. */
static void wrap(struct ditto_rw *rw, struct ditto_arena *arena, const struct ditto_cf *cf,
                 const char *class_name, uint8_t *own, const struct ditto_cf_member *method)
{
    enum { PUBLIC = 0x0001, PRIVATE = 0x0002, PROTECTED = 0x0004, FINAL = 0x0010 };
    const char *name = text_in(arena, "", ditto_cf_utf8(cf, method->name));
    const char *hidden = text_in(arena, PREFIX, ditto_cf_utf8(cf, method->name));
    const char *descriptor = text_in(arena, "", ditto_cf_utf8(cf, method->descriptor));
    const char *why = obstacle(cf, method, descriptor);
    if (why)
        ditto_agent_refuse("--value %s.%s%s: %s", class_name, name, descriptor, why);
    add_wrapper(rw, cf, class_name, method->access, name, hidden, descriptor);
    unsigned access = method->access & ~(unsigned)(PUBLIC | PROTECTED | FINAL);
    put_u2(own + method->start, access | PRIVATE);
    put_u2(own + method->start + 2, ditto_pool_utf8(ditto_rw_pool(rw), ditto_cf_string(hidden)));
}

unsigned char *ditto_values_wrap(const char *class_name, const unsigned char *bytes, size_t *size)
{
    struct ditto_error error;
    struct ditto_rw_result result;
    struct ditto_cf cf;
    if (!patterns)
        return NULL;
    uint8_t *own = ditto_alloc(*size, "a class file");
    memcpy(own, bytes, *size);
    if (!ditto_cf_open(&cf, own, *size, &error)) {
        free(own);
        return NULL;
    }
    struct ditto_rw *rw = NULL;
    struct ditto_arena arena = {0};
    unsigned char *wrapped = NULL;
    for (uint32_t i = 0; i < cf.method_count; i++) {
        struct ditto_cf_text name = ditto_cf_utf8(&cf, cf.methods[i].name);
        /* Constructors and initializers are never left out. */
        if ((name.size && name.data[0] == '<') ||
            !is_named(ditto_cf_class_name(&cf, cf.this_class), name))
            continue;
        rw = rw ? rw : ditto_rw_open(&cf);
        wrap(rw, &arena, &cf, class_name, own, &cf.methods[i]);
    }
    if (rw) {
        if (!ditto_rw_write(rw, &result, &error))
            ditto_agent_refuse("--value: class %s cannot be rewritten: %s", class_name, error.text);
        wrapped = ditto_alloc(result.size, "a rewritten class");
        memcpy(wrapped, result.data, result.size);
        *size = result.size;
        ditto_rw_result_free(&result);
        ditto_rw_close(rw);
    }
    ditto_cf_close(&cf);
    ditto_arena_free(&arena);
    free(own);
    return wrapped;
}
