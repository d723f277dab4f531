/* SPDX-License-Identifier: MIT */
/* Where sources may be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb-plugin/machine/state.h"

static void add_source(struct ditto_machine *machine, const char *directory, const char *path)
{
    char *whole = NULL;
    if (path[0] == '/' || !directory)
        whole = strdup(path);
    else if (asprintf(&whole, "%s/%s", directory, path) < 0)
        whole = NULL;
    char **larger =
        realloc(machine->sources, (machine->source_count + 1) * sizeof *machine->sources);
    if (!whole || !larger)
        abort();
    machine->sources = larger;
    machine->sources[machine->source_count++] = whole;
}

/* Of an archive: its directory, itself, since sources may be in it, and what build tools call its
 * sources. */
static void add_archive(struct ditto_machine *machine, const char *directory, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *other = NULL;
    if (asprintf(&other, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".") < 0)
        abort();
    add_source(machine, directory, *other ? other : "/");
    free(other);
    add_source(machine, directory, path);
    if (asprintf(&other, "%.*s-sources.jar", (int)(strlen(path) - strlen(".jar")), path) < 0)
        abort();
    add_source(machine, directory, other);
    free(other);
}

/* Of a class path: its directories, and where the sources of its archives may be. */
static void add_class_path(struct ditto_machine *machine, const char *directory, const char *path)
{
    char *all = strdup(path), *rest = all, *one;
    while (all && (one = strsep(&rest, ":"))) {
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
