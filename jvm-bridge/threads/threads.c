/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/threads/threads.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/engine/timeline.h"
#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/state/shadows.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/threads/digests.h"
#include "jvm-bridge/threads/pausing.h"
#include "jvm-bridge/vm/hotspot.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/vm.h"

/* Known threads that keep the JVM from ending. */
static _Atomic uint32_t non_daemons;

struct ditto_java_thread *ditto_java_thread_of(JNIEnv *jni, jobject object)
{
    struct ditto_shadow *shadow = ditto_shadow_of(jni, object);
    struct ditto_java_thread *present = atomic_load_explicit(&shadow->thread, memory_order_acquire);
    if (present)
        return present;
    struct ditto_java_thread *thread = ditto_java_thread_new();
    if (atomic_compare_exchange_strong_explicit(&shadow->thread, &present, thread,
                                                memory_order_acq_rel, memory_order_acquire))
        return thread;
    free(thread);
    return present;
}

char *ditto_java_thread_name(JNIEnv *jni, jthread thread, bool *daemon)
{
    jvmtiThreadInfo info = {0};
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) != JVMTI_ERROR_NONE)
        return NULL;
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    *daemon = info.is_daemon;
    return info.name;
}

/* The thread runs, or is about to: one reference is its own. */
static void take_up(JNIEnv *jni, struct ditto_java_thread *thread, jobject object,
                    struct ditto_thread *handle)
{
    if (!thread->daemon)
        atomic_fetch_add_explicit(&non_daemons, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&thread->references, 1, memory_order_relaxed);
    snprintf(thread->end_text, sizeof thread->end_text, "the end of thread %" PRIu32 " (%s)",
             ditto_replay_id(handle), ditto_name(handle));
    atomic_store_explicit(&thread->handle, handle, memory_order_release);
    ditto_java_thread_enlist(jni, thread, object);
}

void ditto_java_threads_begin(JNIEnv *jni, jthread main)
{
    struct ditto_java_thread *thread = ditto_java_thread_of(jni, main);
    ditto_thread_state_begin(jni);
    take_up(jni, thread, main, ditto_main_thread(ditto_agent.session));
    ditto_set_current(jni, main, thread);
    if (ditto_agent.observer)
        ditto_timeline_begin(thread->handle);
}

static void finish(JNIEnv *jni, struct ditto_java_thread *thread);

/* Whether the thread is in the group that is nobody's subgroup: the program's are in others. */
static bool is_in_system_group(JNIEnv *jni, jobject object)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiThreadInfo info = {0};
    jvmtiThreadGroupInfo group = {0};
    if ((*jvmti)->GetThreadInfo(jvmti, object, &info) != JVMTI_ERROR_NONE)
        return false;
    bool found =
        info.thread_group &&
        (*jvmti)->GetThreadGroupInfo(jvmti, info.thread_group, &group) == JVMTI_ERROR_NONE &&
        !group.parent;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)group.name);
    (*jni)->DeleteLocalRef(jni, group.parent);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    return found;
}

/* Threads of the JDK that complete what the program waits for, or run what it has given: those that
 * wait for processes to end, watch files, keep connections, serve asynchronous channels, and
 * receive for HTTP clients. */
static bool does_for_program(JNIEnv *jni, jobject object)
{
    static const char *const names[] = {"process reaper", "FileSystemWatchService", "Keep-Alive-",
                                        "InnocuousThread-", "HttpClient-"};
    bool daemon, found = false;
    char *name = ditto_java_thread_name(jni, object, &daemon);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        found = found || ditto_begins(name, names[i]);
    (*ditto_agent.jvmti)->Deallocate(ditto_agent.jvmti, (unsigned char *)name);
    return found;
}

/*
 * The JDK's own helpers, as the one that runs cleaners, are started by whoever needs them first and
 * run nothing of the program's.  They are in the system's group, as what those start that do
 * something for the program: whoever completes a future, say, starts what is to follow.
 */
static bool is_helper(JNIEnv *jni, const struct ditto_java_thread *parent, jobject object)
{
    const char *signature = ditto_shadow_of(jni, object)->type->signature;
    if (does_for_program(jni, object))
        return false;
    return ditto_begins(signature, "Ljava/lang/Ditto") || ditto_begins(signature, "Ljdk/") ||
           ditto_begins(signature, "Lsun/") ||
           (strcmp(signature, "Ljava/lang/Thread;") == 0 && is_in_system_group(jni, object) &&
            !is_in_system_group(jni, parent->object));
}

