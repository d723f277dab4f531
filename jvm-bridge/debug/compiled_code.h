/* SPDX-License-Identifier: MIT */
/* The machine code that the JVM has made of methods, for whoever wants to see it. */
#ifndef DITTO_JVM_BRIDGE_DEBUG_COMPILED_CODE_H
#define DITTO_JVM_BRIDGE_DEBUG_COMPILED_CODE_H

#include <jvmti.h>

#include "jvm-bridge/control/messages.h"
#include "jvm-bridge/debug/methods.h"

void JNICALL ditto_debug_compiled(jvmtiEnv *jvmti, jmethodID method, jint size, const void *address,
                                  jint map_length, const jvmtiAddrLocationMap *map,
                                  const void *info);
void JNICALL ditto_debug_uncompiled(jvmtiEnv *jvmti, jmethodID method, const void *address);
void ditto_debug_put_compiled(struct ditto_message *message,
                              const struct ditto_debug_method *method);

#endif
