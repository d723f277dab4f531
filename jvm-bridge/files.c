/* SPDX-License-Identifier: MIT */
/* Files and pipes: see outside.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <net/if.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "jvm-bridge/javathreads.h"
#include "jvm-bridge/outside.h"

/* The answer of a call that only asks. */
#define ASK(self, kind, call) ditto_input_result(self, kind, ditto_agent.replay ? 0 : (call))
/* That of one that changes something. */
#define CHANGE(self, kind, call) ditto_input_result(self, kind, ditto_does_writes() ? (call) : 0)

static void ask_bytes(struct ditto_thread *self, enum ditto_input_kind kind, int64_t result,
                      void *bytes, size_t length)
{
    if (result >= 0)
        ditto_input_bytes(self, kind, bytes, length);
}

/* How many bytes came, as recorded; not more than there is room for, whatever the trace says. */
static ssize_t ask_data(struct ditto_thread *self, enum ditto_input_kind kind, ssize_t got,
                        void *bytes, size_t room)
{
    got = (ssize_t)ditto_input_result(self, kind, got);
    if (got > 0 && (size_t)got > room)
        ditto_left_trace(self, "the trace has more bytes of an input than were asked for");
    if (got > 0)
        ditto_input_bytes(self, kind, bytes, (size_t)got);
    return got;
}

/* ----------------------------------------------------------------- opening */

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
    struct ditto_thread *self = ditto_of_path(path);
    if (!self)
        return openat64(directory, path, flags, mode);
    bool writes = (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
    int fd = -1;
    if (!ditto_agent.replay)
        fd = ditto_keep(openat64(directory, path, flags, mode));
    else if (ditto_agent.options.do_writes && writes)
        fd = openat64(ditto_is_virtual(directory) ? AT_FDCWD : directory, path, flags & ~O_EXCL,
                      mode);
    int answer = (int)ditto_input_result(self, DITTO_INPUT_OPEN, fd);
    if (ditto_agent.replay && fd >= 0) {
        if (answer >= 0)
            ditto_set_behind(answer, fd);
        else
            close(fd);
    }
    return answer;
}

static int my_open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_at(AT_FDCWD, path, flags, mode);
}

static int my_open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

static int my_openat(int directory, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_at(directory, path, flags, mode);
}

static int my_close(int fd)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    /* A cleaner may close what the program has lost. */
    if (!self && ditto_is_virtual(fd)) {
        ditto_set_behind(fd, -1);
        return 0;
    }
    if (!self)
        return close(fd);
    if (ditto_agent.replay)
        ditto_set_behind(fd, -1);
    return (int)ASK(self, DITTO_INPUT_CLOSE, close(fd));
}

static int my_dup(int fd)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? fd : dup(fd);
    int answer = (int)ASK(self, DITTO_INPUT_OPEN, ditto_keep(dup(fd)));
    if (answer >= 0 && ditto_behind(fd) >= 0)
        ditto_set_behind(answer, dup(ditto_behind(fd)));
    return answer;
}

/* Used by the JDK to make a descriptor unusable for threads that are blocked on it. */
static int my_dup2(int fd, int to)
{
    struct ditto_thread *self = ditto_of_descriptor(to);
    if (!self)
        return ditto_is_virtual(to) ? to : dup2(fd, to);
    return (int)ASK(self, DITTO_INPUT_CLOSE, dup2(fd, to));
}

static int my_pipe(int ends[2])
{
    struct ditto_thread *self = ditto_input_thread();
    int made[2] = {-1, -1}, result = 0;
    if (!self)
        return pipe(ends);
    if (!ditto_agent.replay && (result = pipe(made)) == 0) {
        made[0] = ditto_keep(made[0]);
        made[1] = ditto_keep(made[1]);
    }
    result = (int)ditto_input_result(self, DITTO_INPUT_PIPE, result);
    ask_bytes(self, DITTO_INPUT_PIPE, result, made, sizeof made);
    if (result == 0)
        memcpy(ends, made, sizeof made);
    return result;
}

/* ------------------------------------------------------------------ reading */

static ssize_t my_read(int fd, void *bytes, size_t count)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : read(fd, bytes, count);
    ssize_t got = ditto_agent.replay ? 0 : read(fd, bytes, count);
    return ask_data(self, DITTO_INPUT_READ, got, bytes, count);
}

