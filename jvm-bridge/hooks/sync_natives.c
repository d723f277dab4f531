/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/hooks/sync_natives.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "jvm-bridge/classes/initialization.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/hooks/access_natives.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/state/shadows.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/threads/digests.h"
#include "jvm-bridge/threads/threads.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/vm.h"

/* ----------------------------------------------------------------- monitors */

static void JNICALL begin_acquire(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint site)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return;
    if (ditto_site_at(site)->in == NULL && self->printing++ == 0)
        ditto_agent_output_begins();
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    ditto_digest(self, ditto_site_at(site)->digest);
    atomic_store_explicit(&self->wanted, shadow, memory_order_release);
    ditto_acquire_begin(ditto_handle_of(self), ditto_shadow_monitor(jni, shadow, lock));
}

static void acquired(JNIEnv *jni, struct ditto_java_thread *self, struct ditto_shadow *shadow,
                     jobject lock)
{
    ditto_acquire_end(ditto_handle_of(self), ditto_shadow_monitor(jni, shadow, lock));
    if (ditto_agent.observer)
        ditto_agent.observer->met(self, shadow);
    shadow->depth++;
    atomic_store_explicit(&shadow->holder, ditto_replay_id(ditto_handle_of(self)) + 1,
                          memory_order_relaxed);
    atomic_store_explicit(&self->wanted, NULL, memory_order_release);
}

static void JNICALL end_acquire(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint site)
{
    (void)hooks;
    (void)site;
    struct ditto_java_thread *self = ditto_current();
    if (self)
        acquired(jni, self, ditto_shadow_at(number), lock);
}

static void release(JNIEnv *jni, struct ditto_java_thread *self, struct ditto_shadow *shadow,
                    jobject lock)
{
    if (--shadow->depth == 0)
        atomic_store_explicit(&shadow->holder, 0, memory_order_relaxed);
    ditto_release(ditto_handle_of(self), ditto_shadow_monitor(jni, shadow, lock));
}

static void JNICALL release_monitor(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint site)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return;
    if (ditto_site_at(site)->in == NULL && --self->printing == 0)
        ditto_agent_output_ends();
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    /* Not held: the monitorexit is about to say so. */
    if (atomic_load_explicit(&shadow->holder, memory_order_relaxed) ==
        ditto_replay_id(ditto_handle_of(self)) + 1)
        release(jni, self, shadow, lock);
}

/* --------------------------------------------------------------------- wait */

static jint JNICALL begin_wait(JNIEnv *jni, jclass hooks, jint number, jobject lock)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return 0;
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    jint depth = (jint)shadow->depth;
    atomic_store_explicit(&self->awaited, depth ? shadow : NULL, memory_order_release);
    for (jint i = 0; i < depth; i++)
        release(jni, self, shadow, lock);
    if (depth && !ditto_agent.replay)
        ditto_acquire_begin(ditto_handle_of(self), ditto_shadow_monitor(jni, shadow, lock));
    return depth;
}

/* The first acquisition has begun already. */
static void acquire_again(JNIEnv *jni, struct ditto_java_thread *self, struct ditto_shadow *shadow,
                          jobject lock, jint depth)
{
    acquired(jni, self, shadow, lock);
    for (jint i = 1; i < depth; i++) {
        ditto_acquire_begin(ditto_handle_of(self), ditto_shadow_monitor(jni, shadow, lock));
        acquired(jni, self, shadow, lock);
    }
}

static void JNICALL end_wait(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint depth,
                             jint how)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    atomic_store_explicit(&self->awaited, NULL, memory_order_release);
    ditto_input_number(ditto_handle_of(self), DITTO_INPUT_WAIT, (uint64_t)how);
    acquire_again(jni, self, shadow, lock, depth);
}

static void JNICALL leave(JNIEnv *jni, jclass hooks, jobject lock)
{
    (void)hooks;
    (*jni)->MonitorExit(jni, lock);
}

static jint JNICALL return_from_wait(JNIEnv *jni, jclass hooks, jint number, jobject lock,
                                     jint depth, jint locks)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    jint how = (jint)ditto_input_number(ditto_handle_of(self), DITTO_INPUT_WAIT, 0);
    atomic_store_explicit(&self->wanted, shadow, memory_order_release);
    ditto_acquire_begin(ditto_handle_of(self), ditto_shadow_monitor(jni, shadow, lock));
    atomic_store_explicit(&self->awaited, NULL, memory_order_release);
    for (jint i = 0; i < locks; i++)
        (*jni)->MonitorEnter(jni, lock);
    acquire_again(jni, self, shadow, lock, depth);
    return how;
}

/* ------------------------------------------------------------------ threads */

/* An exception is about to end the thread: noted for whoever records until something fails. */
static void JNICALL uncaught(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    char id[16];
    if (!self || ditto_agent.replay)
        return;
    snprintf(id, sizeof id, "%" PRIu32, ditto_replay_id(ditto_handle_of(self)));
    ditto_set_property(ditto_agent.session, "uncaught", id);
}

