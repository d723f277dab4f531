/* SPDX-License-Identifier: MIT */
/*
 * The hooks.  Each asks first whether the engine knows the calling thread, and does nothing if not:
 * the collector's helpers, the signal dispatcher and whatever they run are not recorded.
 *
 * They are called when DittoHooks.java cannot do with a quick event.  An access that never came to
 * its after hook is ended by the next before hook.
 */
#include "jvm-bridge/natives.h"

#include <ctype.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array_class.h"
#include "calls_class.h"
#include "copy_class.h"
#include "core/quick.h"
#include "hooks_class.h"
#include "inputs_class.h"
#include "jvm-bridge/callers.h"
#include "jvm-bridge/copies.h"
#include "jvm-bridge/debug.h"
#include "jvm-bridge/hidden.h"
#include "jvm-bridge/hooks.h"
#include "jvm-bridge/hotspot.h"
#include "jvm-bridge/inputs.h"
#include "jvm-bridge/javathreads.h"
#include "jvm-bridge/jdknatives.h"
#include "library_class.h"
#include "order_class.h"
#include "place_class.h"
#include "reference_class.h"
#include "values_class.h"

static struct ditto_thread *handle_of(struct ditto_java_thread *thread)
{
    return atomic_load_explicit(&thread->handle, memory_order_relaxed);
}

/* Ends the access under way, if there is one. */
static void finish_access(struct ditto_java_thread *self)
{
    if (ditto_agent.debug)
        ditto_debug_access_ends(self);
    ditto_access_end(handle_of(self));
    if (ditto_agent.debug)
        ditto_debug_accessed(self);
}

static void begin_access(struct ditto_java_thread *self, bool store, ditto_place *place,
                         uint32_t digest)
{
    ditto_digest(self, digest);
    if (store)
        ditto_store_begin(handle_of(self), place);
    else
        ditto_load_begin(handle_of(self), place);
}

/* The calling thread, with nothing begun; NULL if it is not known. */
static struct ditto_java_thread *enter(void)
{
    struct ditto_java_thread *self = ditto_current();
    if (self)
        finish_access(self);
    if (self && self->printing == 0 && ditto_agent_is_ending())
        ditto_agent_park();
    return self;
}

static void access_field(JNIEnv *jni, jint number, jobject object, jint site, bool store)
{
    struct ditto_java_thread *self = enter();
    if (!self)
        return;
    struct ditto_site_info *info = ditto_site_at(site);
    struct ditto_thing *thing = ditto_thing_at(number);
    int32_t field = atomic_load_explicit(&info->field, memory_order_relaxed);
    if (field == 0) {
        field = ditto_type_field(thing->type, info->owner, info->member) + 1;
        /* No such field: the access is about to fail. */
        if (field == 0)
            return;
        atomic_store_explicit(&info->field, field, memory_order_relaxed);
    }
    ditto_place *place =
        ditto_field(ditto_agent.session, &thing->cell, thing->fields, (unsigned)field - 1);
    uintptr_t state = (uintptr_t)atomic_load_explicit(&thing->cell.state, memory_order_relaxed);
    atomic_store_explicit(&info->quick, (uintptr_t)place - state, memory_order_relaxed);
    begin_access(self, store, place, info->digest);
    if (ditto_agent.debug)
        ditto_debug_access(jni, self, site, thing, object, 0, store);
}

static void access_static(JNIEnv *jni, jint site, bool store)
{
    struct ditto_java_thread *self = enter();
    if (!self)
        return;
    struct ditto_site_info *info = ditto_site_at(site);
    ditto_place *place = (ditto_place *)atomic_load_explicit(&info->quick, memory_order_acquire);
    if (!place) {
        jclass class = ditto_site_find_class(jni, info);
        place = class ? ditto_type_static(ditto_type_of(jni, class), info->member) : NULL;
        (*jni)->DeleteLocalRef(jni, class);
        if (!place)
            return;
        atomic_store_explicit(&info->quick, (uintptr_t)place, memory_order_release);
    }
    begin_access(self, store, place, info->digest);
    if (ditto_agent.debug)
        ditto_debug_access(jni, self, site, NULL, NULL, 0, store);
}