static ssize_t my_pread(int fd, void *bytes, size_t count, off64_t offset)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : pread64(fd, bytes, count, offset);
    ssize_t got = ditto_agent.replay ? 0 : pread64(fd, bytes, count, offset);
    return ask_data(self, DITTO_INPUT_READ, got, bytes, count);
}

static ssize_t my_readv(int fd, const struct iovec *parts, int count)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : readv(fd, parts, count);
    ssize_t got = ditto_agent.replay ? 0 : readv(fd, parts, count);
    got = (ssize_t)ditto_input_result(self, DITTO_INPUT_READ, got);
    size_t rest = got > 0 ? (size_t)got : 0;
    for (int i = 0; i < count && rest; i++) {
        size_t piece = parts[i].iov_len < rest ? parts[i].iov_len : rest;
        if (piece)
            ditto_input_bytes(self, DITTO_INPUT_READ, parts[i].iov_base, piece);
        rest -= piece;
    }
    if (rest)
        ditto_left_trace(self, "the trace has more bytes of an input than were asked for");
    return got;
}

static off64_t my_lseek(int fd, off64_t offset, int whence)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : lseek64(fd, offset, whence);
    if (ditto_behind(fd) >= 0)
        lseek64(ditto_behind(fd), offset, whence);
    return (off64_t)ASK(self, DITTO_INPUT_SEEK, lseek64(fd, offset, whence));
}

/* ------------------------------------------------------------------ writing */

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
    if (written > 0 && (size_t)written > count)
        ditto_left_trace(self, "expected a longer write, found this one");
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
    if (offset >= 0)
        written = pwrite64(real, bytes, (size_t)written, offset) < 0 ? written : written;
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
    ssize_t written = (ssize_t)ASK(self, DITTO_INPUT_WRITE, write(fd, bytes, count));
    return written_again(fd, bytes, count, written, -1);
}

static ssize_t my_pwrite(int fd, const void *bytes, size_t count, off64_t offset)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? (ssize_t)count : pwrite64(fd, bytes, count, offset);
    ssize_t written = (ssize_t)ASK(self, DITTO_INPUT_WRITE, pwrite64(fd, bytes, count, offset));
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
    ssize_t written = (ssize_t)ASK(self, DITTO_INPUT_WRITE, writev(fd, parts, count));
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

/* On a real descriptor when there is one, else nothing. */
#define ON_BEHIND(fd, call)                                                                        \
    do {                                                                                           \
        int real = ditto_agent.replay ? ditto_behind(fd) : -1;                                     \
        if (real >= 0 && (call) < 0)                                                               \
            errno = 0;                                                                             \
    } while (0)

static int my_ftruncate(int fd, off64_t length)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : ftruncate64(fd, length);
    ON_BEHIND(fd, ftruncate64(real, length));
    return (int)ASK(self, DITTO_INPUT_CHANGE, ftruncate64(fd, length));
}

#define OF_DESCRIPTOR(my_name, name, kind)                                                         \
    static int my_name(int fd)                                                                     \
    {                                                                                              \
        struct ditto_thread *self = ditto_of_descriptor(fd);                                       \
        if (!self)                                                                                 \
            return ditto_is_virtual(fd) ? 0 : name(fd);                                            \
        return (int)ASK(self, kind, name(fd));                                                     \
    }
OF_DESCRIPTOR(my_fsync, fsync, DITTO_INPUT_CHANGE)
OF_DESCRIPTOR(my_fdatasync, fdatasync, DITTO_INPUT_CHANGE)
OF_DESCRIPTOR(my_isatty, isatty, DITTO_INPUT_TERMINAL)

static int my_fchmod(int fd, mode_t mode)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : fchmod(fd, mode);
    ON_BEHIND(fd, fchmod(real, mode));
    return (int)ASK(self, DITTO_INPUT_CHANGE, fchmod(fd, mode));
}

static int my_fchown(int fd, uid_t owner, gid_t group)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : fchown(fd, owner, group);
    ON_BEHIND(fd, fchown(real, owner, group));
    return (int)ASK(self, DITTO_INPUT_CHANGE, fchown(fd, owner, group));
}

