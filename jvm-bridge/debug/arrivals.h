/* SPDX-License-Identifier: MIT */
/* Threads of a run as they come to a bytecode, throw, return, begin a turn and end. */
#ifndef DITTO_JVM_BRIDGE_DEBUG_ARRIVALS_H
#define DITTO_JVM_BRIDGE_DEBUG_ARRIVALS_H

#include <jvmti.h>

#include "jvm-bridge/control/messages.h"

struct ditto_java_thread;
struct ditto_thread;

/* JVMTI's SingleStep, Breakpoint and Exception. */
void JNICALL ditto_debug_single_step(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                     jlocation at);
void JNICALL ditto_debug_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                    jlocation at);
void JNICALL ditto_debug_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                   jlocation at, jobject exception, jmethodID catcher,
                                   jlocation caught_at);

/* The timeline's: a thread has passed a gate. */
void ditto_debug_passed(void *context, struct ditto_thread *thread);

/* The observer's: see observer.h. */
void ditto_debug_returns(JNIEnv *jni, char type, uint64_t bits, jobject object);
void ditto_debug_thread_ends(struct ditto_java_thread *self);

/* What a thread that rests returned, in the step to where it is. */
bool ditto_debug_returned(JNIEnv *jni, uint32_t thread, struct ditto_message_value *value);

#endif
