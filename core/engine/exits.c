/* SPDX-License-Identifier: MIT */
/* The end of a process with threads still running: ditto_exiting() and what belongs to it. */
#include <time.h>

#include "core/base/futex.h"
#include "core/base/seconds.h"
#include "core/engine/running.h"
#include "core/engine/stop.h"
#include "core/engine/timeline.h"

/* How far all threads but `self` are; *done says whether any is left that has more to do. */
static uint64_t progress(struct ditto_session *session, const struct ditto_thread *self, bool *done)
{
    uint64_t sum = 0;
    *done = true;
    pthread_mutex_lock(&session->threads_lock);
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
        if (thread == self)
            continue;
        sum += ditto_glance_events(thread);
        /* Who holds a monitor may be about to print what it has been recorded to print. */
        uint32_t phase = atomic_load_explicit(&thread->phase, memory_order_relaxed);
        *done = *done && ditto_has_done_all(session, thread) &&
                (phase == DITTO_AT_END || ditto_glance(&thread->held) == 0);
    }
    pthread_mutex_unlock(&session->threads_lock);
    return sum;
}

void ditto_nobody_runs(struct ditto_session *session)
{
    uint32_t exiting = DITTO_EXITING;
    bool done = true;
    pthread_mutex_lock(&session->threads_lock);
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next)
        done = done && ditto_has_done_all(session, thread);
    if (done &&
        (atomic_compare_exchange_strong_explicit(&session->exiting, &exiting, DITTO_MAY_EXIT,
                                                 memory_order_acq_rel, memory_order_relaxed) ||
         exiting == DITTO_MAY_EXIT)) {
        ditto_futex_wake(&session->exiting, 1);
        pthread_mutex_unlock(&session->threads_lock);
        return;
    }
    ditto_stop_all(session, !done);
}

/*
 * Usually the others end, or come to ask for an event that is not in the trace, and the last to do
 * so wakes the caller.  But one that is blocked in something the engine does not see does neither,
 * so the caller looks from time to time whether all have done what they did.  A thread that
 * computes for long between two events is waited for; but when nothing moves and the process does
 * not use the processor either, nobody runs.
 */
static void exit_replay(struct ditto_session *session, struct ditto_thread *self)
{
    enum { LOOK_MS = 2, PATIENCE_MS = 5000 };
    const double idle = PATIENCE_MS / 20 * 1e-3;
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    double processor = ditto_processor_seconds();
    uint64_t before = 0;
    if (self) {
        self->wanted = "exit";
        atomic_store_explicit(&self->phase, DITTO_AT_END, memory_order_seq_cst);
    } else {
        ditto_one_more(session);
    }
    atomic_store_explicit(&session->exiting, DITTO_EXITING, memory_order_seq_cst);
    ditto_one_less(session);
    for (int waited = 0;; waited += LOOK_MS) {
        if (atomic_load_explicit(&session->exiting, memory_order_acquire) == DITTO_MAY_EXIT)
            return;
        bool done;
        uint64_t now = progress(session, self, &done);
        if (done)
            return;
        if (now != before || ditto_processor_seconds() - processor > idle) {
            waited = 0;
            processor = ditto_processor_seconds();
        }
        before = now;
        if (waited > PATIENCE_MS)
            ditto_nobody_runs(session);
        syscall(SYS_futex, &session->exiting, FUTEX_WAIT_PRIVATE, DITTO_EXITING, &look, NULL, 0);
    }
}

void ditto_exit_is_near(struct ditto_session *session)
{
    atomic_store_explicit(&session->exiting, DITTO_EXITING, memory_order_seq_cst);
}

void ditto_exiting(struct ditto_session *session, struct ditto_thread *thread)
{
    if (session->replaying) {
        if (session->timeline)
            ditto_timeline_exiting(thread);
        exit_replay(session, thread);
    } else {
        const struct ditto_meta record = {
            .type = DITTO_META_END, .ending = DITTO_ENDING_CLOSED, .text = ditto_text("")};
        if (!ditto_stop_flag_is_set(ditto_writer_stop_flag(session->writer)))
            ditto_writer_meta(session->writer, &record);
    }
}
