/* SPDX-License-Identifier: MIT */
/* Java threads and the engine's: who becomes known, how threads start and end. */
#ifndef DITTO_JVM_BRIDGE_THREADS_THREADS_H
#define DITTO_JVM_BRIDGE_THREADS_THREADS_H

#include "jvm-bridge/state/thread.h"

/* The calling thread, which nobody known has started, is known from now on; false: it is not, for
 * such a thread there is only one.  See ditto_thread_adopt(). */
bool ditto_java_thread_adopt(JNIEnv *jni, jobject object);

/* Waits until another thread has called that. */
void ditto_java_thread_await_adoption(void);

/* The main thread, at VMInit. */
void ditto_java_threads_begin(JNIEnv *jni, jthread main);

/* In place of Thread.start0. */
void ditto_java_thread_start(JNIEnv *jni, jobject thread);

/* JVMTI's ThreadStart and ThreadEnd. */
void JNICALL ditto_java_thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);
void JNICALL ditto_java_thread_ended(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);

/* The thread's name, to be deallocated, and whether it is a daemon; NULL: it is gone. */
char *ditto_java_thread_name(JNIEnv *jni, jthread thread, bool *daemon);

/* What is kept for a Thread object, made when there is nothing yet. */
struct ditto_java_thread *ditto_java_thread_of(JNIEnv *jni, jobject thread);

#endif
