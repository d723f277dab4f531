/* SPDX-License-Identifier: MIT */
/* The agent's set-up: what the JVM calls when it loads, begins and ends. */
#include <fcntl.h>
#include <inttypes.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/list.h"
#include "core/base/text.h"
#include "core/orders/order.h"
#include "jvm-bridge/agent/standstill.h"
#include "jvm-bridge/classes/identity.h"
#include "jvm-bridge/classes/jdk_image.h"
#include "jvm-bridge/classes/loading.h"
#include "jvm-bridge/classes/recorded.h"
#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/classes/value_methods.h"
#include "jvm-bridge/control/agent_options.h"
#include "jvm-bridge/control/java_format.h"
#include "jvm-bridge/debug/sending.h"
#include "jvm-bridge/debug/service.h"
#include "jvm-bridge/hooks/natives.h"
#include "jvm-bridge/inputs/askers.h"
#include "jvm-bridge/inputs/inputs.h"
#include "jvm-bridge/inputs/jdk_natives.h"
#include "jvm-bridge/inputs/outside/import_table.h"
#include "jvm-bridge/inputs/outside/outside.h"
#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/state/shadows.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/threads/digests.h"
#include "jvm-bridge/threads/reports.h"
#include "jvm-bridge/threads/threads.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/hotspot.h"
#include "jvm-bridge/vm/progress_line.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

/* Set once by whoever first ends the program: System.exit, or the JVM after the last thread. */
static _Atomic bool ending;

/* The thread that halts the JVM, which then tells it of its death. */
static _Thread_local bool halting;
/* Posted when the status is there. */
static sem_t halted;
static jint halt_status;

/* ------------------------------------------------------------------ endings */

static void say_verified(void)
{
    if (ditto_agent.replay && ditto_agent.options.verify)
        ditto_agent_say("verified: %" PRIu64 " events are as recorded", ditto_digests_compared());
}

/* False: it ends already. */
static bool end_program(jint status, bool known)
{
    if (atomic_exchange_explicit(&ending, true, memory_order_acq_rel))
        return false;
    if (!ditto_agent.replay)
        ditto_agent_stop_hooks();
    if (!ditto_agent.replay) {
        ditto_values_end();
        ditto_recorded_end();
    }
    struct ditto_java_thread *self = ditto_current();
    if (!ditto_agent.replay && known) {
        char text[16];
        snprintf(text, sizeof text, "%d", status);
        ditto_set_property(ditto_agent.session, "exit-status", text);
    }
    ditto_exiting(ditto_agent.session, self ? self->handle : NULL);
    if (ditto_agent.replay)
        ditto_agent_stop_hooks();
    ditto_progress_end();
    say_verified();
    return true;
}

/* Replaying: the status that the recorded program was ended with, by exit or halt, or NULL. */
static const char *recorded_status(void)
{
    return ditto_agent.replay ? ditto_property(ditto_agent.session, "exit-status") : NULL;
}

/*
 * In place of Shutdown.halt0: System.exit and Runtime.halt, after the shutdown hooks.
 *
 * Java lets one thread alone come here.  In a replay another one than in the recording may, where
 * they race: everything has been done by then, so that only the status would tell.  But the JVM
 * may be about to end by itself, after the last thread that is no daemon.  Who is first decides,
 * and the other one must not end the process with a status of its own.
 */
static void halt(JNIEnv *jni, jclass shutdown, jint status)
{
    (void)jni;
    (void)shutdown;
    while (!end_program(status, true))
        pause();
    const char *recorded = recorded_status();
    halt_status = recorded ? atoi(recorded) : status;
    halting = true;
    sem_post(&halted);
    ditto_hotspot_halt(halt_status);
}

/*
 * The replay cannot go on.  At the end of a trace that is cut everything is as it was when the
 * recorded process ended, and so is the exit status, if that is known: its own, or that of a
 * process that a signal has ended.
 */
static void on_stop(void *context, const struct ditto_stop *stop)
{
    (void)context;
    ditto_progress_end();
    const char *status = recorded_status();
    if (ditto_agent.observer)
        ditto_debug_lost(stop->text);
    if (stop->kind == DITTO_STOP_END)
        say_verified();
    if (stop->kind == DITTO_STOP_END && status)
        _exit(atoi(status) & 0xff);
    ditto_agent_say("%s", stop->text);
    if (stop->kind == DITTO_STOP_DIVERGED)
        ditto_java_thread_report("where it left the trace:");
    else if (stop->kind != DITTO_STOP_DAMAGED)
        ditto_java_threads_report("where its threads are:");
    const char *signal = ditto_property(ditto_agent.session, "signal");
    if (stop->kind == DITTO_STOP_END && signal)
        _exit((128 + atoi(signal)) & 0xff);
}

