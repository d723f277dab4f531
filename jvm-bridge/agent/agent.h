/* SPDX-License-Identifier: MIT */
/* The agent's set-up and the program's end, as natives of DittoHooks reach them. */
#ifndef DITTO_JVM_BRIDGE_AGENT_AGENT_H
#define DITTO_JVM_BRIDGE_AGENT_AGENT_H

#include <jni.h>

/* The rest of what is to be done at VMInit, as a native method of java.base: classes are then found
 * without the program's class loader, which would be Java code for each. */
void ditto_agent_set_up(JNIEnv *jni, jclass hooks);

/* In place of Shutdown.halt0: System.exit and Runtime.halt, after the shutdown hooks. */
void ditto_agent_halt(JNIEnv *jni, jclass shutdown, jint status);

#endif
