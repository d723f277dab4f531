/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/threads/threads.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine/timeline.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/inputs/inputs.h"
#include "jvm-bridge/instrument/jdk_classes.h"
#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/state/shadows.h"
#include "jvm-bridge/state/types.h"
#include "jvm-bridge/vm/hotspot.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

/* While the thread runs ignored code: who it is otherwise, and how deep it is in such code. */
static _Thread_local struct ditto_java_thread *ignored;
static _Thread_local unsigned ignored_depth;

static _Atomic uint64_t compared;
/* Known threads that keep the JVM from ending. */
static _Atomic uint32_t non_daemons;

/* What leave_pauses() has noted, the latest at the end. */
static _Thread_local struct {
    struct note {
        jlong handle;
        int32_t muted;
    } * notes;
    size_t count, capacity;
} left;

/* How deep the calling thread, which is known or paused, is in muted calls. */
static int32_t *muted(void)
{
    return ditto_muted(ditto_handle_of(ditto_current_or_paused()));
}

jlong ditto_java_thread_leave_pauses(jlong handle)
{
    if (left.count == left.capacity) {
        left.capacity = left.capacity ? 2 * left.capacity : 16;
        left.notes = realloc(left.notes, left.capacity * sizeof *left.notes);
        ditto_agent_expect(left.notes, "room for a thread");
    }
    jlong real = handle < 0 ? ditto_java_thread_pause(false) : handle;
    left.notes[left.count++] = (struct note){handle, *muted()};
    *muted() = 0;
    return real;
}

jlong ditto_java_thread_enter_pauses(void)
{
    if (!left.count)
        return 0;
    struct note note = left.notes[--left.count];
    *muted() = note.muted;
    if (note.handle < 0)
        ditto_java_thread_pause(true);
    return note.handle;
}

struct ditto_java_thread *ditto_java_thread_of(JNIEnv *jni, jobject object)
{
    struct ditto_thing *thing = ditto_thing_of(jni, object);
    struct ditto_java_thread *present = atomic_load_explicit(&thing->thread, memory_order_acquire);
    if (present)
        return present;
    struct ditto_java_thread *thread = ditto_java_thread_new();
    if (atomic_compare_exchange_strong_explicit(&thing->thread, &present, thread,
                                                memory_order_acq_rel, memory_order_acquire))
        return thread;
    free(thread);
    return present;
}

/* The thread's name, to be deallocated, and whether it is a daemon. */
static char *name_of(JNIEnv *jni, jthread thread, bool *daemon)
{
    jvmtiThreadInfo info = {0};
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) != JVMTI_ERROR_NONE)
        return NULL;
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    *daemon = info.is_daemon;
    return info.name;
}

void ditto_ignore(JNIEnv *jni, jobject object, bool begin)
{
    /* Nothing is recorded already. */
    if (!ditto_current() && ditto_current_or_paused())
        return;
    if (begin && ignored_depth++ == 0) {
        ignored = ditto_current();
        ditto_set_current(jni, object, NULL);
    } else if (!begin && --ignored_depth == 0) {
        ditto_set_current(jni, object, ignored);
        ignored = NULL;
    }
}

/* The thread runs, or is about to: one reference is its own. */
static void take_up(JNIEnv *jni, struct ditto_java_thread *thread, jobject object,
                    struct ditto_thread *handle)
{
    if (!thread->daemon)
        atomic_fetch_add_explicit(&non_daemons, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&thread->references, 1, memory_order_relaxed);
    snprintf(thread->end_text, sizeof thread->end_text, "the end of thread %" PRIu32 " (%s)",
             ditto_replay_id(handle), ditto_name(handle));
    atomic_store_explicit(&thread->handle, handle, memory_order_release);
    ditto_java_thread_enlist(jni, thread, object);
}

void ditto_java_threads_begin(JNIEnv *jni, jthread main)
{
    struct ditto_java_thread *thread = ditto_java_thread_of(jni, main);
    ditto_thread_state_begin(jni);
    take_up(jni, thread, main, ditto_main_thread(ditto_agent.session));
    ditto_set_current(jni, main, thread);
    if (ditto_agent.observer)
        ditto_timeline_begin(thread->handle);
}

static void finish(JNIEnv *jni, struct ditto_java_thread *thread);

/* Whether the thread is in the group that is nobody's subgroup: the program's are in others. */
static bool is_in_system_group(JNIEnv *jni, jobject object)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiThreadInfo info = {0};
    jvmtiThreadGroupInfo group = {0};
    if ((*jvmti)->GetThreadInfo(jvmti, object, &info) != JVMTI_ERROR_NONE)
        return false;
    bool found =
        info.thread_group &&
        (*jvmti)->GetThreadGroupInfo(jvmti, info.thread_group, &group) == JVMTI_ERROR_NONE &&
        !group.parent;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)group.name);
    (*jni)->DeleteLocalRef(jni, group.parent);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
    return found;
}

