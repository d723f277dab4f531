/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/directories.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/die.h"
#include "jvm-bridge/inputs/outside/outside.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/vm.h"

/* What the JDK has instead of a DIR, of all directories: its libraries never look inside. */
struct directory {
    DIR *real; /* NULL in a replay, if it is the program's */
    bool recorded;
    struct dirent64 entry;
};

static struct directory *new_directory(DIR *real, bool recorded)
{
    int error = errno;
    struct directory *directory = ditto_alloc_zeroed(1, sizeof *directory, "a directory");
    directory->real = real;
    directory->recorded = recorded;
    errno = error;
    return directory;
}

/* The directory's descriptor stays where the C library has it: nobody sees its number. */
static void *my_opendir(const char *path)
{
    struct ditto_thread *self = ditto_of_path(path);
    DIR *real = self && ditto_agent.replay ? NULL : opendir(path);
    if (!self)
        return real ? new_directory(real, false) : NULL;
    if (ditto_input_result(self, DITTO_INPUT_DIRECTORY, real ? 0 : -1) < 0)
        return NULL;
    return new_directory(real, true);
}

static void *my_fdopendir(int fd)
{
    struct ditto_thread *self = ditto_of_descriptor(fd);
    DIR *real = self && ditto_agent.replay ? NULL : fdopendir(fd);
    if (!self)
        return real ? new_directory(real, false) : NULL;
    if (ditto_input_result(self, DITTO_INPUT_DIRECTORY, real ? 0 : -1) < 0)
        return NULL;
    return new_directory(real, true);
}

static struct dirent64 *my_readdir(struct directory *directory)
{
    struct ditto_thread *self = directory->recorded ? ditto_input_thread() : NULL;
    struct dirent64 *entry = NULL;
    if (!self)
        return directory->real ? readdir64(directory->real) : NULL;
    int before = errno;
    if (!ditto_agent.replay) {
        errno = 0;
        entry = readdir64(directory->real);
    }
    int64_t result = ditto_input_result(self, DITTO_INPUT_DIRECTORY,
                                        entry        ? 1
                                        : errno == 0 ? 0
                                                     : -1);
    if (result <= 0) {
        if (result == 0)
            errno = before;
        return NULL;
    }
    errno = before;
    struct dirent64 *own = &directory->entry;
    if (entry) {
        memset(own, 0, sizeof *own);
        own->d_ino = entry->d_ino;
        own->d_type = entry->d_type;
        memcpy(own->d_name, entry->d_name, strnlen(entry->d_name, sizeof own->d_name - 1));
    }
    own->d_ino = ditto_input_number(self, DITTO_INPUT_DIRECTORY, own->d_ino);
    own->d_type =
        (unsigned char)ditto_input_number(self, DITTO_INPUT_DIRECTORY, (uint64_t)own->d_type);
    ditto_input_string(self, DITTO_INPUT_DIRECTORY, own->d_name, sizeof own->d_name);
    own->d_reclen = sizeof *own;
    return own;
}

static int my_closedir(struct directory *directory)
{
    int result = directory->real ? closedir(directory->real) : 0;
    struct ditto_thread *self = directory->recorded ? ditto_input_thread() : NULL;
    free(directory);
    return self ? (int)ditto_input_result(self, DITTO_INPUT_DIRECTORY, result) : result;
}

/* -------------------------------------------------------- users and groups */

/* The JDK looks at the name and at the number alone.  0, or an error number. */
static int ask_owner(struct ditto_thread *self, int result, bool found, uint64_t *number,
                     char **name, char *buffer, size_t size)
{
    result = (int)ditto_input_number(self, DITTO_INPUT_OWNER, (uint64_t)result);
    found = ditto_input_number(self, DITTO_INPUT_OWNER, found);
    if (result || !found) {
        *name = NULL;
        return result;
    }
    *number = ditto_input_number(self, DITTO_INPUT_OWNER, *number);
    if (!ditto_agent.replay && *name != buffer)
        memmove(buffer, *name, strnlen(*name, size - 1) + 1);
    buffer[size - 1] = '\0';
    ditto_input_string(self, DITTO_INPUT_OWNER, buffer, size);
    *name = buffer;
    return 0;
}

static int give_user(struct ditto_thread *self, int result, struct passwd *to, char *buffer,
                     size_t size, struct passwd **found)
{
    uint64_t number = ditto_agent.replay || !*found ? 0 : to->pw_uid;
    char *name = ditto_agent.replay || !*found ? buffer : to->pw_name;
    result = ask_owner(self, result, *found != NULL, &number, &name, buffer, size);
    *to = (struct passwd){.pw_name = name, .pw_uid = (uid_t)number};
    *found = name ? to : NULL;
    return result;
}

static int my_getpwuid_r(uid_t user, struct passwd *to, char *buffer, size_t size,
                         struct passwd **found)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return getpwuid_r(user, to, buffer, size, found);
    *found = NULL;
    int result = ditto_agent.replay ? 0 : getpwuid_r(user, to, buffer, size, found);
    return give_user(self, result, to, buffer, size, found);
}

static int my_getpwnam_r(const char *name, struct passwd *to, char *buffer, size_t size,
                         struct passwd **found)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return getpwnam_r(name, to, buffer, size, found);
    *found = NULL;
    int result = ditto_agent.replay ? 0 : getpwnam_r(name, to, buffer, size, found);
    return give_user(self, result, to, buffer, size, found);
}

static int give_group(struct ditto_thread *self, int result, struct group *to, char *buffer,
                      size_t size, struct group **found)
{
    uint64_t number = ditto_agent.replay || !*found ? 0 : to->gr_gid;
    char *name = ditto_agent.replay || !*found ? buffer : to->gr_name;
    result = ask_owner(self, result, *found != NULL, &number, &name, buffer, size);
    *to = (struct group){.gr_name = name, .gr_gid = (gid_t)number};
    *found = name ? to : NULL;
    return result;
}

static int my_getgrgid_r(gid_t group, struct group *to, char *buffer, size_t size,
                         struct group **found)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return getgrgid_r(group, to, buffer, size, found);
    *found = NULL;
    int result = ditto_agent.replay ? 0 : getgrgid_r(group, to, buffer, size, found);
    return give_group(self, result, to, buffer, size, found);
}

static int my_getgrnam_r(const char *name, struct group *to, char *buffer, size_t size,
                         struct group **found)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return getgrnam_r(name, to, buffer, size, found);
    *found = NULL;
    int result = ditto_agent.replay ? 0 : getgrnam_r(name, to, buffer, size, found);
    return give_group(self, result, to, buffer, size, found);
}

struct ditto_imports ditto_directory_imports(void)
{
    static const struct ditto_import table[] = {
        DITTO_IMPORT("opendir", my_opendir),       DITTO_IMPORT("fdopendir", my_fdopendir),
        DITTO_IMPORT("readdir", my_readdir),       DITTO_IMPORT("readdir64", my_readdir),
        DITTO_IMPORT("closedir", my_closedir),     DITTO_IMPORT("getpwuid_r", my_getpwuid_r),
        DITTO_IMPORT("getpwnam_r", my_getpwnam_r), DITTO_IMPORT("getgrgid_r", my_getgrgid_r),
        DITTO_IMPORT("getgrnam_r", my_getgrnam_r),
    };
    return (struct ditto_imports){table, sizeof table / sizeof *table};
}