static void access_element(JNIEnv *jni, jint number, jobject array, jint length, jint index,
                           jint site, bool store)
{
    struct ditto_java_thread *self = enter();
    if (!self)
        return;
    begin_access(self, store, ditto_thing_element(ditto_thing_at(number), length, index),
                 ditto_element_digest(ditto_site_at(site)->digest, (uint32_t)index));
    if (ditto_agent.debug)
        ditto_debug_access(jni, self, site, ditto_thing_at(number), array, index, store);
}

static void JNICALL begin_field_load(JNIEnv *jni, jclass hooks, jint thing, jobject object,
                                     jint site)
{
    (void)hooks;
    access_field(jni, thing, object, site, false);
}

static void JNICALL begin_field_store(JNIEnv *jni, jclass hooks, jint thing, jobject object,
                                      jint site)
{
    (void)hooks;
    access_field(jni, thing, object, site, true);
}

static void JNICALL load_static(JNIEnv *jni, jclass hooks, jint site)
{
    (void)hooks;
    access_static(jni, site, false);
}

static void JNICALL store_static(JNIEnv *jni, jclass hooks, jint site)
{
    (void)hooks;
    access_static(jni, site, true);
}

static void JNICALL load_element(JNIEnv *jni, jclass hooks, jint thing, jobject array, jint length,
                                 jint index, jint site)
{
    (void)hooks;
    access_element(jni, thing, array, length, index, site, false);
}

static void JNICALL store_element(JNIEnv *jni, jclass hooks, jint thing, jobject array, jint length,
                                  jint index, jint site)
{
    (void)hooks;
    access_element(jni, thing, array, length, index, site, true);
}

static void JNICALL end_access(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    if (self)
        finish_access(self);
}

static void JNICALL abandon_access(JNIEnv *jni, jclass hooks)
{
    end_access(jni, hooks);
    if (ditto_current())
        atomic_store_explicit(&ditto_current()->wanted, NULL, memory_order_release);
}

/* The value of the access before, or of the store to come: only with --verify. */
static void JNICALL verify_value(JNIEnv *jni, jclass hooks, jlong value, jint type)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (self)
        ditto_digest_value(self, (uint64_t)value, type >= 'a', (char)toupper(type));
}

/* Around an ignored method. */
static void JNICALL begin_ignored(JNIEnv *jni, jclass hooks, jobject thread)
{
    end_access(jni, hooks);
    ditto_ignore(jni, thread, true);
}

static void JNICALL end_ignored(JNIEnv *jni, jclass hooks, jobject thread)
{
    (void)hooks;
    ditto_ignore(jni, thread, false);
}

/* An object was made; only in classes rewritten for a debugger. */
static void JNICALL made(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    if (object && ditto_agent.debug)
        ditto_debug_made(jni, object);
}

/* What a method returns; likewise. */
static void JNICALL returned_int(JNIEnv *jni, jclass hooks, jint value)
{
    (void)hooks;
    ditto_debug_returns(jni, 'I', (uint64_t)(int64_t)value, NULL);
}

static void JNICALL returned_long(JNIEnv *jni, jclass hooks, jlong value)
{
    (void)hooks;
    ditto_debug_returns(jni, 'J', (uint64_t)value, NULL);
}

static void JNICALL returned_float(JNIEnv *jni, jclass hooks, jfloat value)
{
    (void)hooks;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ditto_debug_returns(jni, 'F', bits, NULL);
}

static void JNICALL returned_double(JNIEnv *jni, jclass hooks, jdouble value)
{
    (void)hooks;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ditto_debug_returns(jni, 'D', bits, NULL);
}

static void JNICALL returned_object(JNIEnv *jni, jclass hooks, jobject value)
{
    (void)hooks;
    ditto_debug_returns(jni, 'L', 0, value);
}

/* ------------------------------------------------------ Unsafe and VarHandle */

static void JNICALL load_place(JNIEnv *jni, jclass hooks, jlong place, jint site)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (self)
        begin_access(self, false, (ditto_place *)(uintptr_t)place, ditto_site_at(site)->digest);
}

