/* SPDX-License-Identifier: MIT */
/*
 * Native methods of java.base that we take over because their answers are inputs: time, identity
 * hashes, what Runtime says.  And what a program inherits from the JVM's start, before the first
 * thread is known: the salt of Map.of, seeds, system properties.
 */
#ifndef DITTO_JVM_BRIDGE_INPUTS_JDK_NATIVES_H
#define DITTO_JVM_BRIDGE_INPUTS_JDK_NATIVES_H

#include "jvm-bridge/vm/vm.h"

/* Called by a class of java.base: see natives.c. */
void ditto_jdk_natives_take_over(JNIEnv *jni);

/* Gives a replay the recorded salt of Map.of. */
void ditto_share_salt(JNIEnv *jni);

/* When the main thread is known. */
void ditto_jdk_natives_begin(JNIEnv *jni);

/*
 * A class is being defined in that protection domain: gives the domain its identity hash, before
 * the JVM, which keeps a table of domains by it, can draw one of its own.
 */
void ditto_domain_hash(JNIEnv *jni, jobject domain);

/* The JVM's identity hash of an object, for the agent's own use: no input. */
jint JNICALL ditto_real_hash(JNIEnv *jni, jclass hooks, jobject object);

#endif
