/* SPDX-License-Identifier: MIT */
/*
 * The slots of a trace file: pieces of it that are mapped shared and hold open chunks.  A slot
 * belongs to one stream at a time; free ones wait here for the next.  Internal to trace/.
 */
#ifndef DITTO_TRACE_SLOTS_H
#define DITTO_TRACE_SLOTS_H

#include <pthread.h>
#include <stdint.h>

#include "trace/output.h"

struct ditto_slot {
    struct ditto_slot *next; /* in the free list */
    uint8_t *mapping;
    uint64_t offset;
};

struct ditto_slots {
    struct ditto_output *output;
    uint32_t size;
    pthread_mutex_t lock; /* guards the fields below */
    struct ditto_slot *free;
    unsigned free_count;
    uint64_t made; /* how many were ever claimed from the file */
};

void ditto_slots_init(struct ditto_slots *slots, struct ditto_output *output, uint32_t size);

/* Unmaps the free slots. */
void ditto_slots_destroy(struct ditto_slots *slots);

/* A free slot, made if there is none.  NULL on failure. */
struct ditto_slot *ditto_slots_take(struct ditto_slots *slots, struct ditto_error *error);

/* Takes back a slot whose word is DITTO_SLOT_FREE. */
void ditto_slots_give(struct ditto_slots *slots, struct ditto_slot *slot);

/* Forgets a slot whose bytes still count: it stays in the file as it is. */
void ditto_slots_drop(struct ditto_slots *slots, struct ditto_slot *slot);

/* Makes the slot the open chunk of a stream, empty. */
void ditto_slot_assign(struct ditto_slots *slots, struct ditto_slot *slot,
                       enum ditto_stream_kind stream, uint32_t replay_id, uint32_t sequence);

/* Makes the slot nobody's: its bytes no longer count. */
void ditto_slot_release(struct ditto_slot *slot);

static inline struct ditto_slot_control *ditto_slot_control(const struct ditto_slot *slot)
{
    return (struct ditto_slot_control *)(slot->mapping + DITTO_SLOT_CONTROL);
}

#endif