static void JNICALL store_place(JNIEnv *jni, jclass hooks, jlong place, jint site)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (self)
        begin_access(self, true, (ditto_place *)(uintptr_t)place, ditto_site_at(site)->digest);
}

static void JNICALL update_place(JNIEnv *jni, jclass hooks, jlong place, jint site)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (!self)
        return;
    ditto_digest(self, ditto_site_at(site)->digest);
    ditto_update_begin(handle_of(self), (ditto_place *)(uintptr_t)place);
}

static void JNICALL end_update(JNIEnv *jni, jclass hooks, jlong place, jboolean stored)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    if (self)
        ditto_update_end(handle_of(self), (ditto_place *)(uintptr_t)place, stored);
}

static jlong JNICALL field_place(JNIEnv *jni, jclass hooks, jobject object, jint number,
                                 jlong offset)
{
    (void)hooks;
    bool is_static;
    ditto_place *place =
        ditto_thing_place_at(jni, ditto_thing_at(number), object, offset, &is_static);
    return (jlong)(uintptr_t)place + (place && is_static);
}

static jlong JNICALL copied_fields(JNIEnv *jni, jclass hooks, jint number, jobject object)
{
    (void)hooks;
    return (jlong)(uintptr_t)ditto_copied_fields(jni, ditto_thing_at(number), object);
}

static jlong JNICALL first_element_place(JNIEnv *jni, jclass hooks, jint number, jint length,
                                         jint index)
{
    (void)jni;
    (void)hooks;
    return (jlong)(uintptr_t)ditto_thing_element(ditto_thing_at(number), length, index);
}

/* The method answers an int or a long, depending on the JDK. */
static jlong JNICALL array_base(JNIEnv *jni, jclass hooks, jclass array)
{
    (void)hooks;
    jclass class = (*jni)->FindClass(jni, "jdk/internal/misc/Unsafe");
    jmethodID get =
        (*jni)->GetStaticMethodID(jni, class, "getUnsafe", "()Ljdk/internal/misc/Unsafe;");
    jobject unsafe = (*jni)->CallStaticObjectMethod(jni, class, get);
    ditto_agent_expect(!ditto_agent_clear(jni) && unsafe, "Unsafe");
    jmethodID base = (*jni)->GetMethodID(jni, class, "arrayBaseOffset", "(Ljava/lang/Class;)I");
    jlong result;
    if (base) {
        result = (*jni)->CallIntMethod(jni, unsafe, base, array);
    } else {
        ditto_agent_clear(jni);
        base = (*jni)->GetMethodID(jni, class, "arrayBaseOffset", "(Ljava/lang/Class;)J");
        result = (*jni)->CallLongMethod(jni, unsafe, base, array);
    }
    ditto_agent_expect(!ditto_agent_clear(jni), "the layout of arrays");
    (*jni)->DeleteLocalRef(jni, unsafe);
    (*jni)->DeleteLocalRef(jni, class);
    return result;
}

static jlong JNICALL set_paused(JNIEnv *jni, jclass hooks, jboolean paused)
{
    (void)jni;
    (void)hooks;
    return ditto_java_thread_pause(paused);
}

static jlong JNICALL leave_pauses(JNIEnv *jni, jclass hooks, jlong handle)
{
    (void)jni;
    (void)hooks;
    return ditto_java_thread_leave_pauses(handle);
}

static jlong JNICALL enter_pauses(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return ditto_java_thread_enter_pauses();
}

/* ----------------------------------------------------------------- monitors */

static void JNICALL begin_acquire(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint site)
{
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (!self)
        return;
    if (ditto_site_at(site)->in == NULL && self->printing++ == 0)
        ditto_agent_output_begins();
    struct ditto_thing *thing = ditto_thing_at(number);
    ditto_digest(self, ditto_site_at(site)->digest);
    atomic_store_explicit(&self->wanted, thing, memory_order_release);
    ditto_acquire_begin(handle_of(self), ditto_thing_monitor(jni, thing, lock));
}