static int my_futimens(int fd, const struct timespec times[2])
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : futimens(fd, times);
    ON_BEHIND(fd, futimens(real, times));
    return (int)ASK(self, DITTO_INPUT_CHANGE, futimens(fd, times));
}

static int my_futimesat(int fd, const char *path, const struct timeval times[2])
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : futimesat(fd, path, times);
    return (int)ASK(self, DITTO_INPUT_CHANGE, futimesat(fd, path, times));
}

static int my_fadvise(int fd, off64_t offset, off64_t length, int advice)
{
    return ditto_is_virtual(fd) ? 0 : posix_fadvise64(fd, offset, length, advice);
}

/* ------------------------------------------------------------------ control */

static int my_fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : fcntl(fd, command, argument);
    bool opens = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    int result = 0;
    if (!ditto_agent.replay)
        result = fcntl(fd, command, argument);
    if (!ditto_agent.replay && opens)
        result = ditto_keep(result);
    result = (int)ditto_input_result(self, DITTO_INPUT_CONTROL, result);
    if (command == F_GETLK)
        ask_bytes(self, DITTO_INPUT_CONTROL, result, argument, sizeof(struct flock));
    return result;
}

/* The list of network interfaces. */
static void ask_interfaces(struct ditto_thread *self, int result, struct ifconf *list)
{
    int room = list->ifc_len;
    if (result < 0)
        return;
    list->ifc_len = (int)ditto_input_number(self, DITTO_INPUT_CONTROL, (uint64_t)list->ifc_len);
    if (list->ifc_buf && list->ifc_len > 0 && (!ditto_agent.replay || list->ifc_len <= room))
        ditto_input_bytes(self, DITTO_INPUT_CONTROL, list->ifc_buf, (size_t)list->ifc_len);
}

static int my_ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : ioctl(fd, request, argument);
    int result = (int)ASK(self, DITTO_INPUT_CONTROL, ioctl(fd, request, argument));
    if (request == FIONREAD)
        ask_bytes(self, DITTO_INPUT_CONTROL, result, argument, sizeof(int));
    else if (request == SIOCGIFCONF)
        ask_interfaces(self, result, argument);
    else if (request >= SIOCGIFNAME && request <= SIOCGIFMAP)
        ask_bytes(self, DITTO_INPUT_CONTROL, result, argument, sizeof(struct ifreq));
    return result;
}

/* A file that is read through the C library's streams, as those of /proc are: as a whole. */
static FILE *my_fopen(const char *path, const char *mode)
{
    enum { MOST = 1 << 20 };
    struct ditto_thread *self = mode[0] == 'r' && !strchr(mode, '+') ? ditto_of_path(path) : NULL;
    if (!self)
        return fopen(path, mode);
    char *bytes = malloc(MOST);
    ditto_agent_expect(bytes, "room for a file");
    FILE *file = ditto_agent.replay ? NULL : fopen(path, mode);
    ssize_t length = file ? (ssize_t)fread(bytes, 1, MOST, file) : -1;
    if (file)
        fclose(file);
    length = ask_data(self, DITTO_INPUT_READ, length, bytes, MOST);
    int error = errno;
    file = length < 0 ? NULL : tmpfile();
    if (file) {
        fwrite(bytes, 1, (size_t)length, file);
        rewind(file);
    }
    free(bytes);
    errno = error;
    return file;
}

/* --------------------------------------------------------------- attributes */

static int my_fstat(int fd, struct stat64 *to)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self && ditto_is_virtual(fd)) {
        memset(to, 0, sizeof *to);
        return 0;
    }
    if (!self)
        return fstat64(fd, to);
    int result = (int)ASK(self, DITTO_INPUT_STAT, fstat64(fd, to));
    ask_bytes(self, DITTO_INPUT_STAT, result, to, sizeof *to);
    return result;
}

#define OF_PATH_TO(my_name, name, kind, type)                                                      \
    static int my_name(const char *path, type *to)                                                 \
    {                                                                                              \
        struct ditto_thread *self = ditto_of_path(path);                                           \
        if (!self)                                                                                 \
            return name(path, to);                                                                 \
        int result = (int)ASK(self, kind, name(path, to));                                         \
        ask_bytes(self, kind, result, to, sizeof *to);                                             \
        return result;                                                                             \
    }
