/* SPDX-License-Identifier: MIT */
/*
 * When a program stands still.  For a second, at every look, each thread waits for a monitor, or
 * without a time limit for a notification or a permit; those that wait have used no processor time
 * between two looks, and the recorded ones have come to no event.  What a look sees of one thread
 * is older than what it sees of the next, but a thread that was woken in between has then used the
 * processor.  (One that waits for a monitor uses it now and then only to ask again; if it gets the
 * monitor, it comes to an event.)  In a replay, a thread that waits in the engine waits, too.
 *
 * The JVM's own threads do not count, as long as they use no processor time: they wait for a time,
 * or in native code, all their lives.
 */
#include "jvm-bridge/agent/standstill.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/threads/reports.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/progress_line.h"
#include "jvm-bridge/vm/say.h"

enum { LOOK_MS = 50, LOOKS = 20 };

/* What one look has seen: sums that differ from the last look's when a thread has run. */
struct look {
    bool still;
    uint64_t threads;
    uint64_t processor_time;
    uint64_t events;
};

static bool is_of_the_jvm(const char *name)
{
    static const char *const names[] = {
        "Reference Handler", "Finalizer",      "Signal Dispatcher",
        "Service Thread",    "Common-Cleaner", "Notification Thread",
        "Attach Listener",   "DestroyJavaVM",  "Monitor Deflation Thread"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static void look_at(JNIEnv *jni, jthread thread, struct look *look)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jvmtiThreadInfo info = {0};
    jint state = 0;
    jlong time = 0;
    if ((*jvmti)->GetThreadState(jvmti, thread, &state) != JVMTI_ERROR_NONE ||
        (*jvmti)->GetThreadInfo(jvmti, thread, &info) != JVMTI_ERROR_NONE) {
        look->still = false;
        return;
    }
    bool of_the_jvm = info.name && is_of_the_jvm(info.name);
    bool blocked = state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER;
    bool waiting = state & JVMTI_THREAD_STATE_WAITING_INDEFINITELY;
    bool in_engine =
        ditto_agent.replay && !blocked && !waiting && ditto_java_thread_waits(jni, thread);
    look->still = look->still && (of_the_jvm || blocked || waiting || in_engine);
    if (!blocked && (*jvmti)->GetThreadCpuTime(jvmti, thread, &time) == JVMTI_ERROR_NONE)
        look->processor_time += (uint64_t)time;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)info.name);
    (*jni)->DeleteLocalRef(jni, info.thread_group);
    (*jni)->DeleteLocalRef(jni, info.context_class_loader);
}

/* At all threads but the caller's.  False when the JVM has ended. */
static bool look(JNIEnv *jni, jthread self, struct look *look)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jthread *threads = NULL;
    jint count = 0;
    if ((*jvmti)->GetAllThreads(jvmti, &count, &threads) != JVMTI_ERROR_NONE)
        return false;
    *look = (struct look){.still = true, .threads = (uint64_t)count};
    for (jint i = 0; i < count; i++) {
        if (!(*jni)->IsSameObject(jni, threads[i], self))
            look_at(jni, threads[i], look);
        (*jni)->DeleteLocalRef(jni, threads[i]);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)threads);
    look->events = ditto_all_events(ditto_agent.session, NULL, NULL);
    return true;
}

/* Killing is what SIGUSR1 to `ditto record` does: the trace is complete, and no hook runs any more.
 */
static void end_program(void)
{
    ditto_set_property(ditto_agent.session, "standstill", "yes");
    ditto_java_threads_report("the program stands still; where its threads are:");
    fflush(stderr);
    kill(getpid(), SIGKILL);
}

/* Whether the program has stood still for long enough.  Looks at threads only while no event comes.
 */
static bool stands_still(JNIEnv *jni, jthread self)
{
    static struct look last; /* the watcher's own, as is the count */
    static int looks;
    struct look now = {.events = ditto_all_events(ditto_agent.session, NULL, NULL)};
    if (now.events != last.events || !look(jni, self, &now)) {
        last.events = now.events;
        looks = 0;
        return false;
    }
    bool same = now.still && now.threads == last.threads && now.events == last.events &&
                now.processor_time == last.processor_time;
    last = now;
    looks = same ? looks + 1 : 0;
    return looks >= LOOKS;
}

static void JNICALL watch(jvmtiEnv *jvmti, JNIEnv *jni, void *argument)
{
    (void)argument;
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    jthread self = NULL;
    (*jvmti)->GetCurrentThread(jvmti, &self);
    if (!ditto_agent.replay && !ditto_agent.options.end_standstill)
        return;
    for (;;) {
        nanosleep(&pause, NULL);
        if (ditto_agent_is_ending())
            return;
        if (ditto_agent.replay)
            ditto_progress_show();
        if (!stands_still(jni, self) || ditto_agent_is_ending())
            continue;
        if (ditto_agent.replay)
            ditto_nobody_runs(ditto_agent.session);
        else
            end_program();
    }
}

void ditto_watcher_begin(JNIEnv *jni)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint count = 0;
    jthreadGroup *groups = NULL;
    jclass class = (*jni)->FindClass(jni, "java/lang/Thread");
    jmethodID constructor =
        (*jni)->GetMethodID(jni, class, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V");
    jstring name = (*jni)->NewStringUTF(jni, "Ditto");
    (*jvmti)->GetTopThreadGroups(jvmti, &count, &groups);
    jobject thread = constructor && name && count
                         ? (*jni)->NewObject(jni, class, constructor, groups[0], name)
                         : NULL;
    bool failed = ditto_agent_clear(jni) || !thread ||
                  (*jvmti)->RunAgentThread(jvmti, thread, watch, NULL,
                                           JVMTI_THREAD_NORM_PRIORITY) != JVMTI_ERROR_NONE;
    ditto_agent_expect(!failed, "a thread of its own");
    for (jint i = 0; i < count; i++)
        (*jni)->DeleteLocalRef(jni, groups[i]);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)groups);
    (*jni)->DeleteLocalRef(jni, thread);
    (*jni)->DeleteLocalRef(jni, name);
    (*jni)->DeleteLocalRef(jni, class);
}