/* ------------------------------------------------------------------- set-up */

/* The program's arguments, as `ditto replay` will pass them on; without the one that loads us. */
static void note_arguments(void)
{
    enum { PIECE = 1 << 16 };
    char *bytes = NULL;
    size_t size = 0, room = 0;
    ssize_t got;
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ditto_agent_expect(fd >= 0, "its command line");
    do {
        DITTO_MAKE_ROOM(bytes, size, room, PIECE + 1);
        got = read(fd, bytes + size, PIECE);
        size += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    close(fd);
    bytes[size] = '\0';
    unsigned count = 0;
    bool ours = true; /* up to the agent they are from 'ditto record' */
    for (size_t at = strlen(bytes) + 1; at < size; at += strlen(bytes + at) + 1) {
        char name[32];
        bool agent =
            ditto_begins(bytes + at, "-agentpath:") && strstr(bytes + at, "libditto-jvm.so=");
        if (ours || agent) {
            ours = ours && !agent;
            continue;
        }
        snprintf(name, sizeof name, "java.argument.%u", ++count);
        ditto_set_property(ditto_agent.session, name, bytes + at);
    }
    free(bytes);
}

/* Whether a replay may take a variable from a trace that came from elsewhere. */
static bool is_harmless(const char *variable)
{
    static const char *const kept_out[] = {
        "LD_", "JAVA_TOOL_OPTIONS=", "_JAVA_OPTIONS=", "JDK_JAVA_OPTIONS=", "DITTO_"};
    for (size_t i = 0; i < sizeof kept_out / sizeof *kept_out; i++)
        if (ditto_begins(variable, kept_out[i]))
            return false;
    return true;
}

/* Options from the environment, to compare: a replay does not set them. */
static void note_options(void)
{
    static const char *const variables[][2] = {{"JAVA_TOOL_OPTIONS", "tool-options"},
                                               {"_JAVA_OPTIONS", "java-options"},
                                               {"JDK_JAVA_OPTIONS", "launcher-options"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i][0]);
        if (value && *value)
            ditto_set_property(ditto_agent.session, variables[i][1], value);
    }
}

static void note_environment(void)
{
    unsigned count = 0;
    for (char **variable = environ; *variable; variable++) {
        char name[32];
        if (!is_harmless(*variable))
            continue;
        snprintf(name, sizeof name, "environment.%u", ++count);
        ditto_set_property(ditto_agent.session, name, *variable);
    }
}

static void note_process(void)
{
    char id[16];
    snprintf(id, sizeof id, "%d", (int)getpid());
    ditto_set_property(ditto_agent.session, "process-id", id);
    snprintf(id, sizeof id, "%d", (int)getppid());
    ditto_set_property(ditto_agent.session, "parent-process-id", id);
}

/* What the session's order wants to see must be something that the rewriter puts in. */
static void check_wants(void)
{
    unsigned wants = ditto_wants(ditto_agent.session);
    bool accesses = wants & (DITTO_WANTS_LOADS | DITTO_WANTS_STORES);
    if (wants & (DITTO_WANTS_POINTS | DITTO_WANTS_PARKS) ||
        (accesses && !(wants & DITTO_WANTS_ENDS)))
        ditto_agent_refuse("this order wants to see more than is put into Java programs; choose "
                           "another with --order");
}

static void begin_recording(const char *version)
{
    struct ditto_error error;
    const struct ditto_agent_options *options = &ditto_agent.options;
    ditto_agent.session = ditto_record(options->trace, &options->record, &error);
    if (!ditto_agent.session)
        ditto_agent_refuse("%s", error.text);
    check_wants();
    ditto_agent.verify = options->verify;
    ditto_set_property(ditto_agent.session, "java", version);
    ditto_set_property(ditto_agent.session, "java.format", DITTO_JAVA_FORMAT);
    if (options->include)
        ditto_set_property(ditto_agent.session, "include", options->include);
    if (options->exclude)
        ditto_set_property(ditto_agent.session, "exclude", options->exclude);
    if (options->verify)
        ditto_set_property(ditto_agent.session, "verify", "yes");
    note_arguments();
    note_environment();
    note_options();
    note_process();
}

