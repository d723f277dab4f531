/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/writing.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>
#include <xxhash.h>

#include "jvm-bridge/inputs/outside/outside.h"
#include "jvm-bridge/state/thread.h"
#include "jvm-bridge/vm/ending.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/vm.h"

static void write_all(int fd, const char *bytes, ssize_t count)
{
    while (count > 0) {
        ssize_t written = write(fd, bytes, (size_t)count);
        if (written < 0 && errno != EINTR)
            return;
        bytes += written > 0 ? written : 0;
        count -= written > 0 ? written : 0;
    }
}

/*
 * What a replay prints must be what was printed: a race that was not recorded may show here alone.
 * So a digest of the bytes stands in the trace behind each write's result.  (What goes elsewhere
 * may hold addresses, and bytes that nobody has set: the JDK writes to pipes of its own, too.)
 */
static void check_printed(struct ditto_thread *self, const void *bytes, size_t count,
                          ssize_t written)
{
    if (written <= 0)
        return;
    if ((size_t)written > count)
        ditto_left_trace(self, "expected a longer write, found this one");
    /* Half of it takes half the room, and is not missed. */
    uint64_t digest = XXH3_64bits(bytes, (size_t)written) & UINT32_MAX;
    if (ditto_input_number(self, DITTO_INPUT_PRINTED, digest) != digest)
        ditto_left_trace(self, "expected other bytes to be printed than these: they depend on "
                               "something that is not recorded");
}

/*
 * Standard output and error: what several threads print comes in the recorded order, so a write is
 * an acquisition of `printer`, and in a replay it is real.
 */
static pthread_mutex_t printer_lock = PTHREAD_MUTEX_INITIALIZER;
static ditto_cell printer;

static ssize_t print(struct ditto_thread *self, int fd, const void *bytes, size_t count)
{
    struct ditto_java_thread *thread = ditto_current();
    ditto_monitor *monitor = ditto_object_monitor(ditto_agent.session, &printer, 0);
    if (thread->printing++ == 0)
        ditto_agent_output_begins();
    ditto_acquire_begin(self, monitor);
    pthread_mutex_lock(&printer_lock);
    ditto_acquire_end(self, monitor);
    ssize_t written = ditto_agent.replay ? 0 : write(fd, bytes, count);
    written = (ssize_t)ditto_input_result(self, DITTO_INPUT_WRITE, written);
    int error = errno;
    check_printed(self, bytes, count, written);
    if (ditto_agent.replay)
        write_all(fd, bytes, written);
    ditto_release(self, monitor);
    pthread_mutex_unlock(&printer_lock);
    if (--thread->printing == 0)
        ditto_agent_output_ends();
    errno = error;
    return written;
}

static bool is_printer(int fd)
{
    return fd == STDOUT_FILENO || fd == STDERR_FILENO;
}

/* What a replay with --do-writes has behind the number gets what the recorded call wrote. */
static ssize_t written_again(int fd, const void *bytes, size_t count, ssize_t written,
                             off64_t offset)
{
    int error = errno, real = ditto_agent.replay ? ditto_behind(fd) : -1;
    if (real < 0 || written <= 0 || (size_t)written > count)
        return written;
    /* Whatever comes of it: the program gets the recorded answer. */
    if (offset >= 0)
        (void)!pwrite64(real, bytes, (size_t)written, offset);
    else
        write_all(real, bytes, written);
    errno = error;
    return written;
}

static ssize_t my_write(int fd, const void *bytes, size_t count)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? (ssize_t)count : write(fd, bytes, count);
    if (is_printer(fd))
        return print(self, fd, bytes, count);
    ssize_t written = (ssize_t)DITTO_ASK(self, DITTO_INPUT_WRITE, write(fd, bytes, count));
    return written_again(fd, bytes, count, written, -1);
}

static ssize_t my_pwrite(int fd, const void *bytes, size_t count, off64_t offset)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? (ssize_t)count : pwrite64(fd, bytes, count, offset);
    ssize_t written =
        (ssize_t)DITTO_ASK(self, DITTO_INPUT_WRITE, pwrite64(fd, bytes, count, offset));
    return written_again(fd, bytes, count, written, offset);
}

static ssize_t my_writev(int fd, const struct iovec *parts, int count)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    size_t total = 0;
    for (int i = 0; i < count; i++)
        total += parts[i].iov_len;
    if (!self)
        return ditto_is_virtual(fd) ? (ssize_t)total : writev(fd, parts, count);
    if (is_printer(fd)) {
        /* A short write is allowed: whoever gathers goes on with the rest. */
        for (int i = 0; i < count; i++)
            if (parts[i].iov_len)
                return print(self, fd, parts[i].iov_base, parts[i].iov_len);
        return 0;
    }
    ssize_t written = (ssize_t)DITTO_ASK(self, DITTO_INPUT_WRITE, writev(fd, parts, count));
    for (ssize_t i = 0, rest = written; i < count && rest > 0; i++) {
        ssize_t piece = (ssize_t)parts[i].iov_len < rest ? (ssize_t)parts[i].iov_len : rest;
        written_again(fd, parts[i].iov_base, parts[i].iov_len, piece, -1);
        rest -= piece;
    }
    return written;
}

/* The JDK copies by itself where the system cannot: so to where a replay prints, and to what it
 * writes to with --do-writes, bytes always go through write(). */
static ssize_t my_sendfile(int to, int from, off64_t *offset, size_t count)
{
    struct ditto_thread *self = ditto_of_descriptor(from);
    struct ditto_thread *other = ditto_of_descriptor(to);
    if (!self && !other)
        return sendfile64(to, from, offset, count);
    errno = EINVAL;
    return -1;
}

static ssize_t my_copy_file_range(int from, off64_t *from_offset, int to, off64_t *to_offset,
                                  size_t count, unsigned flags)
{
    struct ditto_thread *self = ditto_of_descriptor(from);
    struct ditto_thread *other = ditto_of_descriptor(to);
    if (!self && !other)
        return copy_file_range(from, from_offset, to, to_offset, count, flags);
    errno = EINVAL;
    return -1;
}

static int my_ftruncate(int fd, off64_t length)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : ftruncate64(fd, length);
    DITTO_ON_BEHIND(fd, ftruncate64(real, length));
    return (int)DITTO_ASK(self, DITTO_INPUT_CHANGE, ftruncate64(fd, length));
}

#define SYNCS(my_name, name)                                                                       \
    static int my_name(int fd)                                                                     \
    {                                                                                              \
        struct ditto_thread *self = ditto_of_descriptor(fd);                                       \
        if (!self)                                                                                 \
            return ditto_is_virtual(fd) ? 0 : name(fd);                                            \
        return (int)DITTO_ASK(self, DITTO_INPUT_CHANGE, name(fd));                                 \
    }
SYNCS(my_fsync, fsync)
SYNCS(my_fdatasync, fdatasync)

struct ditto_imports ditto_writing_imports(void)
{
    static const struct ditto_import table[] = {
        DITTO_IMPORT("write", my_write),
        DITTO_IMPORT("pwrite64", my_pwrite),
        DITTO_IMPORT("writev", my_writev),
        DITTO_IMPORT("sendfile64", my_sendfile),
        DITTO_IMPORT("copy_file_range", my_copy_file_range),
        DITTO_IMPORT("ftruncate64", my_ftruncate),
        DITTO_IMPORT("fsync", my_fsync),
        DITTO_IMPORT("fdatasync", my_fdatasync),
    };
    return (struct ditto_imports){table, sizeof table / sizeof *table};
}
