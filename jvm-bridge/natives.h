/* SPDX-License-Identifier: MIT */
/* The native methods of DittoHooks. */
#ifndef DITTO_JVM_BRIDGE_NATIVES_H
#define DITTO_JVM_BRIDGE_NATIVES_H

#include "jvm-bridge/agent.h"

/* Defines the class in java.base and gives it its natives; a local reference. */
jclass ditto_natives_define(JNIEnv *jni);

#endif
