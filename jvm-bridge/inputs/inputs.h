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

#include "jvm-bridge/vm/vm.h"

/* Numbers are part of the trace: new ones go to the end. DittoHooks.java has some, too. */
enum ditto_input_kind {
    DITTO_INPUT_DIGEST = 1,
    DITTO_INPUT_WAIT = 2,
    DITTO_INPUT_SLEEP = 3,
    DITTO_INPUT_JOIN = 4,
    DITTO_INPUT_IS_ALIVE = 5,
    DITTO_INPUT_IS_INTERRUPTED = 6,
    DITTO_INPUT_INTERRUPTED = 7,
    DITTO_INPUT_VALUE = 8,
    DITTO_INPUT_PARK = 9,
    DITTO_INPUT_SHUTDOWN_HOOK = 10,
    DITTO_INPUT_THREAD_STATE = 11,
    DITTO_INPUT_THREAD_COUNT = 12,
    DITTO_INPUT_NANO_TIME = 32,
    DITTO_INPUT_MILLIS = 33,
    DITTO_INPUT_ADJUSTMENT = 34,
    DITTO_INPUT_HASH = 35,
    DITTO_INPUT_PROCESSORS = 36,
    DITTO_INPUT_FREE_MEMORY = 37,
    DITTO_INPUT_TOTAL_MEMORY = 38,
    DITTO_INPUT_MAX_MEMORY = 39,
    DITTO_INPUT_SEED = 41,
    DITTO_INPUT_SECURE_RANDOM = 42,
    DITTO_INPUT_THREAD_ID = 43,
    DITTO_INPUT_THREAD_NUMBER = 44,
    DITTO_INPUT_REFERENT = 46,
    DITTO_INPUT_RESULT = 49,
    DITTO_INPUT_OPEN = 64,
    DITTO_INPUT_CLOSE = 65,
    DITTO_INPUT_READ = 66,
    DITTO_INPUT_WRITE = 67,
    DITTO_INPUT_SEEK = 68,
    DITTO_INPUT_STAT = 69,
    DITTO_INPUT_ACCESS = 70,
    DITTO_INPUT_CHANGE = 71,
    DITTO_INPUT_READ_LINK = 72,
    DITTO_INPUT_REAL_PATH = 73,
    DITTO_INPUT_DIRECTORY = 74,
    DITTO_INPUT_FILE_SYSTEM = 75,
    DITTO_INPUT_CONTROL = 76,
    DITTO_INPUT_MAP = 77,
    DITTO_INPUT_TERMINAL = 78,
    DITTO_INPUT_OWNER = 79,
    DITTO_INPUT_PIPE = 80,
    DITTO_INPUT_SOCKET = 81,
    DITTO_INPUT_CONNECT = 82,
    DITTO_INPUT_ACCEPT = 83,
    DITTO_INPUT_RECEIVE = 84,
    DITTO_INPUT_SEND = 85,
    DITTO_INPUT_SOCKET_NAME = 86,
    DITTO_INPUT_SOCKET_OPTION = 87,
    DITTO_INPUT_POLL = 88,
    DITTO_INPUT_LOOK_UP = 89,
    DITTO_INPUT_SPAWN = 90,
    DITTO_INPUT_KILL = 91,
    DITTO_INPUT_REAP = 92,
    DITTO_INPUT_PRINTED = 93,
};

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
