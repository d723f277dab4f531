/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/launch/which_java.h"

#include <elf.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OLDEST_JDK = 17 };

#define ADVICE "use a 64-bit OpenJDK with HotSpot, 17 or later"

/* Where execvp() would find it; false if nowhere. */
static bool find_program(const char *name, char path[PATH_MAX])
{
    const char *places = strchr(name, '/') ? "" : getenv("PATH");
    if (strchr(name, '/'))
        return realpath(name, path) != NULL;
    for (const char *at = places ? places : "/bin:/usr/bin"; at;) {
        size_t length = strcspn(at, ":");
        char candidate[2 * PATH_MAX];
        struct stat status;
        snprintf(candidate, sizeof candidate, "%.*s%s%s", (int)length, at, length ? "/" : "./",
                 name);
        if (stat(candidate, &status) == 0 && S_ISREG(status.st_mode) &&
            access(candidate, X_OK) == 0)
            return realpath(candidate, path) != NULL;
        at = at[length] ? at + length + 1 : NULL;
    }
    return false;
}

static bool refuse(struct ditto_error *error, const char *path, const char *why)
{
    ditto_error_set(error, "%s %s; " ADVICE, path, why);
    return false;
}

/* The ELF header of this very command says which processor is ours. */
static bool is_for_us(const unsigned char *ident, uint16_t machine)
{
    Elf64_Ehdr own;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    bool known = fd >= 0 && read(fd, &own, sizeof own) == (ssize_t)sizeof own;
    if (fd >= 0)
        close(fd);
    return !known || (ident[EI_DATA] == own.e_ident[EI_DATA] && machine == own.e_machine);
}

/* Every launcher of an OpenJDK calls this function of its library. */
static bool looks_like_java(struct ditto_error *error, const char *path, const unsigned char *bytes,
                            size_t size)
{
    static const char launch[] = "JLI_Launch";
    uint16_t machine;
    if (size < sizeof(Elf64_Ehdr) || memcmp(bytes, ELFMAG, SELFMAG))
        return size >= 2 && memcmp(bytes, "#!", 2) == 0
                   ? true
                   : refuse(error, path, "is neither a java nor a script that runs one");
    memcpy(&machine, bytes + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
    if (!memmem(bytes, size, launch, sizeof launch))
        return refuse(error, path, "is no java");
    if (bytes[EI_CLASS] != ELFCLASS64)
        return refuse(error, path, "is a java of 32 bits");
    return is_for_us(bytes, machine) || refuse(error, path, "is a java for another processor");
}

static bool check_file(struct ditto_error *error, const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = true;
    if (fd < 0)
        return true;
    if (fstat(fd, &status) == 0 && status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            good = looks_like_java(error, path, bytes, size);
            munmap(bytes, size);
        }
    }
    close(fd);
    return good;
}

/* "1.8.0_402" is JDK 8, "17.0.15" JDK 17. */
static int feature_number(const char *version)
{
    int number = atoi(version);
    return number == 1 && version[1] == '.' ? atoi(version + 2) : number;
}

/* Opens the file `release` of the JDK: NAME="VALUE", line by line.  NULL if it has none. */
static FILE *open_release(const char *path)
{
    char copy[PATH_MAX], release[PATH_MAX + 16];
    snprintf(copy, sizeof copy, "%s", path);
    snprintf(release, sizeof release, "%s/../release", dirname(copy));
    return fopen(release, "re");
}

/* The next NAME, in `line`, and its VALUE; NULL at the end. */
static char *next_value(FILE *file, char *line, int size)
{
    while (file && fgets(line, size, file)) {
        char *value = strstr(line, "=\"");
        if (!value)
            continue;
        *value = '\0';
        return value + 2;
    }
    return NULL;
}

static bool check_release(struct ditto_error *error, const char *path)
{
    char line[4096], why[64], *value;
    FILE *file = open_release(path);
    bool good = true;
    while (good && (value = next_value(file, line, sizeof line))) {
        int number = strcmp(line, "JAVA_VERSION") == 0 ? feature_number(value) : OLDEST_JDK;
        snprintf(why, sizeof why, "is JDK %d", number);
        if (number > 0 && number < OLDEST_JDK)
            good = refuse(error, path, why);
        else if (strcmp(line, "JVM_VARIANT") == 0 && strncasecmp(value, "hotspot", 7))
            good = refuse(error, path, "is not a HotSpot JVM");
        else if (strcmp(line, "SOURCE") == 0 && strcasestr(value, "openj9"))
            good = refuse(error, path, "is an OpenJ9 JVM");
    }
    if (file)
        fclose(file);
    return good;
}

int java_feature(const char *java)
{
    char path[PATH_MAX], line[4096], *value;
    FILE *file = find_program(java, path) ? open_release(path) : NULL;
    int feature = 0;
    while ((value = next_value(file, line, sizeof line)))
        if (strcmp(line, "JAVA_VERSION") == 0)
            feature = feature_number(value);
    if (file)
        fclose(file);
    return feature;
}

bool java_is_good(const char *java, struct ditto_error *error)
{
    char path[PATH_MAX];
    if (!find_program(java, path))
        return true;
    return check_file(error, path) && check_release(error, path);
}
