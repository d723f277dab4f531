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

/* Things of arrays that can be used again, and those of dead ones with an access still under way;
 * guarded by the lock. */
static struct ditto_thing *unused, *in_use;
/* Those of arrays that have died since somebody last looked.  Not guarded by the lock. */
static struct ditto_thing *_Atomic dead;

static jclass hook_class;
static jmethodID thing_of_method;

static bool is_array(const struct ditto_type_info *type)
{
    return type->signature[0] == '[';
}

/* Under the lock. */
static void forget(struct ditto_thing *thing)
{
    if (ditto_agent.observer)
        ditto_agent.observer->forget(thing);
    struct ditto_type_info *mirrored = atomic_load_explicit(&thing->mirrored, memory_order_relaxed);
    if (mirrored)
        ditto_type_free(mirrored);
    struct ditto_java_thread *thread = atomic_load_explicit(&thing->thread, memory_order_acquire);
    if (thread)
        ditto_java_thread_drop(thread);
    atomic_store_explicit(&thing->holder, 0, memory_order_relaxed);
}

/*
 * An object may die between the access and the hook after it, and that hook still changes the
 * state. A thread says what it has under way before it makes the access, and the collector has
 * stopped it since, or the object would not be dead: so what is not seen to be in use, by one who
 * looks after hearing of the death, is not.  Guarded by the lock.
 */
static struct ditto_accesses accesses;

static void recycle(JNIEnv *jni, struct ditto_thing *const gone[], size_t count)
{
    ditto_things_lock();
    ditto_accesses_now(ditto_agent.session, &accesses);
    for (size_t i = 0; i < count; i++) {
        struct ditto_thing *thing = gone[i];
        if (ditto_cell_in_use(ditto_agent.session, &accesses, &thing->cell))
            continue;
        forget(thing);
        /* Under the lock, because who checks a number may look at it. */
        (*jni)->DeleteWeakGlobalRef(jni, atomic_load_explicit(&thing->weak, memory_order_relaxed));
        atomic_store_explicit(&thing->weak, NULL, memory_order_relaxed);
    }
    ditto_things_unlock();
}

/* Arrays; likewise. */
static void recycle_dead(void)
{
    struct ditto_thing *gone[] = {atomic_exchange_explicit(&dead, NULL, memory_order_acquire),
                                  in_use};
    in_use = NULL;
    ditto_accesses_now(ditto_agent.session, &accesses);
    for (int i = 0; i < 2; i++) {
        for (struct ditto_thing *thing = gone[i], *next; thing; thing = next) {
            next = thing->next;
            bool is_used = ditto_cell_in_use(ditto_agent.session, &accesses, &thing->cell);
            struct ditto_thing **list = is_used ? &in_use : &unused;
            if (!is_used) {
                ditto_cell_release(&thing->cell);
                forget(thing);
            }
            thing->next = *list;
            *list = thing;
        }
    }
}

/* The list is only ever taken as a whole, so a thing that is its head cannot have left and come
 * back. */
void ditto_thing_free(jint number)
{
    struct ditto_thing *thing = ditto_thing_at(number);
    struct ditto_thing *first = atomic_load_explicit(&dead, memory_order_relaxed);
    do
        thing->next = first;
    while (!atomic_compare_exchange_weak_explicit(&dead, &first, thing, memory_order_release,
                                                  memory_order_relaxed));
}

/* Under the lock. */
static struct ditto_thing *new_array_thing(const struct ditto_type_info *type)
{
    if (!unused && atomic_load_explicit(&dead, memory_order_relaxed))
        recycle_dead();
    struct ditto_thing *thing = unused;
    if (thing)
        unused = thing->next;
    else
        thing = ditto_blocks_keep();
    memset(thing, 0, ditto_thing_head_size());
    thing->type = type;
    return thing;
}

