/* SPDX-License-Identifier: MIT */
/* A table of native methods of DittoHooks: those on one subject. */
#ifndef DITTO_JVM_BRIDGE_HOOKS_NATIVE_TABLE_H
#define DITTO_JVM_BRIDGE_HOOKS_NATIVE_TABLE_H

#include <jni.h>
#include <stddef.h>

/* ISO C has no conversion from a function to an object pointer; POSIX has, and JNI needs it. */
#define DITTO_NATIVE(name, signature, function)                                                    \
    {                                                                                              \
        name, signature, __extension__(void *) function                                            \
    }
#define DITTO_OBJECT "Ljava/lang/Object;"
#define DITTO_STRING "Ljava/lang/String;"

struct ditto_natives {
    const JNINativeMethod *methods;
    size_t count;
};

#endif
