/* SPDX-License-Identifier: MIT */
/*
 * Inputs of Java programs: what a thread gets from elsewhere than memory, in its value stream.
 *
 * Recording, an input is had from outside and noted; replaying, it is taken from the trace and
 * nothing outside is asked.  Two things keep an input out of the stream.  A thread that the engine
 * does not know has none.  And what the JDK does behind the program's back, at the moment and in
 * the thread that luck decides, is no input of that thread: loading classes, linking call sites,
 * initializing classes of the JDK.  While it does so recording pauses (pauses.h), and what it asks
 * for is real in a replay, too.
 */
#ifndef DITTO_JVM_BRIDGE_INPUTS_INPUTS_H
#define DITTO_JVM_BRIDGE_INPUTS_INPUTS_H

#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/vm.h"

/* Tells the engine the kinds' names.  When the session is open. */
void ditto_inputs_begin(void);

/* The calling thread, if what it is asking for is an input; else NULL: do as if there were no
 * recording.  An access that it left behind is ended.  Does not return when the program ends. */
struct ditto_thread *ditto_input_thread(void);

/*
 * What a function of the C library has answered: a number, or -1 and an errno.  Replaying, takes
 * `result` for nothing and answers, and sets errno, as recorded.
 */
int64_t ditto_input_result(struct ditto_thread *thread, enum ditto_input_kind kind, int64_t result);

/* Bytes, as many in the replay as in the recording, or the replay stops. */
void ditto_input_bytes(struct ditto_thread *thread, enum ditto_input_kind kind, void *bytes,
                       size_t length);

/* A string of at most `capacity` bytes with its 0; NULL is recorded as "". */
void ditto_input_string(struct ditto_thread *thread, enum ditto_input_kind kind, char *text,
                        size_t capacity);

#endif