jint ditto_thing_make(JNIEnv *jni, jobject object)
{
    jclass class = (*jni)->GetObjectClass(jni, object);
    ditto_things_lock();
    /* Describing the object's class may make a thing for it, if it is a class. */
    const struct ditto_type_info *type = ditto_type_of(jni, class);
    struct ditto_thing *thing = is_array(type) ? NULL : ditto_thing_present(jni, object);
    if (!thing && is_array(type)) {
        thing = new_array_thing(type);
        if (ditto_agent.observer)
            ditto_tag_object(object, ditto_thing_number(thing));
    } else if (!thing) {
        thing = ditto_thing_attach(jni, object, type, type->fields);
    }
    ditto_things_unlock();
    (*jni)->DeleteLocalRef(jni, class);
    return ditto_thing_number(thing);
}

jint ditto_thing_make_for(JNIEnv *jni, jobject object, jint class_number)
{
    const struct ditto_type_info *type =
        class_number
            ? atomic_load_explicit(&ditto_thing_at(class_number)->mirrored, memory_order_acquire)
            : NULL;
    if (!type) {
        jclass class = (*jni)->GetObjectClass(jni, object);
        type = ditto_type_of(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
    }
    struct ditto_java_thread *self = ditto_current();
    if (self)
        return ditto_thing_number(ditto_thing_new(jni, &self->blocks, type, type->fields, object));
    ditto_things_lock();
    jint number = ditto_thing_number(ditto_thing_new(jni, NULL, type, type->fields, object));
    ditto_things_unlock();
    return number;
}

void ditto_thing_drop(JNIEnv *jni, jobject object, jint number)
{
    struct ditto_thing *thing = ditto_thing_at(number);
    if (ditto_agent.observer)
        ditto_tag_object(object, ditto_object_number(jni, object));
    ditto_things_lock();
    (*jni)->DeleteWeakGlobalRef(jni, atomic_load_explicit(&thing->weak, memory_order_relaxed));
    atomic_store_explicit(&thing->weak, NULL, memory_order_relaxed);
    ditto_things_unlock();
}

void ditto_thing_check(JNIEnv *jni, jobject object)
{
    ditto_things_lock();
    const struct ditto_thing *thing = ditto_thing_present(jni, object);
    jweak weak = thing ? atomic_load_explicit(&thing->weak, memory_order_relaxed) : NULL;
    if (thing && !(*jni)->IsSameObject(jni, weak, object))
        ditto_set_object_number(jni, object, 0);
    ditto_things_unlock();
}

struct ditto_thing *ditto_thing_of_any(JNIEnv *jni, jobject object)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jlong number = 0;
    (*jvmti)->GetTag(jvmti, object, &number);
    if (!number)
        number = (*jni)->CallStaticIntMethod(jni, hook_class, thing_of_method, object);
    ditto_agent_expect(!ditto_agent_clear(jni) && number, "room for the state of an object");
    return ditto_thing_at((jint)number);
}

struct ditto_thing *ditto_thing_of(JNIEnv *jni, jobject object)
{
    struct ditto_thing *thing = ditto_thing_present(jni, object);
    return thing ? thing : ditto_thing_at(ditto_thing_make(jni, object));
}

/* ------------------------------------------------------------------- set-up */

void ditto_things_open(void)
{
    size_t unit = DITTO_THING_UNIT;
    ditto_blocks_open((ditto_thing_head_size() + unit - 1) & ~(unit - 1), recycle);
}

void ditto_things_begin(JNIEnv *jni, jclass hooks)
{
    hook_class = (*jni)->NewGlobalRef(jni, hooks);
    thing_of_method = (*jni)->GetStaticMethodID(jni, hooks, "thingOf", "(Ljava/lang/Object;)I");
    ditto_agent_expect(!ditto_agent_clear(jni) && hook_class && thing_of_method,
                       "its field in java.lang.Object");
    ditto_thing_table_begin(jni);
    ditto_types_begin(jni);
}

/* ------------------------------------------------------------------ places */

ditto_place *ditto_thing_element(struct ditto_thing *thing, jsize length, jint index)
{
    return ditto_element(ditto_agent.session, &thing->cell, (size_t)length, (size_t)index);
}

ditto_monitor *ditto_thing_monitor(JNIEnv *jni, struct ditto_thing *thing, jobject object)
{
    if (is_array(thing->type))
        return ditto_array_monitor(ditto_agent.session, &thing->cell,
                                   (size_t)(*jni)->GetArrayLength(jni, object));
    return ditto_object_monitor(ditto_agent.session, &thing->cell, thing->fields);
}