void ditto_java_thread_start(JNIEnv *jni, jobject object)
{
    struct ditto_java_thread *parent = ditto_current();
    if (!parent || is_helper(jni, parent, object)) {
        ditto_hotspot_start_thread(jni, object);
        return;
    }
    struct ditto_java_thread *thread = ditto_java_thread_of(jni, object);
    char *name = ditto_java_thread_name(jni, object, &thread->daemon);
    take_up(jni, thread, object, ditto_thread_start(parent->handle, name));
    (*ditto_agent.jvmti)->Deallocate(ditto_agent.jvmti, (unsigned char *)name);
    ditto_hotspot_start_thread(jni, object);
    /* It will never run when there is no memory for it: its part of the trace is empty. */
    if ((*jni)->ExceptionCheck(jni))
        finish(jni, thread);
}

/* Whether the thread that was adopted in the recording has got so far; the debugger shows it from
 * the beginning. */
static pthread_mutex_t adoption_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t adoption = PTHREAD_COND_INITIALIZER;
static bool adoption_over;

static void end_adoption(void)
{
    pthread_mutex_lock(&adoption_lock);
    adoption_over = true;
    pthread_cond_broadcast(&adoption);
    pthread_mutex_unlock(&adoption_lock);
}

void ditto_java_thread_await_adoption(void)
{
    pthread_mutex_lock(&adoption_lock);
    while (!adoption_over)
        pthread_cond_wait(&adoption, &adoption_lock);
    pthread_mutex_unlock(&adoption_lock);
}

bool ditto_java_thread_adopt(JNIEnv *jni, jobject object)
{
    bool daemon;
    char *name = ditto_known_thread() ? NULL : ditto_java_thread_name(jni, object, &daemon);
    struct ditto_thread *handle = name ? ditto_thread_adopt(ditto_agent.session, name) : NULL;
    (*ditto_agent.jvmti)->Deallocate(ditto_agent.jvmti, (unsigned char *)name);
    if (handle) {
        struct ditto_java_thread *thread = ditto_java_thread_of(jni, object);
        /* Not one that the JVM's end has to wait for. */
        thread->daemon = true;
        take_up(jni, thread, object, handle);
        ditto_set_current(jni, object, thread);
    }
    end_adoption();
    if (handle && ditto_agent.observer)
        ditto_timeline_begin(handle);
    return handle;
}

void JNICALL ditto_java_thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread object)
{
    /* A thread that somebody known has started has a shadow. Main's event came before VMInit, which
     * is where it becomes known. */
    (void)jvmti;
    struct ditto_shadow *shadow = ditto_shadow_present(jni, object);
    struct ditto_java_thread *thread =
        shadow ? atomic_load_explicit(&shadow->thread, memory_order_acquire) : NULL;
    if (thread && atomic_load_explicit(&thread->handle, memory_order_acquire))
        ditto_set_current(jni, object, thread);
    if (ditto_current() && ditto_agent.observer)
        ditto_timeline_begin(thread->handle);
}

static void finish(JNIEnv *jni, struct ditto_java_thread *thread)
{
    ditto_java_thread_strike(jni, thread);
    /* It may be the exception that broke an access off that ends the thread. */
    ditto_access_end(ditto_handle_of(thread));
    ditto_digests_end(thread);
    /* The JVM ends by itself now, and the daemons with it. */
    if (!thread->daemon && atomic_fetch_sub_explicit(&non_daemons, 1, memory_order_acq_rel) == 1)
        ditto_exit_is_near(ditto_agent.session);
    /* In this order: who joins must count as running before this thread stops to. */
    ditto_flag_raise(ditto_agent.session, &thread->ended);
    ditto_thread_end(ditto_handle_of(thread));
    ditto_java_thread_drop(thread);
}

void JNICALL ditto_java_thread_ended(jvmtiEnv *jvmti, JNIEnv *jni, jthread object)
{
    (void)jvmti;
    struct ditto_java_thread *thread = ditto_known_thread();
    if (!thread)
        return;
    if (ditto_agent.observer)
        ditto_agent.observer->thread_ends(thread);
    ditto_pausing_end(jni, object);
    ditto_blocks_leave(&thread->blocks);
    finish(jni, thread);
}