/* Threads of the JDK that complete what the program waits for, or run what it has given: those that
 * wait for processes to end, watch files, keep connections, serve asynchronous channels, and
 * receive for HTTP clients. */
static bool does_for_program(JNIEnv *jni, jobject object)
{
    static const char *const names[] = {"process reaper", "FileSystemWatchService", "Keep-Alive-",
                                        "InnocuousThread-", "HttpClient-"};
    bool daemon, found = false;
    char *name = name_of(jni, object, &daemon);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        found = found || strncmp(name, names[i], strlen(names[i])) == 0;
    (*ditto_agent.jvmti)->Deallocate(ditto_agent.jvmti, (unsigned char *)name);
    return found;
}

/*
 * The JDK's own helpers, as the one that runs cleaners, are started by whoever needs them first and
 * run nothing of the program's.  They are in the system's group, as what those start that do
 * something for the program: whoever completes a future, say, starts what is to follow.
 */
static bool is_helper(JNIEnv *jni, const struct ditto_java_thread *parent, jobject object)
{
    const char *signature = ditto_thing_of(jni, object)->type->signature;
    if (does_for_program(jni, object))
        return false;
    return strncmp(signature, "Ljava/lang/Ditto", 16) == 0 || strncmp(signature, "Ljdk/", 5) == 0 ||
           strncmp(signature, "Lsun/", 5) == 0 ||
           (strcmp(signature, "Ljava/lang/Thread;") == 0 && is_in_system_group(jni, object) &&
            !is_in_system_group(jni, parent->object));
}

void ditto_java_thread_start(JNIEnv *jni, jobject object)
{
    struct ditto_java_thread *parent = ditto_current();
    if (!parent || is_helper(jni, parent, object)) {
        ditto_hotspot_start_thread(jni, object);
        return;
    }
    struct ditto_java_thread *thread = ditto_java_thread_of(jni, object);
    char *name = name_of(jni, object, &thread->daemon);
    take_up(jni, thread, object, ditto_thread_start(parent->handle, name));
    (*ditto_agent.jvmti)->Deallocate(ditto_agent.jvmti, (unsigned char *)name);
    ditto_hotspot_start_thread(jni, object);
    /* It will never run when there is no memory for it: its part of the trace is empty. */
    if ((*jni)->ExceptionCheck(jni))
        finish(jni, thread);
}

/* Whether the thread that was adopted in the recording has got so far; the debugger shows it from
 * the beginning. */
static pthread_mutex_t adoption_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t adoption = PTHREAD_COND_INITIALIZER;
static bool adoption_over;

static void end_adoption(void)
{
    pthread_mutex_lock(&adoption_lock);
    adoption_over = true;
    pthread_cond_broadcast(&adoption);
    pthread_mutex_unlock(&adoption_lock);
}

void ditto_java_thread_await_adoption(void)
{
    pthread_mutex_lock(&adoption_lock);
    while (!adoption_over)
        pthread_cond_wait(&adoption, &adoption_lock);
    pthread_mutex_unlock(&adoption_lock);
}

bool ditto_java_thread_adopt(JNIEnv *jni, jobject object)
{
    bool daemon;
    char *name = ditto_current_or_paused() || ignored ? NULL : name_of(jni, object, &daemon);
    struct ditto_thread *handle = name ? ditto_thread_adopt(ditto_agent.session, name) : NULL;
    (*ditto_agent.jvmti)->Deallocate(ditto_agent.jvmti, (unsigned char *)name);
    if (handle) {
        struct ditto_java_thread *thread = ditto_java_thread_of(jni, object);
        /* Not one that the JVM's end has to wait for. */
        thread->daemon = true;
        take_up(jni, thread, object, handle);
        ditto_set_current(jni, object, thread);
    }
    end_adoption();
    if (handle && ditto_agent.observer)
        ditto_timeline_begin(handle);
    return handle;
}

void JNICALL ditto_java_thread_started(jvmtiEnv *jvmti, JNIEnv *jni, jthread object)
{
    /* A thread that somebody known has started has a thing. Main's event came before VMInit, which
     * is where it becomes known. */
    (void)jvmti;
    struct ditto_thing *thing = ditto_thing_present(jni, object);
    struct ditto_java_thread *thread =
        thing ? atomic_load_explicit(&thing->thread, memory_order_acquire) : NULL;
    if (thread && atomic_load_explicit(&thread->handle, memory_order_acquire))
        ditto_set_current(jni, object, thread);
    if (ditto_current() && ditto_agent.observer)
        ditto_timeline_begin(thread->handle);
}

/* ------------------------------------------------------------------ digests */

static void leave_trace(struct ditto_java_thread *thread, const char *expected, const char *found)
{
    char text[480];
    snprintf(text, sizeof text, "--verify: expected %s, found %s", expected, found);
    ditto_left_trace(ditto_handle_of(thread), text);
}

