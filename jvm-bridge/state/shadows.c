/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/state/shadows.h"

#include <string.h>

#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

/* Shadows of arrays that can be used again, and those of dead ones with an access still under way;
 * guarded by the lock. */
static struct ditto_shadow *unused, *in_use;
/* Those of arrays that have died since somebody last looked.  Not guarded by the lock. */
static struct ditto_shadow *_Atomic dead;

static jclass hook_class;
static jmethodID shadow_of_method;

static bool is_array(const struct ditto_type_info *type)
{
    return type->signature[0] == '[';
}

/* Under the lock. */
static void forget(struct ditto_shadow *shadow)
{
    if (ditto_agent.observer)
        ditto_agent.observer->forget(shadow);
    struct ditto_type_info *mirrored =
        atomic_load_explicit(&shadow->mirrored, memory_order_relaxed);
    if (mirrored)
        ditto_type_free(mirrored);
    struct ditto_java_thread *thread = atomic_load_explicit(&shadow->thread, memory_order_acquire);
    if (thread)
        ditto_java_thread_drop(thread);
    atomic_store_explicit(&shadow->holder, 0, memory_order_relaxed);
}

/*
 * An object may die between the access and the hook after it, and that hook still changes the
 * state. A thread says what it has under way before it makes the access, and the collector has
 * stopped it since, or the object would not be dead: so what is not seen to be in use, by one who
 * looks after hearing of the death, is not.  Guarded by the lock.
 */
static struct ditto_accesses accesses;

static void recycle(JNIEnv *jni, struct ditto_shadow *const gone[], size_t count)
{
    ditto_shadows_lock();
    ditto_accesses_now(ditto_agent.session, &accesses);
    for (size_t i = 0; i < count; i++) {
        struct ditto_shadow *shadow = gone[i];
        if (ditto_cell_in_use(ditto_agent.session, &accesses, &shadow->cell))
            continue;
        forget(shadow);
        /* Under the lock, because who checks a number may look at it. */
        (*jni)->DeleteWeakGlobalRef(jni, atomic_load_explicit(&shadow->weak, memory_order_relaxed));
        atomic_store_explicit(&shadow->weak, NULL, memory_order_relaxed);
    }
    ditto_shadows_unlock();
}

/* Arrays; likewise. */
static void recycle_dead(void)
{
    struct ditto_shadow *gone[] = {atomic_exchange_explicit(&dead, NULL, memory_order_acquire),
                                   in_use};
    in_use = NULL;
    ditto_accesses_now(ditto_agent.session, &accesses);
    for (int i = 0; i < 2; i++) {
        for (struct ditto_shadow *shadow = gone[i], *next; shadow; shadow = next) {
            next = shadow->next;
            bool is_used = ditto_cell_in_use(ditto_agent.session, &accesses, &shadow->cell);
            struct ditto_shadow **list = is_used ? &in_use : &unused;
            if (!is_used) {
                ditto_cell_release(&shadow->cell);
                forget(shadow);
            }
            shadow->next = *list;
            *list = shadow;
        }
    }
}

/* The list is only ever taken as a whole, so a shadow that is its head cannot have left and come
 * back. */
void ditto_shadow_free(jint number)
{
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    struct ditto_shadow *first = atomic_load_explicit(&dead, memory_order_relaxed);
    do
        shadow->next = first;
    while (!atomic_compare_exchange_weak_explicit(&dead, &first, shadow, memory_order_release,
                                                  memory_order_relaxed));
}

/* Under the lock. */
static struct ditto_shadow *new_array_shadow(const struct ditto_type_info *type)
{
    if (!unused && atomic_load_explicit(&dead, memory_order_relaxed))
        recycle_dead();
    struct ditto_shadow *shadow = unused;
    if (shadow)
        unused = shadow->next;
    else
        shadow = ditto_blocks_keep();
    memset(shadow, 0, ditto_shadow_head_size());
    shadow->type = type;
    return shadow;
}

jint ditto_shadow_make(JNIEnv *jni, jobject object)
{
    jclass class = (*jni)->GetObjectClass(jni, object);
    ditto_shadows_lock();
    /* Describing the object's class may make a shadow for it, if it is a class. */
    const struct ditto_type_info *type = ditto_type_of(jni, class);
    struct ditto_shadow *shadow = is_array(type) ? NULL : ditto_shadow_present(jni, object);
    if (!shadow && is_array(type)) {
        shadow = new_array_shadow(type);
        if (ditto_agent.observer)
            ditto_tag_object(object, ditto_shadow_number(shadow));
    } else if (!shadow) {
        shadow = ditto_shadow_attach(jni, object, type, type->fields);
    }
    ditto_shadows_unlock();
    (*jni)->DeleteLocalRef(jni, class);
    return ditto_shadow_number(shadow);
}

