/* SPDX-License-Identifier: MIT */
/* The native methods of DittoHooks. */
#ifndef DITTO_JVM_BRIDGE_NATIVES_H
#define DITTO_JVM_BRIDGE_NATIVES_H

#include "jvm-bridge/agent.h"

/* At VMStart: defines the agent's classes in java.base. */
void ditto_natives_define(JNIEnv *jni);

/* At VMInit: gives DittoHooks its natives, and lets it call ditto_agent_set_up(). */
void ditto_natives_begin(JNIEnv *jni);

#endif
