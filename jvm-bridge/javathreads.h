/* SPDX-License-Identifier: MIT */
/*
 * Java threads and the engine's: who is known, how threads start and end, the access that a thread
 * has under way, and the digests of its events.
 */
#ifndef DITTO_JVM_BRIDGE_JAVATHREADS_H
#define DITTO_JVM_BRIDGE_JAVATHREADS_H

#include "jvm-bridge/things.h"

enum { DITTO_DIGESTS = 64 };

/* Inputs that the agent makes itself; DittoHooks has the others. */
enum { DITTO_INPUT_DIGESTS = 1, DITTO_INPUT_WAIT = 2 };

/*
 * A thread.  Its owner is the thread itself, except where something else is said.  It is freed when
 * the Thread object is gone and the thread has ended.
 */
struct ditto_java_thread {
    _Atomic uint32_t references;
    _Atomic(struct ditto_thread *) handle;     /* set by the starter, before the thread runs */
    ditto_flag ended;                          /* replaying */
    bool daemon;                               /* likewise */
    jweak object;                              /* set by the starter, for reports */
    struct ditto_java_thread *next, *previous; /* among the living; guarded by a lock */

    /* The monitor that the thread asks for, if it does; read for reports when all threads rest. */
    struct ditto_thing *_Atomic wanted;
    /* The object that it waits to be notified through, if it does; likewise. */
    struct ditto_thing *_Atomic awaited;

    unsigned printing; /* monitors of output streams that it holds or asks for */

    uint32_t digests[DITTO_DIGESTS];
    unsigned digest_count;
    uint64_t verified; /* events */
};

/* The main thread, at VMInit. */
void ditto_java_threads_begin(JNIEnv *jni, jthread main);

/* In place of Thread.start0. */
void ditto_java_thread_start(JNIEnv *jni, jobject thread);

/* JVMTI's ThreadStart and ThreadEnd. */
void JNICALL ditto_java_thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);
void JNICALL ditto_java_thread_ended(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread);

void ditto_java_thread_drop(struct ditto_java_thread *thread);

/* What is kept for a Thread object, made when there is nothing yet. */
struct ditto_java_thread *ditto_java_thread_of(JNIEnv *jni, jobject thread);

/* One more event, for --verify.  Before the event, as it may make an input. */
void ditto_digest(struct ditto_java_thread *thread, uint32_t digest);

/* How many events were compared, of all threads that ended, and of the caller if it is known. */
uint64_t ditto_digests_compared(void);

/* Prints where each living thread is, and what it waits for. */
void ditto_java_threads_report(void);

#endif
