/* SPDX-License-Identifier: MIT */
/*
 * The class files of the run: those of the trace from its class path, and the superclasses that
 * they name from there or from the JDK.
 */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/base/list.h"
#include "core/base/map.h"
#include "core/base/text.h"
#include "gdb-plugin/classpath/archive.h"
#include "gdb-plugin/classpath/jdk_modules.h"
#include "gdb-plugin/classpath/superclass.h"
#include "gdb-plugin/machine/state.h"

/* Of the class path. */
struct entry {
    char *directory; /* or NULL */
    struct archive *archive;
};

struct walk {
    struct entry *entries;
    size_t entry_count, entry_room;
    const struct jdk *jdk;
    char **names; /* in the order found; owned */
    size_t count, room;
    struct ditto_map known; /* the same names */
};

static void add_entry(struct walk *walk, const char *directory, const char *path)
{
    char whole[2 * PATH_MAX];
    struct stat status;
    snprintf(whole, sizeof whole, "%s%s%s", path[0] == '/' || !directory ? "" : directory,
             path[0] == '/' || !directory ? "" : "/", path);
    if (stat(whole, &status) != 0)
        return;
    struct entry entry = {0};
    if (S_ISDIR(status.st_mode))
        entry.directory = ditto_copy_text(whole, "a path");
    else
        entry.archive = archive_open(whole);
    DITTO_PUSH(walk->entries, walk->entry_count, walk->entry_room, entry);
}

/* An entry that ends with an asterisk stands for the archives of a directory. */
static void add_all_archives(struct walk *walk, const char *directory, char *path)
{
    char whole[3 * PATH_MAX];
    path[strlen(path) - 1] = '\0';
    snprintf(whole, sizeof whole, "%s%s%s", path[0] == '/' || !directory ? "" : directory,
             path[0] == '/' || !directory ? "" : "/", path);
    DIR *all = opendir(whole);
    for (const struct dirent *entry; all && (entry = readdir(all));) {
        size_t length = strlen(entry->d_name);
        snprintf(whole, sizeof whole, "%s%s", path, entry->d_name);
        if (length > 4 && strcasecmp(entry->d_name + length - 4, ".jar") == 0)
            add_entry(walk, directory, whole);
    }
    if (all)
        closedir(all);
}

static void add_entries(struct walk *walk, const char *directory, const char *class_path)
{
    char *all = ditto_copy_text(class_path, "a class path"), *rest = all, *one;
    while ((one = strsep(&rest, ":"))) {
        size_t length = strlen(one);
        if (length && one[length - 1] == '*')
            add_all_archives(walk, directory, one);
        else
            add_entry(walk, directory, *one ? one : ".");
    }
    free(all);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t *bytes = NULL;
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
        bytes = ditto_alloc((size_t)status.st_size, "a class file");
        ssize_t got = read(fd, bytes, (size_t)status.st_size);
        *size = got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    return bytes;
}

static uint8_t *read_from(const struct entry *entry, const char *name, size_t *size)
{
    char path[2 * PATH_MAX];
    if (entry->archive) {
        snprintf(path, sizeof path, "%s.class", name);
        return archive_read(entry->archive, path, size);
    }
    if (!entry->directory)
        return NULL;
    snprintf(path, sizeof path, "%s/%s.class", entry->directory, name);
    return read_file(path, size);
}

/* The class as it was recorded, if it can be told; else as it is found first. */
static uint8_t *find_class(const struct walk *walk, const char *name, const char *hash,
                           size_t *size)
{
    uint8_t *bytes = walk->jdk ? jdk_read(walk->jdk, name, size) : NULL;
    for (size_t i = 0; !bytes && i < walk->entry_count; i++) {
        char found[32];
        bytes = read_from(&walk->entries[i], name, size);
        if (!bytes || !hash)
            continue;
        snprintf(found, sizeof found, "%016" PRIx64, (uint64_t)XXH3_64bits(bytes, *size));
        if (strcmp(found, hash)) {
            free(bytes);
            bytes = NULL;
        }
    }
    return bytes;
}

/* One more class, unless it is known. */
static void add_name(struct walk *walk, const char *name, size_t length)
{
    if (ditto_map_get(&walk->known, name, length))
        return;
    char *own = ditto_format("%.*s", (int)length, name);
    DITTO_PUSH(walk->names, walk->count, walk->room, own);
    ditto_map_add(&walk->known, own, length, own);
}

static void end_walk(struct walk *walk)
{
    for (size_t i = 0; i < walk->entry_count; i++) {
        free(walk->entries[i].directory);
        archive_close(walk->entries[i].archive);
    }
    for (size_t i = 0; i < walk->count; i++)
        free(walk->names[i]);
    free(walk->entries);
    free(walk->names);
    ditto_map_free(&walk->known);
}

static const struct jdk *jdk_of(struct ditto_machine *machine)
{
    const char *home = getenv("JAVA_HOME");
    char java[PATH_MAX];
    if (machine->jdk)
        return machine->jdk;
    snprintf(java, sizeof java, "%s", machine->recording.java ? machine->recording.java : "java");
    if (!machine->recording.java && home && *home)
        snprintf(java, sizeof java, "%s/bin/java", home);
    machine->jdk = jdk_open(java);
    return machine->jdk;
}

uint8_t *ditto_machine_jdk_class(struct ditto_machine *machine, const char *name, size_t *length)
{
    const struct jdk *jdk = jdk_of(machine);
    return jdk ? jdk_read(jdk, name, length) : NULL;
}

static void begin_walk(struct ditto_machine *machine, struct walk *walk)
{
    walk->jdk = jdk_of(machine);
    add_entries(walk, ditto_reader_property(machine->recording.reader, "directory"),
                recording_class_path(&machine->recording));
    for (size_t i = 0; i < ditto_reader_property_count(machine->recording.reader); i++) {
        const char *name, *value;
        ditto_reader_property_at(machine->recording.reader, i, &name, &value);
        if (ditto_begins(name, "class."))
            add_name(walk, name + 6, strlen(name + 6));
    }
}

bool ditto_machine_classes(struct ditto_machine *machine,
                           bool (*each)(void *context, const char *name, const uint8_t *bytes,
                                        size_t length),
                           void *context, struct ditto_error *error)
{
    struct walk walk = {0};
    begin_walk(machine, &walk);
    bool jdk = walk.jdk != NULL;
    if (!jdk)
        ditto_error_set(error, "%s: the JDK of %s has no lib/modules; choose another with --java",
                        machine->recording.path,
                        machine->recording.java ? machine->recording.java : "java");
    bool go_on = jdk;
    /* The list grows by the superclasses of what it has. */
    for (size_t i = 0; go_on && i < walk.count; i++) {
        char property[1100];
        const char *super;
        size_t size = 0, super_length;
        snprintf(property, sizeof property, "class.%s", walk.names[i]);
        uint8_t *bytes =
            find_class(&walk, walk.names[i],
                       ditto_reader_property(machine->recording.reader, property), &size);
        if (bytes && superclass_of(bytes, size, &super, &super_length))
            add_name(&walk, super, super_length);
        if (bytes)
            go_on = each(context, walk.names[i], bytes, size);
        free(bytes);
    }
    end_walk(&walk);
    return jdk;
}

const struct ditto_method *ditto_machine_method(struct ditto_machine *machine,
                                                const char *class_name, const char *name,
                                                const char *descriptor)
{
    return method_named(&machine->recording.methods, class_name, name, descriptor);
}
