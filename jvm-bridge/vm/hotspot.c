/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/hotspot.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "jvm-bridge/vm/say.h"

enum { OLDEST_JDK = 17 };

/* The JVM exports these for its own libraries; their signatures are those of jvm.h. */
static void (*start_thread)(JNIEnv *, jobject);
static void (*halt)(jint);

struct ditto_hotspot_answers ditto_hotspot;

static bool find_answers(void)
{
    struct ditto_hotspot_answers *to = &ditto_hotspot;
    *(void **)&to->nano_time = dlsym(RTLD_DEFAULT, "JVM_NanoTime");
    *(void **)&to->millis = dlsym(RTLD_DEFAULT, "JVM_CurrentTimeMillis");
    *(void **)&to->adjustment = dlsym(RTLD_DEFAULT, "JVM_GetNanoTimeAdjustment");
    *(void **)&to->hash = dlsym(RTLD_DEFAULT, "JVM_IHashCode");
    *(void **)&to->processors = dlsym(RTLD_DEFAULT, "JVM_ActiveProcessorCount");
    *(void **)&to->free_memory = dlsym(RTLD_DEFAULT, "JVM_FreeMemory");
    *(void **)&to->total_memory = dlsym(RTLD_DEFAULT, "JVM_TotalMemory");
    *(void **)&to->max_memory = dlsym(RTLD_DEFAULT, "JVM_MaxMemory");
    return to->nano_time && to->millis && to->adjustment && to->hash && to->processors &&
           to->free_memory && to->total_memory && to->max_memory;
}

static char *property(jvmtiEnv *jvmti, const char *name)
{
    char *value = NULL;
    return (*jvmti)->GetSystemProperty(jvmti, name, &value) == JVMTI_ERROR_NONE ? value : NULL;
}

int ditto_hotspot_feature(jvmtiEnv *jvmti)
{
    char *version = property(jvmti, "java.vm.specification.version");
    int number = version ? atoi(version) : 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)version);
    return number;
}

void ditto_hotspot_check(jvmtiEnv *jvmti)
{
    char *name = property(jvmti, "java.vm.name");
    int number = ditto_hotspot_feature(jvmti);
    *(void **)&start_thread = dlsym(RTLD_DEFAULT, "JVM_StartThread");
    *(void **)&halt = dlsym(RTLD_DEFAULT, "JVM_Halt");
    if (!start_thread || !halt || !find_answers() || !dlsym(RTLD_DEFAULT, "gHotSpotVMStructs"))
        ditto_agent_refuse("%s is not HotSpot; use an OpenJDK build with HotSpot, 17 or later",
                           name ? name : "this JVM");
    if (sizeof(void *) != 8)
        ditto_agent_refuse("this JVM has 32 bits; use one with 64");
    if (number < OLDEST_JDK)
        ditto_agent_refuse("this is JDK %d; use JDK %d or later", number, OLDEST_JDK);
    /* Streams of java.io then lock with monitors, whose order can be seen, from JDK 19 on too. */
    (*jvmti)->SetSystemProperty(jvmti, "jdk.io.useMonitors", "true");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

char *ditto_hotspot_version(jvmtiEnv *jvmti)
{
    char *name = property(jvmti, "java.vm.name"), *version = property(jvmti, "java.vm.version");
    char *text = ditto_format("%s, %s", version ? version : "?", name ? name : "?");
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)version);
    return text;
}

/* A thread's generator is Marsaglia's xor-shift of four words.  They are in the JVM's structure for
 * the thread, as the JNIEnv is, further on. */
struct generator {
    uint32_t w, x, y, z;
};
static ptrdiff_t generator_at; /* in words from the JNIEnv; not changed after the start */

static struct generator *generator_of(JNIEnv *jni)
{
    return (struct generator *)((uint32_t *)jni + generator_at);
}

