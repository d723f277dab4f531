/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/program/names.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "core/base/map.h"

struct name {
    void *meaning;
    char text[];
};

struct program_names {
    struct ditto_map map;
    struct ditto_arena arena;
};

struct program_names *names_make(void)
{
    return ditto_alloc_zeroed(1, sizeof(struct program_names), "names");
}

void names_free(struct program_names *names)
{
    if (!names)
        return;
    ditto_map_free(&names->map);
    ditto_arena_free(&names->arena);
    free(names);
}

const char *names_add(struct program_names *names, const char *text, size_t length)
{
    struct name *name = ditto_map_get(&names->map, text, length);
    if (name)
        return name->text;
    name = ditto_arena_array(&names->arena, 1, sizeof *name + length + 1);
    if (length)
        memcpy(name->text, text, length);
    ditto_map_add(&names->map, name->text, length, name);
    return name->text;
}

const char *names_find(const struct program_names *names, const char *text, size_t length)
{
    const struct name *name = ditto_map_get(&names->map, text, length);
    return name ? name->text : NULL;
}

void **names_meaning(const char *name)
{
    return &((struct name *)(name - offsetof(struct name, text)))->meaning;
}