static void begin_replay(const char *version)
{
    struct ditto_error error;
    const struct ditto_agent_options *options = &ditto_agent.options;
    const struct ditto_replay_options replay = {
        .on_stop = on_stop, .timeline = ditto_agent.observer ? &ditto_debug_timeline : NULL};
    ditto_agent.session = ditto_replay(options->trace, &replay, &error);
    if (!ditto_agent.session)
        ditto_agent_refuse("%s", error.text);
    check_wants();
    const char *recorded = ditto_property(ditto_agent.session, "java");
    if (!recorded)
        ditto_agent_refuse("%s: not a recording of a Java program; run the program that made it",
                           options->trace);
    if (strcmp(recorded, version))
        ditto_agent_refuse("%s: recorded with java %s, but this is %s; choose that java with "
                           "--java PATH or JAVA_HOME",
                           options->trace, recorded, version);
    ditto_agent.verify = ditto_property(ditto_agent.session, "verify") != NULL;
    if (options->verify && !ditto_agent.verify)
        ditto_agent_refuse("%s: has no digests to compare with; record it with 'ditto record "
                           "--verify'",
                           options->trace);
}

/*
 * Virtual threads, from JDK 21 on: what the jvmti.h of older ones does not name.  They have threads
 * of the operating system to themselves (launch.c), but events of their own.
 */
enum {
    VIRTUAL_THREAD_START = 87,
    VIRTUAL_THREAD_END = 88,
    EVENTS = VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL + 1,
    CAN_SUPPORT_VIRTUAL_THREADS = 44, /* the bit's number */
};

union callbacks {
    jvmtiEventCallbacks named;
    void(JNICALL *of_threads[EVENTS])(jvmtiEnv *, JNIEnv *, jthread);
};

static bool virtual_threads; /* there are any */

static bool has_virtual_threads(jvmtiEnv *jvmti)
{
    jvmtiCapabilities potential = {0};
    (*jvmti)->GetPotentialCapabilities(jvmti, &potential);
    const unsigned char *bytes = (const unsigned char *)&potential;
    return bytes[CAN_SUPPORT_VIRTUAL_THREADS / 8] >> CAN_SUPPORT_VIRTUAL_THREADS % 8 & 1;
}

static void follow_virtual_threads(jvmtiCapabilities *capabilities, union callbacks *callbacks)
{
    unsigned char *bytes = (unsigned char *)capabilities;
    bytes[CAN_SUPPORT_VIRTUAL_THREADS / 8] |= 1 << CAN_SUPPORT_VIRTUAL_THREADS % 8;
    callbacks->of_threads[VIRTUAL_THREAD_START - JVMTI_MIN_EVENT_TYPE_VAL] =
        ditto_java_thread_started;
    callbacks->of_threads[VIRTUAL_THREAD_END - JVMTI_MIN_EVENT_TYPE_VAL] = ditto_java_thread_ended;
}

/* Before any Java code: recorded classes of the JDK call the hooks from their first instruction on.
 */
static void JNICALL vm_start(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    ditto_hotspot_find_hashes(jni);
    ditto_natives_define(jni);
}

static void leave(int signal)
{
    _exit(128 + signal);
}

/*
 * Replaying, what the user sends is not for the program: the JVM would start the program's shutdown
 * hooks, which is in no trace, and would wait for the end of those that are at it already.
 */
static void leave_by_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction leaving = {.sa_handler = leave};
    struct sigaction now;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(signals[i], &leaving, NULL);
}

/* The rest of what is to be done at VMInit, as a native method of java.base: see natives.h. */
static void set_up(JNIEnv *jni, jclass hooks)
{
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jthread thread = NULL;
    (*jvmti)->GetCurrentThread(jvmti, &thread);
    ditto_agent_expect(thread, "the main thread");
    ditto_check_paths();
    ditto_shadows_begin(jni, hooks);
    ditto_share_salt(jni);
    ditto_classes_begin(jni, hooks);
    static const jvmtiEvent events[] = {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                                        JVMTI_EVENT_GARBAGE_COLLECTION_FINISH, JVMTI_EVENT_VM_DEATH,
                                        JVMTI_EVENT_NATIVE_METHOD_BIND};
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
    for (int event = VIRTUAL_THREAD_START; virtual_threads && event <= VIRTUAL_THREAD_END; event++)
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, (jvmtiEvent)event, NULL);
    if (ditto_agent.observer)
        ditto_debug_begin(jni);
    else
        ditto_watcher_begin(jni);
    if (ditto_agent.replay)
        leave_by_signals();
    ditto_java_threads_begin(jni, thread);
    ditto_jdk_natives_begin(jni);
    ditto_image_close();
    (*jni)->DeleteLocalRef(jni, thread);
}

static void JNICALL vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    (void)thread;
    ditto_natives_begin(jni, set_up, halt);
}

/* The recorded process's id, for the JDK's management beans, which ask the system themselves. */
static jint JNICALL process_id(JNIEnv *jni, jobject management)
{
    (void)jni;
    (void)management;
    const char *recorded = ditto_property(ditto_agent.session, "process-id");
    return recorded ? (jint)atoi(recorded) : (jint)getpid();
}

