/* SPDX-License-Identifier: MIT */
/* The service's thread: takes requests, and tells when all of the program's threads rest. */
#include "jvm-bridge/debug/service.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/base/debug.h"
#include "core/base/die.h"
#include "core/base/seconds.h"
#include "jvm-bridge/control/messages.h"
#include "jvm-bridge/debug/arrivals.h"
#include "jvm-bridge/debug/breakpoints.h"
#include "jvm-bridge/debug/compiled_code.h"
#include "jvm-bridge/debug/go.h"
#include "jvm-bridge/debug/go_state.h"
#include "jvm-bridge/debug/inspect.h"
#include "jvm-bridge/debug/methods.h"
#include "jvm-bridge/debug/sending.h"
#include "jvm-bridge/debug/watches.h"
#include "jvm-bridge/state/shadow_table.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/observer.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

static struct {
    int rested;               /* an eventfd: all rest */
    _Atomic uint32_t why;     /* enum ditto_rest */
    struct ditto_message run; /* the request of the present run, which uses its texts */
    struct ditto_message request, answer;
    uint8_t deferred; /* the kind of a request that waits in `request`, or 0 */
    bool running;     /* a run is under way */
    uint64_t passed;  /* gates, when it was last looked */
    unsigned idle;    /* looks without any */
    double moved;     /* ditto_processor_seconds() when the last was passed, or the run began */
} service = {.running = true};

static void rests(void *context, enum ditto_rest why)
{
    (void)context;
    const uint64_t one = 1;
    atomic_store_explicit(&service.why, why, memory_order_release);
    ssize_t put = write(service.rested, &one, sizeof one);
    DITTO_CHECK(put == sizeof one, "the word that all threads rest cannot be written");
}

const struct ditto_timeline_calls ditto_debug_timeline = {NULL, ditto_debug_passed, rests};

/* -------------------------------------------------------------------- requests */

struct listing {
    JNIEnv *jni;
    struct ditto_message *answer;
    uint32_t count;
};

/* What a thread waits for, as far as the agent knows. */
struct wish {
    const struct ditto_thread_rest *rest;
    const struct ditto_shadow *wanted, *awaited;
    uint32_t joined; /* a replay id + 1 */
};

static void find_wish(void *context, const struct ditto_java_thread *thread)
{
    struct wish *wish = context;
    uint32_t id = ditto_replay_id(thread->handle);
    if (wish->rest->flag == &thread->ended)
        wish->joined = id + 1;
    if (id != wish->rest->replay_id)
        return;
    wish->wanted = atomic_load_explicit(&thread->wanted, memory_order_acquire);
    wish->awaited = atomic_load_explicit(&thread->awaited, memory_order_acquire);
    const struct ditto_java_thread *other =
        atomic_load_explicit(&thread->joins, memory_order_acquire);
    struct ditto_thread *handle =
        other ? atomic_load_explicit(&other->handle, memory_order_acquire) : NULL;
    if (handle)
        wish->joined = ditto_replay_id(handle) + 1;
}

static uint64_t key_of(const struct ditto_shadow *shadow)
{
    return shadow ? atomic_load_explicit(&shadow->key, memory_order_acquire) : 0;
}

static bool put_thread(void *context, const struct ditto_thread_rest *rest)
{
    struct listing *listing = context;
    struct wish wish = {.rest = rest};
    ditto_java_threads_each(find_wish, &wish);
    uint32_t holder =
        wish.wanted ? atomic_load_explicit(&wish.wanted->holder, memory_order_relaxed) : 0;
    const struct ditto_message_thread thread = {
        .id = rest->replay_id,
        /* Who waits for its turn alone is not blocked: the program had nothing to wait for. */
        .waits = rest->flag ||
                 (rest->waits && (wish.awaited || (holder && holder != rest->replay_id + 1))),
        .at_end = rest->at_end,
        .what = rest->what,
        .wants = wish.wanted != NULL,
        .awaits = wish.awaited != NULL,
        .wanted = key_of(wish.wanted),
        .awaited = key_of(wish.awaited),
        .holder = holder,
        .joined = wish.joined};
    ditto_message_put_thread(listing->answer, &thread);
    listing->count++;
    return true;
}

