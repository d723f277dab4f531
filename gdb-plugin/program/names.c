/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/program/names.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"

struct name {
    void *meaning;
    struct name *next;
    uint32_t hash, length;
    char text[];
};

struct program_names {
    struct name **buckets;
    size_t bucket_count, count;
    struct ditto_arena arena;
};

static uint32_t hash_of(const char *text, size_t length)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

static struct name **new_buckets(size_t count)
{
    return ditto_alloc_zeroed(count, sizeof(struct name *), "names");
}

struct program_names *names_make(void)
{
    struct program_names *names = ditto_alloc_zeroed(1, sizeof *names, "names");
    names->bucket_count = 1024;
    names->buckets = new_buckets(names->bucket_count);
    return names;
}

void names_free(struct program_names *names)
{
    if (!names)
        return;
    ditto_arena_free(&names->arena);
    free(names->buckets);
    free(names);
}

static struct name *find(const struct program_names *names, const char *text, size_t length,
                         uint32_t hash)
{
    struct name *name = names->buckets[hash & (names->bucket_count - 1)];
    while (name &&
           (name->hash != hash || name->length != length || memcmp(name->text, text, length) != 0))
        name = name->next;
    return name;
}

static void rehash(struct program_names *names)
{
    size_t count = names->bucket_count * 4;
    struct name **buckets = new_buckets(count);
    for (size_t i = 0; i < names->bucket_count; i++) {
        for (struct name *name = names->buckets[i], *next; name; name = next) {
            next = name->next;
            name->next = buckets[name->hash & (count - 1)];
            buckets[name->hash & (count - 1)] = name;
        }
    }
    free(names->buckets);
    names->buckets = buckets;
    names->bucket_count = count;
}

const char *names_add(struct program_names *names, const char *text, size_t length)
{
    uint32_t hash = hash_of(text, length);
    struct name *name = find(names, text, length, hash);
    if (name)
        return name->text;
    if (names->count++ > names->bucket_count)
        rehash(names);
    name = ditto_arena_array(&names->arena, 1, sizeof *name + length + 1);
    name->hash = hash;
    name->length = (uint32_t)length;
    if (length)
        memcpy(name->text, text, length);
    struct name **bucket = &names->buckets[hash & (names->bucket_count - 1)];
    name->next = *bucket;
    *bucket = name;
    return name->text;
}

const char *names_find(const struct program_names *names, const char *text, size_t length)
{
    const struct name *name = find(names, text, length, hash_of(text, length));
    return name ? name->text : NULL;
}

void **names_meaning(const char *name)
{
    return &((struct name *)(name - offsetof(struct name, text)))->meaning;
}