static void acquired(JNIEnv *jni, struct ditto_java_thread *self, struct ditto_thing *thing,
                     jobject lock)
{
    ditto_acquire_end(handle_of(self), ditto_thing_monitor(jni, thing, lock));
    if (ditto_agent.debug)
        ditto_debug_met(self, thing);
    thing->depth++;
    atomic_store_explicit(&thing->holder, ditto_replay_id(handle_of(self)) + 1,
                          memory_order_relaxed);
    atomic_store_explicit(&self->wanted, NULL, memory_order_release);
}

static void JNICALL end_acquire(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint site)
{
    (void)hooks;
    (void)site;
    struct ditto_java_thread *self = ditto_current();
    if (self)
        acquired(jni, self, ditto_thing_at(number), lock);
}

static void release(JNIEnv *jni, struct ditto_java_thread *self, struct ditto_thing *thing,
                    jobject lock)
{
    if (--thing->depth == 0)
        atomic_store_explicit(&thing->holder, 0, memory_order_relaxed);
    ditto_release(handle_of(self), ditto_thing_monitor(jni, thing, lock));
}

static void JNICALL release_monitor(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint site)
{
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (!self)
        return;
    if (ditto_site_at(site)->in == NULL && --self->printing == 0)
        ditto_agent_output_ends();
    struct ditto_thing *thing = ditto_thing_at(number);
    /* Not held: the monitorexit is about to say so. */
    if (atomic_load_explicit(&thing->holder, memory_order_relaxed) ==
        ditto_replay_id(handle_of(self)) + 1)
        release(jni, self, thing, lock);
}

/* --------------------------------------------------------------------- wait */

static jint JNICALL begin_wait(JNIEnv *jni, jclass hooks, jint number, jobject lock)
{
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (!self)
        return 0;
    struct ditto_thing *thing = ditto_thing_at(number);
    jint depth = (jint)thing->depth;
    atomic_store_explicit(&self->awaited, depth ? thing : NULL, memory_order_release);
    for (jint i = 0; i < depth; i++)
        release(jni, self, thing, lock);
    if (depth && !ditto_agent.replay)
        ditto_acquire_begin(handle_of(self), ditto_thing_monitor(jni, thing, lock));
    return depth;
}

/* The first acquisition has begun already. */
static void acquire_again(JNIEnv *jni, struct ditto_java_thread *self, struct ditto_thing *thing,
                          jobject lock, jint depth)
{
    acquired(jni, self, thing, lock);
    for (jint i = 1; i < depth; i++) {
        ditto_acquire_begin(handle_of(self), ditto_thing_monitor(jni, thing, lock));
        acquired(jni, self, thing, lock);
    }
}

static void JNICALL end_wait(JNIEnv *jni, jclass hooks, jint number, jobject lock, jint depth,
                             jint how)
{
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    struct ditto_thing *thing = ditto_thing_at(number);
    atomic_store_explicit(&self->awaited, NULL, memory_order_release);
    ditto_input_number(handle_of(self), DITTO_INPUT_WAIT, (uint64_t)how);
    acquire_again(jni, self, thing, lock, depth);
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
    struct ditto_thing *thing = ditto_thing_at(number);
    jint how = (jint)ditto_input_number(handle_of(self), DITTO_INPUT_WAIT, 0);
    atomic_store_explicit(&self->wanted, thing, memory_order_release);
    ditto_acquire_begin(handle_of(self), ditto_thing_monitor(jni, thing, lock));
    atomic_store_explicit(&self->awaited, NULL, memory_order_release);
    for (jint i = 0; i < locks; i++)
        (*jni)->MonitorEnter(jni, lock);
    acquire_again(jni, self, thing, lock, depth);
    return how;
}

/* ------------------------------------------------------------------ threads */

static jboolean JNICALL is_replay(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return ditto_agent.replay;
}

static jlong JNICALL input(JNIEnv *jni, jclass hooks, jint kind, jlong value)
{
    (void)jni;
    (void)hooks;
    struct ditto_thread *self = ditto_input_thread();
    return self ? (jlong)ditto_input_number(self, (uint32_t)kind, (uint64_t)value) : value;
}

/* The same for what the JDK may also ask for by itself. */
static jlong JNICALL program_input(JNIEnv *jni, jclass hooks, jint kind, jlong value)
{
    struct ditto_thread *self = ditto_input_thread();
    return self && ditto_program_asks(jni) ? input(jni, hooks, kind, value) : value;
}