static void put_threads(JNIEnv *jni, struct ditto_message *answer)
{
    struct listing listing = {jni, answer, 0};
    size_t at = answer->size;
    ditto_message_put32(answer, 0);
    ditto_timeline_threads(ditto_agent.session, put_thread, &listing);
    ditto_message_set32(answer, at, listing.count);
    ditto_message_put32(answer, ditto_timeline_started(ditto_agent.session));
}

static void put_held(struct ditto_message *request, struct ditto_message *answer)
{
    uint32_t thread = ditto_message_get32(request), count = 0;
    size_t at = answer->size;
    ditto_message_put32(answer, 0);
    const struct ditto_shadow *shadow = NULL;
    while ((shadow = ditto_shadow_held(thread, shadow))) {
        ditto_message_put64(answer, key_of(shadow));
        count++;
    }
    ditto_message_set32(answer, at, count);
}

static void put_frames(JNIEnv *jni, struct ditto_message *request, struct ditto_message *answer)
{
    jthread thread = ditto_java_thread_find(jni, ditto_message_get32(request));
    jvmtiFrameInfo *frames = NULL;
    jint count = thread ? ditto_debug_frames(thread, &frames, NULL) : 0;
    ditto_message_put32(answer, (uint32_t)count);
    for (jint i = 0; i < count; i++) {
        const struct ditto_debug_method *method = ditto_debug_method(frames[i].method);
        ditto_message_put32(answer, method->number);
        ditto_message_put32(answer, (uint32_t)ditto_debug_bci(method, frames[i].location));
    }
    free(frames);
}

static void put_maybe(struct ditto_message *answer, bool there,
                      const struct ditto_message_value *value)
{
    ditto_message_put8(answer, there);
    ditto_message_put_value(answer, value);
}

static void put_local(JNIEnv *jni, struct ditto_message *request, struct ditto_message *answer)
{
    struct ditto_message_value value = {0};
    uint32_t thread = ditto_message_get32(request), depth = ditto_message_get32(request);
    jint slot = (jint)ditto_message_get32(request);
    char type = (char)ditto_message_get8(request);
    put_maybe(answer, ditto_debug_local(jni, thread, depth, slot, type, &value), &value);
}

static void put_field(JNIEnv *jni, struct ditto_message *request, struct ditto_message *answer)
{
    struct ditto_message_value value = {0};
    jobject object = ditto_debug_object(jni, ditto_message_get64(request));
    const char *class_name = ditto_message_get_text(request),
               *field = ditto_message_get_text(request);
    const char *descriptor = ditto_message_get_text(request);
    put_maybe(answer,
              object && ditto_debug_field(jni, object, class_name, field, descriptor, &value),
              &value);
}

static void put_static(JNIEnv *jni, struct ditto_message *request, struct ditto_message *answer)
{
    struct ditto_message_value value = {0};
    const char *class_name = ditto_message_get_text(request),
               *field = ditto_message_get_text(request);
    const char *descriptor = ditto_message_get_text(request);
    put_maybe(answer, ditto_debug_static(jni, class_name, field, descriptor, &value), &value);
}

/* The class's name if the object is an array, to be freed; else NULL. */
static char *array_class(JNIEnv *jni, jobject object)
{
    char *name = object ? ditto_debug_class_of(jni, object) : NULL;
    if (name && name[0] == '[')
        return name;
    free(name);
    return NULL;
}

static void put_elements(JNIEnv *jni, struct ditto_message *request, struct ditto_message *answer)
{
    jobject array = ditto_debug_object(jni, ditto_message_get64(request));
    jlong first = (jlong)ditto_message_get64(request);
    uint32_t wanted = ditto_message_get32(request), count = 0;
    char *name = array_class(jni, array);
    size_t at = answer->size;
    ditto_message_put32(answer, 0);
    struct ditto_message_value value = {0};
    while (name && count < wanted && ditto_debug_element(jni, array, first + count, &value)) {
        ditto_message_put_value(answer, &value);
        count++;
    }
    ditto_message_set32(answer, at, count);
    free(name);
}

