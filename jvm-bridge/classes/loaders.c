/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classes/loaders.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/die.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/say.h"

struct loader {
    struct loader *next;
    jweak object;
    char *label;
};

static jobject system_loader;

/* Guards the list and the count. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct loader *loaders;
static uint32_t unknown; /* loaders of threads that the engine does not know */

void ditto_loaders_begin(JNIEnv *jni)
{
    jclass class = (*jni)->FindClass(jni, "java/lang/ClassLoader");
    jmethodID get =
        (*jni)->GetStaticMethodID(jni, class, "getSystemClassLoader", "()Ljava/lang/ClassLoader;");
    jobject object = get ? (*jni)->CallStaticObjectMethod(jni, class, get) : NULL;
    bool failed = ditto_agent_clear(jni);
    system_loader = failed ? NULL : (*jni)->NewGlobalRef(jni, object);
    ditto_agent_expect(system_loader, "the application's class loader");
    (*jni)->DeleteLocalRef(jni, object);
    (*jni)->DeleteLocalRef(jni, class);
}

static struct loader *new_loader(JNIEnv *jni, jobject object)
{
    /* Recording pauses while classes are loaded. */
    struct ditto_java_thread *self = ditto_current_or_paused();
    struct loader *loader = ditto_alloc_zeroed(1, sizeof *loader, "a class loader");
    loader->label =
        self ? ditto_format("%" PRIu32 ".%" PRIu32, ditto_replay_id(self->handle), self->loaders++)
             : ditto_format("x.%" PRIu32, unknown++);
    loader->object = (*jni)->NewWeakGlobalRef(jni, object);
    return loader;
}

const char *ditto_loader_label(JNIEnv *jni, jobject object)
{
    if (!object || (*jni)->IsSameObject(jni, object, system_loader))
        return "";
    pthread_mutex_lock(&lock);
    struct loader **link = &loaders;
    while (*link && !(*jni)->IsSameObject(jni, (*link)->object, object)) {
        struct loader *dead = *link;
        if (!(*jni)->IsSameObject(jni, dead->object, NULL)) {
            link = &dead->next;
            continue;
        }
        /* Its classes may still be named by it in tables: the label stays. */
        *link = dead->next;
        (*jni)->DeleteWeakGlobalRef(jni, dead->object);
        free(dead);
    }
    if (!*link)
        *link = new_loader(jni, object);
    const char *label = (*link)->label;
    pthread_mutex_unlock(&lock);
    return label;
}

void ditto_class_property(char *text, size_t size, const char *kind, const char *name,
                          const char *loader)
{
    snprintf(text, size, "%s.%s%s%s", kind, name, *loader ? "@" : "", loader);
}
