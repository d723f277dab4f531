/* SPDX-License-Identifier: MIT */
/* Where sources may be. */
#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "gdb-plugin/machine/state.h"

static void add_source(struct ditto_machine *machine, const char *directory, const char *path)
{
    char *whole = path[0] == '/' || !directory ? ditto_copy_text(path, "a path")
                                               : ditto_format("%s/%s", directory, path);
    DITTO_PUSH(machine->sources, machine->source_count, machine->source_room, whole);
}

/* Of an archive: its directory, itself, since sources may be in it, and what build tools call its
 * sources. */
static void add_archive(struct ditto_machine *machine, const char *directory, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *other = ditto_format("%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    add_source(machine, directory, *other ? other : "/");
    free(other);
    add_source(machine, directory, path);
    other = ditto_format("%.*s-sources.jar", (int)(strlen(path) - strlen(".jar")), path);
    add_source(machine, directory, other);
    free(other);
}

/* Of a class path: its directories, and where the sources of its archives may be. */
static void add_class_path(struct ditto_machine *machine, const char *directory, const char *path)
{
    char *all = ditto_copy_text(path, "a class path"), *rest = all, *one;
    while ((one = strsep(&rest, ":"))) {
        size_t length = strlen(one);
        if (length > 4 && strcmp(one + length - 4, ".jar") == 0)
            add_archive(machine, directory, one);
        else
            add_source(machine, directory, *one ? one : ".");
    }
    free(all);
}

size_t ditto_machine_source_paths(struct ditto_machine *machine, const char *const **paths)
{
    const char *directory = ditto_reader_property(machine->recording.reader, "directory");
    if (machine->source_count == 0) {
        if (directory)
            add_source(machine, NULL, directory);
        add_class_path(machine, directory, recording_class_path(&machine->recording));
    }
    *paths = (const char *const *)machine->sources;
    return machine->source_count;
}