static jboolean JNICALL adopt(JNIEnv *jni, jclass hooks, jobject thread)
{
    (void)hooks;
    return ditto_java_thread_adopt(jni, thread);
}

static void JNICALL await_adoption(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    ditto_java_thread_await_adoption();
}

/* Who ended the program that is replayed, if it was none of its threads. */
static jstring JNICALL adopted_name(JNIEnv *jni, jclass hooks)
{
    (void)hooks;
    const char *name = ditto_adopted_name(ditto_agent.session);
    return name ? (*jni)->NewStringUTF(jni, name) : NULL;
}

/* Whether the engine knows the thread, running or ended. */
static jboolean JNICALL is_started(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    return atomic_load_explicit(&ditto_java_thread_of(jni, object)->handle, memory_order_acquire) !=
           NULL;
}

static void JNICALL joins(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    if (self)
        atomic_store_explicit(&self->joins, object ? ditto_java_thread_of(jni, object) : NULL,
                              memory_order_release);
}

static void JNICALL joined(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    struct ditto_java_thread *other = ditto_java_thread_of(jni, object);
    if (!self)
        return;
    if (ditto_agent.replay)
        ditto_flag_wait(ditto_handle_of(self), &other->ended, other->end_text);
    struct ditto_thread *handle = atomic_load_explicit(&other->handle, memory_order_acquire);
    ditto_join_begin(ditto_handle_of(self), handle);
    ditto_join_end(ditto_handle_of(self), handle);
}

/* ----------------------------------------------------------- initialization */

static jboolean JNICALL await_init(JNIEnv *jni, jclass hooks, jclass type, jint site)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    return self && ditto_class_await(jni, ditto_handle_of(self), type, ditto_site_at(site));
}

static void JNICALL await_type(JNIEnv *jni, jclass hooks, jclass type)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        self = ditto_current_or_paused();
    if (self)
        ditto_class_await_type(jni, ditto_handle_of(self), type);
}

static void JNICALL begin_init(JNIEnv *jni, jclass hooks, jint site)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_enter();
    if (self)
        ditto_class_initializing(ditto_handle_of(self), ditto_site_at(site)->in);
}

static void JNICALL end_init(JNIEnv *jni, jclass hooks, jint site)
{
    (void)jni;
    (void)hooks;
    ditto_class_initialized(ditto_site_at(site)->in);
}

/* ---------------------------------------------------------------------- exit */

static const char exit_thread[] = "exit-thread";

static void JNICALL note_exit(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    char id[16];
    struct ditto_java_thread *self = ditto_enter();
    if (!self)
        return;
    snprintf(id, sizeof id, "%" PRIu32, ditto_replay_id(ditto_handle_of(self)));
    ditto_set_property(ditto_agent.session, exit_thread, id);
}

static void JNICALL await_exit(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    const char *id = ditto_property(ditto_agent.session, exit_thread);
    struct ditto_java_thread *self = ditto_enter();
    if (self && id && strtoll(id, NULL, 10) != (int64_t)ditto_replay_id(ditto_handle_of(self)))
        ditto_thread_past_end(ditto_handle_of(self), "exit");
}

/* ----------------------------------------------------------------- the table */

struct ditto_natives ditto_sync_natives(void)
{
    static const JNINativeMethod methods[] = {
        DITTO_NATIVE("beginAcquire", "(I" DITTO_OBJECT "I)V", begin_acquire),
        DITTO_NATIVE("endAcquire", "(I" DITTO_OBJECT "I)V", end_acquire),
        DITTO_NATIVE("release", "(I" DITTO_OBJECT "I)V", release_monitor),
        DITTO_NATIVE("beginWait", "(I" DITTO_OBJECT ")I", begin_wait),
        DITTO_NATIVE("endWait", "(I" DITTO_OBJECT "II)V", end_wait),
        DITTO_NATIVE("leave", "(" DITTO_OBJECT ")V", leave),
        DITTO_NATIVE("returnFromWait", "(I" DITTO_OBJECT "II)I", return_from_wait),
        DITTO_NATIVE("uncaught", "()V", uncaught),
        DITTO_NATIVE("adopt", "(Ljava/lang/Thread;)Z", adopt),
        DITTO_NATIVE("awaitAdoption", "()V", await_adoption),
        DITTO_NATIVE("adoptedName", "()" DITTO_STRING, adopted_name),
        DITTO_NATIVE("isStarted", "(Ljava/lang/Thread;)Z", is_started),
        DITTO_NATIVE("joins", "(Ljava/lang/Thread;)V", joins),
        DITTO_NATIVE("joined", "(Ljava/lang/Thread;)V", joined),
        DITTO_NATIVE("awaitInit", "(Ljava/lang/Class;I)Z", await_init),
        DITTO_NATIVE("awaitType", "(Ljava/lang/Class;)V", await_type),
        DITTO_NATIVE("initializing", "(I)V", begin_init),
        DITTO_NATIVE("initialized", "(I)V", end_init),
        DITTO_NATIVE("awaitExit", "()V", await_exit),
        DITTO_NATIVE("noteExit", "()V", note_exit),
    };
    return (struct ditto_natives){methods, sizeof methods / sizeof *methods};
}