/* A native method of the program or of a library of its: what it answers is not recorded. */
static void JNICALL native_bound(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                 void *address, void **new_address)
{
    (void)thread;
    (void)address;
    jclass class = NULL;
    char *signature = NULL, *name = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &class) != JVMTI_ERROR_NONE)
        return;
    bool known = (*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) == JVMTI_ERROR_NONE &&
                 (*jvmti)->GetMethodName(jvmti, method, &name, NULL, NULL) == JVMTI_ERROR_NONE;
    if (known && strcmp(signature, "Lsun/management/VMManagementImpl;") == 0 &&
        strcmp(name, "getProcessId") == 0) {
        *new_address = __extension__(void *) process_id;
    } else if (known && ditto_is_of_program(jni, class) && !ditto_values_has_prefix(name)) {
        char property[1100], text[1200];
        snprintf(property, sizeof property, "limit.%s.%s", signature, name);
        /* As --value has it: the signature without its letter and semicolon, and with dots. */
        for (char *at = signature; *at; at++)
            *at = *at == '/' ? '.' : *at == ';' ? '\0' : *at;
        snprintf(text, sizeof text,
                 "native method %s of %s: what it answers and does is not recorded; --value adds "
                 "what it answers",
                 name, signature + 1);
        ditto_set_property(ditto_agent.session, property, text);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jni)->DeleteLocalRef(jni, class);
}

static void JNICALL vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    if (halting)
        return;
    bool first = end_program(0, false);
    const char *recorded = recorded_status();
    if (first && recorded)
        _exit(atoi(recorded) & 0xff);
    if (first)
        return;
    while (sem_wait(&halted))
        ;
    _exit(halt_status & 0xff);
}

static void JNICALL class_loading(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                  const char *name, jobject domain, jint size,
                                  const unsigned char *bytes, jint *new_size,
                                  unsigned char **new_bytes)
{
    if (domain)
        ditto_domain_hash(jni, domain);
    ditto_class_loading(jvmti, jni, redefined, loader, name, domain, size, bytes, new_size,
                        new_bytes);
}

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *text, void *reserved)
{
    (void)reserved;
    struct ditto_error error;
    jvmtiEnv *jvmti = NULL;
    sem_init(&halted, 0, 0);
    if (!ditto_agent_options_parse(text, &ditto_agent.options, &error))
        ditto_agent_refuse("%s", error.text);
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_11) != JNI_OK)
        ditto_agent_refuse("this JVM has no JVMTI of version 11; use JDK 17 or 25");
    ditto_agent.vm = vm;
    ditto_agent.jvmti = jvmti;
    ditto_agent.replay = ditto_agent.options.replay;
    ditto_hotspot_check(jvmti);
    jvmtiCapabilities capabilities = {.can_generate_garbage_collection_events = 1,
                                      .can_retransform_classes = 1,
                                      .can_generate_all_class_hook_events = 1,
                                      .can_generate_early_class_hook_events = 1,
                                      .can_generate_native_method_bind_events = 1,
                                      .can_generate_early_vmstart = 1,
                                      .can_get_line_numbers = 1,
                                      .can_get_source_file_name = 1,
                                      .can_get_thread_cpu_time = 1};
    union callbacks callbacks = {.named = {.VMStart = vm_start,
                                           .VMInit = vm_init,
                                           .VMDeath = vm_death,
                                           .ThreadStart = ditto_java_thread_started,
                                           .ThreadEnd = ditto_java_thread_ended,
                                           .GarbageCollectionFinish = ditto_blocks_collected,
                                           .NativeMethodBind = native_bound,
                                           .ClassFileLoadHook = class_loading}};
    virtual_threads = has_virtual_threads(jvmti);
    if (virtual_threads)
        follow_virtual_threads(&capabilities, &callbacks);
    if (ditto_agent.replay && ditto_agent.options.debug > 0)
        ditto_debug_prepare(&capabilities, &callbacks.named);
    if ((*jvmti)->AddCapabilities(jvmti, &capabilities) != JVMTI_ERROR_NONE ||
        (*jvmti)->SetEventCallbacks(jvmti, &callbacks.named, sizeof callbacks) != JVMTI_ERROR_NONE)
        ditto_agent_refuse("this JVM does not let agents rewrite classes; remove other agents");
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_START, NULL);
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, NULL);
    char *version = ditto_hotspot_version(jvmti);
    if (ditto_agent.replay)
        begin_replay(version);
    else
        begin_recording(version);
    free(version);
    ditto_inputs_begin();
    ditto_values_begin();
    ditto_outside_begin();
    ditto_import_table_begin();
    ditto_shadows_open();
    ditto_sites_open();
    ditto_recorded_open();
    ditto_image_open(ditto_class_of_image);
    /* From the first class on: java.lang.Object is it. */
    (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL);
    return JNI_OK;
}
