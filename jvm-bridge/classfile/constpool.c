/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/constpool.h"

#include <string.h>

enum { MOST_CONSTANTS = 65535 };

static uint32_t hash(const uint8_t *bytes, uint32_t size)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t value = size;
    for (uint32_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        value = (value ^ word) * odd;
        value ^= value >> 32;
    }
    return (uint32_t)value;
}

static const uint8_t *constant_at(const struct ditto_pool *pool, uint32_t index)
{
    if (index < pool->cf->pool_count)
        return pool->cf->bytes + pool->cf->pool[index];
    return pool->added.data + pool->added_at[index - pool->cf->pool_count];
}

static uint32_t *bucket_of(const struct ditto_pool *pool, const uint8_t *constant, uint32_t size)
{
    uint32_t mask = pool->bucket_count - 1, i = hash(constant, size) & mask;
    for (; pool->buckets[i]; i = (i + 1) & mask) {
        const uint8_t *other = constant_at(pool, pool->buckets[i]);
        if (ditto_cf_constant_size(other) == size && memcmp(other, constant, size) == 0)
            break;
    }
    return &pool->buckets[i];
}

/* Not compared with what is there: of two that are equal the first is found. */
static void remember(struct ditto_pool *pool, uint32_t index)
{
    const uint8_t *constant = constant_at(pool, index);
    uint32_t mask = pool->bucket_count - 1;
    uint32_t i = hash(constant, ditto_cf_constant_size(constant)) & mask;
    while (pool->buckets[i])
        i = (i + 1) & mask;
    pool->buckets[i] = index;
    pool->bucket_used++;
}

static void rehash(struct ditto_pool *pool, uint32_t bucket_count)
{
    const uint32_t *old = pool->buckets;
    uint32_t old_count = pool->bucket_count;
    pool->bucket_count = bucket_count;
    pool->bucket_used = 0;
    pool->buckets = DITTO_NEW_ARRAY(pool->arena, uint32_t, bucket_count);
    for (uint32_t i = 0; i < old_count; i++)
        if (old[i])
            remember(pool, old[i]);
}

void ditto_pool_init(struct ditto_pool *pool, const struct ditto_cf *cf, struct ditto_arena *arena)
{
    *pool = (struct ditto_pool){.cf = cf, .arena = arena, .count = cf->pool_count};
}

/* The table of what is there, when it is first asked for: most classes get nothing added. */
static void make_table(struct ditto_pool *pool)
{
    const struct ditto_cf *cf = pool->cf;
    uint32_t buckets = 64;
    while (buckets < cf->pool_count * 2u)
        buckets *= 2;
    rehash(pool, buckets);
    for (uint32_t i = 1; i < cf->pool_count; i++)
        if (cf->pool[i])
            remember(pool, i);
}

void ditto_pool_free(struct ditto_pool *pool)
{
    ditto_buf_free(&pool->added);
}

/* Adds the constant whose bytes are the last ones of `added`, or takes them away again. */
static uint16_t add_last(struct ditto_pool *pool, uint32_t size)
{
    if (!pool->buckets)
        make_table(pool);
    size_t start = pool->added.size - size;
    const uint8_t *constant = pool->added.data + start;
    uint32_t found = *bucket_of(pool, constant, size);
    if (found) {
        pool->added.size = start;
        return (uint16_t)found;
    }
    uint32_t slots = constant[0] == DITTO_TAG_LONG || constant[0] == DITTO_TAG_DOUBLE ? 2 : 1;
    if (pool->full || pool->count + slots > MOST_CONSTANTS) {
        pool->full = true;
        pool->added.size = start;
        return 0;
    }
    uint32_t index = pool->count, place = index - pool->cf->pool_count;
    if (place + slots > pool->added_capacity) {
        uint32_t capacity = pool->added_capacity ? pool->added_capacity * 2 : 32;
        uint32_t *grown = DITTO_NEW_ARRAY(pool->arena, uint32_t, capacity);
        if (place)
            memcpy(grown, pool->added_at, place * sizeof *grown);
        pool->added_at = grown;
        pool->added_capacity = capacity;
    }
    pool->added_at[place] = (uint32_t)start;
    pool->count += slots;
    if (pool->bucket_used * 2 >= pool->bucket_count)
        rehash(pool, pool->bucket_count * 2);
    remember(pool, index);
    return (uint16_t)index;
}

static uint16_t add(struct ditto_pool *pool, const uint8_t *constant, uint32_t size)
{
    ditto_buf_bytes(&pool->added, constant, size);
    return add_last(pool, size);
}

static uint16_t add_pair(struct ditto_pool *pool, uint8_t tag, uint16_t a, uint16_t b)
{
    const uint8_t constant[] = {tag, (uint8_t)(a >> 8), (uint8_t)a, (uint8_t)(b >> 8), (uint8_t)b};
    return a && b ? add(pool, constant, sizeof constant) : 0;
}

static uint16_t add_single(struct ditto_pool *pool, uint8_t tag, uint16_t a)
{
    const uint8_t constant[] = {tag, (uint8_t)(a >> 8), (uint8_t)a};
    return a ? add(pool, constant, sizeof constant) : 0;
}

struct ditto_cf_text ditto_cf_string(const char *string)
{
    return (struct ditto_cf_text){string, (uint32_t)strlen(string)};
}

uint16_t ditto_pool_utf8(struct ditto_pool *pool, struct ditto_cf_text text)
{
    if (text.size > 65535) {
        pool->full = true;
        return 0;
    }
    ditto_buf_u1(&pool->added, DITTO_TAG_UTF8);
    ditto_buf_u2(&pool->added, text.size);
    ditto_buf_bytes(&pool->added, text.data, text.size);
    return add_last(pool, 3 + text.size);
}

uint16_t ditto_pool_class(struct ditto_pool *pool, struct ditto_cf_text name)
{
    return add_single(pool, DITTO_TAG_CLASS, ditto_pool_utf8(pool, name));
}

uint16_t ditto_pool_string(struct ditto_pool *pool, const char *text)
{
    return add_single(pool, DITTO_TAG_STRING, ditto_pool_utf8(pool, ditto_cf_string(text)));
}

uint16_t ditto_pool_int(struct ditto_pool *pool, int32_t value)
{
    uint32_t bits = (uint32_t)value;
    const uint8_t constant[] = {DITTO_TAG_INTEGER, (uint8_t)(bits >> 24), (uint8_t)(bits >> 16),
                                (uint8_t)(bits >> 8), (uint8_t)bits};
    return add(pool, constant, sizeof constant);
}

uint16_t ditto_pool_long(struct ditto_pool *pool, int64_t value)
{
    uint8_t constant[9] = {DITTO_TAG_LONG};
    uint64_t bits = (uint64_t)value;
    for (int i = 8; i > 0; i--, bits >>= 8)
        constant[i] = (uint8_t)bits;
    return add(pool, constant, sizeof constant);
}

uint16_t ditto_pool_ref(struct ditto_pool *pool, enum ditto_cf_tag tag, const char *owner,
                        const char *name, const char *descriptor)
{
    uint16_t class = ditto_pool_class(pool, ditto_cf_string(owner));
    uint16_t name_and_type =
        add_pair(pool, DITTO_TAG_NAME_AND_TYPE, ditto_pool_utf8(pool, ditto_cf_string(name)),
                 ditto_pool_utf8(pool, ditto_cf_string(descriptor)));
    return add_pair(pool, (uint8_t)tag, class, name_and_type);
}
