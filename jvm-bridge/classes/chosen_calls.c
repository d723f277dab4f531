/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/chosen_calls.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "jvm-bridge/classes/class_bytes.h"
#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/vm/class_texts.h"

struct ditto_replaced_call {
    struct ditto_replaced_call *next;
    struct ditto_cf_ref ref;
    const struct ditto_call *call;
};

static bool declares(const struct ditto_cf *cf, const struct ditto_cf_ref *ref)
{
    for (uint32_t i = 0; i < cf->method_count; i++)
        if (ditto_cf_same(ditto_cf_utf8(cf, cf->methods[i].name), ref->name) &&
            ditto_cf_same(ditto_cf_utf8(cf, cf->methods[i].descriptor), ref->descriptor))
            return true;
    return false;
}

/* Thread, or a class of the JDK that extends it and overrides none of what is replaced. */
static bool is_thread_class(const char *name)
{
    return strcmp(name, "java/lang/Thread") == 0 || strcmp(name, "java/util/TimerThread") == 0 ||
           strcmp(name, "java/util/concurrent/ForkJoinWorkerThread") == 0;
}

static bool is_reference_class(const char *name)
{
    return strcmp(name, "java/lang/ref/Reference") == 0 ||
           strcmp(name, "java/lang/ref/WeakReference") == 0 ||
           strcmp(name, "java/lang/ref/SoftReference") == 0;
}

/* Whether `owner` is such a class of the JDK, or inherits the method from it. */
static bool inherits(const struct ditto_replaced *in, const struct ditto_cf *cf,
                     const struct ditto_cf_ref *ref, bool (*is_such)(const char *name))
{
    enum { DEEPEST = 64 };
    char *owner = ditto_text_copy(ref->owner);
    bool found = false;
    for (int i = 0; i < DEEPEST && !(found = is_such(owner)); i++) {
        if (ditto_is_of_the_jdk(owner))
            break;
        bool here = strcmp(owner, in->class_name) == 0;
        size_t size;
        unsigned char *bytes = here ? NULL : ditto_class_file(in->jni, in->loader, owner, &size);
        struct ditto_cf other;
        if (!here && (!bytes || !ditto_cf_open(&other, bytes, size, NULL))) {
            free(bytes);
            break;
        }
        const struct ditto_cf *class = here ? cf : &other;
        bool overrides = declares(class, ref);
        free(owner);
        owner = ditto_text_copy(ditto_cf_class_name(class, class->super_class));
        if (!here)
            ditto_cf_close(&other);
        free(bytes);
        if (overrides)
            break;
    }
    free(owner);
    return found;
}

/* With the class inside it, by which the JVM's end calls it. */
static const char hooks_class[] = "java/lang/ApplicationShutdownHooks";

/* Whether a call of that method in the class at hand is one of the entry's. */
static bool is_chosen(const struct ditto_replaced *in, const struct ditto_cf *cf,
                      const struct ditto_cf_ref *ref, const struct ditto_call *call)
{
    if (in->only_waits && call->owner > DITTO_CALL_HOOKS)
        return false;
    switch (call->owner) {
    case DITTO_CALL_ANY:
        return true;
    case DITTO_CALL_THREAD:
        return inherits(in, cf, ref, is_thread_class);
    case DITTO_CALL_HOOKS:
        return ditto_begins(in->class_name, hooks_class);
    case DITTO_CALL_TIME_UNIT:
        return ditto_cf_is(ref->owner, "java/util/concurrent/TimeUnit");
    case DITTO_CALL_REFERENCE:
        return inherits(in, cf, ref, is_reference_class);
    case DITTO_CALL_ARRAY:
        return ref->owner.size > 0 && ref->owner.data[0] == '[';
    case DITTO_CALL_ARRAYS:
        return ditto_cf_is(ref->owner, "java/util/Arrays");
    case DITTO_CALL_SYSTEM:
        return ditto_cf_is(ref->owner, "java/lang/System");
    case DITTO_CALL_BUFFER:
        return ditto_cf_is(ref->owner, "java/lang/StringBuffer");
    case DITTO_CALL_KEY:
        return ditto_hashes_keys(in->class_name) && ditto_cf_is(ref->owner, "java/lang/Object");
    case DITTO_CALL_UNSAFE:
        return ditto_cf_is(ref->owner, "sun/misc/Unsafe") ||
               ditto_cf_is(ref->owner, "jdk/internal/misc/Unsafe");
    }
    return false;
}

static void choose(struct ditto_replaced *in, const struct ditto_cf *cf, struct ditto_cf_ref ref,
                   bool is_static)
{
    const struct ditto_call *call = NULL;
    do
        call = ditto_call_find(call, ref.name, ref.descriptor, is_static);
    while (call && !is_chosen(in, cf, &ref, call));
    if (!call)
        return;
    struct ditto_replaced_call *chosen = DITTO_NEW(in->arena, struct ditto_replaced_call);
    *chosen = (struct ditto_replaced_call){in->calls, ref, call};
    in->calls = chosen;
}

void ditto_replaced_choose(struct ditto_replaced *in, const struct ditto_cf *cf)
{
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        struct ditto_cf_ref ref;
        if (ditto_cf_tag(cf, i) != DITTO_TAG_METHOD || !ditto_cf_ref(cf, i, &ref))
            continue;
        choose(in, cf, ref, false);
        choose(in, cf, ref, true);
    }
}

const struct ditto_call_hook *ditto_replaced_by(const struct ditto_replaced *in, uint8_t opcode,
                                                const struct ditto_cf_ref *method)
{
    static const struct ditto_call_hook super_get = {
        {"superReferent", "(Ljava/lang/ref/Reference;)Ljava/lang/Object;"}, false};
    for (const struct ditto_replaced_call *chosen = in->calls; chosen; chosen = chosen->next) {
        if (chosen->call->is_static != (opcode == DITTO_OP_INVOKESTATIC) ||
            !ditto_cf_same(chosen->ref.owner, method->owner) ||
            !ditto_cf_same(chosen->ref.name, method->name) ||
            !ditto_cf_same(chosen->ref.descriptor, method->descriptor))
            continue;
        /* super.isInterrupted() in a method that overrides it must not come back to that method. */
        if (opcode == DITTO_OP_INVOKESPECIAL && ditto_cf_is(method->name, "isInterrupted"))
            return NULL;
        /* Nor must super.get(). */
        if (opcode == DITTO_OP_INVOKESPECIAL && chosen->call->owner == DITTO_CALL_REFERENCE &&
            ditto_cf_is(method->name, "get"))
            return &super_get;
        return &chosen->call->instead;
    }
    return NULL;
}
