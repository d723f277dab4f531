/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/initialization.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "core/base/map.h"
#include "jvm-bridge/classes/loaders.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/class_texts.h"
#include "jvm-bridge/vm/hotspot.h"

/* By name, of several the latest.  The lock guards the map; what is in it does not move or go. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_map classes;

/* The latest class of that name, or NULL. */
static struct ditto_class *find_latest(const char *name)
{
    pthread_mutex_lock(&lock);
    struct ditto_class *class = ditto_map_get(&classes, name, strlen(name));
    pthread_mutex_unlock(&lock);
    return class;
}

/* The class of that name from that very loader, or NULL. */
static struct ditto_class *find_class(const char *name, const char *loader)
{
    struct ditto_class *class = find_latest(name);
    while (class && strcmp(class->loader, loader))
        class = class->earlier;
    return class;
}

/*
 * The class that a class of that loader means by a name: its loader's own, or the application's, to
 * which loaders delegate, or where there are loaders in between any of that name.
 */
static struct ditto_class *find_seen(const char *name, const char *loader)
{
    struct ditto_class *class = find_class(name, loader);
    if (!class)
        class = find_class(name, "");
    return class ? class : find_latest(name);
}

static void describe_members(const struct ditto_cf *cf, struct ditto_class *class)
{
    class->statics = ditto_alloc_zeroed((size_t)cf->field_count + cf->method_count, sizeof(char *),
                                        "the members of a class");
    for (uint32_t i = 0; i < (uint32_t)cf->field_count + cf->method_count; i++) {
        const struct ditto_cf_member *member =
            i < cf->field_count ? &cf->fields[i] : &cf->methods[i - cf->field_count];
        struct ditto_cf_text name = ditto_cf_utf8(cf, member->name);
        if (member->access & DITTO_ACC_STATIC)
            class->statics[class->static_count++] =
                ditto_member_text(name, ditto_cf_utf8(cf, member->descriptor));
        if (ditto_cf_is(name, "<clinit>"))
            class->has_initializer = true;
        else if (class->is_interface && i >= cf->field_count)
            class->has_defaults |= !(member->access & (DITTO_ACC_STATIC | DITTO_ACC_ABSTRACT));
    }
}

/* The constants of the interfaces follow the three of access, this and super. */
static void describe_interfaces(const struct ditto_cf *cf, struct ditto_class *class)
{
    const uint8_t *at = cf->bytes + cf->pool_end + 6;
    unsigned count = ditto_u2(at);
    class->interfaces = ditto_alloc_zeroed(count, sizeof(char *), "the interfaces of a class");
    for (unsigned i = 0; i < count; i++)
        class->interfaces[class->interface_count++] =
            ditto_text_copy(ditto_cf_class_name(cf, ditto_u2(at + 2 + 2 * i)));
}

/* The recorded initializer of the class, from the property that ditto_class_initializing() wrote.
 */
static void find_initializer(struct ditto_class *class)
{
    char property[1024];
    ditto_class_property(property, sizeof property, "class-init", class->name, class->loader);
    const char *id = ditto_property(ditto_agent.session, property);
    class->initializer = id ? strtoll(id, NULL, 10) : -1;
}

struct ditto_class *ditto_class_enter(const struct ditto_cf *cf, const char *name,
                                      const char *loader)
{
    struct ditto_class *class = find_class(name, loader);
    if (class)
        return class;
    class = ditto_alloc_zeroed(1, sizeof *class, "a class");
    class->loader = loader;
    class->is_interface = cf->access & DITTO_ACC_INTERFACE;
    class->name = ditto_copy_text(name, "the name of a class");
    class->awaited = ditto_format("the initialization of class %s", name);
    if (cf->super_class)
        class->super = ditto_text_copy(ditto_cf_class_name(cf, cf->super_class));
    describe_members(cf, class);
    describe_interfaces(cf, class);
    find_initializer(class);
    pthread_mutex_lock(&lock);
    class->earlier = ditto_map_put(&classes, class->name, strlen(name), class);
    pthread_mutex_unlock(&lock);
    return class;
}

/* -------------------------------------------------------------------- waiting */

/* The class that declares a static member, looked for as the JVM does. */
static struct ditto_class *declaring(struct ditto_class *class, const char *member)
{
    if (!class)
        return NULL;
    for (unsigned i = 0; i < class->static_count; i++)
        if (strcmp(class->statics[i], member) == 0)
            return class;
    for (unsigned i = 0; i < class->interface_count; i++) {
        struct ditto_class *found =
            declaring(find_seen(class->interfaces[i], class->loader), member);
        if (found)
            return found;
    }
    return class->super ? declaring(find_seen(class->super, class->loader), member) : NULL;
}

