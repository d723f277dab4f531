/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/threads/reports.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/state/shadow.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/threads/threads.h"
#include "jvm-bridge/vm/say.h"

static jint line_of(jmethodID method, jlocation at)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiLineNumberEntry *table = NULL;
    jint count = 0, line = -1;
    if ((*jvmti)->GetLineNumberTable(jvmti, method, &count, &table) != JVMTI_ERROR_NONE)
        return -1;
    for (jint i = 0; i < count; i++)
        if (table[i].start_location <= at)
            line = table[i].line_number;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)table);
    return line;
}

/* "com/acme/Main" of "Lcom/acme/Main;", with points. */
static void print_class(const char *signature)
{
    size_t length = strlen(signature);
    bool wrapped = signature[0] == 'L' && length > 2;
    for (size_t i = wrapped; i < length - wrapped; i++)
        fputc(signature[i] == '/' ? '.' : signature[i], stderr);
}

static void print_frame(JNIEnv *jni, const jvmtiFrameInfo *frame)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *name = NULL, *class_name = NULL, *file = NULL;
    jclass class = NULL;
    (*jvmti)->GetMethodName(jvmti, frame->method, &name, NULL, NULL);
    (*jvmti)->GetMethodDeclaringClass(jvmti, frame->method, &class);
    if (class) {
        (*jvmti)->GetClassSignature(jvmti, class, &class_name, NULL);
        (*jvmti)->GetSourceFileName(jvmti, class, &file);
    }
    /* A hidden class, as a lambda's, has no lines and another name in each run. */
    if (class_name && !strchr(class_name, '.')) {
        fputs("      at ", stderr);
        print_class(class_name);
        fprintf(stderr, ".%s(%s:%d)\n", name ? name : "?", file ? file : "?",
                line_of(frame->method, frame->location));
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)class_name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)file);
    (*jni)->DeleteLocalRef(jni, class);
}

/* Whether a frame is that of a hook. */
static bool is_hook(JNIEnv *jni, const jvmtiFrameInfo *frame)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    char *class_name = NULL;
    jclass class = NULL;
    (*jvmti)->GetMethodDeclaringClass(jvmti, frame->method, &class);
    if (class)
        (*jvmti)->GetClassSignature(jvmti, class, &class_name, NULL);
    bool hook = class_name && class_name[0] == 'L' && ditto_is_ours(class_name + 1);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)class_name);
    (*jni)->DeleteLocalRef(jni, class);
    return hook;
}

/* From the frame of the program on that called a hook: what the hook does is not the program's, and
 * differs between recording and replay. */
static void print_frames(JNIEnv *jni, jthread thread)
{
    enum { DEEPEST = 32 };
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiFrameInfo frames[DEEPEST];
    jint count = 0, first = 0;
    (*jvmti)->GetStackTrace(jvmti, thread, 0, DEEPEST, frames, &count);
    for (jint i = 0; i < count; i++)
        if (is_hook(jni, &frames[i]))
            first = i + 1;
    for (jint i = first; i < count; i++)
        print_frame(jni, &frames[i]);
}

static void print_thread(JNIEnv *jni, const struct ditto_java_thread *thread)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jobject object = (*jni)->NewLocalRef(jni, thread->object);
    if (!object)
        return;
    bool daemon;
    char *name = ditto_java_thread_name(jni, object, &daemon);
    fprintf(stderr, "  thread %" PRIu32 " (%s)", ditto_replay_id(thread->handle), name ? name : "");
    const struct ditto_shadow *wanted = atomic_load_explicit(&thread->wanted, memory_order_acquire);
    const struct ditto_shadow *awaited =
        atomic_load_explicit(&thread->awaited, memory_order_acquire);
    const struct ditto_java_thread *other =
        atomic_load_explicit(&thread->joins, memory_order_acquire);
    struct ditto_thread *joins =
        other ? atomic_load_explicit(&other->handle, memory_order_acquire) : NULL;
    if (wanted) {
        uint32_t holder = atomic_load_explicit(&wanted->holder, memory_order_relaxed);
        fputs(" waits for the monitor of a ", stderr);
        print_class(wanted->type->signature);
        if (holder && holder != ditto_replay_id(thread->handle) + 1)
            fprintf(stderr, " that thread %" PRIu32 " holds", holder - 1);
    } else if (awaited) {
        fputs(" waits to be notified by a ", stderr);
        print_class(awaited->type->signature);
    } else if (joins) {
        fprintf(stderr, " waits for the end of thread %" PRIu32, ditto_replay_id(joins));
    }
    fputc('\n', stderr);
    print_frames(jni, object);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jni)->DeleteLocalRef(jni, object);
}

static int by_replay_id(const void *a, const void *b)
{
    const struct ditto_java_thread *const *left = a, *const *right = b;
    uint32_t first = ditto_replay_id((*left)->handle), second = ditto_replay_id((*right)->handle);
    return (first > second) - (first < second);
}

/* NULL in a thread that is not attached to the JVM. */
static JNIEnv *own_jni(void)
{
    JNIEnv *jni = NULL;
    JavaVM *vm = ditto_agent.vm;
    return (*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_10) == JNI_OK ? jni : NULL;
}

void ditto_java_thread_report(const char *heading)
{
    JNIEnv *jni = own_jni();
    if (!jni || !ditto_current())
        return;
    ditto_agent_say("%s", heading);
    print_thread(jni, ditto_current());
}

void ditto_java_threads_report(const char *heading)
{
    JNIEnv *jni = own_jni();
    ditto_agent_say("%s", heading);
    if (!jni)
        return;
    const struct ditto_java_thread *living = ditto_java_threads_lock();
    size_t count = 0;
    for (const struct ditto_java_thread *thread = living; thread; thread = thread->next)
        count++;
    const struct ditto_java_thread **sorted = ditto_alloc_zeroed(count, sizeof *sorted, "a report");
    count = 0;
    for (const struct ditto_java_thread *thread = living; thread; thread = thread->next)
        sorted[count++] = thread;
    qsort(sorted, count, sizeof *sorted, by_replay_id);
    for (size_t i = 0; i < count; i++)
        print_thread(jni, sorted[i]);
    free(sorted);
    ditto_java_threads_unlock();
}
