/* SPDX-License-Identifier: MIT */
/* Code that a known thread runs without being recorded: pauses of the JVM's own, and what the user
 * has told to ignore. */
#ifndef DITTO_JVM_BRIDGE_THREADS_PAUSING_H
#define DITTO_JVM_BRIDGE_THREADS_PAUSING_H

#include "jvm-bridge/state/thread.h"

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

/* Who the calling thread is, paused and in ignored code, too; NULL if it was never known. */
struct ditto_java_thread *ditto_known_thread(void);

/* The calling thread ends, and what is noted of it here. */
void ditto_pausing_end(JNIEnv *jni, jobject thread);

#endif
