/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/state/types.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

/*
 * The first classes get their shadows before it is known how many fields a Class has, and so room
 * for the state of one with as many as this.
 */
enum { CLASS_FIELDS = 64 };

/* That of java.lang.Class: the type of what is kept for classes. */
static const struct ditto_type_info *class_type;

static jclass place_class;
static jmethodID offset_method;

static void free_names(char **names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

void ditto_type_free(struct ditto_type_info *type)
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
    type->own_field_names =
        ditto_alloc_zeroed((size_t)count, sizeof(char *), "the fields of a class");
    type->static_names = ditto_alloc_zeroed((size_t)count, sizeof(char *), "the fields of a class");
    for (jint i = 0; i < count; i++) {
        char *name = NULL, *descriptor = NULL;
        ditto_agent_answered(
            (*jvmti)->GetFieldName(jvmti, class, fields[i], &name, &descriptor, NULL));
        ditto_agent_expect(name && descriptor, "the name of a field");
        char *text = ditto_format("%s %s", name, descriptor);
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
    type->interfaces =
        ditto_alloc_zeroed((size_t)count, sizeof *type->interfaces, "the interfaces of a class");
    for (jint i = 0; i < count; i++) {
        type->interfaces[type->interface_count++] = ditto_type_of(jni, interfaces[i]);
        (*jni)->DeleteLocalRef(jni, interfaces[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)interfaces);
}

static struct ditto_type_info *describe(JNIEnv *jni, jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    struct ditto_type_info *type = ditto_alloc_zeroed(1, sizeof *type, "a class");
    char *signature = NULL;
    ditto_agent_answered((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL));
    ditto_agent_expect(signature, "the name of a class");
    type->signature = ditto_copy_text(signature, "the name of a class");
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
    ditto_shadows_lock();
    struct ditto_shadow *mirror = ditto_shadow_present(jni, class);
    if (!mirror)
        mirror = ditto_shadow_attach(jni, class, class_type,
                                     class_type ? class_type->fields : CLASS_FIELDS);
    struct ditto_type_info *type = atomic_load_explicit(&mirror->mirrored, memory_order_relaxed);
    if (!type) {
        type = describe(jni, class);
        atomic_store_explicit(&mirror->mirrored, type, memory_order_release);
    }
    ditto_shadows_unlock();
    return type;
}

/*
 * To describe java.lang.Class takes mirrors of it and of its superclass and interfaces, which are
 * its instances: they get their type when there is one.
 */
void ditto_types_begin(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/Class");
    const struct ditto_type_info *type = ditto_type_of(jni, class);
    ditto_agent_expect(type->fields <= CLASS_FIELDS, "the fields of java.lang.Class");
    for (struct ditto_shadow *shadow = ditto_blocks_next(NULL); shadow;
         shadow = ditto_blocks_next(shadow))
        if (atomic_load_explicit(&shadow->weak, memory_order_relaxed))
            ditto_shadow_set_type(shadow, type, type->fields);
    class_type = type;
    (*jni)->DeleteLocalRef(jni, class);
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
    jlong *own_offsets =
        ditto_alloc_zeroed(type->own_fields, sizeof *own_offsets, "the offsets of fields");
    jlong *static_offsets =
        ditto_alloc_zeroed(type->statics, sizeof *static_offsets, "the offsets of fields");
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
    ditto_shadows_lock();
    struct ditto_type_info *type = ditto_type_of(jni, class);
    if (!offset_method)
        find_offset_method(jni);
    if (!type->own_field_offsets)
        find_offsets(jni, class, type);
    ditto_shadows_unlock();
    return type;
}

static int find_offset(const jlong *offsets, unsigned count, jlong offset)
{
    for (unsigned i = 0; i < count; i++)
        if (offsets[i] == offset)
            return (int)i;
    return -1;
}

ditto_place *ditto_shadow_place_at(JNIEnv *jni, struct ditto_shadow *shadow, jobject object,
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
        return ditto_field(ditto_agent.session, &shadow->cell, shadow->fields,
                           type->first_field + (unsigned)index);
    if (shadow->type != class_type)
        return NULL;
    struct ditto_type_info *mirrored = ditto_type_with_offsets(jni, object);
    index = find_offset(mirrored->static_offsets, mirrored->statics, offset);
    *is_static = index >= 0;
    return index < 0 ? NULL
                     : ditto_field(ditto_agent.session, &mirrored->static_cell, mirrored->statics,
                                   (unsigned)index);
}
