/* SPDX-License-Identifier: MIT */
/*
 * Java threads and the engine's: who is known, how threads start and end, the access that a thread
 * has under way, and the digests of its events.
 */
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

/*
 * Code of the program that is called in a pause, or in a muted call, is recorded.  The first notes
 * the handle that the thread has in Java, less than 0 in a pause, and how deep it is in muted
 * calls; it ends both, and returns the real handle.  The second returns the handle that was noted
 * last, pauses again if that was a pause, and mutes as deeply as before.
 */
jlong ditto_java_thread_leave_pauses(jlong handle);
jlong ditto_java_thread_enter_pauses(void);

/* The calling thread begins, or has ended, to run ignored code: meanwhile the engine does not know
 * it.  Nests. */
void ditto_ignore(JNIEnv *jni, jobject thread, bool begin);

/* What is kept for a Thread object, made when there is nothing yet. */
struct ditto_java_thread *ditto_java_thread_of(JNIEnv *jni, jobject thread);

/*
 * For --verify: one more event, of which the digest says kind and place, and a value that was
 * loaded or is about to be stored, with the letter of its type.  Recording, they become inputs;
 * replaying, they are compared with them, and the replay stops where they differ.
 */
void ditto_digest(struct ditto_java_thread *thread, uint32_t digest);
void ditto_digest_value(struct ditto_java_thread *thread, uint64_t value, bool store, char type);

/* How many events were compared, of all threads. */
uint64_t ditto_digests_compared(void);

/* Prints a heading, and where each living thread is and what it waits for. */
void ditto_java_threads_report(const char *heading);

/* The same of the calling thread, if it is a Java thread that Ditto knows. */
void ditto_java_thread_report(const char *heading);

#endif
