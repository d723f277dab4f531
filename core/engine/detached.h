/* SPDX-License-Identifier: MIT */
/*
 * Threads that run on without Ditto: after a fork, in the child; and in a replay, past the end of
 * their trace once the session was closed, as they did in the recording.  Internal to core/.
 */
#ifndef DITTO_CORE_ENGINE_DETACHED_H
#define DITTO_CORE_ENGINE_DETACHED_H

#include "core/engine/state.h"

/* Events that do nothing. */
extern const struct ditto_order_events ditto_detached_events;

/* An order's events, with those that do nothing where it has none. */
struct ditto_order_events ditto_without_gaps(const struct ditto_order_events *events);

/* Watches forks for the session, until it is freed. */
void ditto_watch_forks(struct ditto_session *session);
void ditto_unwatch_forks(struct ditto_session *session);

#endif
