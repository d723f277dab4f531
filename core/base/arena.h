/* SPDX-License-Identifier: MIT */
/*
 * Memory and errors for the class-file code.
 *
 * An arena hands out memory that is freed all at once: everything that is computed about one class
 * has one lifetime, and no error path has anything to release. A buffer is a byte string that
 * grows, with the big-endian writers a class file needs.
 *
 * Nothing here returns NULL: without memory a class can be neither rewritten nor truthfully
 * recorded, so the process ends with a message. How much is asked for is always bounded by the size
 * of the class at hand; the places where a small class could ask for much say how they bound it.
 */
#ifndef DITTO_CORE_BASE_ARENA_H
#define DITTO_CORE_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

/* Writes the message and returns false, so that `return ditto_cf_fail(error, ...)` reads well.
 * `error` may be NULL. */
bool ditto_cf_fail(struct ditto_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct ditto_arena {
    struct ditto_arena_block *blocks;
};

/* Zeroed memory of that many elements, aligned for any type. It lives until the arena is freed. */
void *ditto_arena_array(struct ditto_arena *arena, size_t count, size_t element_size);
#define DITTO_NEW(arena, type) ((type *)ditto_arena_array((arena), 1, sizeof(type)))
#define DITTO_NEW_ARRAY(arena, type, count)                                                        \
    ((type *)ditto_arena_array((arena), (count), sizeof(type)))

/* Frees everything; the arena is empty and usable again. */
void ditto_arena_free(struct ditto_arena *arena);

/* Starts as all zeroes. The bytes belong to the buffer until ditto_buf_free, or to whoever takes
 * `data`. */
struct ditto_buf {
    uint8_t *data;
    size_t size, capacity;
};

void ditto_buf_bytes(struct ditto_buf *buf, const void *bytes, size_t size);
void ditto_buf_u1(struct ditto_buf *buf, uint32_t value);
void ditto_buf_u2(struct ditto_buf *buf, uint32_t value);
void ditto_buf_u4(struct ditto_buf *buf, uint32_t value);

/* Overwrites what was written at `at` earlier: for lengths and counts that are known only
 * afterwards. */
void ditto_buf_set_u2(struct ditto_buf *buf, size_t at, uint32_t value);
void ditto_buf_set_u4(struct ditto_buf *buf, size_t at, uint32_t value);

void ditto_buf_free(struct ditto_buf *buf);

#endif
