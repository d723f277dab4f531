/* SPDX-License-Identifier: MIT */
/*
 * The modules of a JDK: its file lib/modules, a hash table of resources.  The JDK's own library for
 * it drags the whole JVM in.
 *
 * The file begins with seven numbers: magic, version, flags, how many resources, the length of the
 * table, the sizes of the locations and of the strings.  Then come the table of redirections, that
 * of offsets into the locations, the locations, the strings, and the resources.  Numbers are in the
 * machine's order.
 */
#include "gdb-plugin/classpath/jdk_modules.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/die.h"
#include "core/base/mapped_file.h"

enum { HEADER = 28, MULTIPLIER = 0x01000193, KINDS = 8 };
#define MAGIC 0xcafedadau

/* What a location says of its resource; the rest are numbers we have no use for. */
enum { END, MODULE, PARENT, BASE, EXTENSION, OFFSET, COMPRESSED, UNCOMPRESSED };

struct jdk {
    const uint8_t *bytes; /* mapped */
    size_t size;
    uint32_t length; /* of the table */
    size_t redirect, offsets, locations, strings, resources;
};

static uint32_t u4(const struct jdk *jdk, size_t at)
{
    uint32_t value;
    memcpy(&value, jdk->bytes + at, sizeof value);
    return value;
}

/* Where java is: a path as it is, a name along the PATH.  To be freed. */
static char *find_java(const char *java)
{
    if (strchr(java, '/'))
        return realpath(java, NULL);
    const char *path = getenv("PATH");
    char *all = ditto_copy_text(path ? path : "/usr/bin:/bin", "a path"), *rest = all, *one,
         *found = NULL;
    while (!found && (one = strsep(&rest, ":"))) {
        char whole[PATH_MAX];
        snprintf(whole, sizeof whole, "%s/%s", one, java);
        if (access(whole, X_OK) == 0)
            found = realpath(whole, NULL);
    }
    free(all);
    return found;
}

/* The tables lie inside the file; what they point to is checked where it is used. */
static bool lay_out(struct jdk *jdk)
{
    if (jdk->size < HEADER || u4(jdk, 0) != MAGIC)
        return false;
    jdk->length = u4(jdk, 16);
    uint64_t tables = (uint64_t)jdk->length * 4;
    uint64_t locations = HEADER + 2 * tables;
    uint64_t strings = locations + u4(jdk, 20);
    uint64_t resources = strings + u4(jdk, 24);
    if (jdk->length == 0 || resources > jdk->size || resources == strings ||
        jdk->bytes[resources - 1] != '\0')
        return false;
    jdk->redirect = HEADER;
    jdk->offsets = HEADER + (size_t)tables;
    jdk->locations = (size_t)locations;
    jdk->strings = (size_t)strings;
    jdk->resources = (size_t)resources;
    return true;
}

struct jdk *jdk_open(const char *java)
{
    char path[2 * PATH_MAX] = "";
    char *home = find_java(java);
    for (int up = 0; home && up < 2; up++) {
        char *slash = strrchr(home, '/');
        if (slash)
            *slash = '\0';
    }
    snprintf(path, sizeof path, "%s/lib/modules", home ? home : "");
    free(home);
    struct jdk *jdk = ditto_alloc_zeroed(1, sizeof *jdk, "the JDK's modules");
    if (!(jdk->bytes = ditto_map_file(path, &jdk->size))) {
        free(jdk);
        return NULL;
    }
    if (lay_out(jdk))
        return jdk;
    jdk_close(jdk);
    return NULL;
}

void jdk_close(struct jdk *jdk)
{
    if (!jdk)
        return;
    munmap((void *)jdk->bytes, jdk->size);
    free(jdk);
}

static uint32_t hash(const char *name, uint32_t seed)
{
    for (const unsigned char *at = (const unsigned char *)name; *at; at++)
        seed = (seed * MULTIPLIER) ^ *at;
    return seed & INT32_MAX;
}

