/* SPDX-License-Identifier: MIT */
/* Digests of a thread's events, with --verify: a replay compares them with the recorded ones. */
#ifndef DITTO_JVM_BRIDGE_THREADS_DIGESTS_H
#define DITTO_JVM_BRIDGE_THREADS_DIGESTS_H

#include "jvm-bridge/state/thread.h"

/*
 * For --verify: one more event, of which the digest says kind and place, and a value that was
 * loaded or is about to be stored, with the letter of its type.  Recording, they become inputs;
 * replaying, they are compared with them, and the replay stops where they differ.
 */
void ditto_digest(struct ditto_java_thread *thread, uint32_t digest);
void ditto_digest_value(struct ditto_java_thread *thread, uint64_t value, bool store, char type);

/* The thread has ended: what was compared of it counts on. */
void ditto_digests_end(const struct ditto_java_thread *thread);

/* How many events were compared, of all threads. */
uint64_t ditto_digests_compared(void);

#endif