static void serve(JNIEnv *jni, uint8_t kind, struct ditto_message *request,
                  struct ditto_message *answer)
{
    ditto_message_begin(answer, (enum ditto_message_kind)kind);
    switch (kind) {
    case DITTO_ASK_THREADS:
        put_threads(jni, answer);
        break;
    case DITTO_ASK_HELD:
        put_held(request, answer);
        break;
    case DITTO_ASK_FRAMES:
        put_frames(jni, request, answer);
        break;
    case DITTO_ASK_LOCAL:
        put_local(jni, request, answer);
        break;
    case DITTO_ASK_LATEST: {
        struct ditto_turn turn = {0};
        ditto_message_put8(answer, ditto_timeline_latest_of(ditto_agent.session,
                                                            ditto_message_get32(request), &turn));
        ditto_message_put64(answer, turn.turn);
        ditto_message_put64(answer, turn.clock);
        break;
    }
    case DITTO_ASK_RETURNED: {
        struct ditto_message_value value = {0};
        uint32_t thread = ditto_message_get32(request);
        put_maybe(answer, ditto_debug_returned(jni, thread, &value), &value);
        break;
    }
    case DITTO_ASK_FIELD:
        put_field(jni, request, answer);
        break;
    case DITTO_ASK_STATIC:
        put_static(jni, request, answer);
        break;
    case DITTO_ASK_CLASS_OF: {
        jobject object = ditto_debug_object(jni, ditto_message_get64(request));
        char *name = object ? ditto_debug_class_of(jni, object) : NULL;
        ditto_message_put_text(answer, name);
        free(name);
        break;
    }
    case DITTO_ASK_LENGTH: {
        jobject array = ditto_debug_object(jni, ditto_message_get64(request));
        char *name = array_class(jni, array);
        ditto_message_put64(answer,
                            name ? (uint64_t)(*jni)->GetArrayLength(jni, array) : UINT64_MAX);
        free(name);
        break;
    }
    case DITTO_ASK_ELEMENTS:
        put_elements(jni, request, answer);
        break;
    case DITTO_ASK_METHOD: {
        const struct ditto_debug_method *method =
            ditto_debug_method_at(ditto_message_get32(request));
        ditto_message_put_text(answer, method ? method->class_name : NULL);
        ditto_message_put_text(answer, method ? method->name : NULL);
        ditto_message_put_text(answer, method ? method->descriptor : NULL);
        break;
    }
    case DITTO_ASK_COMPILED: {
        const char *class_name = ditto_message_get_text(request);
        const char *name = ditto_message_get_text(request);
        ditto_debug_put_compiled(
            answer, ditto_debug_method_named(class_name, name, ditto_message_get_text(request)));
        break;
    }
    default:
        break;
    }
    ditto_debug_send(answer);
}

static void obey(JNIEnv *jni, uint8_t kind)
{
    if ((*jni)->PushLocalFrame(jni, 64) != JNI_OK)
        _exit(3);
    if (kind == DITTO_ASK_GO) {
        struct ditto_message_go run;
        struct ditto_message old = service.run;
        service.run = service.request;
        service.request = old;
        ditto_message_get_go(&service.run, &run);
        service.running = true;
        service.idle = 0;
        service.moved = ditto_processor_seconds();
        ditto_debug_go(jni, &run);
    } else {
        serve(jni, kind, &service.request, &service.answer);
    }
    (*jni)->PopLocalFrame(jni, NULL);
}

static void tell_progress(void)
{
    ditto_message_begin(&service.answer, DITTO_ASK_PROGRESS);
    ditto_message_put64(&service.answer, ditto_timeline_glance(ditto_agent.session));
    ditto_debug_send(&service.answer);
}

/*
 * A request may come while a run is under way, because the debugger does not wait for a JVM before
 * it sends it on: it is obeyed when all rest.
 */