static void JNICALL lost_referent(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    struct ditto_thread *self = ditto_input_thread();
    if (self && ditto_agent.replay)
        ditto_left_trace(self, "expected Reference.get to find its object, but the garbage "
                               "collector has cleared it earlier than in the recording; give the "
                               "program more memory");
}

/* Whether the calling thread now gets its first seed of ThreadLocalRandom. */
static jboolean JNICALL needs_seed(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_input_thread() ? ditto_current() : NULL;
    if (!self || self->seeded)
        return false;
    self->seeded = true;
    return true;
}

static void JNICALL input_bytes(JNIEnv *jni, jclass hooks, jint kind, jbyteArray array)
{
    (void)hooks;
    struct ditto_thread *self = array ? ditto_input_thread() : NULL;
    jsize length = array ? (*jni)->GetArrayLength(jni, array) : 0;
    if (!self || length == 0)
        return;
    jbyte *bytes = malloc((size_t)length);
    ditto_agent_expect(bytes, "room for an input");
    (*jni)->GetByteArrayRegion(jni, array, 0, length, bytes);
    ditto_input_bytes(self, (enum ditto_input_kind)kind, bytes, (size_t)length);
    (*jni)->SetByteArrayRegion(jni, array, 0, length, bytes);
    free(bytes);
}

static jstring JNICALL setting(JNIEnv *jni, jclass hooks, jstring name, jstring value)
{
    (void)hooks;
    const char *name_text = (*jni)->GetStringUTFChars(jni, name, NULL);
    const char *value_text = value ? (*jni)->GetStringUTFChars(jni, value, NULL) : NULL;
    jstring answer = NULL;
    if (ditto_agent.replay) {
        const char *recorded = ditto_property(ditto_agent.session, name_text);
        answer = recorded ? (*jni)->NewStringUTF(jni, recorded) : NULL;
    } else if (value_text) {
        ditto_set_property(ditto_agent.session, name_text, value_text);
    }
    (*jni)->ReleaseStringUTFChars(jni, name, name_text);
    if (value_text)
        (*jni)->ReleaseStringUTFChars(jni, value, value_text);
    return answer;
}

/* A number of the run, whichever thread asks for it: the first that is asked for. */
static jlong JNICALL first_seed(JNIEnv *jni, jclass hooks, jlong value)
{
    (void)jni;
    (void)hooks;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int64_t first; /* guarded by the lock; 0: not yet */
    pthread_mutex_lock(&lock);
    if (first == 0 && ditto_agent.replay) {
        const char *recorded = ditto_property(ditto_agent.session, "seed");
        first = recorded ? strtoll(recorded, NULL, 10) : value;
    } else if (first == 0) {
        char text[32];
        first = value;
        snprintf(text, sizeof text, "%" PRId64, first);
        ditto_set_property(ditto_agent.session, "seed", text);
    }
    value = first;
    pthread_mutex_unlock(&lock);
    return value;
}

/* An exception is about to end the thread: noted for whoever records until something fails. */
static void JNICALL uncaught(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = ditto_current();
    char id[16];
    if (!self || ditto_agent.replay)
        return;
    snprintf(id, sizeof id, "%" PRIu32, ditto_replay_id(handle_of(self)));
    ditto_set_property(ditto_agent.session, "uncaught", id);
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
    struct ditto_java_thread *self = enter();
    struct ditto_java_thread *other = ditto_java_thread_of(jni, object);
    if (!self)
        return;
    if (ditto_agent.replay)
        ditto_flag_wait(handle_of(self), &other->ended, other->end_text);
    struct ditto_thread *handle = atomic_load_explicit(&other->handle, memory_order_acquire);
    ditto_join_begin(handle_of(self), handle);
    ditto_join_end(handle_of(self), handle);
}

/* ----------------------------------------------------------- initialization */

static jboolean JNICALL await_init(JNIEnv *jni, jclass hooks, jclass type, jint site)
{
    (void)hooks;
    struct ditto_java_thread *self = enter();
    return self && ditto_class_await(jni, handle_of(self), type, ditto_site_at(site));
}

