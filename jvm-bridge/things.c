/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/things.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvm-bridge/javathreads.h"

/* Guards the making of things and types.  Recursive: a type needs its superclass's. */
static pthread_mutex_t making = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    ditto_agent_expect(memory, "room for the state of an object");
    return memory;
}

static struct ditto_thing *tagged(jobject object)
{
    jlong tag = 0;
    /* Nothing can be asked of JVMTI any more when the JVM has announced its death. */
    if ((*ditto_agent.jvmti)->GetTag(ditto_agent.jvmti, object, &tag) == JVMTI_ERROR_WRONG_PHASE)
        ditto_agent_park();
    return (struct ditto_thing *)(uintptr_t)tag;
}

static void set_tag(jobject object, struct ditto_thing *thing)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiError error = (*jvmti)->SetTag(jvmti, object, (jlong)(uintptr_t)thing);
    if (error == JVMTI_ERROR_WRONG_PHASE)
        ditto_agent_park();
    ditto_agent_expect(error == JVMTI_ERROR_NONE, "a tag for an object");
}

static struct ditto_thing *make(JNIEnv *jni, jobject object)
{
    struct ditto_thing *thing = zeroed(1, sizeof *thing);
    jclass class = (*jni)->GetObjectClass(jni, object);
    atomic_init(&thing->references, 1);
    thing->type = ditto_type_of(jni, class);
    thing->fields = thing->type->fields;
    (*jni)->DeleteLocalRef(jni, class);
    set_tag(object, thing);
    return thing;
}

/* A class and its Class object: the thing of java.lang.Class itself has its own type, so it is made
 * without one and given it afterwards. */
static struct ditto_thing *make_mirror(jclass class)
{
    struct ditto_thing *thing = zeroed(1, sizeof *thing);
    atomic_init(&thing->references, 1);
    set_tag(class, thing);
    return thing;
}

struct ditto_thing *ditto_thing_of(JNIEnv *jni, jobject object)
{
    struct ditto_thing *thing = tagged(object);
    if (thing && __atomic_load_n(&thing->type, __ATOMIC_ACQUIRE))
        return thing;
    pthread_mutex_lock(&making);
    thing = tagged(object);
    if (!thing) {
        /* Describing the object's class may just have made a thing for it, if it is a class. */
        jclass class = (*jni)->GetObjectClass(jni, object);
        ditto_type_of(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
        thing = tagged(object);
    }
    if (!thing)
        thing = make(jni, object);
    if (!thing->type) {
        jclass class = (*jni)->GetObjectClass(jni, object);
        struct ditto_type_info *type = ditto_type_of(jni, class);
        thing->fields = type->fields;
        __atomic_store_n(&thing->type, type, __ATOMIC_RELEASE);
        (*jni)->DeleteLocalRef(jni, class);
    }
    pthread_mutex_unlock(&making);
    return thing;
}

void ditto_thing_keep(struct ditto_thing *thing)
{
    atomic_fetch_add_explicit(&thing->references, 1, memory_order_relaxed);
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
    free(type->interfaces);
    ditto_cell_release(&type->static_cell);
    free(type);
}

void ditto_thing_drop(struct ditto_thing *thing)
{
    if (atomic_fetch_sub_explicit(&thing->references, 1, memory_order_acq_rel) != 1)
        return;
    ditto_cell_release(&thing->cell);
    if (thing->mirrored)
        free_type(thing->mirrored);
    struct ditto_java_thread *thread = atomic_load_explicit(&thing->thread, memory_order_acquire);
    if (thread)
        ditto_java_thread_drop(thread);
    free(thing);
}

void JNICALL ditto_things_freed(jvmtiEnv *jvmti, jlong tag)
{
    (void)jvmti;
    ditto_thing_drop((struct ditto_thing *)(uintptr_t)tag);
}

/* ------------------------------------------------------------------- types */

static void describe_fields(jclass class, struct ditto_type_info *type)
{
    enum { STATIC = 0x0008 };
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint count = 0;
    jfieldID *fields = NULL;
    if ((*jvmti)->GetClassFields(jvmti, class, &count, &fields) != JVMTI_ERROR_NONE)
        return;
    type->own_field_names = zeroed((size_t)count, sizeof(char *));
    type->static_names = zeroed((size_t)count, sizeof(char *));
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *descriptor = NULL, *text = NULL;
        jint modifiers = 0;
        (*jvmti)->GetFieldName(jvmti, class, fields[i], &name, &descriptor, NULL);
        (*jvmti)->GetFieldModifiers(jvmti, class, fields[i], &modifiers);
        if (asprintf(&text, "%s %s", name, descriptor) < 0)
            text = NULL;
        ditto_agent_expect(name && descriptor && text, "the name of a field");
        if (modifiers & STATIC)
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
    if ((*jvmti)->GetImplementedInterfaces(jvmti, class, &count, &interfaces) != JVMTI_ERROR_NONE)
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
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
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
    struct ditto_thing *mirror = tagged(class);
    if (!mirror)
        mirror = make_mirror(class);
    if (!mirror->mirrored)
        mirror->mirrored = describe(jni, class);
    pthread_mutex_unlock(&making);
    return mirror->mirrored;
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

/* ------------------------------------------------------------------ places */

ditto_place *ditto_thing_element(struct ditto_thing *thing, jsize length, jint index)
{
    return ditto_element(ditto_agent.session, &thing->cell, (size_t)length, (size_t)index);
}

ditto_monitor *ditto_thing_monitor(JNIEnv *jni, struct ditto_thing *thing, jobject object)
{
    if (thing->type->signature[0] == '[')
        return ditto_array_monitor(ditto_agent.session, &thing->cell,
                                   (size_t)(*jni)->GetArrayLength(jni, object));
    return ditto_object_monitor(ditto_agent.session, &thing->cell, thing->fields);
}
