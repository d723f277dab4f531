/* SPDX-License-Identifier: MIT */
/* The native methods of DittoHooks. */
#ifndef DITTO_JVM_BRIDGE_HOOKS_NATIVES_H
#define DITTO_JVM_BRIDGE_HOOKS_NATIVES_H

#include "jvm-bridge/vm/vm.h"

/* ISO C has no conversion from a function to an object pointer; POSIX has, and JNI needs it. */
#define DITTO_NATIVE(name, signature, function)                                                    \
    {                                                                                              \
        name, signature, __extension__(void *) function                                            \
    }
#define DITTO_OBJECT "Ljava/lang/Object;"
#define DITTO_STRING "Ljava/lang/String;"

/* Those on one subject: access_natives.c, sync_natives.c, input_natives.c. */
struct ditto_natives {
    const JNINativeMethod *methods;
    size_t count;
};
struct ditto_natives ditto_access_natives(void);
struct ditto_natives ditto_sync_natives(void);
struct ditto_natives ditto_input_natives(void);

/* The calling thread, with no access under way; NULL if it is not known. */
struct ditto_java_thread *ditto_enter(void);

/* At VMStart: defines the agent's classes in java.base. */
void ditto_natives_define(JNIEnv *jni);

/*
 * At VMInit: gives DittoHooks its natives, and lets it call `set_up`, as a native method of
 * java.base: classes are then found without the program's class loader, which would be Java code
 * for each.  `halt` comes in the place of Shutdown.halt0.
 */
void ditto_natives_begin(JNIEnv *jni, void (*set_up)(JNIEnv *jni, jclass hooks),
                         void (*halt)(JNIEnv *jni, jclass shutdown, jint status));

#endif
