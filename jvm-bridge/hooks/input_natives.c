/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/hooks/input_natives.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/die.h"
#include "jvm-bridge/inputs/askers.h"
#include "jvm-bridge/inputs/inputs.h"
#include "jvm-bridge/inputs/jdk_natives.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/threads/pausing.h"
#include "jvm-bridge/vm/vm.h"

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
    jbyte *bytes = ditto_alloc((size_t)length, "an input");
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

/* ----------------------------------------------------------------- the table */

struct ditto_natives ditto_input_natives(void)
{
    static const JNINativeMethod methods[] = {
        DITTO_NATIVE("setPaused", "(Z)J", set_paused),
        DITTO_NATIVE("leavePauses", "(J)J", leave_pauses),
        DITTO_NATIVE("enterPauses", "()J", enter_pauses),
        DITTO_NATIVE("isReplay", "()Z", is_replay),
        DITTO_NATIVE("inputOf", "(IJ)J", input),
        DITTO_NATIVE("programInputOf", "(IJ)J", program_input),
        DITTO_NATIVE("needsSeed", "()Z", needs_seed),
        DITTO_NATIVE("lostReferent", "()V", lost_referent),
        DITTO_NATIVE("inputBytesOf", "(I[B)V", input_bytes),
        DITTO_NATIVE("setting", "(" DITTO_STRING DITTO_STRING ")" DITTO_STRING, setting),
        DITTO_NATIVE("firstSeed", "(J)J", first_seed),
        DITTO_NATIVE("identityHash", "(" DITTO_OBJECT ")I", ditto_real_hash),
    };
    return (struct ditto_natives){methods, sizeof methods / sizeof *methods};
}