static void JNICALL await_type(JNIEnv *jni, jclass hooks, jclass type)
{
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (self)
        ditto_class_await_type(jni, handle_of(self), type);
}

static void JNICALL begin_init(JNIEnv *jni, jclass hooks, jint site)
{
    (void)jni;
    (void)hooks;
    struct ditto_java_thread *self = enter();
    if (self)
        ditto_class_initializing(handle_of(self), ditto_site_at(site)->in);
}

static void JNICALL end_init(JNIEnv *jni, jclass hooks, jint site)
{
    (void)jni;
    (void)hooks;
    ditto_class_initialized(ditto_site_at(site)->in);
}

/* ------------------------------------------------------------- quick events */

static jlongArray JNICALL quick(JNIEnv *jni, jclass hooks)
{
    (void)hooks;
    int64_t numbers[DITTO_QUICK_NUMBERS] = {0};
    bool is_quick =
        ditto_quick(ditto_agent.session, numbers) && !ditto_agent.verify && !ditto_agent.debug;
    jlong values[DITTO_QUICK_NUMBERS + 1];
    for (int i = 0; i < DITTO_QUICK_NUMBERS; i++)
        values[i] = numbers[i];
    values[DITTO_QUICK_NUMBERS] = is_quick;
    jlongArray array = (*jni)->NewLongArray(jni, DITTO_QUICK_NUMBERS + 1);
    if (array)
        (*jni)->SetLongArrayRegion(jni, array, 0, DITTO_QUICK_NUMBERS + 1, values);
    return array;
}

static jlong JNICALL things(JNIEnv *jni, jclass hooks, jlong number_offset)
{
    (void)jni;
    (void)hooks;
    ditto_things_check_layout(number_offset);
    return (jlong)(uintptr_t)ditto_things_base();
}

static jlong JNICALL thing_size(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return sizeof(struct ditto_thing);
}

static jlong JNICALL sites(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return (jlong)(uintptr_t)ditto_site_at(0) + (jlong)offsetof(struct ditto_site_info, quick);
}

static jlong JNICALL site_size(JNIEnv *jni, jclass hooks)
{
    (void)jni;
    (void)hooks;
    return sizeof(struct ditto_site_info);
}

static jint JNICALL new_thing(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    return ditto_thing_make(jni, object);
}

static void JNICALL check_number(JNIEnv *jni, jclass hooks, jobject object)
{
    (void)hooks;
    ditto_thing_check(jni, object);
}

static void JNICALL free_thing(JNIEnv *jni, jclass hooks, jint number)
{
    (void)jni;
    (void)hooks;
    ditto_thing_free(number);
}

static void JNICALL wake_lock(JNIEnv *jni, jclass hooks, jlong place)
{
    (void)jni;
    (void)hooks;
    ditto_quick_wake_lock((ditto_place *)(uintptr_t)place);
}

static void JNICALL wake(JNIEnv *jni, jclass hooks, jlong self, jlong place)
{
    (void)jni;
    (void)hooks;
    ditto_quick_wake((struct ditto_thread *)(uintptr_t)self, (ditto_place *)(uintptr_t)place);
}

/* --------------------------------------------------------------- definition */

#define OBJECT "Ljava/lang/Object;"
#define STRING "Ljava/lang/String;"
/*
 * Asking for a method initializes the class.  Its first use would, too, but that may be at the end
 * of a stack: a class whose initializer overflows it is of no use ever after.
 */
static void initialize(JNIEnv *jni, const char *name, const char *method, const char *descriptor)
{
    jclass class = (*jni)->FindClass(jni, name);
    bool good = class && (*jni)->GetStaticMethodID(jni, class, method, descriptor);
    if (ditto_agent_clear(jni) || !good)
        ditto_agent_refuse("this JVM does not take the class %s; use JDK 17 or 25", name);
    (*jni)->DeleteLocalRef(jni, class);
}