/* Waits for who initializes the class itself, unless it is the thread.  True if that is over. */
static bool await_class(struct ditto_thread *thread, struct ditto_class *class)
{
    if (!class->has_initializer)
        return true;
    if (class->initializer >= 0 && class->initializer != (int64_t)ditto_replay_id(thread))
        ditto_flag_wait(thread, &class->initialized, class->awaited);
    return atomic_load_explicit(&class->initialized.raised, memory_order_acquire);
}

/* The interfaces that are initialized with a class: those with methods that it inherits. */
static bool await_interfaces(struct ditto_thread *thread, const struct ditto_class *class)
{
    bool over = true;
    for (unsigned i = 0; i < class->interface_count; i++) {
        struct ditto_class *interface = find_seen(class->interfaces[i], class->loader);
        if (!interface)
            continue;
        over = await_interfaces(thread, interface) && over;
        if (interface->has_defaults)
            over = await_class(thread, interface) && over;
    }
    return over;
}

/* What is initialized with a class: what it inherits from, too. */
static bool await_all(struct ditto_thread *thread, struct ditto_class *class)
{
    bool over = true;
    /* An interface does not bring its superinterfaces along. */
    if (class && class->is_interface)
        return await_class(thread, class);
    for (; class; class = class->super ? find_seen(class->super, class->loader) : NULL) {
        over = await_interfaces(thread, class) && over;
        over = await_class(thread, class) && over;
    }
    return over;
}

bool ditto_class_await(JNIEnv *jni, struct ditto_thread *thread, jclass owner,
                       const struct ditto_site_info *site)
{
    jobject loader = NULL;
    (*ditto_agent.jvmti)->GetClassLoader(ditto_agent.jvmti, owner, &loader);
    struct ditto_class *class = find_seen(site->owner, ditto_loader_label(jni, loader));
    (*jni)->DeleteLocalRef(jni, loader);
    if (site->member)
        class = declaring(class, site->member);
    return await_all(thread, class);
}

void ditto_class_await_type(JNIEnv *jni, struct ditto_thread *thread, jclass type)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *signature = NULL;
    jobject loader = NULL;
    (*jvmti)->GetClassLoader(jvmti, type, &loader);
    (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL);
    if (loader && signature && signature[0] == 'L') {
        signature[strlen(signature) - 1] = '\0';
        await_all(thread, find_class(signature + 1, ditto_loader_label(jni, loader)));
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jni)->DeleteLocalRef(jni, loader);
}

/* Class.forName0 of libjava: loads a class, and initializes it. */
typedef jclass for_name(JNIEnv *, jclass, jstring, jboolean, jobject, jclass);
static for_name *real_for_name;

static jclass JNICALL my_for_name(JNIEnv *jni, jclass class, jstring name, jboolean initialize,
                                  jobject loader, jclass caller)
{
    struct ditto_java_thread *self = initialize ? ditto_current_or_paused() : NULL;
    if (self) {
        jclass type = real_for_name(jni, class, name, JNI_FALSE, loader, caller);
        if (!type)
            return NULL;
        ditto_class_await_type(jni, self->handle, type);
        (*jni)->DeleteLocalRef(jni, type);
    }
    return real_for_name(jni, class, name, initialize, loader, caller);
}

void ditto_initialization_take_over(JNIEnv *jni)
{
    *(void **)&real_for_name = ditto_hotspot_library_function("Java_java_lang_Class_forName0");
    ditto_hotspot_replace_native(jni, "java/lang/Class", "forName0",
                                 "(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)"
                                 "Ljava/lang/Class;",
                                 __extension__(void *) my_for_name);
}

void ditto_class_initializing(struct ditto_thread *thread, struct ditto_class *class)
{
    char text[1200];
    if (!ditto_agent.replay) {
        char id[16];
        ditto_class_property(text, sizeof text, "class-init", class->name, class->loader);
        snprintf(id, sizeof id, "%" PRIu32, ditto_replay_id(thread));
        ditto_set_property(ditto_agent.session, text, id);
    } else if (class->initializer >= 0 && class->initializer != (int64_t)ditto_replay_id(thread)) {
        snprintf(text, sizeof text,
                 "expected thread %" PRId64 " to initialize class %s, found this one doing it",
                 class->initializer, class->name);
        ditto_left_trace(thread, text);
    }
}

void ditto_class_initialized(struct ditto_class *class)
{
    if (ditto_agent.replay)
        ditto_flag_raise(ditto_agent.session, &class->initialized);
}
