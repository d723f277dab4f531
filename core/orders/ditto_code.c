/* SPDX-License-Identifier: MIT */
/*
 * An item's first byte:
 *
 *     bit 7     1: a store, with a load count; 0: a load or, in a sync stream, an acquisition
 *     bits 6-5  the free run before it: 0, 1, 2 events, or 3: a number follows
 *     bit 4     the clock's increment goes on in the next byte
 *     bits 3-0  the low four bits of the increment (zigzag)
 *
 * then, each only where the first byte calls for it, the rest of the increment, the free run less
 * three, and the load count.  Most items need one or two bytes.
 */
#include "core/orders/ditto_code.h"

#include "trace/varint.h"

enum {
    STORE_BIT = 0x80,
    RUN_SHIFT = 5,
    RUN_LONG = 3,
    MORE_BIT = 0x10,
    LOW_BITS = 4,
    LOW_MASK = 0x0f,
};

uint8_t *item_put(uint8_t *to, uint64_t *previous, uint32_t run, enum item_kind kind,
                  uint64_t clock, uint64_t load_count)
{
    uint64_t increment = ditto_zigzag((int64_t)(clock - *previous));
    uint8_t first = kind == ITEM_STORE ? STORE_BIT : 0;
    first |= (uint8_t)((run < RUN_LONG ? run : RUN_LONG) << RUN_SHIFT);
    first |= increment & LOW_MASK;
    increment >>= LOW_BITS;
    if (increment)
        first |= MORE_BIT;
    *to++ = first;
    if (increment)
        to = ditto_varint_put(to, increment);
    if (run >= RUN_LONG)
        to = ditto_varint_put(to, run - RUN_LONG);
    if (kind == ITEM_STORE)
        to = ditto_varint_put(to, load_count);
    *previous = clock;
    return to;
}

bool item_get(enum ditto_stream_kind stream, const uint8_t **from, const uint8_t *end,
              uint64_t *previous, struct ditto_item *item)
{
    const uint8_t *at = *from;
    if (at == end)
        return false;
    uint8_t first = *at++;
    uint64_t increment = first & LOW_MASK, more = 0, load_count = 0;
    uint64_t run = (first >> RUN_SHIFT) & RUN_LONG;
    if ((first & MORE_BIT) && (!ditto_varint_get(&at, end, &more) || more >> (64 - LOW_BITS)))
        return false;
    increment |= more << LOW_BITS;
    if (run == RUN_LONG) {
        if (!ditto_varint_get(&at, end, &run) || run > UINT32_MAX - RUN_LONG)
            return false;
        run += RUN_LONG;
    }
    bool store = first & STORE_BIT;
    if (store && (stream == DITTO_STREAM_SYNC || !ditto_varint_get(&at, end, &load_count)))
        return false;
    *previous += (uint64_t)ditto_unzigzag(increment);
    *item = (struct ditto_item){
        .run = run,
        .kind = store                         ? ITEM_STORE
                : stream == DITTO_STREAM_SYNC ? ITEM_SYNC
                                              : ITEM_LOAD,
        .value = {*previous, load_count},
    };
    *from = at;
    return true;
}