static void set_up(JNIEnv *jni, jclass hooks)
{
    initialize(jni, "java/lang/DittoOrder", "endLoad", "(JJ)V");
    initialize(jni, "java/lang/DittoArray", "thingOf", "(" OBJECT ")I");
    initialize(jni, DITTO_CALL_HOOK_CLASS, "hashOf", "(" OBJECT ")I");
    initialize(jni, DITTO_INPUT_HOOK_CLASS, "seed", "(J)J");
    initialize(jni, DITTO_LIBRARY_HOOK_CLASS, "abandon", "()V");
    initialize(jni, "java/lang/DittoReference", "made", "(Ljava/lang/ref/Reference;)V");
    initialize(jni, "java/lang/DittoValues", "result", "(I)V");
    initialize(jni, "java/lang/DittoPlace", "offsetOf", "(Ljava/lang/reflect/Field;)J");
    initialize(jni, "java/lang/DittoCopy", "fields", "(J" OBJECT OBJECT "I)V");
    ditto_agent_set_up(jni, hooks);
}

/* The JVM looks this one up by its name. */
JNIEXPORT void JNICALL Java_java_lang_DittoHooks_register(JNIEnv *jni, jclass hooks);

/* ISO C has no conversion from a function to an object pointer; POSIX has, and JNI needs it. */
#define NATIVE(name, signature, function)                                                          \
    {                                                                                              \
        name, signature, __extension__(void *) function                                            \
    }

JNIEXPORT void JNICALL Java_java_lang_DittoHooks_register(JNIEnv *jni, jclass hooks)
{
    static const JNINativeMethod natives[] = {
        NATIVE("quick", "()[J", quick),
        NATIVE("things", "(J)J", things),
        NATIVE("thingSize", "()J", thing_size),
        NATIVE("sites", "()J", sites),
        NATIVE("siteSize", "()J", site_size),
        NATIVE("newThing", "(" OBJECT ")I", new_thing),
        NATIVE("checkNumber", "(" OBJECT ")V", check_number),
        NATIVE("freeThing", "(I)V", free_thing),
        NATIVE("wakeLock", "(J)V", wake_lock),
        NATIVE("wake", "(JJ)V", wake),
        NATIVE("beginFieldLoad", "(I" OBJECT "I)V", begin_field_load),
        NATIVE("beginFieldStore", "(I" OBJECT "I)V", begin_field_store),
        NATIVE("loadStatic", "(I)V", load_static),
        NATIVE("storeStatic", "(I)V", store_static),
        NATIVE("loadElement", "(I" OBJECT "III)V", load_element),
        NATIVE("storeElement", "(I" OBJECT "III)V", store_element),
        NATIVE("endAccess", "()V", end_access),
        NATIVE("loadPlace", "(JI)V", load_place),
        NATIVE("storePlace", "(JI)V", store_place),
        NATIVE("updatePlace", "(JI)V", update_place),
        NATIVE("setUp", "()V", set_up),
        NATIVE("endUpdate", "(JZ)V", end_update),
        NATIVE("fieldPlace", "(" OBJECT "IJ)J", field_place),
        NATIVE("copiedFields", "(I" OBJECT ")J", copied_fields),
        NATIVE("firstElementPlace", "(III)J", first_element_place),
        NATIVE("arrayBase", "(Ljava/lang/Class;)J", array_base),
        NATIVE("setPaused", "(Z)J", set_paused),
        NATIVE("leavePauses", "(J)J", leave_pauses),
        NATIVE("enterPauses", "()J", enter_pauses),
        NATIVE("beginAcquire", "(I" OBJECT "I)V", begin_acquire),
        NATIVE("endAcquire", "(I" OBJECT "I)V", end_acquire),
        NATIVE("release", "(I" OBJECT "I)V", release_monitor),
        NATIVE("abandonAccess", "()V", abandon_access),
        NATIVE("beginIgnored", "(Ljava/lang/Thread;)V", begin_ignored),
        NATIVE("endIgnored", "(Ljava/lang/Thread;)V", end_ignored),
        NATIVE("verify", "(JI)V", verify_value),
        NATIVE("made", "(" OBJECT ")V", made),
        NATIVE("returned", "(I)V", returned_int),
        NATIVE("returned", "(J)V", returned_long),
        NATIVE("returned", "(F)V", returned_float),
        NATIVE("returned", "(D)V", returned_double),
        NATIVE("returned", "(" OBJECT ")V", returned_object),
        NATIVE("beginWait", "(I" OBJECT ")I", begin_wait),
        NATIVE("endWait", "(I" OBJECT "II)V", end_wait),
        NATIVE("leave", "(" OBJECT ")V", leave),
        NATIVE("returnFromWait", "(I" OBJECT "II)I", return_from_wait),
        NATIVE("isReplay", "()Z", is_replay),
        NATIVE("inputOf", "(IJ)J", input),
        NATIVE("programInputOf", "(IJ)J", program_input),
        NATIVE("needsSeed", "()Z", needs_seed),
        NATIVE("lostReferent", "()V", lost_referent),
        NATIVE("inputBytesOf", "(I[B)V", input_bytes),
        NATIVE("setting", "(" STRING STRING ")" STRING, setting),
        NATIVE("identityHash", "(" OBJECT ")I", ditto_real_hash),
        NATIVE("firstSeed", "(J)J", first_seed),
        NATIVE("uncaught", "()V", uncaught),
        NATIVE("isStarted", "(Ljava/lang/Thread;)Z", is_started),
        NATIVE("joins", "(Ljava/lang/Thread;)V", joins),
        NATIVE("joined", "(Ljava/lang/Thread;)V", joined),
        NATIVE("awaitInit", "(Ljava/lang/Class;I)Z", await_init),
        NATIVE("awaitType", "(Ljava/lang/Class;)V", await_type),
        NATIVE("initializing", "(I)V", begin_init),
        NATIVE("initialized", "(I)V", end_init),
    };
    jint count = sizeof natives / sizeof *natives;
    if ((*jni)->RegisterNatives(jni, hooks, natives, count) != JNI_OK)
        ditto_agent_refuse("this JVM does not take the methods of %s; use JDK 17 or 25",
                           DITTO_HOOK_CLASS);
    ditto_hotspot_take_over(jni, ditto_java_thread_start, ditto_agent_halt);
    ditto_jdk_natives_take_over(jni);
    if (ditto_agent.replay) {
        ditto_initialization_take_over(jni);
        ditto_hidden_take_over(jni);
    }
}

