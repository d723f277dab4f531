/* SPDX-License-Identifier: MIT */
#include "core/reading/items.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"

void ditto_items_init(struct ditto_items *items, const struct ditto_reader *reader,
                      const struct ditto_order *order, enum ditto_stream_kind kind,
                      uint32_t replay_id)
{
    *items = (struct ditto_items){.order = order};
    ditto_cursor_init(&items->cursor, reader, kind, replay_id);
}

void ditto_items_destroy(struct ditto_items *items)
{
    ditto_cursor_destroy(&items->cursor);
    free(items->joined);
    items->joined = NULL;
}

static int damaged(const struct ditto_items *items, struct ditto_error *error, const char *what)
{
    ditto_error_set(error,
                    "%s: thread %" PRIu32 "'s %s stream, chunk %" PRIu32
                    ": %s of order '%s'; get the file again",
                    ditto_reader_info(items->cursor.reader)->path, items->cursor.replay_id,
                    ditto_stream_name(items->cursor.kind), items->cursor.sequence - 1, what,
                    items->order->name);
    return -1;
}

/* Puts a chunk that is in columns together.  NULL, or what is wrong with it. */
static const char *join(struct ditto_items *items)
{
    const struct ditto_cursor *cursor = &items->cursor;
    struct ditto_column_lengths lengths;
    uint64_t sum = sizeof lengths;
    if (cursor->length < sizeof lengths)
        return "it has no columns";
    memcpy(&lengths, cursor->bytes, sizeof lengths);
    for (int i = 0; i < DITTO_COLUMNS; i++)
        sum += lengths.length[i];
    free(items->joined);
    items->joined = malloc(cursor->length);
    if (!items->joined)
        return "there is no memory for the items";
    if (sum != cursor->length || !items->order->coding->join ||
        !items->order->coding->join(cursor->bytes + sizeof lengths, &lengths, items->joined))
        return "its columns are none of items";
    items->begin = items->at = items->joined;
    items->end = items->at + cursor->length - sizeof lengths;
    return NULL;
}

/* Goes to the next chunk: as ditto_cursor_step(). */
static int next_chunk(struct ditto_items *items, struct ditto_error *error)
{
    int step = ditto_cursor_step(&items->cursor, error);
    if (step <= 0)
        return step;
    items->tail_due = true;
    items->decoder = (struct ditto_decoder){{0}};
    items->begin = items->at = items->end = NULL;
    if (items->cursor.columns) {
        const char *wrong = join(items);
        return wrong ? damaged(items, error, wrong) : 1;
    }
    items->begin = items->at = items->cursor.bytes;
    items->end = items->at + items->cursor.length;
    return 1;
}

/* What a decoder gives must have a name: whoever prints or counts it looks that up.  Returns 1. */
static int check_kind(const struct ditto_order *order, const struct ditto_item *item)
{
    DITTO_CHECK(item->kind < order->coding->kind_count, "order '%s' has no items of kind %u",
                order->name, item->kind);
    return 1;
}

int ditto_items_next(struct ditto_items *items, struct ditto_item *item, struct ditto_error *error)
{
    for (;;) {
        if (items->at < items->end) {
            if (items->order->coding->decode(items->cursor.kind, &items->at, items->end,
                                             &items->decoder, item))
                return check_kind(items->order, item);
            char what[64];
            snprintf(what, sizeof what, "byte %zu begins no item",
                     (size_t)(items->at - items->begin));
            return damaged(items, error, what);
        }
        if (items->tail_due) {
            items->tail_due = false;
            if (items->cursor.tail) {
                *item = (struct ditto_item){.run = items->cursor.tail, .kind = DITTO_ITEM_RUN};
                return 1;
            }
        }
        int step = next_chunk(items, error);
        if (step <= 0)
            return step;
    }
}
