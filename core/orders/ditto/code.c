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
 * three, and the load count.  The increment is that over the highest clock so far: loads of old
 * values come between others all the time, and should not make the next one look far away.
 *
 * A finished chunk has the first bytes, the rests, the runs and the counts in a column each, since
 * they are as unlike each other as they are like themselves.
 */
#include "core/orders/ditto/code.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/varint.h"

enum {
    STORE_BIT = 0x80,
    RUN_SHIFT = 5,
    RUN_LONG = 3,
    MORE_BIT = 0x10,
    LOW_BITS = 4,
    LOW_MASK = 0x0f,
};

const struct ditto_item_kind ditto_item_kinds[ITEM_KINDS] = {
    [ITEM_LOAD] = {"load", {{"store_clock", DITTO_ROLE_CLOCK}}},
    [ITEM_STORE] = {"store", {{"store_clock", DITTO_ROLE_CLOCK}, {"load_count", DITTO_ROLE_COUNT}}},
    [ITEM_SYNC] = {"acquire", {{"sync_clock", DITTO_ROLE_CLOCK}}},
};

void ditto_item_say(const struct ditto_item *item, char *text, size_t size)
{
    const struct ditto_item_kind *kind = &ditto_item_kinds[item->kind];
    if (item->kind == ITEM_STORE)
        snprintf(text, size, "%s after %s %" PRIu64 ", %s %" PRIu64, kind->name,
                 kind->value[0].name, item->value[0], kind->value[1].name, item->value[1]);
    else
        snprintf(text, size, "%s after %s %" PRIu64, kind->name, kind->value[0].name,
                 item->value[0]);
}

uint8_t *ditto_item_put(uint8_t *to, uint64_t *previous, uint32_t run, enum item_kind kind,
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
    if (*previous < clock)
        *previous = clock;
    return to;
}

bool ditto_item_get(enum ditto_stream_kind stream, const uint8_t **from, const uint8_t *end,
                    struct ditto_decoder *decoder, struct ditto_item *item)
{
    uint64_t *previous = &decoder->previous[0];
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
    uint64_t clock = *previous + (uint64_t)ditto_unzigzag(increment);
    if (*previous < clock)
        *previous = clock;
    *item = (struct ditto_item){
        .run = run,
        .kind = store                         ? ITEM_STORE
                : stream == DITTO_STREAM_SYNC ? ITEM_SYNC
                                              : ITEM_LOAD,
        .value = {clock, load_count},
    };
    *from = at;
    return true;
}

/* Whether an item has something in a column, by its first byte. */
static bool has(uint8_t first, int column)
{
    switch (column) {
    case 1:
        return first & MORE_BIT;
    case 2:
        return (first >> RUN_SHIFT & RUN_LONG) == RUN_LONG;
    case 3:
        return first & STORE_BIT;
    default:
        return true;
    }
}

/*
 * How many bytes an item has in a column, of at most `most`: one in the first, a varint in the
 * others.  More than `most` if it does not end there.
 */
static uint32_t piece_length(int column, const uint8_t *from, uint32_t most)
{
    uint32_t length = 0;
    if (column > 0)
        while (length < most && from[length] & 0x80)
            length++;
    return length + 1;
}

void ditto_items_split(const uint8_t *bytes, size_t length, uint8_t *columns,
                       struct ditto_column_lengths *lengths)
{
    uint8_t *to[DITTO_COLUMNS] = {0};
    /* Once to measure the columns, once to fill them. */
    for (int pass = 0; pass < 2; pass++) {
        *lengths = (struct ditto_column_lengths){{0}};
        for (size_t at = 0; at < length;) {
            uint8_t first = bytes[at];
            for (int column = 0; column < DITTO_COLUMNS; column++) {
                if (!has(first, column))
                    continue;
                uint32_t piece = piece_length(column, bytes + at, (uint32_t)(length - at));
                assert(piece <= length - at);
                if (pass == 1)
                    memcpy(to[column] + lengths->length[column], bytes + at, piece);
                lengths->length[column] += piece;
                at += piece;
            }
        }
        to[0] = columns;
        for (int column = 1; column < DITTO_COLUMNS; column++)
            to[column] = to[column - 1] + lengths->length[column - 1];
    }
}

bool ditto_items_join(const uint8_t *columns, const struct ditto_column_lengths *lengths,
                      uint8_t *to)
{
    const uint8_t *from[DITTO_COLUMNS], *end[DITTO_COLUMNS];
    for (int column = 0; column < DITTO_COLUMNS; column++) {
        from[column] = columns;
        columns += lengths->length[column];
        end[column] = columns;
    }
    while (from[0] < end[0]) {
        uint8_t first = *from[0];
        for (int column = 0; column < DITTO_COLUMNS; column++) {
            if (!has(first, column))
                continue;
            uint32_t left = (uint32_t)(end[column] - from[column]);
            uint32_t piece = piece_length(column, from[column], left);
            if (piece > left)
                return false;
            memcpy(to, from[column], piece);
            to += piece;
            from[column] += piece;
        }
    }
    return from[1] == end[1] && from[2] == end[2] && from[3] == end[3];
}
