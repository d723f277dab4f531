/* SPDX-License-Identifier: MIT */
/* Noticing that a recorded program stands still: for whoever records until something fails. */
#ifndef DITTO_JVM_BRIDGE_STANDSTILL_H
#define DITTO_JVM_BRIDGE_STANDSTILL_H

#include "jvm-bridge/agent.h"

/*
 * At VMInit.  Starts the thread that watches; where nobody asked for that, it ends at once, so that
 * the numbers of the program's own threads are the same in a recording and its replay.
 */
void ditto_standstill_begin(JNIEnv *jni);

#endif