static const char *string_at(const struct jdk *jdk, uint64_t offset)
{
    return offset < jdk->resources - jdk->strings ? (const char *)jdk->bytes + jdk->strings + offset
                                                  : "";
}

/* Reads a location: a byte that says what, and of how many bytes, then these, the highest first. */
static bool read_location(const struct jdk *jdk, size_t at, uint64_t values[KINDS])
{
    memset(values, 0, KINDS * sizeof *values);
    while (at < jdk->strings) {
        unsigned kind = jdk->bytes[at] >> 3, count = (jdk->bytes[at] & 7) + 1;
        if (kind == END)
            return true;
        if (kind >= KINDS || jdk->strings - at <= count)
            return false;
        for (unsigned i = 1; i <= count; i++)
            values[kind] = values[kind] << 8 | jdk->bytes[at + i];
        at += 1 + count;
    }
    return false;
}

static bool is_named(const struct jdk *jdk, const uint64_t values[KINDS], const char *name)
{
    char whole[2048] = "";
    const char *module = string_at(jdk, values[MODULE]), *parent = string_at(jdk, values[PARENT]);
    const char *base = string_at(jdk, values[BASE]), *end = string_at(jdk, values[EXTENSION]);
    snprintf(whole, sizeof whole, "%s%s%s%s%s%s%s%s", *module ? "/" : "", module,
             *module ? "/" : "", parent, *parent ? "/" : "", base, *end ? "." : "", end);
    return strcmp(whole, name) == 0;
}

/* The bytes of a resource, "/java.base/java/lang/Object.class"; NULL: none, or packed. */
static const uint8_t *resource(const struct jdk *jdk, const char *name, size_t *size)
{
    uint32_t index = hash(name, MULTIPLIER) % jdk->length;
    int32_t redirect = (int32_t)u4(jdk, jdk->redirect + 4 * (size_t)index);
    if (redirect == 0)
        return NULL;
    index = redirect < 0 ? (uint32_t)(-1 - redirect) : hash(name, (uint32_t)redirect) % jdk->length;
    if (index >= jdk->length)
        return NULL;
    uint64_t values[KINDS];
    size_t at = jdk->locations + u4(jdk, jdk->offsets + 4 * (size_t)index);
    uint64_t room = jdk->size - jdk->resources;
    if (!read_location(jdk, at, values) || !is_named(jdk, values, name) || values[COMPRESSED] ||
        values[OFFSET] > room || values[UNCOMPRESSED] > room - values[OFFSET])
        return NULL;
    *size = (size_t)values[UNCOMPRESSED];
    return jdk->bytes + jdk->resources + values[OFFSET];
}

/* The module of a package: a resource lists those that have it, each with whether it is empty. */
static const char *module_of(const struct jdk *jdk, const char *class_name, size_t length)
{
    char name[1100] = "/packages/";
    size_t size, at = strlen(name);
    if (length >= sizeof name - at)
        return NULL;
    for (size_t i = 0; i < length; i++)
        name[at++] = class_name[i] == '/' ? '.' : class_name[i];
    name[at] = '\0';
    const uint8_t *list = resource(jdk, name, &size);
    for (size_t i = 0; list && i + 8 <= size; i += 8) {
        uint32_t empty, offset;
        memcpy(&empty, list + i, sizeof empty);
        memcpy(&offset, list + i + 4, sizeof offset);
        if (!empty)
            return string_at(jdk, offset);
    }
    return NULL;
}

uint8_t *jdk_read(const struct jdk *jdk, const char *class_name, size_t *size)
{
    char name[2048];
    const char *slash = strrchr(class_name, '/');
    const char *module = slash ? module_of(jdk, class_name, (size_t)(slash - class_name)) : NULL;
    if (!module)
        return NULL;
    snprintf(name, sizeof name, "/%s/%s.class", module, class_name);
    const uint8_t *bytes = resource(jdk, name, size);
    return bytes ? memcpy(ditto_alloc(*size, "a class file"), bytes, *size) : NULL;
}
