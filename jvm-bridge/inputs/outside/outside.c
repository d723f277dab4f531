/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/die.h"
#include "core/base/text.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/vm.h"

/* The program's descriptors begin here, and `most` may have something real behind them. */
enum { MOST_BEHIND = 1 << 16 };
static int first = INT32_MAX;

/* Replaying with --do-writes: by number - first, the real descriptor and 1. */
static _Atomic int *behind;

/* The JDK's directory, and the class path's archives, as text between newlines. */
static char *java_home;
static char *archives;

/* ------------------------------------------------------------------- paths */

static bool ends(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The path as it is on the class path: a path that begins there was perhaps made absolute. */
static bool is_archive(const char *path)
{
    if (!archives)
        return false;
    size_t length = strlen(path);
    for (const char *at = archives; *at;) {
        size_t size = strcspn(at, ":");
        if (size && size <= length && strncmp(path + length - size, at, size) == 0 &&
            (size == length || path[length - size - 1] == '/' || at[0] == '/'))
            return true;
        at += size;
        at += *at == ':';
    }
    return false;
}

/* Of a JVM's or program's code rather than its data. */
static bool is_code(const char *path)
{
    if (java_home && ditto_begins(path, java_home) && path[strlen(java_home)] == '/')
        return true;
    return (ends(path, ".jar") || ends(path, ".zip") || ends(path, ".jmod")) && is_archive(path);
}

struct ditto_thread *ditto_of_path(const char *path)
{
    return path && ditto_current() && !is_code(path) ? ditto_input_thread() : NULL;
}

/* -------------------------------------------------------------- descriptors */

struct ditto_thread *ditto_of_descriptor(int fd)
{
    return fd >= first || (fd >= 0 && fd <= STDERR_FILENO) ? ditto_input_thread() : NULL;
}

bool ditto_is_virtual(int fd)
{
    return ditto_agent.replay && fd >= first;
}

int ditto_keep(int fd)
{
    if (fd < 0)
        return fd;
    int flags = fcntl(fd, F_GETFD);
    int kept = fcntl(fd, flags & FD_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, first);
    int error = errno == EINVAL ? EMFILE : errno;
    close(fd);
    errno = error;
    return kept;
}

int ditto_behind(int fd)
{
    if (!behind || fd < first || fd >= first + MOST_BEHIND)
        return -1;
    return atomic_load_explicit(&behind[fd - first], memory_order_acquire) - 1;
}

void ditto_set_behind(int fd, int real)
{
    if (!behind || fd < first || fd >= first + MOST_BEHIND)
        return;
    int old = atomic_exchange_explicit(&behind[fd - first], real + 1, memory_order_acq_rel) - 1;
    if (old >= 0)
        close(old);
}

bool ditto_does_writes(void)
{
    return !ditto_agent.replay || ditto_agent.options.do_writes;
}

/* Leaves the JVM half of what it may open, but not more than it can use for classes. */
static void choose_first(void)
{
    enum { ENOUGH = 4096 };
    char text[16];
    const char *recorded = ditto_property(ditto_agent.session, "descriptors");
    struct rlimit limit;
    if (recorded) {
        first = atoi(recorded);
        return;
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    if (limit.rlim_cur < 2 * ENOUGH && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max < 2 * ENOUGH ? limit.rlim_max : 2 * ENOUGH;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    first = limit.rlim_cur / 2 < ENOUGH ? (int)(limit.rlim_cur / 2) : ENOUGH;
    snprintf(text, sizeof text, "%d", first);
    ditto_set_property(ditto_agent.session, "descriptors", text);
}

/* ----------------------------------------------------------------- answers */

void ditto_ask_bytes(struct ditto_thread *self, enum ditto_input_kind kind, int64_t result,
                     void *bytes, size_t length)
{
    if (result >= 0)
        ditto_input_bytes(self, kind, bytes, length);
}

ssize_t ditto_ask_data(struct ditto_thread *self, enum ditto_input_kind kind, ssize_t got,
                       void *bytes, size_t room)
{
    got = (ssize_t)ditto_input_result(self, kind, got);
    if (got > 0 && (size_t)got > room)
        ditto_left_trace(self, "the trace has more bytes of an input than were asked for");
    if (got > 0)
        ditto_input_bytes(self, kind, bytes, (size_t)got);
    return got;
}

/* ------------------------------------------------------------------ set-up */

void ditto_outside_begin(void)
{
    java_home = ditto_system_property("java.home");
    archives = ditto_system_property("java.class.path");
    choose_first();
    if (ditto_agent.replay && ditto_agent.options.do_writes)
        behind = ditto_alloc_zeroed(MOST_BEHIND, sizeof *behind, "descriptors");
}
