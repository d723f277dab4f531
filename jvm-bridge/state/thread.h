/* SPDX-License-Identifier: MIT */
/*
 * What is kept of a Java thread: who the calling thread is, and the list of those that live.
 *
 * A thread has this from when somebody first asks for it, and until the Thread object is gone and
 * the thread has ended.  The engine knows it once it was started by a thread that the engine knows
 * (threads.h).
 */
#ifndef DITTO_JVM_BRIDGE_STATE_THREAD_H
#define DITTO_JVM_BRIDGE_STATE_THREAD_H

#include <stddef.h>

#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/vm/vm.h"

struct ditto_shadow;

/* Classes share counts, so this need not be many. */
enum { DITTO_HASHED_CLASSES = 64 };

/*
 * Its owner is the thread itself, except where something else is said.
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
    struct ditto_shadow *_Atomic wanted;
    /* The object that it waits to be notified through, if it does; likewise. */
    struct ditto_shadow *_Atomic awaited;
    /* The thread whose end it waits for, if it does; likewise. */
    struct ditto_java_thread *_Atomic joins;

    struct ditto_blocks blocks; /* for shadows of the objects that it touches first */

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

/* One reference, the caller's.  Freed with the last. */
struct ditto_java_thread *ditto_java_thread_new(void);
void ditto_java_thread_drop(struct ditto_java_thread *thread);

/* --------------------------------------------------------------- the calling thread */

/* The calling thread, or NULL if the engine does not know it, or it is paused. */
struct ditto_java_thread *ditto_current(void);
struct ditto_java_thread *ditto_current_or_paused(void);

/* At VMInit: finds where DittoHooks.java has the engine's handle of a thread. */
void ditto_thread_state_begin(JNIEnv *jni);

/* The calling thread, which has that object, is known from now on, or, with NULL, no more. */
void ditto_set_current(JNIEnv *jni, jobject object, struct ditto_java_thread *thread);

/* The calling thread is unknown to ditto_current() from now on, or known again.  Its handle. */
jlong ditto_java_thread_pause(bool pause);

/* The calling thread ends: it is not known any more, and not paused. */
void ditto_end_current(JNIEnv *jni, jobject object);

/* ---------------------------------------------------------------------- the living */

/* The thread lives; its object is that. */
void ditto_java_thread_enlist(JNIEnv *jni, struct ditto_java_thread *thread, jobject object);
void ditto_java_thread_strike(JNIEnv *jni, struct ditto_java_thread *thread);

/* The first of the living, which `next` leads through.  Nobody comes or goes until they are
 * unlocked. */
const struct ditto_java_thread *ditto_java_threads_lock(void);
void ditto_java_threads_unlock(void);

/* Calls for each living thread, under the lock of the list. */
void ditto_java_threads_each(void (*each)(void *context, const struct ditto_java_thread *thread),
                             void *context);

/* A local reference to a living thread, or NULL. */
jthread ditto_java_thread_find(JNIEnv *jni, uint32_t replay_id);

/* Whether the engine knows the thread, and it waits there for its turn in a replay. */
bool ditto_java_thread_waits(JNIEnv *jni, jthread thread);

#endif
