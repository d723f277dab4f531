/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/files.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/base/die.h"
#include "core/base/text.h"
#include "jvm-bridge/inputs/outside/outside.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/say.h"
#include "jvm-bridge/vm/vm.h"

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
    return (int)DITTO_ASK(self, DITTO_INPUT_CLOSE, close(fd));
}

static int my_dup(int fd)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? fd : dup(fd);
    int answer = (int)DITTO_ASK(self, DITTO_INPUT_OPEN, ditto_keep(dup(fd)));
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
    return (int)DITTO_ASK(self, DITTO_INPUT_CLOSE, dup2(fd, to));
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
    ditto_ask_bytes(self, DITTO_INPUT_PIPE, result, made, sizeof made);
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
    return ditto_ask_data(self, DITTO_INPUT_READ, got, bytes, count);
}

static ssize_t my_pread(int fd, void *bytes, size_t count, off64_t offset)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : pread64(fd, bytes, count, offset);
    ssize_t got = ditto_agent.replay ? 0 : pread64(fd, bytes, count, offset);
    return ditto_ask_data(self, DITTO_INPUT_READ, got, bytes, count);
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
    return (off64_t)DITTO_ASK(self, DITTO_INPUT_SEEK, lseek64(fd, offset, whence));
}

/* ------------------------------------------------------------------ control */

static int my_isatty(int fd)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : isatty(fd);
    return (int)DITTO_ASK(self, DITTO_INPUT_TERMINAL, isatty(fd));
}

static int my_fadvise(int fd, off64_t offset, off64_t length, int advice)
{
    return ditto_is_virtual(fd) ? 0 : posix_fadvise64(fd, offset, length, advice);
}

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
        ditto_ask_bytes(self, DITTO_INPUT_CONTROL, result, argument, sizeof(struct flock));
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
    int result = (int)DITTO_ASK(self, DITTO_INPUT_CONTROL, ioctl(fd, request, argument));
    if (request == FIONREAD)
        ditto_ask_bytes(self, DITTO_INPUT_CONTROL, result, argument, sizeof(int));
    else if (request == SIOCGIFCONF)
        ask_interfaces(self, result, argument);
    else if (request >= SIOCGIFNAME && request <= SIOCGIFMAP)
        ditto_ask_bytes(self, DITTO_INPUT_CONTROL, result, argument, sizeof(struct ifreq));
    return result;
}

/*
 * What the JDK reads, once and for all threads, of its own process: when that, and the machine,
 * began.  The property of the trace that has it; NULL: another file.
 */
static const char *own_property(const char *path)
{
    char own[32];
    const char *recorded = ditto_property(ditto_agent.session, "process-id");
    int pid = recorded ? atoi(recorded) : (int)getpid();
    snprintf(own, sizeof own, "/proc/%d/stat", pid);
    return strcmp(path, own) == 0            ? "process-stat"
           : strcmp(path, "/proc/stat") == 0 ? "boot-time"
                                             : NULL;
}

/* The line of a file that is kept: its first one, or that of the boot time. */
static FILE *open_line(const char *path, const char *mode, const char *property)
{
    char line[1024] = "", *end;
    const char *recorded = ditto_property(ditto_agent.session, property);
    FILE *file = recorded ? NULL : fopen(path, mode);
    if (!recorded && !file)
        return NULL;
    while (file && fgets(line, sizeof line, file) && strcmp(property, "boot-time") == 0 &&
           !ditto_begins(line, "btime"))
        ;
    if (file)
        fclose(file);
    if ((end = strchr(line, '\n')))
        *end = '\0';
    if (!recorded && !ditto_agent.replay)
        ditto_set_property(ditto_agent.session, property, line);
    file = tmpfile();
    if (file) {
        fprintf(file, "%s\n", recorded ? recorded : line);
        rewind(file);
    }
    return file;
}

/* A file that is read through the C library's streams, as those of /proc are: as a whole. */
static FILE *my_fopen(const char *path, const char *mode)
{
    enum { MOST = 1 << 20 };
    struct ditto_thread *self = mode[0] == 'r' && !strchr(mode, '+') ? ditto_of_path(path) : NULL;
    if (!self) {
        const char *property = mode[0] == 'r' ? own_property(path) : NULL;
        return property ? open_line(path, mode, property) : fopen(path, mode);
    }
    char *bytes = ditto_alloc(MOST, "a file");
    FILE *file = ditto_agent.replay ? NULL : fopen(path, mode);
    ssize_t length = file ? (ssize_t)fread(bytes, 1, MOST, file) : -1;
    if (file)
        fclose(file);
    length = ditto_ask_data(self, DITTO_INPUT_READ, length, bytes, MOST);
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
    char *piece = ditto_agent.replay ? NULL : ditto_alloc(PIECE, "a mapped file");
    for (size_t done = 0; done < length;) {
        size_t size = length - done < PIECE ? length - done : PIECE;
        ssize_t got = ditto_agent.replay ? 0 : pread64(fd, piece, size, offset + (off64_t)done);
        got = ditto_ask_data(self, DITTO_INPUT_MAP, got < 0 ? 0 : got,
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
    return self ? (int)DITTO_ASK(self, DITTO_INPUT_MAP, msync(memory, length, flags))
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
        DITTO_IMPORT("isatty", my_isatty),
        DITTO_IMPORT("posix_fadvise64", my_fadvise),
        DITTO_IMPORT("fcntl", my_fcntl),
        DITTO_IMPORT("ioctl", my_ioctl),
        DITTO_IMPORT("fopen", my_fopen),
        DITTO_IMPORT("fopen64", my_fopen),
        DITTO_IMPORT("mmap64", my_mmap),
        DITTO_IMPORT("msync", my_msync),
    };
    return (struct ditto_imports){table, sizeof table / sizeof *table};
}
