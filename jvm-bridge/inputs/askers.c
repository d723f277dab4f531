/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/askers.h"

#include <string.h>

#include "core/base/text.h"
#include "jvm-bridge/classes/recorded.h"
#include "jvm-bridge/instrument/jdk_classes.h"

/* The program's methods and those of recorded classes of the JDK; methods that do their work for
 * whoever calls them; others of the JDK. */
enum kind { UNKNOWN, RECORDED, SERVANT, JDK };

/* What is known of methods: the id with the kind in its lowest bits.  Whoever finds another method
 * in its place asks again. */
enum { KNOWN = 4096, KIND_MASK = 3 };
static _Atomic uintptr_t known[KNOWN];

bool ditto_is_of_program(JNIEnv *jni, jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jobject loader = NULL;
    char *signature = NULL;
    (*jvmti)->GetClassLoader(jvmti, class, &loader);
    if (!loader)
        return false;
    (*jni)->DeleteLocalRef(jni, loader);
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    bool found = signature && signature[0] == 'L' && !ditto_is_of_the_jdk(signature + 1);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return found;
}

static bool is_servant(const char *signature)
{
    static const char *const names[] = {"Ljava/util/",
                                        "Ljava/lang/Object;",
                                        "Ljava/lang/System;",
                                        "Ljava/lang/Enum;",
                                        "Ljava/lang/Thread",
                                        "Ljava/lang/Iterable;",
                                        "Ljava/lang/String",
                                        "Ljava/lang/AbstractStringBuilder;",
                                        "Ljava/lang/Record;",
                                        "Ljava/lang/runtime/",
                                        "Ljava/lang/Ditto",
                                        "Ljava/io/PrintStream;",
                                        "Ljava/lang/BaseVirtualThread;"};
    if (ditto_begins(signature, "Ljava/util/ServiceLoader"))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ditto_begins(signature, names[i]))
            return true;
    return false;
}

static bool is_recorded(const char *signature)
{
    char name[256];
    size_t length = strlen(signature);
    if (length < 2 || length - 2 >= sizeof name)
        return false;
    memcpy(name, signature + 1, length - 2);
    name[length - 2] = '\0';
    return ditto_records_of_the_jdk(name);
}

static enum kind classify(JNIEnv *jni, jmethodID method)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jclass class = NULL;
    char *signature = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &class) != JVMTI_ERROR_NONE)
        return JDK;
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    enum kind kind = ditto_is_of_program(jni, class) || (signature && is_recorded(signature))
                         ? RECORDED
                     : signature && is_servant(signature) ? SERVANT
                                                          : JDK;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jni)->DeleteLocalRef(jni, class);
    return kind;
}

static enum kind kind_of(JNIEnv *jni, jmethodID method)
{
    uintptr_t id = (uintptr_t)method;
    _Atomic uintptr_t *slot = &known[id / 8 % KNOWN];
    uintptr_t entry = atomic_load_explicit(slot, memory_order_relaxed);
    if ((entry & ~(uintptr_t)KIND_MASK) == id && entry & KIND_MASK)
        return (enum kind)(entry & KIND_MASK);
    enum kind kind = classify(jni, method);
    if ((id & KIND_MASK) == 0)
        atomic_store_explicit(slot, id | (uintptr_t)kind, memory_order_relaxed);
    return kind;
}

bool ditto_program_asks(JNIEnv *jni)
{
    enum { FRAMES = 16 };
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiFrameInfo frames[FRAMES];
    jint count = FRAMES;
    for (jint depth = 0; count == FRAMES; depth += FRAMES) {
        if ((*jvmti)->GetStackTrace(jvmti, NULL, depth, FRAMES, frames, &count) != JVMTI_ERROR_NONE)
            return true;
        for (jint i = 0; i < count; i++) {
            enum kind kind = kind_of(jni, frames[i].method);
            if (kind != SERVANT)
                return kind == RECORDED;
        }
    }
    return true;
}