static void take_request(JNIEnv *jni)
{
    uint8_t kind = ditto_message_receive(ditto_agent.options.debug, &service.request);
    if (kind == 0)
        _exit(0);
    DITTO_DEBUG(debug, 1, "asked for %u%s", kind, service.running ? ", while threads go" : "");
    if (kind == DITTO_ASK_INTERRUPT && service.running)
        ditto_debug_interrupt();
    else if (kind == DITTO_ASK_PROGRESS)
        tell_progress();
    else if (service.running)
        service.deferred = kind;
    else if (kind != DITTO_ASK_INTERRUPT)
        obey(jni, kind);
}

static void tell_halt(void)
{
    struct ditto_message_halt halt;
    uint64_t times;
    ssize_t got = read(service.rested, &times, sizeof times);
    DITTO_CHECK(got == sizeof times, "the word that all threads rest cannot be read");
    service.running = false;
    ditto_debug_halt((enum ditto_rest)atomic_load_explicit(&service.why, memory_order_acquire),
                     &halt);
    DITTO_DEBUG(debug, 1, "halts, why %u", (unsigned)halt.why);
    ditto_message_begin(&service.answer, DITTO_ASK_GO);
    ditto_message_put_halt(&service.answer, &halt);
    ditto_debug_send(&service.answer);
}

/* -------------------------------------------------------- threads blocked elsewhere */

enum { MOST_OUTSIDE = 4096, LOOK_MS = 20, PATIENT_LOOKS = 3, COMPUTING_S = 3 };

struct blocked {
    JNIEnv *jni;
    struct ditto_thread *threads[MOST_OUTSIDE];
    jthread suspended[MOST_OUTSIDE]; /* by us, since it computes; NULL: it is blocked */
    uint32_t count;
    bool computing; /* those that compute count, too */
};

static void find_blocked(void *context, const struct ditto_java_thread *thread)
{
    struct blocked *blocked = context;
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    jint state = 0;
    if (!ditto_timeline_runs(thread->handle) || blocked->count == MOST_OUTSIDE)
        return;
    jthread object = (*blocked->jni)->NewLocalRef(blocked->jni, thread->object);
    bool known = object && (*jvmti)->GetThreadState(jvmti, object, &state) == JVMTI_ERROR_NONE;
    bool blocks =
        state & (JVMTI_THREAD_STATE_WAITING | JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER);
    bool suspended = known && !blocks && blocked->computing &&
                     (*jvmti)->SuspendThread(jvmti, object) == JVMTI_ERROR_NONE;
    if (known && (blocks || suspended)) {
        blocked->suspended[blocked->count] = suspended ? object : NULL;
        blocked->threads[blocked->count++] = thread->handle;
    }
    if (!suspended)
        (*blocked->jni)->DeleteLocalRef(blocked->jni, object);
}

/* Of those that compute, only such may stay where they are as the trace has nothing more of. */
static bool all_are_past(const struct blocked *blocked)
{
    for (uint32_t i = 0; i < blocked->count; i++)
        if (blocked->suspended[i] && !ditto_timeline_is_past(blocked->threads[i]))
            return false;
    return true;
}

static void let_go(const struct blocked *blocked, bool resume)
{
    for (uint32_t i = 0; i < blocked->count; i++) {
        if (blocked->suspended[i] && resume)
            (*ditto_agent.jvmti)->ResumeThread(ditto_agent.jvmti, blocked->suspended[i]);
        (*blocked->jni)->DeleteLocalRef(blocked->jni, blocked->suspended[i]);
    }
}

/*
 * A thread may be blocked in code of the JDK that is not recorded, and nobody who rests will ever
 * wake it.  If every thread that seems to run is blocked, and nothing has moved for a while, they
 * are taken for resting.
 *
 * One that was killed in the middle of a computation would go on with it, for ever perhaps, and not
 * come to what is not in the trace.  After some seconds of that it stays where it is.
 */
