/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/ending.h"

void ditto_inputs_begin(void)
{
    static const char *const names[] = {
        [DITTO_INPUT_DIGEST] = "digest",
        [DITTO_INPUT_WAIT] = "Object.wait",
        [DITTO_INPUT_SLEEP] = "Thread.sleep",
        [DITTO_INPUT_JOIN] = "Thread.join",
        [DITTO_INPUT_IS_ALIVE] = "Thread.isAlive",
        [DITTO_INPUT_IS_INTERRUPTED] = "Thread.isInterrupted",
        [DITTO_INPUT_INTERRUPTED] = "Thread.interrupted",
        [DITTO_INPUT_VALUE] = "value of an access",
        [DITTO_INPUT_PARK] = "park",
        [DITTO_INPUT_SHUTDOWN_HOOK] = "order of shutdown hooks",
        [DITTO_INPUT_THREAD_STATE] = "Thread.getState",
        [DITTO_INPUT_THREAD_COUNT] = "Thread.activeCount",
        [DITTO_INPUT_NANO_TIME] = "System.nanoTime",
        [DITTO_INPUT_MILLIS] = "System.currentTimeMillis",
        [DITTO_INPUT_ADJUSTMENT] = "clock",
        [DITTO_INPUT_HASH] = "identity hash",
        [DITTO_INPUT_PROCESSORS] = "Runtime.availableProcessors",
        [DITTO_INPUT_FREE_MEMORY] = "Runtime.freeMemory",
        [DITTO_INPUT_TOTAL_MEMORY] = "Runtime.totalMemory",
        [DITTO_INPUT_MAX_MEMORY] = "Runtime.maxMemory",
        [DITTO_INPUT_SEED] = "random seed",
        [DITTO_INPUT_SECURE_RANDOM] = "SecureRandom",
        [DITTO_INPUT_THREAD_ID] = "thread id",
        [DITTO_INPUT_THREAD_NUMBER] = "thread number",
        [DITTO_INPUT_REFERENT] = "Reference.get",
        [DITTO_INPUT_RESULT] = "result of a method",
        [DITTO_INPUT_OPEN] = "open",
        [DITTO_INPUT_CLOSE] = "close",
        [DITTO_INPUT_READ] = "read",
        [DITTO_INPUT_WRITE] = "write",
        [DITTO_INPUT_SEEK] = "lseek",
        [DITTO_INPUT_STAT] = "stat",
        [DITTO_INPUT_ACCESS] = "access",
        [DITTO_INPUT_CHANGE] = "change of a file",
        [DITTO_INPUT_READ_LINK] = "readlink",
        [DITTO_INPUT_REAL_PATH] = "realpath",
        [DITTO_INPUT_DIRECTORY] = "directory",
        [DITTO_INPUT_FILE_SYSTEM] = "file system",
        [DITTO_INPUT_CONTROL] = "fcntl",
        [DITTO_INPUT_MAP] = "mmap",
        [DITTO_INPUT_TERMINAL] = "isatty",
        [DITTO_INPUT_OWNER] = "user or group",
        [DITTO_INPUT_PIPE] = "pipe",
        [DITTO_INPUT_SOCKET] = "socket",
        [DITTO_INPUT_CONNECT] = "connect",
        [DITTO_INPUT_ACCEPT] = "accept",
        [DITTO_INPUT_RECEIVE] = "receive",
        [DITTO_INPUT_SEND] = "send",
        [DITTO_INPUT_SOCKET_NAME] = "socket name",
        [DITTO_INPUT_SOCKET_OPTION] = "socket option",
        [DITTO_INPUT_POLL] = "poll",
        [DITTO_INPUT_LOOK_UP] = "name lookup",
        [DITTO_INPUT_SPAWN] = "process start",
        [DITTO_INPUT_KILL] = "process signal",
        [DITTO_INPUT_REAP] = "end of a process",
        [DITTO_INPUT_PRINTED] = "digest of what was printed",
    };
    for (uint32_t kind = 0; kind < sizeof names / sizeof *names; kind++)
        if (names[kind])
            ditto_name_input(ditto_agent.session, kind, names[kind]);
}

struct ditto_thread *ditto_input_thread(void)
{
    struct ditto_java_thread *self = ditto_current();
    if (!self)
        return NULL;
    struct ditto_thread *handle = ditto_handle_of(self);
    ditto_access_end(handle);
    if (self->printing == 0 && ditto_agent_is_ending())
        ditto_agent_park();
    return handle;
}

int64_t ditto_input_result(struct ditto_thread *thread, enum ditto_input_kind kind, int64_t result)
{
    int error = errno;
    uint64_t value = result >= 0 ? (uint64_t)result << 1 : (uint64_t)error << 1 | 1;
    value = ditto_input_number(thread, kind, value);
    errno = value & 1 ? (int)(value >> 1) : error;
    return value & 1 ? -1 : (int64_t)(value >> 1);
}

static _Noreturn void bad_length(struct ditto_thread *thread, enum ditto_input_kind kind,
                                 size_t expected, size_t found)
{
    char text[120];
    snprintf(text, sizeof text, "expected %zu bytes of an input of kind %d, found room for %zu",
             expected, (int)kind, found);
    ditto_left_trace(thread, text);
}

void ditto_input_bytes(struct ditto_thread *thread, enum ditto_input_kind kind, void *bytes,
                       size_t length)
{
    size_t recorded = length;
    int error = errno;
    ditto_input(thread, kind, bytes, &recorded, length);
    if (recorded != length)
        bad_length(thread, kind, recorded, length);
    errno = error;
}

void ditto_input_string(struct ditto_thread *thread, enum ditto_input_kind kind, char *text,
                        size_t capacity)
{
    size_t length = ditto_agent.replay || !text ? 0 : strnlen(text, capacity - 1);
    int error = errno;
    ditto_input(thread, kind, text, &length, capacity - 1);
    if (text)
        text[length] = '\0';
    errno = error;
}
