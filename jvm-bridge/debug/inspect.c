/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/inspect.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "core/base/map.h"
#include "core/base/text.h"
#include "core/engine/timeline.h"
#include "jvm-bridge/debug/go_state.h"
#include "jvm-bridge/debug/methods.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/state/shadows.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/vm/vm.h"

/* ----------------------------------------------------------------------- keys */

/* Shadows by key.  One may have two: it was looked at before it was made. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the map and `looked_at` */
static struct ditto_map keyed;
static uint64_t looked_at;

/* Under the lock. */
static void enter_key(struct ditto_shadow *shadow, uint64_t key)
{
    ditto_map_put_number(&keyed, key, shadow);
    atomic_store_explicit(&shadow->key, key, memory_order_release);
}

/* Under the lock. */
static void forget_key(const struct ditto_shadow *shadow, uint64_t key)
{
    if (ditto_map_get_number(&keyed, key) == shadow)
        ditto_map_remove_number(&keyed, key);
}

void ditto_debug_forget(struct ditto_shadow *shadow)
{
    free(shadow->writes);
    shadow->writes = NULL;
    uint64_t key = atomic_load_explicit(&shadow->key, memory_order_acquire);
    if (!key)
        return;
    pthread_mutex_lock(&lock);
    forget_key(shadow, key);
    if (shadow->first_key)
        forget_key(shadow, shadow->first_key);
    pthread_mutex_unlock(&lock);
}

static bool is_passing(uint64_t key)
{
    return key == 0 || key & DITTO_KEY_LOOKED_AT;
}

void ditto_debug_met(struct ditto_java_thread *self, struct ditto_shadow *shadow)
{
    if (!is_passing(atomic_load_explicit(&shadow->key, memory_order_acquire)))
        return;
    pthread_mutex_lock(&lock);
    if (is_passing(shadow->key)) {
        shadow->first_key = shadow->key;
        enter_key(shadow, DITTO_KEY_MET(ditto_replay_id(self->handle),
                                        ditto_thread_turn(self->handle)->turn));
    }
    pthread_mutex_unlock(&lock);
}

static void made(JNIEnv *jni, struct ditto_java_thread *self, jobject object)
{
    /* Counted in any case: what a debugger has looked at must not change the keys that follow. */
    uint64_t nth = ++ditto_debug_of(self)->made;
    struct ditto_shadow *shadow = ditto_shadow_of_any(jni, object);
    pthread_mutex_lock(&lock);
    if (is_passing(shadow->key)) {
        shadow->first_key = shadow->key;
        enter_key(shadow, DITTO_KEY_MADE(ditto_replay_id(self->handle), nth));
    }
    pthread_mutex_unlock(&lock);
    if (!ditto_begins(shadow->type->signature, "[["))
        return;
    /* An array of arrays that were made with it, or of nothing yet. */
    jsize length = (*jni)->GetArrayLength(jni, object);
    for (jsize i = 0; i < length; i++) {
        jobject row = (*jni)->GetObjectArrayElement(jni, object, i);
        if (!row)
            return;
        made(jni, self, row);
        (*jni)->DeleteLocalRef(jni, row);
    }
}

void ditto_debug_made(JNIEnv *jni, jobject object)
{
    struct ditto_java_thread *self = ditto_current();
    if (self)
        made(jni, self, object);
}

uint64_t ditto_debug_key(JNIEnv *jni, jobject object)
{
    if (!object)
        return 0;
    struct ditto_shadow *shadow = ditto_shadow_of_any(jni, object);
    pthread_mutex_lock(&lock);
    if (shadow->key == 0)
        enter_key(shadow, DITTO_KEY_LOOKED_AT | ++looked_at);
    pthread_mutex_unlock(&lock);
    return shadow->key;
}

jobject ditto_debug_object(JNIEnv *jni, uint64_t key)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    pthread_mutex_lock(&lock);
    const struct ditto_shadow *shadow = ditto_map_get_number(&keyed, key);
    const jlong tag = shadow ? ditto_shadow_number(shadow) : 0;
    pthread_mutex_unlock(&lock);
    if (!tag)
        return NULL;
    jint count = 0;
    jobject *objects = NULL, found = NULL;
    if ((*jvmti)->GetObjectsWithTags(jvmti, 1, &tag, &count, &objects, NULL) != JVMTI_ERROR_NONE)
        return NULL;
    if (count > 0)
        found = objects[0];
    for (jint i = 1; i < count; i++)
        (*jni)->DeleteLocalRef(jni, objects[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)objects);
    return found;
}

