/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/regions.h"

#include <string.h>

#include "jvm-bridge/hooks.h"

enum how {
    QUIET,    /* only quiet */
    RESULT,   /* the hook takes and answers what is returned */
    ARGUMENT, /* the hook takes the first argument of an instance method, which was filled */
    AFTER,    /* the hook takes nothing */
    NOTHING,  /* the method is to do nothing at all */
};

struct region {
    const char *class_name, *method, *descriptor; /* NULL: any descriptor */
    enum how how;
    struct ditto_hook hook;
};

#define CLASS_NAME "Ljava/lang/String;"
static const struct region regions[] = {
    /* Loading classes. */
    {"java/lang/ClassLoader", "loadClass", "(" CLASS_NAME ")Ljava/lang/Class;", QUIET, {0}},
    {"jdk/internal/loader/BuiltinClassLoader",
     "loadClassOrNull",
     "(" CLASS_NAME "Z)Ljava/lang/Class;",
     QUIET,
     {0}},
    {"jdk/internal/loader/URLClassPath", "getLoader", NULL, QUIET, {0}},
    {"jdk/internal/loader/URLClassPath$JarLoader", "ensureOpen", NULL, QUIET, {0}},
    {"java/lang/ClassLoader", "getResource", NULL, QUIET, {0}},
    {"java/lang/ClassLoader", "getResources", NULL, QUIET, {0}},
    {"java/lang/ClassLoader", "getResourceAsStream", NULL, QUIET, {0}},
    {"jdk/internal/loader/BuiltinClassLoader", "findResource", NULL, QUIET, {0}},
    {"jdk/internal/loader/BuiltinClassLoader", "findResources", NULL, QUIET, {0}},
    {"jdk/internal/loader/BuiltinClassLoader", "findResourceAsStream", NULL, QUIET, {0}},
    {"java/util/ServiceLoader$LazyClassPathLookupIterator", "parse", NULL, QUIET, {0}},
    {"java/util/ServiceLoader$ModuleServicesLookupIterator", "hasNext", NULL, QUIET, {0}},
    /* Linking call sites, which whoever comes first does. */
    {"java/lang/invoke/MethodHandleNatives", "linkCallSite", NULL, QUIET, {0}},
    {"java/lang/invoke/MethodHandleNatives", "linkDynamicConstant", NULL, QUIET, {0}},
    {"java/lang/invoke/MethodHandleNatives", "linkMethod", NULL, QUIET, {0}},
    {"java/lang/invoke/MethodHandleNatives", "linkMethodHandleConstant", NULL, QUIET, {0}},
    {"java/lang/invoke/MethodHandleNatives", "findMethodHandleType", NULL, QUIET, {0}},
    {"java/lang/reflect/Method", "acquireMethodAccessor", NULL, QUIET, {0}},
    {"java/lang/reflect/Constructor", "acquireConstructorAccessor", NULL, QUIET, {0}},
    {"java/lang/reflect/Field", "acquireFieldAccessor", NULL, QUIET, {0}},
    /* Counters and seeds. */
    {"java/lang/Thread", "nextThreadID", "()J", RESULT, {"threadId", "(J)J"}},
    {"java/lang/Thread", "nextThreadNum", "()I", RESULT, {"threadNumber", "(I)I"}},
    {"java/lang/Thread$ThreadIdentifiers", "next", "()J", RESULT, {"threadId", "(J)J"}},
    {"java/lang/Thread$ThreadNumbering", "next", "()I", RESULT, {"threadNumber", "(I)I"}},
    {"java/util/Random", "seedUniquifier", "()J", RESULT, {"seed", "(J)J"}},
    {"java/util/concurrent/ThreadLocalRandom", "current", NULL, AFTER, {"localSeed", "()V"}},
    {"java/security/SecureRandom", "getDefaultPRNG", NULL, QUIET, {0}},
    {"java/security/SecureRandom", "getInstance", NULL, QUIET, {0}},
    {"java/security/SecureRandom", "getInstanceStrong", NULL, QUIET, {0}},
    {"java/security/SecureRandom", "nextBytes", "([B)V", ARGUMENT, {"randomBytes", "([B)V"}},
    {"java/security/SecureRandom", "generateSeed", "(I)[B", RESULT, {"randomSeed", "([B)[B"}},
    {"java/security/SecureRandom", "getSeed", "(I)[B", RESULT, {"randomSeed", "([B)[B"}},
    {"java/util/UUID$Holder", "<clinit>", NULL, QUIET, {0}},
    /* The time zone is found out by whoever first needs it. */
    {"java/util/TimeZone",
     "setDefaultZone",
     "()Ljava/util/TimeZone;",
     RESULT,
     {"timeZone", "(Ljava/util/TimeZone;)Ljava/util/TimeZone;"}},
    /* Processes. What one has written stays in its pipe, where its reader finds it; the pipe that
     * it reads from is closed by who writes. */
    {"java/lang/ProcessImpl$ProcessPipeInputStream", "processExited", "()V", NOTHING, {0}},
    {"java/lang/ProcessImpl$ProcessPipeOutputStream", "processExited", "()V", NOTHING, {0}},
    {"java/lang/ProcessImpl", "isAlive", "()Z", RESULT, {"processState", "(Z)Z"}},
    {"java/lang/ProcessImpl",
     "waitFor",
     "(JLjava/util/concurrent/TimeUnit;)Z",
     RESULT,
     {"processState", "(Z)Z"}},
    {"java/lang/ProcessImpl", "waitFor", "()I", QUIET, {0}},
};

