/* SPDX-License-Identifier: MIT */
/*
 * Who can run in a replay.
 *
 * `active` of the session counts the threads that can run on without anybody's help: who goes to
 * sleep takes itself out, who wakes another puts that one in first.  Who takes the last one out
 * calls the session's nobody_runs, which decides what that means: the end of a plain replay
 * (core/engine/stop.c), or that a debugged one is at rest (core/engine/timeline.c).
 */
#ifndef DITTO_CORE_ENGINE_RUNNING_H
#define DITTO_CORE_ENGINE_RUNNING_H

#include "core/engine/state.h"

/* How many threads can run, by a value of `active`. */
static inline uint32_t ditto_active_in(uint64_t active)
{
    return (uint32_t)active;
}

/* One that can run more, or less; the latter may not return. */
void ditto_one_more(struct ditto_session *session);
void ditto_one_less(struct ditto_session *session);

/*
 * One thread less that can run: the caller is about to sleep, or has ended, and has set its phase
 * to say so before anybody could wake it.  If it was the last, this may not return.
 */
void ditto_thread_idles(struct ditto_thread *thread);

/* In a debugged replay, by another thread: this one is taken for blocked outside, if it runs. */
void ditto_thread_outside(struct ditto_thread *thread);

/* Called by whoever makes the thread able to run again, before doing so; or by the thread itself.
 */
void ditto_thread_runs(struct ditto_thread *thread);

/* A counter that belongs to a thread which may be running: the number may be a little old. */
uint64_t ditto_glance(const uint64_t *counter);

/* Its events; likewise. */
uint64_t ditto_glance_events(const struct ditto_thread *thread);

#endif
