/* SPDX-License-Identifier: MIT */
/*
 * How the order `ditto` writes constraints down.  trace/README.md describes it byte by byte.
 */
#ifndef DITTO_CORE_ORDERS_DITTO_CODE_H
#define DITTO_CORE_ORDERS_DITTO_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/orders/order.h"

enum item_kind {
    ITEM_LOAD = 1,  /* after the store with this store clock */
    ITEM_STORE = 2, /* after that store and this many loads of it */
    ITEM_SYNC = 3,  /* after the monitor's sync clock has this value */
    ITEM_KINDS
};

extern const struct ditto_item_kind ditto_item_kinds[ITEM_KINDS];

/* No item is longer than this. */
enum { ITEM_BYTES_MAX = 32 };

/*
 * Writes an item and returns where the next one goes.  *previous is the highest clock of an item
 * in this chunk so far, or 0.
 */
uint8_t *ditto_item_put(uint8_t *to, uint64_t *previous, uint32_t run, enum item_kind kind,
                        uint64_t clock, uint64_t load_count);

/* The decode of struct ditto_order_coding. */
bool ditto_item_get(enum ditto_stream_kind stream, const uint8_t **from, const uint8_t *end,
                    struct ditto_decoder *decoder, struct ditto_item *item);

/* Its say: "store after store_clock 12, load_count 2". */
void ditto_item_say(const struct ditto_item *item, char *text, size_t size);

/* Its split and join. */
void ditto_items_split(const uint8_t *bytes, size_t length, uint8_t *columns,
                       struct ditto_column_lengths *lengths);
bool ditto_items_join(const uint8_t *columns, const struct ditto_column_lengths *lengths,
                      uint8_t *to);

#endif
