/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/state/shadows.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/futex.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/say.h"

/*
 * Guards the freeing of things, the making of types and of the things of classes, threads and
 * arrays.  Recursive: a type needs its superclass's.
 */
static pthread_mutex_t making = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/*
 * Making the thing of an array takes about a microsecond, and threads that make many of them meet
 * here all the time.  Who sleeps at once costs the holder a system call to wake it, which takes
 * longer.
 */
static void lock_making(void)
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

/* For those whose thread is not known, and for what is made under the lock; guarded by it. */
static struct ditto_blocks common;
/* Things of arrays that can be used again, and those of dead ones with an access still under way.
 */
static struct ditto_thing *unused, *in_use;
/* Those of arrays that have died since somebody last looked.  Not guarded by the lock. */
static struct ditto_thing *_Atomic dead;

/*
 * The first classes get their things before it is known how many fields a Class has, and so room
 * for the state of one with as many as this.
 */
enum { CLASS_FIELDS = 64 };

/* That of java.lang.Class: the type of what is kept for classes. */
static const struct ditto_type_info *class_type;

static jfieldID number_field;
static jclass hook_class, place_class;
static jmethodID thing_of_method, offset_method;

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    ditto_agent_expect(memory, "room for the state of an object");
    return memory;
}

/* Where the state of an object begins in its slot. */
static size_t head_size(void)
{
    size_t size =
        ditto_agent.observer ? sizeof(struct ditto_thing) : offsetof(struct ditto_thing, key);
    return (size + 15) & ~(size_t)15;
}

static size_t slot_size(unsigned fields)
{
    return head_size() + ditto_object_size(ditto_agent.session, fields);
}

void ditto_things_open(void)
{
    ditto_blocks_open((head_size() + DITTO_THING_UNIT - 1) & ~(size_t)(DITTO_THING_UNIT - 1));
}

/*
 * Where the collector leaves a hole that is too small for an array it puts an object of no fields:
 * a header alone, a multiple of 8 bytes, of class java.lang.Object or one like it.  To whoever
 * walks the heap that has the size that its class gives, so the number must lie inside the header's
 * own multiple of 8, as it does behind a mark of 8 bytes and a class of 4.
 */
void ditto_things_check_layout(jlong number_offset)
{
    if (number_offset % 8 != 4)
        ditto_agent_refuse("this JVM's objects have no room for what the agent keeps in them; "
                           "leave out -XX:-UseCompressedClassPointers and "
                           "-XX:+UseCompactObjectHeaders");
}

const void *ditto_things_base(void)
{
    return ditto_blocks_base();
}

struct ditto_thing *ditto_thing_at(jint number)
{
    return (struct ditto_thing *)(ditto_blocks_base() + (size_t)number * DITTO_THING_UNIT);
}

jint ditto_thing_number(const struct ditto_thing *thing)
{
    return (jint)(((const char *)thing - ditto_blocks_base()) / DITTO_THING_UNIT);
}

static bool is_array(const struct ditto_type_info *type)
{
    return type->signature[0] == '[';
}

