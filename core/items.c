/* SPDX-License-Identifier: MIT */
#include "core/items.h"

#include <inttypes.h>

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
}

int ditto_items_next(struct ditto_items *items, struct ditto_item *item, struct ditto_error *error)
{
    for (;;) {
        if (items->at < items->end) {
            if (items->order->decode(items->cursor.kind, &items->at, items->end, &items->previous,
                                     item))
                return 1;
            ditto_error_set(error,
                            "%s: thread %" PRIu32 "'s %s stream, chunk %" PRIu32
                            ": byte %zu begins no item of order '%s'; the trace is damaged",
                            ditto_reader_info(items->cursor.reader)->path, items->cursor.replay_id,
                            ditto_stream_name(items->cursor.kind), items->cursor.sequence - 1,
                            (size_t)(items->at - items->cursor.bytes), items->order->name);
            return -1;
        }
        if (items->tail_due) {
            items->tail_due = false;
            if (items->cursor.tail) {
                *item = (struct ditto_item){.run = items->cursor.tail, .kind = DITTO_ITEM_RUN};
                return 1;
            }
        }
        int step = ditto_cursor_step(&items->cursor, error);
        if (step <= 0)
            return step;
        items->at = items->cursor.bytes;
        items->end = items->at + items->cursor.length;
        items->tail_due = true;
        items->previous = 0;
    }
}
