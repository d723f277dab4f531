/* SPDX-License-Identifier: MIT */
/*
 * Events without a call to the engine.
 *
 * Nearly all events lie in a free run, and what the engine does for one of those is a dozen loads
 * and stores.  A caller that is not C, and pays more for a call than for all of that, may do them
 * itself on the engine's memory: the agent's hooks are Java that the JVM compiles into the
 * program's code.  It then needs to know where things are, and gets it from here, by name; and it
 * has to do exactly what the order does.  An order's quick half is a text of inline C,
 * core/orders/NAME/quick.h, which the order itself calls first; others translate that text, line by
 * line (that of `ditto` is jvm-bridge/hooks/java/lang/DittoQuickFields.java), and
 * tests/orders/quick compares them.
 *
 * What is not quick, an event with a constraint, a place that somebody else has locked, a waiter to
 * be woken, goes through core/ditto.h as ever; quick and other events of a thread can follow each
 * other in any order.
 */
#ifndef DITTO_CORE_ENGINE_QUICK_H
#define DITTO_CORE_ENGINE_QUICK_H

#include "core/ditto.h"

/*
 * Which algorithm the session's quick events follow, by name; NULL if they must be calls: its order
 * has no quick half, or not with these options.
 */
const char *ditto_quick_text(const struct ditto_session *session);

/*
 * Where something is, an offset in bytes from what its name begins with, if nothing else is said:
 *
 *     object.reciprocal, object.stride      of an object's state, which is what its cell points to:
 *                                           see core/engine/objects.c; 64 bits each
 *     object.first_place, object.place_size where its places begin, and their distance, a number
 *     thread.NAME                           of a thread's handle: core/engine/layout.def
 *     session.stop_flag                     recording: the address of a byte
 *
 * and those of the order, from a place or from a thread's handle: its own layout.def.  False if
 * nothing has that name.
 */
bool ditto_quick_number(const struct ditto_session *session, const char *name, int64_t *number);

/* The slow halves of what may end a quick event: those of struct ditto_order_quick. */
void ditto_quick_wake(struct ditto_thread *thread, ditto_place *place);
void ditto_quick_wake_lock(const struct ditto_session *session, ditto_place *place);

#endif