void ditto_digest(struct ditto_java_thread *thread, uint32_t digest)
{
    if (!ditto_agent.verify)
        return;
    uint32_t recorded = digest;
    size_t length = sizeof recorded;
    ditto_input(ditto_handle_of(thread), DITTO_INPUT_DIGEST, &recorded, &length, sizeof recorded);
    thread->last_digest = digest;
    if (recorded != digest) {
        char *expected = ditto_digest_words(recorded), *found = ditto_digest_words(digest);
        leave_trace(thread, expected ? expected : "an event of code that has not been loaded",
                    found ? found : "another event");
    }
    uint64_t verified = atomic_load_explicit(&thread->verified, memory_order_relaxed);
    atomic_store_explicit(&thread->verified, verified + 1, memory_order_relaxed);
}

/* The bits of a value as its type has them; of a reference, what DittoHooks.digest made of it. */
static void value_words(uint64_t value, char type, char *text, size_t size)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)value;
    memcpy(&wide, &value, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    if (type == 'D')
        snprintf(text, size, "%.17g", wide);
    else if (type == 'F')
        snprintf(text, size, "%.9g", (double)narrow);
    else if (type == 'L' && value)
        snprintf(text, size, "an object with the digest %" PRIx64, value);
    else if (type == 'L')
        snprintf(text, size, "null");
    else
        snprintf(text, size, "%" PRId64, (int64_t)value);
}

void ditto_digest_value(struct ditto_java_thread *thread, uint64_t value, bool store, char type)
{
    uint64_t recorded = value;
    size_t length = sizeof recorded;
    ditto_input(ditto_handle_of(thread), DITTO_INPUT_VALUE, &recorded, &length, sizeof recorded);
    if (recorded == value)
        return;
    char expected[400], wanted[80], found[80];
    char *place = ditto_digest_words(thread->last_digest);
    value_words(recorded, type, wanted, sizeof wanted);
    value_words(value, type, found, sizeof found);
    snprintf(expected, sizeof expected, "the value %s %s %s", wanted,
             store ? "for a store after" : "from", place ? place : "its last event");
    leave_trace(thread, expected, found);
}

uint64_t ditto_digests_compared(void)
{
    uint64_t sum = atomic_load_explicit(&compared, memory_order_relaxed);
    for (const struct ditto_java_thread *thread = ditto_java_threads_lock(); thread;
         thread = thread->next)
        sum += atomic_load_explicit(&thread->verified, memory_order_relaxed);
    ditto_java_threads_unlock();
    return sum;
}

static void finish(JNIEnv *jni, struct ditto_java_thread *thread)
{
    ditto_java_thread_strike(jni, thread);
    /* It may be the exception that broke an access off that ends the thread. */
    ditto_access_end(ditto_handle_of(thread));
    atomic_fetch_add_explicit(&compared,
                              atomic_load_explicit(&thread->verified, memory_order_relaxed),
                              memory_order_relaxed);
    /* The JVM ends by itself now, and the daemons with it. */
    if (!thread->daemon && atomic_fetch_sub_explicit(&non_daemons, 1, memory_order_acq_rel) == 1)
        ditto_exit_is_near(ditto_agent.session);
    /* In this order: who joins must count as running before this thread stops to. */
    ditto_flag_raise(ditto_agent.session, &thread->ended);
    ditto_thread_end(ditto_handle_of(thread));
    ditto_java_thread_drop(thread);
}

void JNICALL ditto_java_thread_ended(jvmtiEnv *jvmti, JNIEnv *jni, jthread object)
{
    (void)jvmti;
    struct ditto_java_thread *thread = ignored ? ignored : ditto_current_or_paused();
    if (!thread)
        return;
    if (ditto_agent.observer)
        ditto_agent.observer->thread_ends(thread);
    ditto_end_current(jni, object);
    free(left.notes);
    left.notes = NULL;
    left.count = left.capacity = 0;
    ignored = NULL;
    ditto_blocks_leave(&thread->blocks);
    finish(jni, thread);
}

/* ------------------------------------------------------------------ reports */

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
    char *name = name_of(jni, object, &daemon);
    fprintf(stderr, "  thread %" PRIu32 " (%s)", ditto_replay_id(thread->handle), name ? name : "");
    const struct ditto_thing *wanted = atomic_load_explicit(&thread->wanted, memory_order_acquire);
    const struct ditto_thing *awaited =
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
    const struct ditto_java_thread **sorted = calloc(count ? count : 1, sizeof *sorted);
    ditto_agent_expect(sorted, "room for a report");
    count = 0;
    for (const struct ditto_java_thread *thread = living; thread; thread = thread->next)
        sorted[count++] = thread;
    qsort(sorted, count, sizeof *sorted, by_replay_id);
    for (size_t i = 0; i < count; i++)
        print_thread(jni, sorted[i]);
    free(sorted);
    ditto_java_threads_unlock();
}