static void free_names(char **names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

static void free_type(struct ditto_type_info *type)
{
    free(type->signature);
    free_names(type->own_field_names, type->own_fields);
    free_names(type->static_names, type->statics);
    free(type->own_field_offsets);
    free(type->static_offsets);
    free(atomic_load_explicit(&type->copied, memory_order_relaxed));
    free(type->interfaces);
    ditto_cell_release(&type->static_cell);
    free((void *)type->writes);
    free(type);
}

/* Under the lock. */
static void forget(struct ditto_thing *thing)
{
    if (ditto_agent.observer)
        ditto_agent.observer->forget(thing);
    struct ditto_type_info *mirrored = atomic_load_explicit(&thing->mirrored, memory_order_relaxed);
    if (mirrored)
        free_type(mirrored);
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

void ditto_things_recycle(JNIEnv *jni, struct ditto_thing *const gone[], size_t count)
{
    lock_making();
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
    pthread_mutex_unlock(&making);
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

static void set_tag(jobject object, jint number)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    bool tagged = ditto_agent_answered((*jvmti)->SetTag(jvmti, object, number));
    ditto_agent_expect(tagged, "a tag for an object");
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
    memset(thing, 0, head_size());
    thing->type = type;
    return thing;
}

/*
 * In one of these blocks.  The thing is whole before its object, or anybody, gets its number;
 * but the type of the first classes is known later.
 */
static struct ditto_thing *new_thing(JNIEnv *jni, struct ditto_blocks *blocks,
                                     const struct ditto_type_info *type, jobject object)
{
    unsigned fields = type ? type->fields : CLASS_FIELDS;
    size_t size = slot_size(fields);
    struct ditto_thing *thing = ditto_blocks_take(jni, blocks, size);
    memset(thing, 0, size);
    thing->type = type;
    if (type) {
        thing->fields = fields;
        ditto_object_place(ditto_agent.session, &thing->cell, (char *)thing + head_size(), fields);
    }
    jweak weak = (*jni)->NewWeakGlobalRef(jni, object);
    ditto_agent_expect(weak, "a reference to an object");
    atomic_store_explicit(&thing->weak, weak, memory_order_relaxed);
    /* A debugger finds objects by their tags. */
    if (ditto_agent.observer)
        set_tag(object, ditto_thing_number(thing));
    return thing;
}

/* No array. */
struct ditto_thing *ditto_thing_present(JNIEnv *jni, jobject object)
{
    jint number = number_field ? (*jni)->GetIntField(jni, object, number_field) : 0;
    return number ? ditto_thing_at(number) : NULL;
}

/* Under the lock, which guards the numbers of classes and threads: others are DittoHooks.java's. */
static struct ditto_thing *attach(JNIEnv *jni, jobject object, const struct ditto_type_info *type)
{
    struct ditto_thing *thing = new_thing(jni, &common, type, object);
    (*jni)->SetIntField(jni, object, number_field, ditto_thing_number(thing));
    return thing;
}

jint ditto_thing_make(JNIEnv *jni, jobject object)
{
    jclass class = (*jni)->GetObjectClass(jni, object);
    lock_making();
    /* Describing the object's class may make a thing for it, if it is a class. */
    const struct ditto_type_info *type = ditto_type_of(jni, class);
    struct ditto_thing *thing = is_array(type) ? NULL : ditto_thing_present(jni, object);
    if (!thing && is_array(type)) {
        thing = new_array_thing(type);
        if (ditto_agent.observer)
            set_tag(object, ditto_thing_number(thing));
    } else if (!thing) {
        thing = attach(jni, object, type);
    }
    pthread_mutex_unlock(&making);
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
        return ditto_thing_number(new_thing(jni, &self->blocks, type, object));
    lock_making();
    jint number = ditto_thing_number(new_thing(jni, &common, type, object));
    pthread_mutex_unlock(&making);
    return number;
}

void ditto_thing_drop(JNIEnv *jni, jobject object, jint number)
{
    struct ditto_thing *thing = ditto_thing_at(number);
    if (ditto_agent.observer)
        set_tag(object, (*jni)->GetIntField(jni, object, number_field));
    pthread_mutex_lock(&making);
    (*jni)->DeleteWeakGlobalRef(jni, atomic_load_explicit(&thing->weak, memory_order_relaxed));
    atomic_store_explicit(&thing->weak, NULL, memory_order_relaxed);
    pthread_mutex_unlock(&making);
}

void ditto_thing_check(JNIEnv *jni, jobject object)
{
    pthread_mutex_lock(&making);
    const struct ditto_thing *thing = ditto_thing_present(jni, object);
    jweak weak = thing ? atomic_load_explicit(&thing->weak, memory_order_relaxed) : NULL;
    if (thing && !(*jni)->IsSameObject(jni, weak, object))
        (*jni)->SetIntField(jni, object, number_field, 0);
    pthread_mutex_unlock(&making);
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

const struct ditto_thing *ditto_thing_held(uint32_t replay_id, const struct ditto_thing *after)
{
    const struct ditto_thing *thing = ditto_blocks_next(after);
    while (thing && atomic_load_explicit(&thing->holder, memory_order_relaxed) != replay_id + 1)
        thing = ditto_blocks_next(thing);
    return thing;
}

/* ------------------------------------------------------------------- types */

static bool is_static(jclass class, jfieldID field)
{
    enum { STATIC = 0x0008 };
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint modifiers = 0;
    ditto_agent_answered((*jvmti)->GetFieldModifiers(jvmti, class, field, &modifiers));
    return modifiers & STATIC;
}

static void describe_fields(jclass class, struct ditto_type_info *type)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint count = 0;
    jfieldID *fields = NULL;
    if (!ditto_agent_answered((*jvmti)->GetClassFields(jvmti, class, &count, &fields)))
        return;
    type->own_field_names = zeroed((size_t)count, sizeof(char *));
    type->static_names = zeroed((size_t)count, sizeof(char *));
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *descriptor = NULL, *text = NULL;
        ditto_agent_answered(
            (*jvmti)->GetFieldName(jvmti, class, fields[i], &name, &descriptor, NULL));
        if (asprintf(&text, "%s %s", name, descriptor) < 0)
            text = NULL;
        ditto_agent_expect(name && descriptor && text, "the name of a field");
        if (is_static(class, fields[i]))
            type->static_names[type->statics++] = text;
        else
            type->own_field_names[type->own_fields++] = text;
        (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
}

static void describe_interfaces(JNIEnv *jni, jclass class, struct ditto_type_info *type)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint count = 0;
    jclass *interfaces = NULL;
    if (!ditto_agent_answered(
            (*jvmti)->GetImplementedInterfaces(jvmti, class, &count, &interfaces)))
        return;
    type->interfaces = zeroed((size_t)count, sizeof *type->interfaces);
    for (jint i = 0; i < count; i++) {
        type->interfaces[type->interface_count++] = ditto_type_of(jni, interfaces[i]);
        (*jni)->DeleteLocalRef(jni, interfaces[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)interfaces);
}

static struct ditto_type_info *describe(JNIEnv *jni, jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    struct ditto_type_info *type = zeroed(1, sizeof *type);
    char *signature = NULL;
    ditto_agent_answered((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL));
    type->signature = signature ? strdup(signature) : NULL;
    ditto_agent_expect(type->signature, "the name of a class");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    if (type->signature[0] == '[')
        return type;
    jclass super = (*jni)->GetSuperclass(jni, class);
    if (super) {
        type->super = ditto_type_of(jni, super);
        type->first_field = type->super->fields;
        (*jni)->DeleteLocalRef(jni, super);
    }
    describe_fields(class, type);
    describe_interfaces(jni, class, type);
    type->fields = type->first_field + type->own_fields;
    return type;
}

struct ditto_type_info *ditto_type_of(JNIEnv *jni, jclass class)
{
    pthread_mutex_lock(&making);
    struct ditto_thing *mirror = ditto_thing_present(jni, class);
    if (!mirror)
        mirror = attach(jni, class, class_type);
    struct ditto_type_info *type = atomic_load_explicit(&mirror->mirrored, memory_order_relaxed);
    if (!type) {
        type = describe(jni, class);
        atomic_store_explicit(&mirror->mirrored, type, memory_order_release);
    }
    pthread_mutex_unlock(&making);
    return type;
}

void ditto_things_begin(JNIEnv *jni, jclass hooks)
{
    hook_class = (*jni)->NewGlobalRef(jni, hooks);
    thing_of_method = (*jni)->GetStaticMethodID(jni, hooks, "thingOf", "(Ljava/lang/Object;)I");
    jclass object = (*jni)->FindClass(jni, "java/lang/Object");
    number_field = object ? (*jni)->GetFieldID(jni, object, "$ditto", "I") : NULL;
    ditto_agent_expect(!ditto_agent_clear(jni) && number_field && hook_class && thing_of_method,
                       "its field in java.lang.Object");
    /* To describe java.lang.Class takes mirrors of it and of its superclass and interfaces, which
     * are its instances: they get their type when there is one. */
    jclass class = (*jni)->GetObjectClass(jni, object);
    const struct ditto_type_info *type = ditto_type_of(jni, class);
    ditto_agent_expect(type->fields <= CLASS_FIELDS, "the fields of java.lang.Class");
    for (struct ditto_thing *thing = ditto_blocks_next(NULL); thing;
         thing = ditto_blocks_next(thing)) {
        if (!atomic_load_explicit(&thing->weak, memory_order_relaxed))
            continue;
        thing->type = type;
        thing->fields = type->fields;
        ditto_object_place(ditto_agent.session, &thing->cell, (char *)thing + head_size(),
                           type->fields);
    }
    class_type = type;
    (*jni)->DeleteLocalRef(jni, class);
    (*jni)->DeleteLocalRef(jni, object);
}

/* Whether a signature is that of the class with this name: "Ljava/lang/Object;". */
static bool is_named(const char *signature, const char *name)
{
    size_t length = strlen(name);
    return signature[0] == 'L' && strncmp(signature + 1, name, length) == 0 &&
           strcmp(signature + 1 + length, ";") == 0;
}

static int find(char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return (int)i;
    return -1;
}

int ditto_type_field(const struct ditto_type_info *type, const char *owner, const char *field)
{
    while (type && !is_named(type->signature, owner))
        type = type->super;
    for (; type; type = type->super) {
        int index = find(type->own_field_names, type->own_fields, field);
        if (index >= 0)
            return (int)type->first_field + index;
    }
    return -1;
}

ditto_place *ditto_type_static(struct ditto_type_info *type, const char *field)
{
    int index = find(type->static_names, type->statics, field);
    if (index >= 0)
        return ditto_field(ditto_agent.session, &type->static_cell, type->statics, (unsigned)index);
    for (unsigned i = 0; i < type->interface_count; i++) {
        ditto_place *place = ditto_type_static(type->interfaces[i], field);
        if (place)
            return place;
    }
    return type->super ? ditto_type_static(type->super, field) : NULL;
}

/* ----------------------------------------------------------------- offsets */

/* Under the lock: looking for this twice does no harm, but is not wanted. */
static void find_offset_method(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/DittoPlace");
    place_class = class ? (*jni)->NewGlobalRef(jni, class) : NULL;
    offset_method =
        class ? (*jni)->GetStaticMethodID(jni, class, "offsetOf", "(Ljava/lang/reflect/Field;)J")
              : NULL;
    ditto_agent_expect(!ditto_agent_clear(jni) && offset_method, "the offsets of fields");
    (*jni)->DeleteLocalRef(jni, class);
}

/* JVMTI names the fields in the same order again. */
static void find_offsets(JNIEnv *jni, jclass class, struct ditto_type_info *type)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint count = 0;
    jfieldID *fields = NULL;
    unsigned own = 0, statics = 0;
    jlong *own_offsets = zeroed(type->own_fields, sizeof *own_offsets);
    jlong *static_offsets = zeroed(type->statics, sizeof *static_offsets);
    ditto_agent_answered((*jvmti)->GetClassFields(jvmti, class, &count, &fields));
    for (jint i = 0; i < count; i++) {
        bool of_class = is_static(class, fields[i]);
        jobject field = (*jni)->ToReflectedField(jni, class, fields[i], of_class);
        jlong offset = (*jni)->CallStaticLongMethod(jni, place_class, offset_method, field);
        ditto_agent_expect(!ditto_agent_clear(jni), "the offset of a field");
        (*jni)->DeleteLocalRef(jni, field);
        if (of_class)
            static_offsets[statics++] = offset;
        else
            own_offsets[own++] = offset;
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
    type->static_offsets = static_offsets;
    type->own_field_offsets = own_offsets;
}

struct ditto_type_info *ditto_type_with_offsets(JNIEnv *jni, jclass class)
{
    pthread_mutex_lock(&making);
    struct ditto_type_info *type = ditto_type_of(jni, class);
    if (!offset_method)
        find_offset_method(jni);
    if (!type->own_field_offsets)
        find_offsets(jni, class, type);
    pthread_mutex_unlock(&making);
    return type;
}

static int find_offset(const jlong *offsets, unsigned count, jlong offset)
{
    for (unsigned i = 0; i < count; i++)
        if (offsets[i] == offset)
            return (int)i;
    return -1;
}

ditto_place *ditto_thing_place_at(JNIEnv *jni, struct ditto_thing *thing, jobject object,
                                  jlong offset, bool *is_static)
{
    int index = -1;
    const struct ditto_type_info *type = NULL;
    *is_static = false;
    for (jclass class = (*jni)->GetObjectClass(jni, object), super; class; class = super) {
        type = ditto_type_with_offsets(jni, class);
        index = find_offset(type->own_field_offsets, type->own_fields, offset);
        super = index < 0 ? (*jni)->GetSuperclass(jni, class) : NULL;
        (*jni)->DeleteLocalRef(jni, class);
    }
    if (index >= 0)
        return ditto_field(ditto_agent.session, &thing->cell, thing->fields,
                           type->first_field + (unsigned)index);
    if (thing->type != class_type)
        return NULL;
    struct ditto_type_info *mirrored = ditto_type_with_offsets(jni, object);
    index = find_offset(mirrored->static_offsets, mirrored->statics, offset);
    *is_static = index >= 0;
    return index < 0 ? NULL
                     : ditto_field(ditto_agent.session, &mirrored->static_cell, mirrored->statics,
                                   (unsigned)index);
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