static void look_outside(JNIEnv *jni)
{
    static struct blocked blocked; /* the service's thread alone */
    uint64_t passed;
    uint32_t running = ditto_timeline_running(ditto_agent.session, &passed);
    if (passed != service.passed || !running)
        service.moved = ditto_processor_seconds();
    service.idle = passed == service.passed && running ? service.idle + 1 : 0;
    service.passed = passed;
    if (service.idle < PATIENT_LOOKS)
        return;
    service.idle = 0;
    blocked.jni = jni;
    blocked.count = 0;
    blocked.computing = ditto_processor_seconds() - service.moved > COMPUTING_S;
    ditto_java_threads_each(find_blocked, &blocked);
    bool rest = blocked.count && blocked.count == running && all_are_past(&blocked);
    if (rest)
        ditto_timeline_outside(blocked.threads, blocked.count);
    let_go(&blocked, !rest);
}

/* --------------------------------------------------------------------- set-up */

static void *serve_all(void *unused)
{
    JavaVM *vm = ditto_agent.vm;
    JNIEnv *jni = NULL;
    JavaVMAttachArgs arguments = {.version = JNI_VERSION_10, .name = "ditto"};
    (void)unused;
    if ((*vm)->AttachCurrentThreadAsDaemon(vm, (void **)&jni, &arguments) != JNI_OK)
        _exit(3);
    for (;;) {
        /* That the other side is gone is told in any case. */
        struct pollfd fds[] = {
            {.fd = ditto_agent.options.debug, .events = service.deferred ? 0 : POLLIN},
            {.fd = service.rested, .events = POLLIN}};
        int ready = poll(fds, 2, service.running ? LOOK_MS : -1);
        if (ready == 0)
            look_outside(jni);
        if (ready <= 0)
            continue;
        if (fds[1].revents)
            tell_halt();
        if (service.deferred && (fds[0].revents & (POLLHUP | POLLERR)))
            _exit(0);
        uint8_t deferred = service.running ? 0 : service.deferred;
        if (deferred) {
            service.deferred = 0;
            obey(jni, deferred);
        } else if (!service.deferred && fds[0].revents) {
            take_request(jni);
        }
    }
    return NULL;
}

static const struct ditto_observer observer = {.thread_size = sizeof(struct ditto_debug_thread),
                                               .class_rewritten = ditto_debug_class,
                                               .access = ditto_debug_access,
                                               .access_ends = ditto_debug_access_ends,
                                               .accessed = ditto_debug_accessed,
                                               .made = ditto_debug_made,
                                               .met = ditto_debug_met,
                                               .returns = ditto_debug_returns,
                                               .forget = ditto_debug_forget,
                                               .thread_ends = ditto_debug_thread_ends};

void ditto_debug_prepare(jvmtiCapabilities *capabilities, jvmtiEventCallbacks *callbacks)
{
    ditto_agent.observer = &observer;
    capabilities->can_tag_objects = 1;
    capabilities->can_generate_single_step_events = 1;
    capabilities->can_generate_breakpoint_events = 1;
    capabilities->can_generate_exception_events = 1;
    capabilities->can_generate_compiled_method_load_events = 1;
    capabilities->can_access_local_variables = 1;
    capabilities->can_suspend = 1;
    callbacks->SingleStep = ditto_debug_single_step;
    callbacks->Breakpoint = ditto_debug_breakpoint;
    callbacks->Exception = ditto_debug_exception;
    callbacks->ClassPrepare = ditto_debug_class_prepared;
    callbacks->CompiledMethodLoad = ditto_debug_compiled;
    callbacks->CompiledMethodUnload = ditto_debug_uncompiled;
    service.rested = eventfd(0, EFD_CLOEXEC);
    ditto_agent_expect(service.rested >= 0, "an event descriptor");
}

void ditto_debug_begin(JNIEnv *jni)
{
    static const jvmtiEvent events[] = {JVMTI_EVENT_BREAKPOINT, JVMTI_EVENT_CLASS_PREPARE,
                                        JVMTI_EVENT_COMPILED_METHOD_LOAD,
                                        JVMTI_EVENT_COMPILED_METHOD_UNLOAD};
    jvmtiEnv *jvmti = ditto_agent.jvmti;
    pthread_t thread;
    (void)jni;
    service.moved = ditto_processor_seconds();
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, events[i], NULL);
    ditto_agent_expect(pthread_create(&thread, NULL, serve_all, NULL) == 0, "a thread");
    pthread_detach(thread);
}
