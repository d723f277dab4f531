/* SPDX-License-Identifier: MIT */
/* Making and ending the engine's threads.  Internal to core/. */
#ifndef DITTO_CORE_ENGINE_THREADS_H
#define DITTO_CORE_ENGINE_THREADS_H

#include "core/engine/state.h"

/*
 * A thread with its streams, in the session's list and counted as able to run.  `parent` is NULL
 * for thread 0.  Memory running out here ends the program: there is no run without the thread.
 */
struct ditto_thread *ditto_thread_make(struct ditto_session *session, struct ditto_thread *parent,
                                       uint32_t replay_id, const char *name);

/* Replaying, at the beginning: which thread was adopted in the recording. */
void ditto_threads_find_adopted(struct ditto_session *session);

#endif