static bool has_drawn(const struct generator *before, const struct generator *after, jint hash)
{
    uint32_t t = before->x ^ before->x << 11;
    uint32_t drawn = before->w ^ before->w >> 19 ^ t ^ t >> 8;
    return after->x == before->y && after->y == before->z && after->z == before->w &&
           after->w == drawn && (drawn & INT32_MAX) == (uint32_t)hash;
}

void ditto_hotspot_find_hashes(JNIEnv *jni)
{
    enum { FARTHEST = 512 / sizeof(uint32_t), WORDS = sizeof(struct generator) / sizeof(uint32_t) };
    uint32_t before[FARTHEST];
    memcpy(before, (uint32_t *)jni - FARTHEST, sizeof before);
    jclass class = (*jni)->FindClass(jni, "java/lang/Object");
    jobject object = class ? (*jni)->AllocObject(jni, class) : NULL;
    jint hash = object ? ditto_hotspot.hash(jni, object) : 0;
    for (int back = WORDS; object && back <= FARTHEST && !generator_at; back++) {
        const struct generator *then = (const struct generator *)(before + FARTHEST - back);
        const struct generator *now = (const struct generator *)((uint32_t *)jni - back);
        if (has_drawn(then, now, hash))
            generator_at = -back;
    }
    if (!generator_at)
        ditto_agent_refuse("this JVM does not draw identity hashes as expected; use JDK 17 or 25, "
                           "without -XX:hashCode");
    (*jni)->DeleteLocalRef(jni, object);
    (*jni)->DeleteLocalRef(jni, class);
}

jint ditto_hotspot_hash_as(JNIEnv *jni, jobject object, jint wanted)
{
    /* If x is 0, the next number is w ^ w >> 19; which is its own inverse, because twice 19 is more
     * than 32. */
    struct generator *generator = generator_of(jni), before = *generator;
    generator->x = 0;
    generator->w = (uint32_t)wanted ^ (uint32_t)wanted >> 19;
    jint hash = ditto_hotspot.hash(jni, object);
    *generator = before;
    return hash;
}

void ditto_hotspot_replace_native(JNIEnv *jni, const char *class_name, char *name, char *signature,
                                  void *function)
{
    const JNINativeMethod method = {name, signature, function};
    jclass class = (*jni)->FindClass(jni, class_name);
    bool good = class && (*jni)->RegisterNatives(jni, class, &method, 1) == JNI_OK;
    if (ditto_agent_clear(jni) || !good)
        ditto_agent_refuse("this JVM has no native %s.%s%s; use JDK 17 or 25", class_name, name,
                           signature);
    (*jni)->DeleteLocalRef(jni, class);
}

void *ditto_hotspot_library(const char *name)
{
    char *directory = property(ditto_agent.jvmti, "sun.boot.library.path");
    char *path = directory ? ditto_format("%s/%s", directory, name) : NULL;
    void *library = path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD) : NULL;
    (*ditto_agent.jvmti)->Deallocate(ditto_agent.jvmti, (unsigned char *)directory);
    free(path);
    return library;
}

void *ditto_hotspot_library_function(const char *name)
{
    void *library = ditto_hotspot_library("libjava.so");
    void *function = library ? dlsym(library, name) : NULL;
    if (!function)
        ditto_agent_refuse("this JVM has no %s in its libjava.so; use JDK 17 or 25", name);
    return function;
}

void ditto_hotspot_take_over(JNIEnv *jni, void (*start)(JNIEnv *, jobject),
                             void (*halt_function)(JNIEnv *, jclass, jint))
{
    ditto_hotspot_replace_native(jni, "java/lang/Thread", "start0", "()V", *(void **)&start);
    ditto_hotspot_replace_native(jni, "java/lang/Shutdown", "halt0", "(I)V",
                                 *(void **)&halt_function);
}

void ditto_hotspot_start_thread(JNIEnv *jni, jobject thread)
{
    start_thread(jni, thread);
}

void ditto_hotspot_halt(jint status)
{
    halt(status);
    DITTO_CHECK(false, "the JVM goes on after it was halted");
}
