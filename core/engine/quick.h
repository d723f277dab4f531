/* SPDX-License-Identifier: MIT */
/*
 * Events without a call to the engine.
 *
 * Nearly all events lie in a free run, and what the engine does for one of those is a dozen loads
 * and stores.  A caller that is not C, and pays more for a call than for all of that, may do them
 * itself on the engine's memory: the agent's hooks are Java that the JVM compiles into the
 * program's code.  It then needs to know where things are, and gets it from here; and it has to do
 * exactly what the order does, so each order's quick half stands beside its slow one's argument:
 * that of `ditto` is jvm-bridge/hooks/java/lang/DittoOrder.java.
 *
 * What is not quick, an event with a constraint, a place that somebody else has locked, a waiter to
 * be woken, goes through core/ditto.h as ever; quick and other events of a thread can follow each
 * other in any order.
 */
#ifndef DITTO_CORE_ENGINE_QUICK_H
#define DITTO_CORE_ENGINE_QUICK_H

#include "core/ditto.h"

/* Offsets in bytes, if nothing else is said. */
enum ditto_quick_number {
    /* From an object's state, which is what its cell points to. */
    DITTO_QUICK_RECIPROCAL,  /* see core/engine/objects.c */
    DITTO_QUICK_FIRST_PLACE, /* the first place */
    DITTO_QUICK_PLACE_SIZE,  /* a size: the distance of two places */
    /* From a thread's handle. */
    DITTO_QUICK_ACCESS, /* the access under way; see struct ditto_thread */
    DITTO_QUICK_CLOCK,  /* 64 bits each */
    DITTO_QUICK_MEMORY_EVENTS,
    DITTO_QUICK_REPLAY_ID, /* 32 bits */
    DITTO_QUICK_WORD,      /* recording: the memory stream's fields; no word, no quick events */
    DITTO_QUICK_USED,
    DITTO_QUICK_TAIL,
    DITTO_QUICK_RUN, /* replaying: how many events are still free; 64 bits */
    /* Of the order: from a place, and from a thread's handle. */
    DITTO_QUICK_STORE_CLOCK,
    DITTO_QUICK_LOAD_CLOCK,
    DITTO_QUICK_LOAD_COUNT,
    DITTO_QUICK_LOCK, /* recording: core/base/lightlock.h */
    DITTO_QUICK_SLEEPERS,
    DITTO_QUICK_FENCED,  /* a number: whether letting the lock go takes a full barrier */
    DITTO_QUICK_WAITERS, /* replaying */
    DITTO_QUICK_STORER,
    DITTO_QUICK_LOADER,
    DITTO_QUICK_SEEN_CLOCK,
    DITTO_QUICK_SEEN_THREAD,
    DITTO_QUICK_SEEN_SIZE, /* a number, a power of 2; 0: the table is not to be used */
    DITTO_QUICK_STOP_FLAG, /* recording: an address, of a byte */
    DITTO_QUICK_STRIDE,    /* from an array's state: how many elements share a place; 64 bits */
    DITTO_QUICK_MUTED,     /* from a thread: ditto_muted(), 32 bits */
    DITTO_QUICK_NUMBERS
};

/*
 * False if events of this session must be calls: its order, or its pruning, has no quick half. Then
 * the order's own numbers are missing.
 */
bool ditto_quick(const struct ditto_session *session, int64_t numbers[DITTO_QUICK_NUMBERS]);

/* core/engine/objects.c's and the order's part of it. */
void ditto_quick_objects(const struct ditto_session *session, int64_t numbers[DITTO_QUICK_NUMBERS]);

/* The slow halves of what may end a quick event: wakes one who sleeps for a place's lock, which has
 * been let go, and those who wait for a place's state. */
void ditto_quick_wake_lock(ditto_place *place);
void ditto_quick_wake(struct ditto_thread *thread, ditto_place *place);

#endif
