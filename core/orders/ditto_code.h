/* SPDX-License-Identifier: MIT */
/*
 * How the order `ditto` writes constraints down.  trace/README.md describes it byte by byte.
 */
#ifndef DITTO_CORE_ORDERS_DITTO_CODE_H
#define DITTO_CORE_ORDERS_DITTO_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/order.h"

enum item_kind {
    ITEM_LOAD = 1,  /* after the store with this store clock */
    ITEM_STORE = 2, /* after that store and this many loads of it */
    ITEM_SYNC = 3,  /* after the monitor's sync clock has this value */
};

/* No item is longer than this. */
enum { ITEM_BYTES_MAX = 32 };

/*
 * Writes an item and returns where the next one goes.  *previous is the clock of the last item in
 * this chunk, or 0, and becomes this one's.
 */
uint8_t *item_put(uint8_t *to, uint64_t *previous, uint32_t run, enum item_kind kind,
                  uint64_t clock, uint64_t load_count);

/* The decode of struct ditto_order. */
bool item_get(enum ditto_stream_kind stream, const uint8_t **from, const uint8_t *end,
              uint64_t *previous, struct ditto_item *item);

#endif
