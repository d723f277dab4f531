/* SPDX-License-Identifier: MIT */
/*
 * Java threads and the engine's: who is known, how threads start and end, the access that a thread
 * has under way, and the digests of its events.
 */
#ifndef DITTO_JVM_BRIDGE_THREADS_THREADS_H
#define DITTO_JVM_BRIDGE_THREADS_THREADS_H

#include <stddef.h>

#include "jvm-bridge/state/shadows.h"

/* Classes share counts, so this need not be many. */
enum { DITTO_HASHED_CLASSES = 64 };

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
    char end_text[96];                         /* what those who join it wait for */
    struct ditto_java_thread *next, *previous; /* among the living; guarded by a lock */

    /* The monitor that the thread asks for, if it does; read for reports when all threads rest. */
    struct ditto_thing *_Atomic wanted;
    /* The object that it waits to be notified through, if it does; likewise. */
    struct ditto_thing *_Atomic awaited;
    /* The thread whose end it waits for, if it does; likewise. */
    struct ditto_java_thread *_Atomic joins;

    struct ditto_blocks blocks; /* for things of the objects that it touches first */

    uint32_t loaders;  /* class loaders that it was the first to load recorded classes through */
    unsigned printing; /* monitors of output streams that it holds or asks for */

    bool seeded; /* its ThreadLocalRandom has a seed that is an input */

    /* How many objects of the JDK have got a hash from it, by class, in pauses and else. */
    uint32_t hashed[2][DITTO_HASHED_CLASSES];

    uint32_t last_digest;      /* with --verify: of the last event, for messages */
    _Atomic uint64_t verified; /* events; written by the thread alone */

    _Alignas(max_align_t) char observed[]; /* the observer's */
};

/* The engine's name for a thread that runs. */
static inline struct ditto_thread *ditto_handle_of(const struct ditto_java_thread *thread)
{
    return atomic_load_explicit(&thread->handle, memory_order_relaxed);
}

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

/* Whether the engine knows the thread, and it waits there for its turn in a replay. */
bool ditto_java_thread_waits(JNIEnv *jni, jthread thread);

/* The calling thread is unknown to ditto_current() from now on, or known again.  Its handle. */
jlong ditto_java_thread_pause(bool pause);

/*
 * Code of the program that is called in a pause, or in a muted call, is recorded.  The first notes
 * the handle that the thread has in Java, less than 0 in a pause, and how deep it is in muted
 * calls; it ends both, and returns the real handle.  The second returns the handle that was noted
 * last, pauses again if that was a pause, and mutes as deeply as before.
 */
jlong ditto_java_thread_leave_pauses(jlong handle);
jlong ditto_java_thread_enter_pauses(void);

struct ditto_java_thread *ditto_current_or_paused(void);

void ditto_java_thread_drop(struct ditto_java_thread *thread);

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

/* A local reference to a living thread, or NULL. */
jthread ditto_java_thread_find(JNIEnv *jni, uint32_t replay_id);

/* Calls for each living thread, under the lock of the list. */
void ditto_java_threads_each(void (*each)(void *context, const struct ditto_java_thread *thread),
                             void *context);

/* Prints a heading, and where each living thread is and what it waits for. */
void ditto_java_threads_report(const char *heading);

/* The same of the calling thread, if it is a Java thread that Ditto knows. */
void ditto_java_thread_report(const char *heading);

#endif
