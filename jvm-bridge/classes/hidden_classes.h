/* SPDX-License-Identifier: MIT */
/*
 * Hidden classes that the JDK makes for lambdas and method references.  They only call, and no load
 * hook sees them; but a call of a constructor or of a static method, `Account::new`, initializes a
 * class.  So in a replay they get the hook that waits for who did that in the recording.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_HIDDEN_CLASSES_H
#define DITTO_JVM_BRIDGE_CLASSES_HIDDEN_CLASSES_H

#include "jvm-bridge/vm/vm.h"

/* Replaying, at VMInit. */
void ditto_hidden_take_over(JNIEnv *jni);

#endif