/* -------------------------------------------------------------------- classes */

static char *signature_of(jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *signature = NULL;
    (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    char *own = signature ? ditto_copy_text(signature, "the name of a class") : NULL;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return own;
}

char *ditto_debug_class_of(JNIEnv *jni, jobject object)
{
    jclass class = (*jni)->GetObjectClass(jni, object);
    char *signature = signature_of(class);
    char *name = signature
                     ? ditto_copy_text(ditto_debug_class_name(signature), "the name of a class")
                     : NULL;
    free(signature);
    return name;
}

static bool is_class(jclass class, const char *name)
{
    char *signature = signature_of(class);
    size_t length = strlen(name);
    bool same = signature && signature[0] == 'L' && strncmp(signature + 1, name, length) == 0 &&
                strcmp(signature + 1 + length, ";") == 0;
    free(signature);
    return same;
}

/* Classes that were asked for by name, with weak references; owned by the service's thread and, in
 * watched accesses, by the one thread that runs; guarded by the lock. */
static struct known_class {
    struct known_class *next;
    char *name;
    jweak class;
} * known_classes;

static jclass recall(JNIEnv *jni, const char *name)
{
    jclass class = NULL;
    pthread_mutex_lock(&lock);
    for (struct known_class *known = known_classes; known && !class; known = known->next)
        if (strcmp(known->name, name) == 0)
            class = (*jni)->NewLocalRef(jni, known->class);
    pthread_mutex_unlock(&lock);
    return class;
}

/* Of classes with one name, that of the program's loader is as good a guess as any. */
static jclass class_named(JNIEnv *jni, const char *name)
{
    enum { PREPARED = 2 };
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jclass found = recall(jni, name), *classes = NULL;
    jint count = 0;
    if (found || (*jvmti)->GetLoadedClasses(jvmti, &count, &classes) != JVMTI_ERROR_NONE)
        return found;
    for (jint i = 0; i < count; i++) {
        jint status = 0;
        if (!found && is_class(classes[i], name) &&
            (*jvmti)->GetClassStatus(jvmti, classes[i], &status) == JVMTI_ERROR_NONE &&
            status & PREPARED)
            found = classes[i];
        else
            (*jni)->DeleteLocalRef(jni, classes[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)classes);
    if (found) {
        struct known_class *known = ditto_alloc(sizeof *known, "a class");
        known->name = ditto_copy_text(name, "the name of a class");
        known->class = (*jni)->NewWeakGlobalRef(jni, found);
        pthread_mutex_lock(&lock);
        known->next = known_classes;
        known_classes = known;
        pthread_mutex_unlock(&lock);
    }
    return found;
}

/* --------------------------------------------------------------------- fields */

static jfieldID own_field(jclass class, const char *name, const char *descriptor, bool is_static)
{
    enum { STATIC = 0x0008 };
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint count = 0;
    jfieldID *fields = NULL, found = NULL;
    if ((*jvmti)->GetClassFields(jvmti, class, &count, &fields) != JVMTI_ERROR_NONE)
        return NULL;
    for (jint i = 0; i < count && !found; i++) {
        char *own_name = NULL, *own_descriptor = NULL;
        jint modifiers = 0;
        (*jvmti)->GetFieldName(jvmti, class, fields[i], &own_name, &own_descriptor, NULL);
        (*jvmti)->GetFieldModifiers(jvmti, class, fields[i], &modifiers);
        if (own_name && own_descriptor && strcmp(own_name, name) == 0 &&
            strcmp(own_descriptor, descriptor) == 0 && is_static == !!(modifiers & STATIC))
            found = fields[i];
        (*jvmti)->Deallocate(jvmti, (unsigned char *)own_name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)own_descriptor);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)fields);
    return found;
}

