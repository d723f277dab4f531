/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/state/blocks.h"

#include <pthread.h>

#include "core/base/die.h"
#include "core/base/list.h"
#include "jvm-bridge/state/shadow.h"
#include "jvm-bridge/vm/reserve.h"
#include "jvm-bridge/vm/say.h"

/* Sizes up to SMALL are multiples of a unit; above, powers of two. */
enum { SMALL = 1024, BLOCK_BYTES = 1 << 16, MOST_SLOTS = 64 };
#define MOST_BYTES ((size_t)DITTO_SHADOW_UNIT << 31) /* a number is a positive jint */

struct ditto_block {
    char *from;
    const struct pool *pool;
    uint64_t free; /* its owner's: slots that can be handed out, a bit for each */
    bool owned;    /* guarded by the lock */
};

/* The blocks of one size. */
static struct pool {
    size_t size;    /* of a slot */
    unsigned slots; /* in a block */
    struct ditto_block **blocks;
    size_t count, room;
    /* Those still to be looked at in this round, and how many there were at its beginning. */
    size_t next, end;
    size_t found;         /* slots handed out since then */
    uint64_t collections; /* how many there had been then */
} pools[DITTO_BLOCK_SIZES], kept;

/* Guards pools, the list of all blocks and the reserve. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ditto_reserve reserve;
static size_t used; /* bytes of the reserve */
/* All blocks, by their addresses. */
static struct ditto_block **all;
static size_t all_count, all_room;

static _Atomic uint64_t collections;
static ditto_recycle *recycle; /* set when the blocks are opened */

void JNICALL ditto_blocks_collected(jvmtiEnv *jvmti)
{
    (void)jvmti;
    atomic_fetch_add_explicit(&collections, 1, memory_order_relaxed);
}

static size_t size_at(unsigned index)
{
    const unsigned small = SMALL / DITTO_SHADOW_UNIT;
    return index < small ? (index + 1) * (size_t)DITTO_SHADOW_UNIT
                         : (size_t)SMALL << (index - small + 1);
}

static void open_pool(struct pool *pool, size_t size)
{
    size_t slots = BLOCK_BYTES / size;
    pool->size = size;
    pool->slots = slots == 0 ? 1 : slots > MOST_SLOTS ? MOST_SLOTS : (unsigned)slots;
}

void ditto_blocks_open(size_t shadow, ditto_recycle *recycle_function)
{
    recycle = recycle_function;
    ditto_reserve_open(&reserve, MOST_BYTES, "objects to record");
    /* No shadow has the number 0. */
    used = (size_t)2 * DITTO_SHADOW_UNIT;
    for (unsigned i = 0; i < DITTO_BLOCK_SIZES; i++)
        open_pool(&pools[i], size_at(i));
    open_pool(&kept, shadow);
}

char *ditto_blocks_base(void)
{
    return reserve.base;
}

static unsigned index_of(size_t size)
{
    if (size <= SMALL)
        return (unsigned)((size + DITTO_SHADOW_UNIT - 1) / DITTO_SHADOW_UNIT - 1);
    unsigned index = SMALL / DITTO_SHADOW_UNIT - 1;
    for (size_t most = SMALL; most < size; most *= 2)
        index++;
    ditto_agent_expect(index < DITTO_BLOCK_SIZES, "room for the state of an object");
    return index;
}

static uint64_t every_slot(const struct pool *pool)
{
    return pool->slots == MOST_SLOTS ? UINT64_MAX : (UINT64_C(1) << pool->slots) - 1;
}

static struct ditto_shadow *slot_at(const struct ditto_block *block, unsigned slot)
{
    return (struct ditto_shadow *)(block->from + slot * block->pool->size);
}

/* Under the lock. */
static struct ditto_block *new_block(struct pool *pool)
{
    struct ditto_block *block = ditto_alloc(sizeof *block, "the state of objects");
    *block = (struct ditto_block){reserve.base + used, pool, every_slot(pool), true};
    used += pool->size * pool->slots;
    ditto_reserve_use(&reserve, used);
    DITTO_PUSH(pool->blocks, pool->count, pool->room, block);
    DITTO_PUSH(all, all_count, all_room, block);
    pool->found += pool->slots;
    return block;
}

/*
 * Whether to begin another round.  It costs a look at every slot, and should be worth that many new
 * objects: so a part of the slots must have been handed out since the last one began, a smaller
 * part if it is known that the collector has run.  Not every collector tells.
 */
