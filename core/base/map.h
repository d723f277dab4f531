/* SPDX-License-Identifier: MIT */
/*
 * A map from bytes, or from a number, to a pointer.
 *
 * Open addressing with linear probing in a table whose size is a power of two and of which at most
 * three quarters are used; hashed by XXH3.  Values are never NULL: that is the answer where there
 * is none.  Whoever wants a set gives each key any value; whoever wants numbers, casts.
 *
 * The bytes of a key are not copied: they must stay as they are, where they are, as long as the map
 * has them.  Bytes and numbers may be keys of one map, and are never equal.
 *
 * No locks.  Memory that is not there ends the process (die.h).
 */
#ifndef DITTO_CORE_BASE_MAP_H
#define DITTO_CORE_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

struct ditto_map_entry;

/* Starts as all zeroes: the memory is then malloc's, until ditto_map_free.  With an arena it is the
 * arena's. */
struct ditto_map {
    struct ditto_arena *arena;
    struct ditto_map_entry *entries;
    size_t count; /* of keys */
    size_t room;  /* 0 or a power of two */
};

/* Frees a table of malloc; the map is empty, and usable again. */
void ditto_map_free(struct ditto_map *map);

/* Makes room for so many keys in all: adding them is then quicker. */
void ditto_map_reserve(struct ditto_map *map, size_t count);

/* The value, or NULL. */
void *ditto_map_get(const struct ditto_map *map, const void *key, size_t size);
void *ditto_map_get_number(const struct ditto_map *map, uint64_t key);

/* The value that is there already, and stays; else the new one, which is there now. */
void *ditto_map_add(struct ditto_map *map, const void *key, size_t size, void *value);
void *ditto_map_add_number(struct ditto_map *map, uint64_t key, void *value);

/* Sets the value, also where there is one.  The bytes of a key that is there stay those given
 * first. Returns what was there before, or NULL. */
void *ditto_map_put(struct ditto_map *map, const void *key, size_t size, void *value);
void *ditto_map_put_number(struct ditto_map *map, uint64_t key, void *value);

/* Takes the key away; returns what its value was, or NULL. */
void *ditto_map_remove(struct ditto_map *map, const void *key, size_t size);
void *ditto_map_remove_number(struct ditto_map *map, uint64_t key);

/*
 * One value after the other, in no order that means anything; `*at` starts as 0.  NULL past the
 * last. The map must not change meanwhile.
 */
void *ditto_map_next(const struct ditto_map *map, size_t *at);

#endif
