/* SPDX-License-Identifier: MIT */
/* The map against a naive model: random operations, of which each answer must be the same. */
#include "core/base/map.h"

#include <time.h>

#include "tests/support.h"
#include "tests/tap.h"

enum { KEYS = 3000, LONGEST = 40 };

/* Keys are numbers, and strings of every length, some alike but for the last byte; NULL: not there.
 */
static struct {
    uint64_t number;
    char bytes[LONGEST];
    size_t size;
    bool is_number;
    void *value;
} keys[KEYS];

static void make_keys(uint64_t *random)
{
    for (size_t i = 0; i < KEYS; i++) {
        keys[i].is_number = i % 3 == 0;
        keys[i].number = i % 2 ? i : i << 40;
        keys[i].size = (size_t)(i % 5 ? 3 + random_next(random) % (LONGEST - 3) : 4);
        memset(keys[i].bytes, 'k', sizeof keys[i].bytes);
        /* The number makes it different from all others. */
        memcpy(keys[i].bytes + keys[i].size - 3, &i, 3);
        keys[i].value = NULL;
    }
}

static void *any_value(uint64_t *random)
{
    return (void *)(uintptr_t)(1 + random_next(random) % 1000);
}

/* One operation on both; whether the answers agree. */
static bool operate(struct ditto_map *map, size_t i, unsigned which, void *value)
{
    void *before = keys[i].value, *expected = before, *got;
    bool number = keys[i].is_number;
    const char *bytes = keys[i].bytes;
    size_t size = keys[i].size;
    switch (which) {
    case 0:
        got = number ? ditto_map_put_number(map, keys[i].number, value)
                     : ditto_map_put(map, bytes, size, value);
        keys[i].value = value;
        break;
    case 1:
        got = number ? ditto_map_add_number(map, keys[i].number, value)
                     : ditto_map_add(map, bytes, size, value);
        expected = keys[i].value = before ? before : value;
        break;
    case 2:
        got = number ? ditto_map_remove_number(map, keys[i].number)
                     : ditto_map_remove(map, bytes, size);
        keys[i].value = NULL;
        break;
    default:
        got = number ? ditto_map_get_number(map, keys[i].number) : ditto_map_get(map, bytes, size);
    }
    return got == expected;
}

/* The map has exactly the model's keys, and lists each value once. */
static bool is_model(const struct ditto_map *map)
{
    size_t count = 0, listed = 0, at = 0;
    uintptr_t sum = 0;
    struct ditto_map copy = *map; /* asking changes nothing */
    for (size_t i = 0; i < KEYS; i++) {
        count += keys[i].value != NULL;
        sum += (uintptr_t)keys[i].value;
        if (!operate(&copy, i, 3, NULL))
            return false;
    }
    for (void *value; (value = ditto_map_next(map, &at)) != NULL; listed++)
        sum -= (uintptr_t)value;
    return map->count == count && listed == count && sum == 0;
}

static void test_random(struct ditto_arena *arena, const char *name)
{
    uint64_t seed = setting("DITTO_MAP_SEED", (uint64_t)time(NULL)), random = seed;
    struct ditto_map map = {.arena = arena};
    bool same = true;
    make_keys(&random);
    for (unsigned round = 0; same && round < 40; round++) {
        /* Some rounds mostly add, others mostly take away: the map is empty, small and full. */
        unsigned removes = (unsigned)(random_next(&random) % 7);
        size_t range = 1 + (size_t)(random_next(&random) % KEYS);
        for (int i = 0; same && i < 4000; i++) {
            unsigned which = random_next(&random) % 8 < removes ? 2 : random_next(&random) % 4;
            same = operate(&map, (size_t)(random_next(&random) % range), which, any_value(&random));
        }
        same = same && is_model(&map);
    }
    ok(same, "%s: random operations answer as the model does (DITTO_MAP_SEED=%" PRIu64 ")", name,
       seed);
    for (size_t i = 0; i < KEYS; i++)
        same = same && operate(&map, i, 2, NULL);
    ok(same && map.count == 0 && is_model(&map), "%s: and all can be taken away", name);
    ditto_map_free(&map);
    ok(!ditto_map_get_number(&map, 0), "%s: then it is empty", name);
}

static void test_edges(void)
{
    struct ditto_map map = {0};
    size_t at = 0;
    ok(!ditto_map_get(&map, "x", 1) && !ditto_map_remove(&map, "x", 1) &&
           !ditto_map_next(&map, &at),
       "an empty map has nothing");
    ditto_map_put(&map, NULL, 0, "empty");
    ditto_map_put_number(&map, 0, "zero");
    is_string(ditto_map_get(&map, "", 0), "empty", "the empty string is a key");
    is_string(ditto_map_get_number(&map, 0), "zero", "which is not the number 0");
    ditto_map_reserve(&map, 1000);
    size_t room = map.room;
    for (uint64_t i = 1; i < 999; i++)
        ditto_map_add_number(&map, i, "number");
    ok(map.room == room && map.count == 1000, "room that was made is enough");
    is_string(ditto_map_get(&map, "", 0), "empty", "and what was there is there");
    ditto_map_free(&map);
}

int main(void)
{
    struct ditto_arena arena = {0};
    test_random(NULL, "malloc");
    test_random(&arena, "arena");
    ditto_arena_free(&arena);
    test_edges();
    done_testing();
    return exit_status();
}