OF_PATH_TO(my_stat, stat64, DITTO_INPUT_STAT, struct stat64)
OF_PATH_TO(my_lstat, lstat64, DITTO_INPUT_STAT, struct stat64)
OF_PATH_TO(my_statvfs, statvfs64, DITTO_INPUT_FILE_SYSTEM, struct statvfs64)

/* The first argument is a version of the structure, and there is only one. */
static int my_xstat(int version, const char *path, struct stat64 *to)
{
    (void)version;
    return my_stat(path, to);
}

static int my_lxstat(int version, const char *path, struct stat64 *to)
{
    (void)version;
    return my_lstat(path, to);
}

static int my_fxstat(int version, int fd, struct stat64 *to)
{
    (void)version;
    return my_fstat(fd, to);
}

static int my_fstatvfs(int fd, struct statvfs64 *to)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return fstatvfs64(fd, to);
    int result = (int)ASK(self, DITTO_INPUT_FILE_SYSTEM, fstatvfs64(fd, to));
    ask_bytes(self, DITTO_INPUT_FILE_SYSTEM, result, to, sizeof *to);
    return result;
}

static struct ditto_thread *of_either(int directory, const char *path)
{
    return directory == AT_FDCWD || path[0] == '/' ? ditto_of_path(path)
                                                   : ditto_of_descriptor(directory);
}

static int my_fstatat(int directory, const char *path, struct stat64 *to, int flags)
{
    struct ditto_thread *self = of_either(directory, path);
    if (!self)
        return fstatat64(directory, path, to, flags);
    int result = (int)ASK(self, DITTO_INPUT_STAT, fstatat64(directory, path, to, flags));
    ask_bytes(self, DITTO_INPUT_STAT, result, to, sizeof *to);
    return result;
}

static int my_statx(int directory, const char *path, int flags, unsigned mask, struct statx *to)
{
    struct ditto_thread *self = path && (path[0] || directory == AT_FDCWD)
                                    ? of_either(directory, path)
                                    : ditto_of_descriptor(directory);
    if (!self)
        return statx(directory, path, flags, mask, to);
    int result = (int)ASK(self, DITTO_INPUT_STAT, statx(directory, path, flags, mask, to));
    ask_bytes(self, DITTO_INPUT_STAT, result, to, sizeof *to);
    return result;
}

static int my_access(const char *path, int mode)
{
    struct ditto_thread *self = ditto_of_path(path);
    return self ? (int)ASK(self, DITTO_INPUT_ACCESS, access(path, mode)) : access(path, mode);
}

static long my_pathconf(const char *path, int name)
{
    struct ditto_thread *self = ditto_of_path(path);
    return self ? (long)ASK(self, DITTO_INPUT_FILE_SYSTEM, pathconf(path, name))
                : pathconf(path, name);
}

static ssize_t my_readlink(const char *path, char *to, size_t size)
{
    struct ditto_thread *self = ditto_of_path(path);
    if (!self)
        return readlink(path, to, size);
    ssize_t length = ditto_agent.replay ? 0 : readlink(path, to, size);
    return ask_data(self, DITTO_INPUT_READ_LINK, length, to, size);
}

static char *my_realpath(const char *path, char *to)
{
    struct ditto_thread *self = to ? ditto_of_path(path) : NULL;
    if (!self)
        return realpath(path, to);
    int result = 0;
    if (!ditto_agent.replay)
        result = realpath(path, to) ? 0 : -1;
    if (ditto_input_result(self, DITTO_INPUT_REAL_PATH, result) < 0)
        return NULL;
    ditto_input_string(self, DITTO_INPUT_REAL_PATH, to, PATH_MAX);
    return to;
}

static char *my_realpath_chk(const char *path, char *to, size_t size)
{
    (void)size;
    return my_realpath(path, to);
}

/* ------------------------------------------------------------------ changes */

#define CHANGES_PATH(my_name, name, parameters, arguments)                                         \
    static int my_name parameters                                                                  \
    {                                                                                              \
        struct ditto_thread *self = ditto_of_path(path);                                           \
        return self ? (int)CHANGE(self, DITTO_INPUT_CHANGE, name arguments) : name arguments;      \
    }
