/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/state/thread.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/die.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/say.h"

/* The calling thread, as long as it is not paused, and then what it was. */
static _Thread_local struct ditto_java_thread *current, *paused;
/* Where DittoHooks.java finds the engine's handle. */
static jfieldID handle_field;

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_java_thread *living; /* guarded by list_lock */

struct ditto_java_thread *ditto_java_thread_new(void)
{
    size_t observed = ditto_agent.observer ? ditto_agent.observer->thread_size : 0;
    struct ditto_java_thread *thread = ditto_alloc_zeroed(1, sizeof *thread + observed, "a thread");
    atomic_init(&thread->references, 1);
    return thread;
}

void ditto_java_thread_drop(struct ditto_java_thread *thread)
{
    if (atomic_fetch_sub_explicit(&thread->references, 1, memory_order_acq_rel) != 1)
        return;
    struct ditto_thread *handle = atomic_load_explicit(&thread->handle, memory_order_acquire);
    if (handle)
        ditto_thread_release(handle);
    free(thread);
}

/* --------------------------------------------------------------- the calling thread */

struct ditto_java_thread *ditto_current(void)
{
    return current;
}

struct ditto_java_thread *ditto_current_or_paused(void)
{
    return current ? current : paused;
}

void ditto_thread_state_begin(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
    handle_field = class ? (*jni)->GetFieldID(jni, class, "$dittoThread", "J") : NULL;
    ditto_agent_expect(!ditto_agent_clear(jni) && handle_field, "its field in java.lang.Thread");
    (*jni)->DeleteLocalRef(jni, class);
}

void ditto_set_current(JNIEnv *jni, jobject object, struct ditto_java_thread *thread)
{
    current = thread;
    (*jni)->SetLongField(
        jni, object, handle_field,
        thread ? (jlong)(uintptr_t)atomic_load_explicit(&thread->handle, memory_order_acquire) : 0);
}

jlong ditto_java_thread_pause(bool pause)
{
    struct ditto_java_thread *thread = pause ? current : paused;
    paused = pause ? thread : NULL;
    current = pause ? NULL : thread;
    return thread ? (jlong)(uintptr_t)atomic_load_explicit(&thread->handle, memory_order_acquire)
                  : 0;
}

void ditto_end_current(JNIEnv *jni, jobject object)
{
    paused = NULL;
    ditto_set_current(jni, object, NULL);
}

/* ---------------------------------------------------------------------- the living */

void ditto_java_thread_enlist(JNIEnv *jni, struct ditto_java_thread *thread, jobject object)
{
    thread->object = (*jni)->NewWeakGlobalRef(jni, object);
    pthread_mutex_lock(&list_lock);
    thread->next = living;
    if (living)
        living->previous = thread;
    living = thread;
    pthread_mutex_unlock(&list_lock);
}

void ditto_java_thread_strike(JNIEnv *jni, struct ditto_java_thread *thread)
{
    pthread_mutex_lock(&list_lock);
    if (thread->next)
        thread->next->previous = thread->previous;
    if (thread->previous)
        thread->previous->next = thread->next;
    else
        living = thread->next;
    pthread_mutex_unlock(&list_lock);
    (*jni)->DeleteWeakGlobalRef(jni, thread->object);
}

const struct ditto_java_thread *ditto_java_threads_lock(void)
{
    pthread_mutex_lock(&list_lock);
    return living;
}

void ditto_java_threads_unlock(void)
{
    pthread_mutex_unlock(&list_lock);
}

void ditto_java_threads_each(void (*each)(void *context, const struct ditto_java_thread *thread),
                             void *context)
{
    pthread_mutex_lock(&list_lock);
    for (const struct ditto_java_thread *thread = living; thread; thread = thread->next)
        each(context, thread);
    pthread_mutex_unlock(&list_lock);
}

jthread ditto_java_thread_find(JNIEnv *jni, uint32_t replay_id)
{
    jthread found = NULL;
    pthread_mutex_lock(&list_lock);
    for (const struct ditto_java_thread *thread = living; thread && !found; thread = thread->next)
        if (ditto_replay_id(thread->handle) == replay_id)
            found = (*jni)->NewLocalRef(jni, thread->object);
    pthread_mutex_unlock(&list_lock);
    return found;
}

bool ditto_java_thread_waits(JNIEnv *jni, jthread object)
{
    bool waits = false;
    pthread_mutex_lock(&list_lock);
    for (const struct ditto_java_thread *thread = living; thread && !waits; thread = thread->next)
        waits = (*jni)->IsSameObject(jni, thread->object, object) &&
                ditto_is_waiting(atomic_load_explicit(&thread->handle, memory_order_acquire));
    pthread_mutex_unlock(&list_lock);
    return waits;
}
