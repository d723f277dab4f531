/* SPDX-License-Identifier: MIT */
/*
 * A thread's memory or sync stream as items, decoded by the trace's order: what a replay follows,
 * and what `dump` and `check` show.
 */
#ifndef DITTO_CORE_READING_ITEMS_H
#define DITTO_CORE_READING_ITEMS_H

#include "core/orders/order.h"
#include "trace/reader.h"

struct ditto_items {
    const struct ditto_order *order;
    struct ditto_cursor cursor;
    const uint8_t *begin, *at, *end; /* of the present chunk */
    uint8_t *joined;                 /* owned: the same, if the file has it in columns */
    bool tail_due;                   /* the chunk's trailing free run has not been given yet */
    struct ditto_decoder decoder;
};

void ditto_items_init(struct ditto_items *items, const struct ditto_reader *reader,
                      const struct ditto_order *order, enum ditto_stream_kind kind,
                      uint32_t replay_id);
void ditto_items_destroy(struct ditto_items *items);

/* 1: an item, never an empty run.  0: the end.  -1: damage. */
int ditto_items_next(struct ditto_items *items, struct ditto_item *item, struct ditto_error *error);

#endif