static bool is_worthwhile(const struct pool *pool, uint64_t now)
{
    size_t slots = pool->count * pool->slots;
    return pool->found > slots / (now != pool->collections ? 4 : 2);
}

/* The caller gives one back, or NULL, and owns the other; it is to look at that, if it is not new.
 */
static struct ditto_block *exchange(struct pool *pool, struct ditto_block *block, bool *is_new)
{
    struct ditto_block *other = NULL;
    pthread_mutex_lock(&lock);
    if (block)
        block->owned = false;
    do {
        while (!other && pool->next < pool->end) {
            other = pool->blocks[pool->next++];
            if (other->owned)
                other = NULL;
        }
        uint64_t now = atomic_load_explicit(&collections, memory_order_relaxed);
        if (other || !is_worthwhile(pool, now))
            break;
        pool->next = 0;
        pool->end = pool->count;
        pool->found = 0;
        pool->collections = now;
    } while (true);
    *is_new = !other;
    if (other)
        other->owned = true;
    else
        other = new_block(pool);
    pthread_mutex_unlock(&lock);
    return other;
}

/* The owner's: which slots can be handed out now. */
static void look(JNIEnv *jni, struct pool *pool, struct ditto_block *block)
{
    uint64_t dead = 0;
    block->free = 0;
    for (unsigned i = 0; i < pool->slots; i++) {
        jweak weak = atomic_load_explicit(&slot_at(block, i)->weak, memory_order_relaxed);
        if (!weak)
            block->free |= UINT64_C(1) << i;
        else if ((*jni)->IsSameObject(jni, weak, NULL))
            dead |= UINT64_C(1) << i;
    }
    struct ditto_shadow *shadows[MOST_SLOTS];
    size_t count = 0;
    for (uint64_t left = dead; left; left &= left - 1)
        shadows[count++] = slot_at(block, (unsigned)__builtin_ctzll(left));
    if (count)
        recycle(jni, shadows, count);
    for (; dead; dead &= dead - 1) {
        unsigned i = (unsigned)__builtin_ctzll(dead);
        if (!atomic_load_explicit(&slot_at(block, i)->weak, memory_order_relaxed))
            block->free |= UINT64_C(1) << i;
    }
    pthread_mutex_lock(&lock);
    pool->found += (size_t)__builtin_popcountll(block->free);
    pthread_mutex_unlock(&lock);
}

struct ditto_shadow *ditto_blocks_take(JNIEnv *jni, struct ditto_blocks *mine, size_t size)
{
    unsigned index = index_of(size);
    struct pool *pool = &pools[index];
    struct ditto_block *block = mine->blocks[index];
    while (!block || !block->free) {
        bool is_new;
        block = exchange(pool, block, &is_new);
        if (!is_new)
            look(jni, pool, block);
    }
    mine->blocks[index] = block;
    unsigned slot = (unsigned)__builtin_ctzll(block->free);
    block->free &= block->free - 1;
    return slot_at(block, slot);
}

struct ditto_shadow *ditto_blocks_keep(void)
{
    static struct ditto_block *block; /* guarded by the lock */
    pthread_mutex_lock(&lock);
    if (!block || !block->free)
        block = new_block(&kept);
    struct ditto_shadow *shadow = slot_at(block, (unsigned)__builtin_ctzll(block->free));
    block->free &= block->free - 1;
    pthread_mutex_unlock(&lock);
    return shadow;
}

void ditto_blocks_leave(struct ditto_blocks *mine)
{
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < DITTO_BLOCK_SIZES; i++) {
        if (mine->blocks[i])
            mine->blocks[i]->owned = false;
        mine->blocks[i] = NULL;
    }
    pthread_mutex_unlock(&lock);
}

/* Under the lock: the block that the slot lies in. */
static size_t find_block(const char *slot)
{
    size_t low = 0, high = all_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (all[middle]->from <= slot)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct ditto_shadow *ditto_blocks_next(const struct ditto_shadow *shadow)
{
    struct ditto_shadow *after = NULL;
    pthread_mutex_lock(&lock);
    size_t at = shadow ? find_block((const char *)shadow) : 0;
    unsigned slot = 0;
    if (shadow)
        slot = (unsigned)((size_t)((const char *)shadow - all[at]->from) / all[at]->pool->size) + 1;
    if (at < all_count && slot == all[at]->pool->slots) {
        at++;
        slot = 0;
    }
    if (at < all_count)
        after = slot_at(all[at], slot);
    pthread_mutex_unlock(&lock);
    return after;
}
