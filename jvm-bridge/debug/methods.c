/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/methods.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "core/base/list.h"
#include "core/base/map.h"
#include "jvm-bridge/instrument/instrument.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/vm/vm.h"

enum { BUCKETS = 1 << 14 };

/*
 * Guards making them, the map by name and all lists.  A method is found by its id without the lock:
 * the heads of those lists are published after what they lead to, and nothing is ever taken out.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_debug_method *_Atomic by_id[BUCKETS];
static struct ditto_map by_name;
static struct ditto_debug_method **numbered;
static size_t count, room;

static size_t id_bucket(jmethodID id)
{
    return ((uint64_t)(uintptr_t)id * UINT64_C(0x9e3779b97f4a7c15)) >> 50;
}

/* The three texts one after the other, each with its 0: what a method is called.  To be freed. */
static char *texts_of(const char *class_name, const char *name, const char *descriptor,
                      size_t *size)
{
    size_t class_size = strlen(class_name) + 1, name_size = strlen(name) + 1;
    size_t descriptor_size = strlen(descriptor) + 1;
    *size = class_size + name_size + descriptor_size;
    char *texts = ditto_alloc(*size, "the name of a method");
    memcpy(texts, class_name, class_size);
    memcpy(texts + class_size, name, name_size);
    memcpy(texts + class_size + name_size, descriptor, descriptor_size);
    return texts;
}

/* Under the lock. */
static struct ditto_debug_method *find_named(const char *class_name, const char *name,
                                             const char *descriptor)
{
    size_t size;
    char *texts = texts_of(class_name, name, descriptor, &size);
    struct ditto_debug_method *method = ditto_map_get(&by_name, texts, size);
    free(texts);
    return method;
}

/* Under the lock.  Of several with one name the first is found by it. */
static struct ditto_debug_method *make(const char *class_name, const char *name,
                                       const char *descriptor)
{
    struct ditto_debug_method *method = ditto_alloc_zeroed(1, sizeof *method, "a method");
    size_t size;
    method->class_name = texts_of(class_name, name, descriptor, &size);
    method->name = method->class_name + strlen(class_name) + 1;
    method->descriptor = method->name + strlen(name) + 1;
    DITTO_PUSH(numbered, count, room, method);
    method->number = (uint32_t)count;
    ditto_map_add(&by_name, method->class_name, size, method);
    return method;
}

/* Under the lock. */
static struct ditto_debug_method *named(const char *class_name, const char *name,
                                        const char *descriptor)
{
    struct ditto_debug_method *method = find_named(class_name, name, descriptor);
    return method ? method : make(class_name, name, descriptor);
}

struct ditto_debug_method *ditto_debug_method_named(const char *class_name, const char *name,
                                                    const char *descriptor)
{
    pthread_mutex_lock(&lock);
    struct ditto_debug_method *method = find_named(class_name, name, descriptor);
    pthread_mutex_unlock(&lock);
    return method;
}

struct ditto_debug_method *ditto_debug_method_at(uint32_t number)
{
    pthread_mutex_lock(&lock);
    struct ditto_debug_method *method = number && number <= count ? numbered[number - 1] : NULL;
    pthread_mutex_unlock(&lock);
    return method;
}

/* Under the lock: one of several classes with this name counts, the first. */
static void give_id(struct ditto_debug_method *method, jmethodID id)
{
    if (atomic_load_explicit(&method->id, memory_order_relaxed))
        return;
    struct ditto_debug_method *_Atomic *bucket = &by_id[id_bucket(id)];
    method->next_by_id = atomic_load_explicit(bucket, memory_order_relaxed);
    atomic_store_explicit(&method->id, id, memory_order_release);
    atomic_store_explicit(bucket, method, memory_order_release);
}

/*
 * "com/acme/Main" of "Lcom/acme/Main;", in place.  Of a class that the JDK makes for a lambda what
 * comes after $$Lambda is another in every run.
 */
const char *ditto_debug_class_name(char *signature)
{
    size_t length = strlen(signature);
    if (signature[0] != 'L' || length < 2)
        return signature;
    signature[length - 1] = '\0';
    char *lambda = strstr(signature, "$$Lambda");
    if (lambda)
        lambda[8] = '\0';
    return signature + 1;
}

struct ditto_debug_method *ditto_debug_method(jmethodID id)
{
    struct ditto_debug_method *method =
        atomic_load_explicit(&by_id[id_bucket(id)], memory_order_acquire);
    while (method && atomic_load_explicit(&method->id, memory_order_relaxed) != id)
        method = method->next_by_id;
    if (method)
        return method;
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jclass class = NULL;
    char *signature = NULL, *name = NULL, *descriptor = NULL;
    (*jvmti)->GetMethodDeclaringClass(jvmti, id, &class);
    if (class)
        (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL);
    (*jvmti)->GetMethodName(jvmti, id, &name, &descriptor, NULL);
    const char *class_name = signature ? ditto_debug_class_name(signature) : "?";
    pthread_mutex_lock(&lock);
    method = named(class_name, name ? name : "?", descriptor ? descriptor : "?");
    /* Another class of that name has it. */
    if (atomic_load_explicit(&method->id, memory_order_relaxed) &&
        atomic_load_explicit(&method->id, memory_order_relaxed) != id)
        method = make(class_name, name ? name : "?", descriptor ? descriptor : "?");
    give_id(method, id);
    pthread_mutex_unlock(&lock);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
    return method;
}

