/* SPDX-License-Identifier: MIT */
#include "core/engine/stop.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/debug.h"
#include "core/base/futex.h"
#include "core/base/text.h"
#include "core/engine/detached.h"
#include "core/engine/running.h"

/* Somebody else is ending the process: nothing left to do. */
static _Noreturn void sleep_forever(void)
{
    _Atomic uint32_t word = 0;
    for (;;)
        ditto_futex_wait(&word, 0);
}

/* Thread names come from the trace, which may hold anything, and this goes to a terminal. */
static void print_stop(const char *text)
{
    dprintf(STDERR_FILENO, "ditto: ");
    for (const char *at = text; *at;) {
        int plain = 0;
        while (at[plain] == '\n' || (at[plain] && !ditto_is_control(at + plain)))
            plain++;
        dprintf(STDERR_FILENO, "%.*s%s", plain, at, at[plain] ? "?" : "");
        at += plain + (at[plain] != '\0');
    }
    dprintf(STDERR_FILENO, "\n");
}

static _Noreturn void stop(struct ditto_session *session, const struct ditto_stop *reason)
{
    if (atomic_exchange_explicit(&session->stopping, true, memory_order_acq_rel))
        sleep_forever();
    DITTO_DEBUG(stop, 1, "the replay ends: %s", reason->text);
    if (session->replay_options.on_stop)
        session->replay_options.on_stop(session->replay_options.context, reason);
    else
        print_stop(reason->text);
    _exit(reason->kind == DITTO_STOP_END ? 0 : reason->kind == DITTO_STOP_DAMAGED ? 2 : 3);
}

static const char *name_of(const struct ditto_thread *thread)
{
    return thread->name ? thread->name : "";
}

void ditto_diverge(struct ditto_thread *thread, const char *format, ...)
{
    char detail[512], text[1024], clock[48] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    if (thread->session->order->clock)
        snprintf(clock, sizeof clock, " (clock %" PRIu64 ")", ditto_thread_clock(thread));
    snprintf(text, sizeof text,
             "%s: the replay left the trace: thread %" PRIu32 " (%s), event %" PRIu64
             "%s: %s; replay the very program that was recorded, with its arguments",
             ditto_reader_info(thread->session->reader)->path, thread->replay_id, name_of(thread),
             ditto_thread_events(thread), clock, detail);
    struct ditto_stop reason = {.kind = DITTO_STOP_DIVERGED,
                                .replay_id = thread->replay_id,
                                .event = ditto_thread_events(thread),
                                .text = text};
    stop(thread->session, &reason);
}

void ditto_damaged(struct ditto_thread *thread, const struct ditto_error *error)
{
    struct ditto_stop reason = {.kind = DITTO_STOP_DAMAGED,
                                .replay_id = thread->replay_id,
                                .event = ditto_thread_events(thread),
                                .text = error->text};
    stop(thread->session, &reason);
}

void ditto_left_trace(struct ditto_thread *thread, const char *what)
{
    ditto_diverge(thread, "%s", what);
}

static void describe_thread(FILE *out, const struct ditto_thread *thread)
{
    char wait[160];
    fprintf(out, "\n  thread %" PRIu32 " (%s) after %" PRIu64 " events", thread->replay_id,
            name_of(thread), ditto_thread_events(thread));
    if (thread->session->order->clock)
        fprintf(out, ", clock %" PRIu64, ditto_thread_clock(thread));
    fprintf(out, ": ");
    switch (atomic_load_explicit(&thread->phase, memory_order_relaxed)) {
    case DITTO_WAITING:
        thread->waiter.describe(&thread->waiter, wait, sizeof wait);
        fprintf(out, "waits for %s", wait);
        break;
    case DITTO_JOINING:
        fprintf(out, "waits for the end of thread %" PRIu32,
                atomic_load_explicit(&thread->joined, memory_order_relaxed)->replay_id);
        break;
    case DITTO_AT_END:
        fprintf(out, "at the end of its trace, before %s", thread->wanted);
        break;
    default:
        fprintf(out, "runs, or waits for something that is not replayed");
    }
}

void ditto_stop_all(struct ditto_session *session, bool stalled)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        const char *path = ditto_reader_info(session->reader)->path;
        if (stalled)
            fprintf(out,
                    "%s: the replay cannot go on: every thread waits for something that the trace "
                    "has and the program does not do; replay the very program that was recorded",
                    path);
        else
            fprintf(out, "%s: this is the end of the trace, not of the program", path);
        for (struct ditto_thread *thread = session->threads; thread; thread = thread->next)
            describe_thread(out, thread);
        fclose(out);
    }
    pthread_mutex_unlock(&session->threads_lock);
    struct ditto_stop reason = {.kind = stalled ? DITTO_STOP_STALLED : DITTO_STOP_END,
                                .replay_id = DITTO_NO_THREAD,
                                .text = text ? text : "every thread waits"};
    stop(session, &reason);
}