enum { REGIONS = sizeof regions / sizeof *regions };

bool ditto_has_regions(const char *class_name)
{
    for (int i = 0; i < REGIONS; i++)
        if (strcmp(regions[i].class_name, class_name) == 0)
            return true;
    return false;
}

static void call(struct ditto_ed *ed, struct ditto_code *code, struct ditto_hook hook)
{
    ditto_code_op_u2(
        code, DITTO_OP_INVOKESTATIC,
        ditto_pool_ref(ed->pool, DITTO_TAG_METHOD, DITTO_HOOK_CLASS, hook.name, hook.descriptor));
}

static bool is_return(uint8_t opcode)
{
    return opcode >= DITTO_OP_IRETURN && opcode <= DITTO_OP_RETURN;
}

static void edit(struct ditto_ed *ed, const struct region *region)
{
    static const struct ditto_hook begin = {"quietBegin", "()V"}, end = {"quietEnd", "()V"};
    struct ditto_code *entry = ditto_ed_entry(ed), *tail = ditto_ed_tail(ed);
    ditto_label body = ditto_ed_new_label(ed), handler = ditto_ed_new_label(ed);
    if (region->how == NOTHING) {
        /* The verifier must believe that the rest can be reached. */
        ditto_type this = ditto_names_literal(ed->names, region->class_name);
        ditto_code_push_int(entry, ed->pool, 1);
        ditto_code_jump(entry, DITTO_OP_IFEQ, body);
        ditto_code_op(entry, DITTO_OP_RETURN);
        ditto_code_label(entry, body);
        ditto_ed_frame(ed, body, &this, 1, NULL, 0);
        ditto_ed_stack_at_least(ed, 1);
        return;
    }
    call(ed, entry, begin);
    ditto_code_label(entry, body);
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        if (!is_return(ed->code.code[ed->listing.bci[i]]))
            continue;
        struct ditto_code *before = ditto_ed_before(ed, i);
        if (region->how == ARGUMENT)
            ditto_code_local(before, DITTO_OP_ALOAD, 1);
        call(ed, before, region->how == QUIET ? end : region->hook);
    }
    ditto_type caught = ditto_names_literal(ed->names, "java/lang/Throwable");
    ditto_ed_outer_handler(ed, (struct ditto_new_handler){body, handler, handler, 0});
    ditto_ed_frame(ed, handler, NULL, 0, &caught, 1);
    ditto_code_label(tail, handler);
    call(ed, tail, end);
    ditto_code_op(tail, DITTO_OP_ATHROW);
    ditto_ed_stack_grows(ed, 1);
    ditto_ed_stack_at_least(ed, 2);
}

void ditto_regions_edit(struct ditto_rw *rw, const struct ditto_cf *cf, const char *class_name)
{
    for (int i = 0; i < REGIONS; i++) {
        const struct region *region = &regions[i];
        if (strcmp(region->class_name, class_name))
            continue;
        for (uint32_t j = 0; j < cf->method_count; j++) {
            struct ditto_error error;
            struct ditto_ed *ed;
            if (ditto_cf_is(ditto_cf_utf8(cf, cf->methods[j].name), region->method) &&
                (!region->descriptor ||
                 ditto_cf_is(ditto_cf_utf8(cf, cf->methods[j].descriptor), region->descriptor)) &&
                (ed = ditto_rw_edit(rw, j, &error)))
                edit(ed, region);
        }
    }
}
