/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>

#include "jvm-bridge/inputs/outside/outside.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/vm.h"

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
    int result = (int)DITTO_ASK(self, DITTO_INPUT_STAT, fstat64(fd, to));
    ditto_ask_bytes(self, DITTO_INPUT_STAT, result, to, sizeof *to);
    return result;
}

#define OF_PATH_TO(my_name, name, kind, type)                                                      \
    static int my_name(const char *path, type *to)                                                 \
    {                                                                                              \
        struct ditto_thread *self = ditto_of_path(path);                                           \
        if (!self)                                                                                 \
            return name(path, to);                                                                 \
        int result = (int)DITTO_ASK(self, kind, name(path, to));                                   \
        ditto_ask_bytes(self, kind, result, to, sizeof *to);                                       \
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
    int result = (int)DITTO_ASK(self, DITTO_INPUT_FILE_SYSTEM, fstatvfs64(fd, to));
    ditto_ask_bytes(self, DITTO_INPUT_FILE_SYSTEM, result, to, sizeof *to);
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
    int result = (int)DITTO_ASK(self, DITTO_INPUT_STAT, fstatat64(directory, path, to, flags));
    ditto_ask_bytes(self, DITTO_INPUT_STAT, result, to, sizeof *to);
    return result;
}

static int my_statx(int directory, const char *path, int flags, unsigned mask, struct statx *to)
{
    struct ditto_thread *self = path && (path[0] || directory == AT_FDCWD)
                                    ? of_either(directory, path)
                                    : ditto_of_descriptor(directory);
    if (!self)
        return statx(directory, path, flags, mask, to);
    int result = (int)DITTO_ASK(self, DITTO_INPUT_STAT, statx(directory, path, flags, mask, to));
    ditto_ask_bytes(self, DITTO_INPUT_STAT, result, to, sizeof *to);
    return result;
}

static int my_access(const char *path, int mode)
{
    struct ditto_thread *self = ditto_of_path(path);
    return self ? (int)DITTO_ASK(self, DITTO_INPUT_ACCESS, access(path, mode)) : access(path, mode);
}

static long my_pathconf(const char *path, int name)
{
    struct ditto_thread *self = ditto_of_path(path);
    return self ? (long)DITTO_ASK(self, DITTO_INPUT_FILE_SYSTEM, pathconf(path, name))
                : pathconf(path, name);
}

static ssize_t my_readlink(const char *path, char *to, size_t size)
{
    struct ditto_thread *self = ditto_of_path(path);
    if (!self)
        return readlink(path, to, size);
    ssize_t length = ditto_agent.replay ? 0 : readlink(path, to, size);
    return ditto_ask_data(self, DITTO_INPUT_READ_LINK, length, to, size);
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
        return self ? (int)DITTO_CHANGE(self, DITTO_INPUT_CHANGE, name arguments)                  \
                    : name arguments;                                                              \
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

#define CHANGES_DESCRIPTOR(my_name, name, parameters, arguments, behind)                           \
    static int my_name parameters                                                                  \
    {                                                                                              \
        struct ditto_thread *self = ditto_of_descriptor(fd);                                       \
        if (!self)                                                                                 \
            return ditto_is_virtual(fd) ? 0 : name arguments;                                      \
        DITTO_ON_BEHIND(fd, name behind);                                                          \
        return (int)DITTO_ASK(self, DITTO_INPUT_CHANGE, name arguments);                           \
    }
CHANGES_DESCRIPTOR(my_fchmod, fchmod, (int fd, mode_t mode), (fd, mode), (real, mode))
CHANGES_DESCRIPTOR(my_fchown, fchown, (int fd, uid_t owner, gid_t group), (fd, owner, group),
                   (real, owner, group))
CHANGES_DESCRIPTOR(my_futimens, futimens, (int fd, const struct timespec times[2]), (fd, times),
                   (real, times))

static int my_futimesat(int fd, const char *path, const struct timeval times[2])
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    if (!self)
        return ditto_is_virtual(fd) ? 0 : futimesat(fd, path, times);
    return (int)DITTO_ASK(self, DITTO_INPUT_CHANGE, futimesat(fd, path, times));
}

struct ditto_imports ditto_attribute_imports(void)
{
    static const struct ditto_import table[] = {
        DITTO_IMPORT("fchmod", my_fchmod),
        DITTO_IMPORT("fchown", my_fchown),
        DITTO_IMPORT("futimens", my_futimens),
        DITTO_IMPORT("futimesat", my_futimesat),
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
    };
    return (struct ditto_imports){table, sizeof table / sizeof *table};
}
