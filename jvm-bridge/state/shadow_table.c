/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/state/shadow_table.h"

#include <pthread.h>
#include <string.h>

#include "core/base/futex.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

static pthread_mutex_t making = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/*
 * Making the shadow of an array takes about a microsecond, and threads that make many of them meet
 * here all the time.  Who sleeps at once costs the holder a system call to wake it, which takes
 * longer.
 */
void ditto_shadows_lock(void)
{
    enum { SPINS = 200 };
    for (int i = 0; i < SPINS; i++) {
        if (pthread_mutex_trylock(&making) == 0)
            return;
        for (int pause = 0; pause < 4; pause++)
            ditto_spin_hint();
    }
    pthread_mutex_lock(&making);
}

void ditto_shadows_unlock(void)
{
    pthread_mutex_unlock(&making);
}

/* For those whose thread is not known, and for what is made under the lock; guarded by it. */
static struct ditto_blocks common;

static jfieldID number_field; /* of java.lang.Object; set at VMInit */

void ditto_shadow_table_begin(JNIEnv *jni)
{
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    number_field = object ? (*jni)->GetFieldID(jni, object, "$ditto", "I") : NULL;
    ditto_agent_expect(!ditto_agent_clear(jni) && number_field, "its field in java.lang.Object");
    (*jni)->DeleteLocalRef(jni, object);
}

/*
 * Where the collector leaves a hole that is too small for an array it puts an object of no fields:
 * a header alone, a multiple of 8 bytes, of class java.lang.Object or one like it.  To whoever
 * walks the heap that has the size that its class gives, so the number must lie inside the header's
 * own multiple of 8, as it does behind a mark of 8 bytes and a class of 4.
 */
void ditto_shadows_check_layout(jlong number_offset)
{
    if (number_offset % 8 != 4)
        ditto_agent_refuse("this JVM's objects have no room for what the agent keeps in them; "
                           "leave out -XX:-UseCompressedClassPointers and "
                           "-XX:+UseCompactObjectHeaders");
}

const void *ditto_shadows_base(void)
{
    return ditto_blocks_base();
}

struct ditto_shadow *ditto_shadow_at(jint number)
{
    return (struct ditto_shadow *)(ditto_blocks_base() + (size_t)number * DITTO_SHADOW_UNIT);
}

jint ditto_shadow_number(const struct ditto_shadow *shadow)
{
    return (jint)(((const char *)shadow - ditto_blocks_base()) / DITTO_SHADOW_UNIT);
}

jint ditto_object_number(JNIEnv *jni, jobject object)
{
    return number_field ? (*jni)->GetIntField(jni, object, number_field) : 0;
}

void ditto_set_object_number(JNIEnv *jni, jobject object, jint number)
{
    (*jni)->SetIntField(jni, object, number_field, number);
}

struct ditto_shadow *ditto_shadow_present(JNIEnv *jni, jobject object)
{
    jint number = ditto_object_number(jni, object);
    return number ? ditto_shadow_at(number) : NULL;
}

void ditto_tag_object(jobject object, jint number)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    bool tagged = ditto_agent_answered((*jvmti)->SetTag(jvmti, object, number));
    ditto_agent_expect(tagged, "a tag for an object");
}

const struct ditto_shadow *ditto_shadow_held(uint32_t replay_id, const struct ditto_shadow *after)
{
    const struct ditto_shadow *shadow = ditto_blocks_next(after);
    while (shadow && atomic_load_explicit(&shadow->holder, memory_order_relaxed) != replay_id + 1)
        shadow = ditto_blocks_next(shadow);
    return shadow;
}

/* ------------------------------------------------------------------ making */

size_t ditto_shadow_head_size(void)
{
    size_t size =
        ditto_agent.observer ? sizeof(struct ditto_shadow) : offsetof(struct ditto_shadow, key);
    return (size + 15) & ~(size_t)15;
}

static size_t slot_size(unsigned fields)
{
    return ditto_shadow_head_size() + ditto_object_size(ditto_agent.session, fields);
}

void ditto_shadow_set_type(struct ditto_shadow *shadow, const struct ditto_type_info *type,
                           unsigned fields)
{
    shadow->type = type;
    shadow->fields = fields;
    ditto_object_place(ditto_agent.session, &shadow->cell,
                       (char *)shadow + ditto_shadow_head_size(), fields);
}

struct ditto_shadow *ditto_shadow_new(JNIEnv *jni, struct ditto_blocks *blocks,
                                      const struct ditto_type_info *type, unsigned fields,
                                      jobject object)
{
    size_t size = slot_size(fields);
    struct ditto_shadow *shadow = ditto_blocks_take(jni, blocks ? blocks : &common, size);
    memset(shadow, 0, size);
    if (type)
        ditto_shadow_set_type(shadow, type, fields);
    jweak weak = (*jni)->NewWeakGlobalRef(jni, object);
    ditto_agent_expect(weak, "a reference to an object");
    atomic_store_explicit(&shadow->weak, weak, memory_order_relaxed);
    /* A debugger finds objects by their tags. */
    if (ditto_agent.observer)
        ditto_tag_object(object, ditto_shadow_number(shadow));
    return shadow;
}

struct ditto_shadow *ditto_shadow_attach(JNIEnv *jni, jobject object,
                                         const struct ditto_type_info *type, unsigned fields)
{
    struct ditto_shadow *shadow = ditto_shadow_new(jni, NULL, type, fields, object);
    ditto_set_object_number(jni, object, ditto_shadow_number(shadow));
    return shadow;
}
