/* SPDX-License-Identifier: MIT */
#include "core/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"

/*
 * Blocks double in size, up to a largest one: there are several arenas for each class, most classes
 * are small, and blocks are cleared.  With AddressSanitizer every allocation is a block of its own,
 * so that it sees each over-read.
 */
#if defined(__SANITIZE_ADDRESS__)
#define LARGEST_BLOCK 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LARGEST_BLOCK 0
#endif
#endif
#ifndef LARGEST_BLOCK
#define LARGEST_BLOCK 65536
#endif
enum { FIRST_BLOCK = 1024 };

struct ditto_arena_block {
    struct ditto_arena_block *next;
    size_t size, used;
    _Alignas(max_align_t) unsigned char data[];
};

bool ditto_cf_fail(struct ditto_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (error)
        vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

void *ditto_arena_array(struct ditto_arena *arena, size_t count, size_t element_size)
{
    const size_t alignment = _Alignof(max_align_t);
    DITTO_CHECK(!element_size || count <= (SIZE_MAX / 2 - alignment) / element_size,
                "no memory for %zu times %zu bytes of an arena", count, element_size);
    size_t size = count * element_size;
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    struct ditto_arena_block *block = arena->blocks;
    if (!block || rounded > block->size - block->used) {
        size_t block_size = block ? 2 * block->size : FIRST_BLOCK;
        if (block_size > LARGEST_BLOCK)
            block_size = LARGEST_BLOCK;
        if (rounded > block_size)
            block_size = size;
        block = ditto_alloc_zeroed(1, sizeof *block + block_size, "what an arena holds");
        block->size = block_size;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = block->data + block->used;
    block->used = rounded > block->size - block->used ? block->size : block->used + rounded;
    return memory;
}

void ditto_arena_free(struct ditto_arena *arena)
{
    for (struct ditto_arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    arena->blocks = NULL;
}

static uint8_t *grow(struct ditto_buf *buf, size_t more)
{
    if (more > buf->capacity - buf->size) {
        size_t capacity = buf->capacity * 2;
        if (capacity < buf->size + more)
            capacity = buf->size + more + 64;
        buf->data = ditto_grow(buf->data, capacity, 1, "bytes that grow");
        buf->capacity = capacity;
    }
    uint8_t *place = buf->data + buf->size;
    buf->size += more;
    return place;
}

static void store(uint8_t *place, uint32_t value, int size)
{
    for (int i = size - 1; i >= 0; i--, value >>= 8)
        place[i] = (uint8_t)value;
}

void ditto_buf_bytes(struct ditto_buf *buf, const void *bytes, size_t size)
{
    if (size)
        memcpy(grow(buf, size), bytes, size);
}

void ditto_buf_u1(struct ditto_buf *buf, uint32_t value)
{
    store(grow(buf, 1), value, 1);
}

void ditto_buf_u2(struct ditto_buf *buf, uint32_t value)
{
    store(grow(buf, 2), value, 2);
}

void ditto_buf_u4(struct ditto_buf *buf, uint32_t value)
{
    store(grow(buf, 4), value, 4);
}

void ditto_buf_set_u2(struct ditto_buf *buf, size_t at, uint32_t value)
{
    store(buf->data + at, value, 2);
}

void ditto_buf_set_u4(struct ditto_buf *buf, size_t at, uint32_t value)
{
    store(buf->data + at, value, 4);
}

void ditto_buf_free(struct ditto_buf *buf)
{
    free(buf->data);
    *buf = (struct ditto_buf){0};
}
