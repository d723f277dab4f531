/* SPDX-License-Identifier: MIT */
/* The classes of the hooks, and the native methods of DittoHooks. */
#ifndef DITTO_JVM_BRIDGE_HOOKS_NATIVES_H
#define DITTO_JVM_BRIDGE_HOOKS_NATIVES_H

#include <jni.h>

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