static uint64_t bits_of_float(jfloat value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t bits_of_double(jdouble value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define READ_FIELD(jni, holder, id, of, value)                                                     \
    switch ((value)->type) {                                                                       \
    case 'Z':                                                                                      \
        (value)->bits = (*jni)->Get##of##BooleanField(jni, holder, id);                            \
        break;                                                                                     \
    case 'B':                                                                                      \
        (value)->bits = (uint64_t)(int64_t)(*jni)->Get##of##ByteField(jni, holder, id);            \
        break;                                                                                     \
    case 'C':                                                                                      \
        (value)->bits = (*jni)->Get##of##CharField(jni, holder, id);                               \
        break;                                                                                     \
    case 'S':                                                                                      \
        (value)->bits = (uint64_t)(int64_t)(*jni)->Get##of##ShortField(jni, holder, id);           \
        break;                                                                                     \
    case 'I':                                                                                      \
        (value)->bits = (uint64_t)(int64_t)(*jni)->Get##of##IntField(jni, holder, id);             \
        break;                                                                                     \
    case 'J':                                                                                      \
        (value)->bits = (uint64_t)(*jni)->Get##of##LongField(jni, holder, id);                     \
        break;                                                                                     \
    case 'F':                                                                                      \
        (value)->bits = bits_of_float((*jni)->Get##of##FloatField(jni, holder, id));               \
        break;                                                                                     \
    case 'D':                                                                                      \
        (value)->bits = bits_of_double((*jni)->Get##of##DoubleField(jni, holder, id));             \
        break;                                                                                     \
    default: {                                                                                     \
        jobject object_ = (*jni)->Get##of##ObjectField(jni, holder, id);                           \
        (value)->bits = ditto_debug_key(jni, object_);                                             \
        (*jni)->DeleteLocalRef(jni, object_);                                                      \
    }                                                                                              \
    }

bool ditto_debug_field(JNIEnv *jni, jobject object, const char *class_name, const char *field,
                       const char *descriptor, struct ditto_message_value *value)
{
    jclass class = (*jni)->GetObjectClass(jni, object);
    jfieldID id = NULL;
    bool below = true; /* the named class */
    while (class && !id) {
        below = below && !is_class(class, class_name);
        if (!below)
            id = own_field(class, field, descriptor, false);
        jclass super = id ? NULL : (*jni)->GetSuperclass(jni, class);
        (*jni)->DeleteLocalRef(jni, class);
        class = super;
    }
    if (!id)
        return false;
    value->type = descriptor[0];
    READ_FIELD(jni, object, id, , value)
    return true;
}

bool ditto_debug_static(JNIEnv *jni, const char *class_name, const char *field,
                        const char *descriptor, struct ditto_message_value *value)
{
    jclass class = class_named(jni, class_name);
    jfieldID id = NULL;
    while (class && !(id = own_field(class, field, descriptor, true)))
        class = (*jni)->GetSuperclass(jni, class);
    if (!id)
        return false;
    value->type = descriptor[0];
    READ_FIELD(jni, class, id, Static, value)
    (*jni)->DeleteLocalRef(jni, class);
    return true;
}

#define READ_ELEMENT(jni, array, index, Name, type_)                                               \
    type_ element_;                                                                                \
    (*jni)->Get##Name##ArrayRegion(jni, array, (jsize)(index), 1, &element_)

bool ditto_debug_element(JNIEnv *jni, jobject array, jlong index, struct ditto_message_value *value)
{
    char *name = ditto_debug_class_of(jni, array);
    value->type = name && name[0] == '[' ? name[1] : '\0';
    free(name);
    if (!value->type || index < 0 || index >= (*jni)->GetArrayLength(jni, array))
        return false;
    switch (value->type) {
    case 'Z': {
        READ_ELEMENT(jni, array, index, Boolean, jboolean);
        value->bits = element_;
        break;
    }
    case 'B': {
        READ_ELEMENT(jni, array, index, Byte, jbyte);
        value->bits = (uint64_t)(int64_t)element_;
        break;
    }
    case 'C': {
        READ_ELEMENT(jni, array, index, Char, jchar);
        value->bits = element_;
        break;
    }
    case 'S': {
        READ_ELEMENT(jni, array, index, Short, jshort);
        value->bits = (uint64_t)(int64_t)element_;
        break;
    }
    case 'I': {
        READ_ELEMENT(jni, array, index, Int, jint);
        value->bits = (uint64_t)(int64_t)element_;
        break;
    }
    case 'J': {
        READ_ELEMENT(jni, array, index, Long, jlong);
        value->bits = (uint64_t)element_;
        break;
    }
    case 'F': {
        READ_ELEMENT(jni, array, index, Float, jfloat);
        value->bits = bits_of_float(element_);
        break;
    }
    case 'D': {
        READ_ELEMENT(jni, array, index, Double, jdouble);
        value->bits = bits_of_double(element_);
        break;
    }
    default: {
        jobject element = (*jni)->GetObjectArrayElement(jni, array, (jsize)index);
        value->bits = ditto_debug_key(jni, element);
        (*jni)->DeleteLocalRef(jni, element);
    }
    }
    return true;
}

/* --------------------------------------------------------------------- frames */

static bool is_hook(jmethodID id)
{
    return ditto_is_ours(ditto_debug_method(id)->class_name);
}

jint ditto_debug_frames(jthread thread, jvmtiFrameInfo **frames, jint *hidden)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint depth = 0, count = 0, hooks = 0;
    *frames = NULL;
    if ((*jvmti)->GetFrameCount(jvmti, thread, &depth) != JVMTI_ERROR_NONE || depth <= 0)
        return 0;
    *frames = ditto_alloc_zeroed((size_t)depth, sizeof **frames, "frames");
    if ((*jvmti)->GetStackTrace(jvmti, thread, 0, depth, *frames, &count) != JVMTI_ERROR_NONE)
        return 0;
    while (hooks < count && is_hook((*frames)[hooks].method))
        hooks++;
    memmove(*frames, *frames + hooks, (size_t)(count - hooks) * sizeof **frames);
    if (hidden)
        *hidden = hooks;
    return count - hooks;
}

static jvmtiError read_local(JNIEnv *jni, jthread thread, jint depth, jint slot,
                             struct ditto_message_value *value)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiError error;
    switch (value->type) {
    case 'J': {
        jlong number = 0;
        error = (*jvmti)->GetLocalLong(jvmti, thread, depth, slot, &number);
        value->bits = (uint64_t)number;
        break;
    }
    case 'F': {
        jfloat number = 0;
        error = (*jvmti)->GetLocalFloat(jvmti, thread, depth, slot, &number);
        value->bits = bits_of_float(number);
        break;
    }
    case 'D': {
        jdouble number = 0;
        error = (*jvmti)->GetLocalDouble(jvmti, thread, depth, slot, &number);
        value->bits = bits_of_double(number);
        break;
    }
    case 'L':
    case '[': {
        jobject object = NULL;
        error = (*jvmti)->GetLocalObject(jvmti, thread, depth, slot, &object);
        value->bits = error == JVMTI_ERROR_NONE ? ditto_debug_key(jni, object) : 0;
        (*jni)->DeleteLocalRef(jni, object);
        break;
    }
    default: {
        jint number = 0;
        error = (*jvmti)->GetLocalInt(jvmti, thread, depth, slot, &number);
        value->bits = (uint64_t)(int64_t)number;
    }
    }
    return error;
}

bool ditto_debug_local(JNIEnv *jni, uint32_t id, uint32_t depth, jint slot, char type,
                       struct ditto_message_value *value)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jthread thread = ditto_java_thread_find(jni, id);
    jvmtiFrameInfo *frames;
    jint hidden = 0, count = thread ? ditto_debug_frames(thread, &frames, &hidden) : 0;
    if (count > 0)
        free(frames);
    if ((jint)depth >= count)
        return false;
    value->type = type;
    /* It rests in native code; being suspended besides is what JVMTI wants to see. */
    bool suspended = (*jvmti)->SuspendThread(jvmti, thread) == JVMTI_ERROR_NONE;
    jvmtiError error = read_local(jni, thread, (jint)depth + hidden, slot, value);
    if (suspended)
        (*jvmti)->ResumeThread(jvmti, thread);
    return error == JVMTI_ERROR_NONE;
}