CHANGES_PATH(my_chmod, chmod, (const char *path, mode_t mode), (path, mode))
CHANGES_PATH(my_chown, chown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
CHANGES_PATH(my_lchown, lchown, (const char *path, uid_t owner, gid_t group), (path, owner, group))
CHANGES_PATH(my_mkdir, mkdir, (const char *path, mode_t mode), (path, mode))
CHANGES_PATH(my_rmdir, rmdir, (const char *path), (path))
CHANGES_PATH(my_unlink, unlink, (const char *path), (path))
CHANGES_PATH(my_remove, remove, (const char *path), (path))
CHANGES_PATH(my_rename, rename, (const char *path, const char *to), (path, to))
CHANGES_PATH(my_link, link, (const char *path, const char *to), (path, to))
CHANGES_PATH(my_utimes, utimes, (const char *path, const struct timeval times[2]), (path, times))
CHANGES_PATH(my_lutimes, lutimes, (const char *path, const struct timeval times[2]), (path, times))
CHANGES_PATH(my_symlink, symlink, (const char *target, const char *path), (target, path))
CHANGES_PATH(my_mknod, mknod, (const char *path, mode_t mode, dev_t device), (path, mode, device))

#define CHANGES_AT(my_name, name, parameters, arguments)                                           \
    static int my_name parameters                                                                  \
    {                                                                                              \
        struct ditto_thread *self = of_either(directory, path);                                    \
        bool there = !ditto_is_virtual(directory);                                                 \
        if (!self)                                                                                 \
            return name arguments;                                                                 \
        return (int)ditto_input_result(self, DITTO_INPUT_CHANGE,                                   \
                                       ditto_does_writes() && there ? name arguments : 0);         \
    }
CHANGES_AT(my_unlinkat, unlinkat, (int directory, const char *path, int flags),
           (directory, path, flags))
CHANGES_AT(my_renameat, renameat, (int directory, const char *path, int other, const char *to),
           (directory, path, other, to))
CHANGES_AT(my_fchmodat, fchmodat, (int directory, const char *path, mode_t mode, int flags),
           (directory, path, mode, flags))
CHANGES_AT(my_utimensat, utimensat,
           (int directory, const char *path, const struct timespec times[2], int flags),
           (directory, path, times, flags))

/* ----------------------------------------------------------- mapped memory */

/*
 * A replay maps memory with the bytes that the file had when it was mapped.  What others write to
 * the file while it is mapped is not seen: see README.
 */
static void *my_mmap(void *at, size_t length, int protection, int flags, int fd, off64_t offset)
{
    enum { PIECE = 1 << 20 };
    struct ditto_thread *self = fd >= 0 ? ditto_of_descriptor(fd) : NULL;
    if (!self)
        return mmap64(at, length, protection, flags, fd, offset);
    void *memory = ditto_agent.replay ? mmap64(NULL, length, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                      : mmap64(at, length, protection, flags, fd, offset);
    int result = ditto_agent.replay || memory != MAP_FAILED ? 0 : -1;
    if (ditto_input_result(self, DITTO_INPUT_MAP, result) < 0) {
        if (ditto_agent.replay && memory != MAP_FAILED)
            munmap(memory, length);
        return MAP_FAILED;
    }
    ditto_agent_expect(memory != MAP_FAILED, "memory for a mapped file");
    char *piece = ditto_agent.replay ? NULL : malloc(PIECE);
    ditto_agent_expect(ditto_agent.replay || piece, "memory for a mapped file");
    for (size_t done = 0; done < length;) {
        size_t size = length - done < PIECE ? length - done : PIECE;
        ssize_t got = ditto_agent.replay ? 0 : pread64(fd, piece, size, offset + (off64_t)done);
        got = ask_data(self, DITTO_INPUT_MAP, got < 0 ? 0 : got,
                       ditto_agent.replay ? (char *)memory + done : piece, size);
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    free(piece);
    if (ditto_agent.replay)
        mprotect(memory, length, protection);
    return memory;
}

static int my_msync(void *memory, size_t length, int flags)
{
    struct ditto_thread *self = ditto_input_thread();
    return self ? (int)ASK(self, DITTO_INPUT_MAP, msync(memory, length, flags))
                : msync(memory, length, flags);
}

struct ditto_imports ditto_file_imports(void)
{
    static const struct ditto_import table[] = {
        DITTO_IMPORT("open", my_open),
        DITTO_IMPORT("open64", my_open),
        DITTO_IMPORT("__open_2", my_open_2),
        DITTO_IMPORT("__open64_2", my_open_2),
        DITTO_IMPORT("openat64", my_openat),
        DITTO_IMPORT("close", my_close),
        DITTO_IMPORT("dup", my_dup),
        DITTO_IMPORT("dup2", my_dup2),
        DITTO_IMPORT("pipe", my_pipe),
        DITTO_IMPORT("read", my_read),
        DITTO_IMPORT("pread64", my_pread),
        DITTO_IMPORT("readv", my_readv),
        DITTO_IMPORT("lseek64", my_lseek),
        DITTO_IMPORT("write", my_write),
        DITTO_IMPORT("pwrite64", my_pwrite),
        DITTO_IMPORT("writev", my_writev),
        DITTO_IMPORT("sendfile64", my_sendfile),
        DITTO_IMPORT("copy_file_range", my_copy_file_range),
        DITTO_IMPORT("ftruncate64", my_ftruncate),
        DITTO_IMPORT("fsync", my_fsync),
        DITTO_IMPORT("fdatasync", my_fdatasync),
        DITTO_IMPORT("isatty", my_isatty),
        DITTO_IMPORT("fchmod", my_fchmod),
        DITTO_IMPORT("fchown", my_fchown),
        DITTO_IMPORT("futimens", my_futimens),
        DITTO_IMPORT("futimesat", my_futimesat),
        DITTO_IMPORT("posix_fadvise64", my_fadvise),
        DITTO_IMPORT("fcntl", my_fcntl),
        DITTO_IMPORT("ioctl", my_ioctl),
        DITTO_IMPORT("fopen", my_fopen),
        DITTO_IMPORT("fopen64", my_fopen),
        DITTO_IMPORT("fstat64", my_fstat),
        DITTO_IMPORT("stat64", my_stat),
        DITTO_IMPORT("lstat64", my_lstat),
        DITTO_IMPORT("__xstat64", my_xstat),
        DITTO_IMPORT("__lxstat64", my_lxstat),
        DITTO_IMPORT("__fxstat64", my_fxstat),
        DITTO_IMPORT("statvfs64", my_statvfs),
        DITTO_IMPORT("fstatvfs64", my_fstatvfs),
        DITTO_IMPORT("fstatat64", my_fstatat),
        DITTO_IMPORT("statx", my_statx),
        DITTO_IMPORT("access", my_access),
        DITTO_IMPORT("pathconf", my_pathconf),
        DITTO_IMPORT("readlink", my_readlink),
        DITTO_IMPORT("realpath", my_realpath),
        DITTO_IMPORT("__realpath_chk", my_realpath_chk),
        DITTO_IMPORT("chmod", my_chmod),
        DITTO_IMPORT("chown", my_chown),
        DITTO_IMPORT("lchown", my_lchown),
        DITTO_IMPORT("mkdir", my_mkdir),
        DITTO_IMPORT("rmdir", my_rmdir),
        DITTO_IMPORT("unlink", my_unlink),
        DITTO_IMPORT("remove", my_remove),
        DITTO_IMPORT("rename", my_rename),
        DITTO_IMPORT("link", my_link),
        DITTO_IMPORT("utimes", my_utimes),
        DITTO_IMPORT("lutimes", my_lutimes),
        DITTO_IMPORT("symlink", my_symlink),
        DITTO_IMPORT("mknod", my_mknod),
        DITTO_IMPORT("unlinkat", my_unlinkat),
        DITTO_IMPORT("renameat", my_renameat),
        DITTO_IMPORT("fchmodat", my_fchmodat),
        DITTO_IMPORT("utimensat", my_utimensat),
        DITTO_IMPORT("mmap64", my_mmap),
        DITTO_IMPORT("msync", my_msync),
    };
    return (struct ditto_imports){table, sizeof table / sizeof *table};
}
