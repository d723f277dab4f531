/* SPDX-License-Identifier: MIT */
/*
 * Adding constants to a class. What is there keeps its index, so an ldc with a one-byte index stays
 * valid; what is asked for twice, or was there from the start, is not added again.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_CONSTPOOL_H
#define DITTO_JVM_BRIDGE_CLASSFILE_CONSTPOOL_H

#include "jvm-bridge/classfile/classfile.h"

struct ditto_pool {
    const struct ditto_cf *cf;
    struct ditto_arena *arena;
    struct ditto_buf added; /* the new constants' bytes */
    uint32_t *added_at;     /* by index - cf->pool_count: offset in `added` */
    uint32_t added_capacity;
    uint32_t count; /* as the class file will say it */
    uint32_t *buckets;
    uint32_t bucket_count, bucket_used;
    bool full; /* a constant did not fit: the class must be left alone */
};

void ditto_pool_init(struct ditto_pool *pool, const struct ditto_cf *cf, struct ditto_arena *arena);
void ditto_pool_free(struct ditto_pool *pool);

/* Each answers the constant's index, or 0 once the pool is full. */
uint16_t ditto_pool_utf8(struct ditto_pool *pool, struct ditto_cf_text text);
uint16_t ditto_pool_class(struct ditto_pool *pool, struct ditto_cf_text name);
uint16_t ditto_pool_string(struct ditto_pool *pool, const char *text);
uint16_t ditto_pool_int(struct ditto_pool *pool, int32_t value);
uint16_t ditto_pool_long(struct ditto_pool *pool, int64_t value);
/* `tag` is that of a field, a method or an interface method. */
uint16_t ditto_pool_ref(struct ditto_pool *pool, enum ditto_cf_tag tag, const char *owner,
                        const char *name, const char *descriptor);

struct ditto_cf_text ditto_cf_string(const char *string);

#endif
