/* SPDX-License-Identifier: MIT */
/*
 * How a replay ends early: it leaves the trace, nobody can go on, or the trace is at its end or
 * cannot be read further.
 * Internal to core/.
 */
#ifndef DITTO_CORE_ENGINE_STOP_H
#define DITTO_CORE_ENGINE_STOP_H

#include "core/engine/state.h"

/* The session was closed: lets those go on. */
void ditto_threads_past_end_go_on(struct ditto_session *session);

/* Stops the replay: "expected X, found Y" at the thread's present event. */
_Noreturn void ditto_diverge(struct ditto_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Stops the replay: the thread's part of the trace is damaged, and the error tells how. */
_Noreturn void ditto_damaged(struct ditto_thread *thread, const struct ditto_error *error);

/* Whether the thread has done all events and inputs that the trace has of it.  Under threads_lock.
 */
bool ditto_has_done_all(const struct ditto_session *session, struct ditto_thread *thread);

/*
 * Nobody goes on any more.  `stalled`: the trace has more than that.  Called, and returning never,
 * with the lock of the list held.
 */
_Noreturn void ditto_stop_all(struct ditto_session *session, bool stalled);

/* The nobody_runs of a replay without a debugger: it ends here, unless somebody is about to run. */
void ditto_nobody_can_go_on(struct ditto_session *session);

#endif
