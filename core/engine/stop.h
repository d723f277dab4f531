/* SPDX-License-Identifier: MIT */
/*
 * How a replay ends early: it leaves the trace, nobody can go on, or the trace is at its end or
 * cannot be read further.
 * Internal to core/.
 */
#ifndef DITTO_CORE_ENGINE_STOP_H
#define DITTO_CORE_ENGINE_STOP_H

#include "core/engine/state.h"

/*
 * One thread less that can run: the caller is about to sleep, or has ended, and has set its state
 * to say so before anybody could wake it.  If it was the last, this may not return.
 */
void ditto_thread_idles(struct ditto_thread *thread);

/* In a debugged replay, by another thread: this one is taken for blocked outside, if it runs. */
void ditto_thread_outside(struct ditto_thread *thread);

/* Called by whoever makes the thread able to run again, before doing so; or by the thread itself.
 */
void ditto_thread_runs(struct ditto_thread *thread);

/* The session was closed: lets those go on. */
void ditto_threads_past_end_go_on(struct ditto_session *session);

/* Stops the replay: "expected X, found Y" at the thread's present event. */
_Noreturn void ditto_diverge(struct ditto_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Stops the replay: the thread's part of the trace is damaged, and the error tells how. */
_Noreturn void ditto_damaged(struct ditto_thread *thread, const struct ditto_error *error);

/* A counter that belongs to a thread which may be running: the number may be a little old. */
uint64_t ditto_glance(const uint64_t *counter);

/* Its events; likewise. */
uint64_t ditto_glance_events(const struct ditto_thread *thread);

#endif
