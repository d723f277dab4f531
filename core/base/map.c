/* SPDX-License-Identifier: MIT */
#include "core/base/map.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "core/base/die.h"

/* Of a number `bytes` is NULL and `size` the number; an empty string has bytes, too. */
struct key {
    const void *bytes;
    uint64_t size;
};

struct ditto_map_entry {
    struct key key;
    void *value; /* NULL: nothing is here */
};

static struct key bytes_key(const void *bytes, size_t size)
{
    return (struct key){bytes ? bytes : "", size};
}

static struct key number_key(uint64_t number)
{
    return (struct key){NULL, number};
}

static bool is_same(struct key a, struct key b)
{
    if (a.size != b.size || !a.bytes || !b.bytes)
        return a.size == b.size && a.bytes == b.bytes;
    return memcmp(a.bytes, b.bytes, a.size) == 0;
}

static size_t home_of(const struct ditto_map *map, struct key key)
{
    uint64_t hash = key.bytes ? XXH3_64bits(key.bytes, (size_t)key.size)
                              : XXH3_64bits(&key.size, sizeof key.size);
    return (size_t)hash & (map->room - 1);
}

/* Where the key is, or where it would go.  There is always an entry that is free. */
static struct ditto_map_entry *entry_of(const struct ditto_map *map, struct key key)
{
    size_t i = home_of(map, key);
    while (map->entries[i].value && !is_same(map->entries[i].key, key))
        i = (i + 1) & (map->room - 1);
    return &map->entries[i];
}

static void resize(struct ditto_map *map, size_t room)
{
    struct ditto_map old = *map;
    map->room = room;
    map->entries = map->arena ? DITTO_NEW_ARRAY(map->arena, struct ditto_map_entry, room)
                              : ditto_alloc_zeroed(room, sizeof *map->entries, "a map");
    for (size_t i = 0; i < old.room; i++)
        if (old.entries[i].value)
            *entry_of(map, old.entries[i].key) = old.entries[i];
    if (!map->arena)
        free(old.entries);
}

void ditto_map_free(struct ditto_map *map)
{
    if (!map->arena)
        free(map->entries);
    *map = (struct ditto_map){.arena = map->arena};
}

void ditto_map_reserve(struct ditto_map *map, size_t count)
{
    size_t room = map->room ? map->room : 16;
    while (room / 4 * 3 < count) {
        DITTO_CHECK(room <= SIZE_MAX / 4, "no memory for a map of %zu keys", count);
        room *= 2;
    }
    if (room != map->room)
        resize(map, room);
}

static void *get(const struct ditto_map *map, struct key key)
{
    return map->room ? entry_of(map, key)->value : NULL;
}

/* The value that was there, or NULL.  Only a new key makes the table grow. */
static void *set(struct ditto_map *map, struct key key, void *value, bool replace)
{
    DITTO_CHECK(value, "a value of a map that is NULL");
    struct ditto_map_entry *entry = map->room ? entry_of(map, key) : NULL;
    if (entry && entry->value) {
        void *before = entry->value;
        if (replace)
            entry->value = value;
        return before;
    }
    if (map->count + 1 > map->room / 4 * 3) {
        ditto_map_reserve(map, map->count + 1);
        entry = entry_of(map, key);
    }
    *entry = (struct ditto_map_entry){key, value};
    map->count++;
    return NULL;
}

/*
 * What stands behind a gap moves into it, unless that is before its home: then a search would not
 * find it.  The gap moves on, up to the next free entry.
 */
static void *take(struct ditto_map *map, struct key key)
{
    struct ditto_map_entry *entry = map->room ? entry_of(map, key) : NULL;
    if (!entry || !entry->value)
        return NULL;
    void *before = entry->value;
    size_t mask = map->room - 1, gap = (size_t)(entry - map->entries);
    for (size_t i = (gap + 1) & mask; map->entries[i].value; i = (i + 1) & mask) {
        size_t home = home_of(map, map->entries[i].key);
        if (((i - home) & mask) >= ((i - gap) & mask)) {
            map->entries[gap] = map->entries[i];
            gap = i;
        }
    }
    map->entries[gap].value = NULL;
    map->count--;
    return before;
}

void *ditto_map_get(const struct ditto_map *map, const void *key, size_t size)
{
    return get(map, bytes_key(key, size));
}

void *ditto_map_get_number(const struct ditto_map *map, uint64_t key)
{
    return get(map, number_key(key));
}

void *ditto_map_add(struct ditto_map *map, const void *key, size_t size, void *value)
{
    void *before = set(map, bytes_key(key, size), value, false);
    return before ? before : value;
}

void *ditto_map_add_number(struct ditto_map *map, uint64_t key, void *value)
{
    void *before = set(map, number_key(key), value, false);
    return before ? before : value;
}

void *ditto_map_put(struct ditto_map *map, const void *key, size_t size, void *value)
{
    return set(map, bytes_key(key, size), value, true);
}

void *ditto_map_put_number(struct ditto_map *map, uint64_t key, void *value)
{
    return set(map, number_key(key), value, true);
}

void *ditto_map_remove(struct ditto_map *map, const void *key, size_t size)
{
    return take(map, bytes_key(key, size));
}

void *ditto_map_remove_number(struct ditto_map *map, uint64_t key)
{
    return take(map, number_key(key));
}

void *ditto_map_next(const struct ditto_map *map, size_t *at)
{
    while (*at < map->room) {
        void *value = map->entries[(*at)++].value;
        if (value)
            return value;
    }
    return NULL;
}