bool ditto_has_done_all(const struct ditto_session *session, struct ditto_thread *thread)
{
    uint32_t phase = atomic_load_explicit(&thread->phase, memory_order_relaxed);
    const struct ditto_thread_counts *all = &thread->in_trace;
    if (phase == DITTO_AT_END || phase == DITTO_ENDED)
        return true;
    if (!thread->counted) {
        ditto_count_thread(session->reader, session->order, thread->replay_id, &thread->in_trace,
                           NULL);
        thread->counted = true;
    }
    return ditto_glance(&thread->memory_events) >= all->memory.events &&
           ditto_glance(&thread->sync_events) >= all->sync.events &&
           ditto_glance(&thread->values) >= all->values;
}

/*
 * Whether the thread waits for what the trace has.  The event that it wants is in the trace; but a
 * flag may be waited for with everything done, as where class initializers deadlock.
 */
static bool waits_for_more(const struct ditto_session *session, struct ditto_thread *thread)
{
    return atomic_load_explicit(&thread->phase, memory_order_seq_cst) == DITTO_WAITING &&
           (!thread->waiter.is_flag || !ditto_has_done_all(session, thread));
}

/*
 * The last to block comes here: `active` says that nobody is left to wake anybody.  Its decrement
 * follows all others', so what they wrote before theirs is visible, and nobody changes it any more.
 * With one exception: a joiner whose thread has ended, or a thread at its end when the session is
 * closed, runs on when the system lets it, and may do anything before we have looked at all
 * threads. It counts itself in first, so if `active` is the same at the end of our look as it was
 * before, half by half, we looked at one state.  And if the replay is stuck after that thread has
 * run, it will be the last to block itself, and come here.
 */
void ditto_nobody_can_go_on(struct ditto_session *session)
{
    bool about_to_run = false;
    pthread_mutex_lock(&session->threads_lock);
    uint64_t before = atomic_load_explicit(&session->active, memory_order_seq_cst);
    bool closed = atomic_load_explicit(&session->closed, memory_order_seq_cst);
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
        uint32_t phase = atomic_load_explicit(&thread->phase, memory_order_seq_cst);
        struct ditto_thread *joined = atomic_load_explicit(&thread->joined, memory_order_seq_cst);
        about_to_run = about_to_run || (phase == DITTO_AT_END && closed) ||
                       (phase == DITTO_JOINING &&
                        atomic_load_explicit(&joined->phase, memory_order_seq_cst) == DITTO_ENDED);
    }
    DITTO_DEBUG(stop, 2, "nobody runs%s", about_to_run ? ", but somebody is about to" : "");
    bool stuck = !about_to_run && !ditto_active_in(before) &&
                 atomic_load_explicit(&session->active, memory_order_seq_cst) == before;
    uint32_t exiting = DITTO_EXITING;
    if (stuck &&
        atomic_compare_exchange_strong_explicit(&session->exiting, &exiting, DITTO_MAY_EXIT,
                                                memory_order_acq_rel, memory_order_relaxed)) {
        ditto_futex_wake(&session->exiting, 1);
        stuck = false;
    }
    if (!stuck || exiting == DITTO_MAY_EXIT || !session->threads) {
        pthread_mutex_unlock(&session->threads_lock);
        return;
    }
    bool stalled = false;
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next)
        stalled = stalled || waits_for_more(session, thread);
    ditto_stop_all(session, stalled);
}

void ditto_thread_past_end(struct ditto_thread *thread, const char *wanted)
{
    struct ditto_session *session = thread->session;
    if (thread->in_trace_to_the_end)
        ditto_diverge(thread, "expected the end of the thread, found %s", wanted);
    if (!atomic_load_explicit(&session->closed, memory_order_acquire)) {
        thread->wanted = wanted;
        atomic_store_explicit(&thread->phase, DITTO_AT_END, memory_order_relaxed);
        ditto_thread_idles(thread);
        while (!atomic_load_explicit(&session->closed, memory_order_acquire))
            ditto_futex_wait(&session->closed, 0);
        ditto_thread_runs(thread);
    }
    thread->events = &ditto_detached_events;
}

void ditto_threads_past_end_go_on(struct ditto_session *session)
{
    atomic_store_explicit(&session->closed, 1, memory_order_release);
    ditto_futex_wake(&session->closed, INT_MAX);
}