jint ditto_shadow_make_for(JNIEnv *jni, jobject object, jint class_number)
{
    const struct ditto_type_info *type =
        class_number
            ? atomic_load_explicit(&ditto_shadow_at(class_number)->mirrored, memory_order_acquire)
            : NULL;
    if (!type) {
        jclass class = (*jni)->GetObjectClass(jni, object);
        type = ditto_type_of(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
    }
    struct ditto_java_thread *self = ditto_current();
    if (self)
        return ditto_shadow_number(
            ditto_shadow_new(jni, &self->blocks, type, type->fields, object));
    ditto_shadows_lock();
    jint number = ditto_shadow_number(ditto_shadow_new(jni, NULL, type, type->fields, object));
    ditto_shadows_unlock();
    return number;
}

void ditto_shadow_drop(JNIEnv *jni, jobject object, jint number)
{
    struct ditto_shadow *shadow = ditto_shadow_at(number);
    if (ditto_agent.observer)
        ditto_tag_object(object, ditto_object_number(jni, object));
    ditto_shadows_lock();
    (*jni)->DeleteWeakGlobalRef(jni, atomic_load_explicit(&shadow->weak, memory_order_relaxed));
    atomic_store_explicit(&shadow->weak, NULL, memory_order_relaxed);
    ditto_shadows_unlock();
}

void ditto_shadow_check(JNIEnv *jni, jobject object)
{
    ditto_shadows_lock();
    const struct ditto_shadow *shadow = ditto_shadow_present(jni, object);
    jweak weak = shadow ? atomic_load_explicit(&shadow->weak, memory_order_relaxed) : NULL;
    if (shadow && !(*jni)->IsSameObject(jni, weak, object))
        ditto_set_object_number(jni, object, 0);
    ditto_shadows_unlock();
}

struct ditto_shadow *ditto_shadow_of_any(JNIEnv *jni, jobject object)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jlong number = 0;
    (*jvmti)->GetTag(jvmti, object, &number);
    if (!number)
        number = (*jni)->CallStaticIntMethod(jni, hook_class, shadow_of_method, object);
    ditto_agent_expect(!ditto_agent_clear(jni) && number, "room for the state of an object");
    return ditto_shadow_at((jint)number);
}

struct ditto_shadow *ditto_shadow_of(JNIEnv *jni, jobject object)
{
    struct ditto_shadow *shadow = ditto_shadow_present(jni, object);
    return shadow ? shadow : ditto_shadow_at(ditto_shadow_make(jni, object));
}

/* ------------------------------------------------------------------- set-up */

void ditto_shadows_open(void)
{
    size_t unit = DITTO_SHADOW_UNIT;
    ditto_blocks_open((ditto_shadow_head_size() + unit - 1) & ~(unit - 1), recycle);
}

void ditto_shadows_begin(JNIEnv *jni, jclass hooks)
{
    hook_class = (*jni)->NewGlobalRef(jni, hooks);
    shadow_of_method = (*jni)->GetStaticMethodID(jni, hooks, "shadowOf", "(Ljava/lang/Object;)I");
    ditto_agent_expect(!ditto_agent_clear(jni) && hook_class && shadow_of_method,
                       "its field in java.lang.Object");
    ditto_shadow_table_begin(jni);
    ditto_types_begin(jni);
}

/* ------------------------------------------------------------------ places */

ditto_place *ditto_shadow_element(struct ditto_shadow *shadow, jsize length, jint index)
{
    return ditto_element(ditto_agent.session, &shadow->cell, (size_t)length, (size_t)index);
}

ditto_monitor *ditto_shadow_monitor(JNIEnv *jni, struct ditto_shadow *shadow, jobject object)
{
    if (is_array(shadow->type))
        return ditto_array_monitor(ditto_agent.session, &shadow->cell,
                                   (size_t)(*jni)->GetArrayLength(jni, object));
    return ditto_object_monitor(ditto_agent.session, &shadow->cell, shadow->fields);
}
