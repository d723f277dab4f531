/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/debug/watches.h"

#include <stdlib.h>
#include <string.h>

#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/debug/go_state.h"
#include "jvm-bridge/debug/inspect.h"
#include "jvm-bridge/debug/telling.h"
#include "jvm-bridge/debug/write_counts.h"
#include "jvm-bridge/instrument/hook_table.h"
#include "jvm-bridge/state/shadow.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/vm/vm.h"

/* "field descriptor" of a watch against a site's. */
static bool names_member(const struct ditto_message_watch *watch, const char *member)
{
    size_t length = strlen(watch->field);
    return strncmp(member, watch->field, length) == 0 && member[length] == ' ' &&
           strcmp(member + length + 1, watch->descriptor) == 0;
}

static bool is_static(const struct ditto_site_info *site)
{
    return site->kind == DITTO_SITE_STATIC_LOAD || site->kind == DITTO_SITE_STATIC_STORE;
}

/* The type of that name among a type, its superclasses and their interfaces. */
static struct ditto_type_info *type_named(struct ditto_type_info *type, const char *name)
{
    size_t length = strlen(name);
    for (; type; type = type->super) {
        if (type->signature[0] == 'L' && strncmp(type->signature + 1, name, length) == 0 &&
            type->signature[length + 1] == ';')
            return type;
        for (unsigned i = 0; i < type->interface_count; i++) {
            struct ditto_type_info *found = type_named(type->interfaces[i], name);
            if (found)
                return found;
        }
    }
    return NULL;
}

static bool matches(JNIEnv *jni, const struct ditto_message_watch *watch,
                    struct ditto_site_info *site, const struct ditto_shadow *shadow, jint index,
                    bool store)
{
    bool element = watch->field[0] == '\0';
    if (!(watch->kind & (store ? 1 : 2)) || element != (site->member == NULL) ||
        (watch->key && (!shadow || shadow->key != watch->key)))
        return false;
    if (element)
        return watch->index == index;
    if (!names_member(watch, site->member))
        return false;
    if (!is_static(site))
        return ditto_type_field(shadow->type, watch->class_name, site->member) + 1 ==
               atomic_load_explicit(&site->field, memory_order_relaxed);
    jclass class = ditto_site_find_class(jni, site);
    struct ditto_type_info *type =
        class ? type_named(ditto_type_of(jni, class), watch->class_name) : NULL;
    (*jni)->DeleteLocalRef(jni, class);
    return type && (uintptr_t)ditto_type_static(type, site->member) ==
                       atomic_load_explicit(&site->quick, memory_order_acquire);
}

static void read_watched(JNIEnv *jni, const struct ditto_debug_thread *debug,
                         struct ditto_message_value *value)
{
    const struct ditto_message_watch *watch = &ditto_go.asked.watches[debug->hit.index];
    *value = (struct ditto_message_value){0};
    if (watch->field[0] == '\0')
        ditto_debug_element(jni, debug->object, watch->index, value);
    else if (debug->object)
        ditto_debug_field(jni, debug->object, watch->class_name, watch->field, watch->descriptor,
                          value);
    else
        ditto_debug_static(jni, watch->class_name, watch->field, watch->descriptor, value);
}

/* How often it was written: the field of this object, or, if no object was named, of all. */
static uint64_t count_write(struct ditto_site_info *site, struct ditto_shadow *shadow, jint index,
                            bool of_one)
{
    if (is_static(site))
        return ditto_static_writes(site);
    if (site->member && !of_one)
        return ditto_class_writes(site, shadow);
    return ditto_shadow_writes(site, shadow, index);
}

static void location_of_access(struct ditto_message_hit *hit)
{
    jvmtiFrameInfo *frames;
    jint count = ditto_debug_frames(NULL, &frames, NULL);
    if (count > 0) {
        const struct ditto_debug_method *method = ditto_debug_method(frames[0].method);
        hit->method = method->number;
        hit->bci = ditto_debug_bci(method, frames[0].location);
    }
    free(frames);
}

void ditto_debug_access(JNIEnv *jni, struct ditto_java_thread *self, jint number,
                        struct ditto_shadow *shadow, jobject object, jint index, bool store)
{
    struct ditto_site_info *site = ditto_site_at(number);
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    if (store)
        ditto_count_write(site, shadow, index);
    /* A constructor stores to what is not yet made. */
    if (store && shadow && site->member)
        ditto_debug_met(self, shadow);
    for (uint32_t i = 0; i < ditto_go.asked.watch_count; i++) {
        const struct ditto_message_watch *watch = &ditto_go.asked.watches[i];
        if (!matches(jni, watch, site, shadow, index, store))
            continue;
        uint64_t nth = store ? count_write(site, shadow, index, watch->key != 0) : 0;
        if (watch->nth && watch->nth != nth)
            continue;
        debug->hit = (struct ditto_message_hit){
            .why = DITTO_HALT_WATCH, .index = i, .written = store, .nth = nth};
        debug->hit.key = shadow ? shadow->key : 0;
        debug->hit.at = ditto_debug_position_of(self);
        debug->hit.at.kind = DITTO_POSITION_STEP;
        debug->hit.at.step = 0;
        debug->hit.before = ditto_debug_position_after(&ditto_go.before);
        debug->object = object ? (*jni)->NewGlobalRef(jni, object) : NULL;
        debug->watched = true;
        location_of_access(&debug->hit);
        read_watched(jni, debug, &debug->hit.old);
        if (object && !debug->hit.key)
            debug->hit.key = ditto_debug_key(jni, object);
        return;
    }
}

/* As long as the access lasts nobody else changes what it accesses. */
void ditto_debug_access_ends(struct ditto_java_thread *self)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    JNIEnv *jni = NULL;
    if (!debug->watched ||
        (*ditto_agent.vm)->GetEnv(ditto_agent.vm, (void **)&jni, JNI_VERSION_10) != JNI_OK)
        return;
    jthrowable pending = (*jni)->ExceptionOccurred(jni);
    (*jni)->ExceptionClear(jni);
    read_watched(jni, debug, &debug->hit.new);
    if (debug->object)
        (*jni)->DeleteGlobalRef(jni, debug->object);
    debug->object = NULL;
    if (pending)
        (*jni)->Throw(jni, pending);
}

void ditto_debug_accessed(struct ditto_java_thread *self)
{
    struct ditto_debug_thread *debug = ditto_debug_of(self);
    if (!debug->watched)
        return;
    debug->watched = false;
    if (ditto_debug_stops()) {
        /* It stops at the next bytecode: the access is done, and its instruction, too. */
        debug->stop_next = true;
        debug->counting = DITTO_POSITION_STEP;
        debug->steps = 0;
        ditto_debug_set_stepping(self, true);
    } else {
        ditto_debug_remember(&debug->hit);
    }
}