/* ------------------------------------------------------------------- indexes */

int32_t ditto_debug_bci(const struct ditto_debug_method *method, jlocation at)
{
    if (method->location)
        return at >= 0 && at < (jlocation)method->size ? method->location[at] : -1;
    /* Classes of the JDK may have been changed, too, and nothing was kept of how. */
    return ditto_is_of_the_jdk(method->class_name) ? -1 : (int32_t)at;
}

jlocation ditto_debug_location(const struct ditto_debug_method *method, int32_t bci)
{
    for (uint32_t i = 0; method->location && i < method->size; i++)
        if (method->arrival[i] && method->location[i] == bci)
            return i;
    return -1;
}

/* Where threads come to each bytecode: at what was inserted before it, or at the bytecode. */
static void mark_arrivals(struct ditto_debug_method *method, const struct ditto_cf_code *code,
                          const struct ditto_bcimap *map)
{
    struct ditto_insn insn;
    for (uint32_t i = 0; i < map->new_size; i++)
        method->location[i] = -2;
    for (uint32_t bci = 0; bci < code->size; bci += insn.size) {
        if (!ditto_insn_decode(code->code, code->size, bci, &insn))
            break;
        uint32_t at = ditto_bcimap_to_new(map, bci);
        if (at < map->new_size)
            method->location[at] = (int32_t)bci;
    }
    for (uint32_t i = 0; i < map->count; i++) {
        const struct ditto_bci_segment *segment = &map->segments[i];
        if (segment->kind != DITTO_BCI_BEFORE)
            continue;
        method->location[ditto_bcimap_to_new(map, segment->old_bci)] = -2;
        method->location[segment->new_bci] = segment->old_bci;
    }
    method->location[0] = -1;
}

static void map_method(struct ditto_debug_method *method, const struct ditto_cf_code *code,
                       const struct ditto_bcimap *map)
{
    if (method->location || map->new_size == 0)
        return;
    method->size = map->new_size;
    method->location =
        ditto_alloc_zeroed(map->new_size, sizeof *method->location, "the places of a method");
    method->arrival =
        ditto_alloc_zeroed(map->new_size, sizeof *method->arrival, "the places of a method");
    mark_arrivals(method, code, map);
    int32_t latest = -1;
    for (uint32_t i = 0; i < map->new_size; i++) {
        enum ditto_bci_kind kind;
        method->arrival[i] = method->location[i] != -2;
        ditto_bcimap_to_old(map, i, &kind);
        if (method->arrival[i])
            latest = method->location[i];
        else
            method->location[i] = kind == DITTO_BCI_TAIL ? -1 : latest;
    }
}

static char *text_of(struct ditto_cf_text text)
{
    char *string = ditto_alloc_zeroed(text.size + 1, 1, "the name of a method");
    memcpy(string, text.data, text.size);
    return string;
}

void ditto_debug_class(const char *name, const struct ditto_cf *cf,
                       const struct ditto_instrumented *result)
{
    for (uint32_t i = 0; i < cf->method_count && i < result->class.method_count; i++) {
        struct ditto_cf_code code;
        bool present;
        struct ditto_error error;
        if (result->class.methods[i].outcome != DITTO_RW_WRITTEN ||
            !ditto_cf_code(cf, &cf->methods[i], &present, &code, &error) || !present)
            continue;
        char *method_name = text_of(ditto_cf_utf8(cf, cf->methods[i].name));
        char *descriptor = text_of(ditto_cf_utf8(cf, cf->methods[i].descriptor));
        pthread_mutex_lock(&lock);
        map_method(named(name, method_name, descriptor), &code, result->class.methods[i].map);
        pthread_mutex_unlock(&lock);
        free(method_name);
        free(descriptor);
    }
}

bool ditto_debug_methods_prepared(jclass class)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *signature = NULL;
    jint method_count = 0;
    jmethodID *ids = NULL;
    bool recorded = false;
    if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) != JVMTI_ERROR_NONE)
        return false;
    const char *name = ditto_debug_class_name(signature);
    (*jvmti)->GetClassMethods(jvmti, class, &method_count, &ids);
    for (jint i = 0; i < method_count; i++) {
        char *method_name = NULL, *descriptor = NULL;
        (*jvmti)->GetMethodName(jvmti, ids[i], &method_name, &descriptor, NULL);
        pthread_mutex_lock(&lock);
        struct ditto_debug_method *method =
            method_name && descriptor ? find_named(name, method_name, descriptor) : NULL;
        if (method && method->location) {
            give_id(method, ids[i]);
            recorded = true;
        }
        pthread_mutex_unlock(&lock);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)method_name);
        (*jvmti)->Deallocate(jvmti, (unsigned char *)descriptor);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)ids);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return recorded;
}