static jclass define(JNIEnv *jni, const char *name, const unsigned char *bytes, size_t size)
{
    jclass class = (*jni)->DefineClass(jni, name, NULL, (const jbyte *)bytes, (jsize)size);
    if (ditto_agent_clear(jni) || !class)
        ditto_agent_refuse("this JVM does not take the class %s; use JDK 17 or 25", name);
    return class;
}

void ditto_natives_define(JNIEnv *jni)
{
    const struct {
        const char *name;
        const unsigned char *bytes;
        size_t size;
    } all[] = {{DITTO_HOOK_CLASS, hooks_class, sizeof hooks_class},
               {DITTO_CALL_HOOK_CLASS, calls_class, sizeof calls_class},
               {DITTO_INPUT_HOOK_CLASS, inputs_class, sizeof inputs_class},
               {"java/lang/DittoOrder", order_class, sizeof order_class},
               {"java/lang/DittoArray", array_class, sizeof array_class},
               {DITTO_LIBRARY_HOOK_CLASS, library_class, sizeof library_class},
               {"java/lang/DittoPlace", place_class, sizeof place_class},
               {"java/lang/DittoCopy", copy_class, sizeof copy_class},
               {"java/lang/DittoReference", reference_class, sizeof reference_class},
               {"java/lang/DittoValues", values_class, sizeof values_class}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        (*jni)->DeleteLocalRef(jni, define(jni, all[i].name, all[i].bytes, all[i].size));
}

void ditto_natives_begin(JNIEnv *jni)
{
    jclass hooks = (*jni)->FindClass(jni, DITTO_HOOK_CLASS);
    jmethodID begin = hooks ? (*jni)->GetStaticMethodID(jni, hooks, "begin", "()V") : NULL;
    if (begin)
        (*jni)->CallStaticVoidMethod(jni, hooks, begin);
    if (ditto_agent_clear(jni) || !begin)
        ditto_agent_refuse("this JVM does not take the class %s; use JDK 17 or 25",
                           DITTO_HOOK_CLASS);
    (*jni)->DeleteLocalRef(jni, hooks);
}
