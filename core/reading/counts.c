/* SPDX-License-Identifier: MIT */
#include "core/reading/counts.h"

#include <inttypes.h>

#include "core/ditto.h"
#include "core/reading/values.h"

void ditto_count_item(struct ditto_stream_counts *counts, const struct ditto_order *order,
                      const struct ditto_item *item, uint64_t *run)
{
    if (item->run && *run == 0)
        counts->free_runs++;
    *run += item->run;
    if (*run > counts->longest_run)
        counts->longest_run = *run;
    counts->events += item->run;
    if (item->kind == DITTO_ITEM_RUN)
        return;
    *run = 0;
    counts->events++;
    counts->constraints++;
    const struct ditto_item_kind *kind = &order->coding->kinds[item->kind];
    for (int i = 0; i < DITTO_ITEM_VALUES && kind->value[i].name; i++)
        if (kind->value[i].role == DITTO_ROLE_CLOCK && item->value[i] > counts->last_clock)
            counts->last_clock = item->value[i];
}

static bool count_items(const struct ditto_reader *reader, const struct ditto_order *order,
                        enum ditto_stream_kind kind, uint32_t replay_id,
                        struct ditto_stream_counts *counts, struct ditto_error *error)
{
    struct ditto_items items;
    struct ditto_item item;
    uint64_t run = 0;
    int next;
    ditto_items_init(&items, reader, order, kind, replay_id);
    while ((next = ditto_items_next(&items, &item, error)) > 0)
        ditto_count_item(counts, order, &item, &run);
    ditto_items_destroy(&items);
    return next == 0;
}

/* One record of a value stream, for whichever of the two is wanted. */
static void count_value(const struct ditto_input_record *value, struct ditto_thread_counts *counts,
                        struct ditto_value_counts *kinds)
{
    if (counts) {
        counts->value_bytes += value->length;
        counts->values += !value->more;
    }
    if (kinds && value->kind < DITTO_NAMED_INPUTS) {
        kinds[value->kind].bytes += value->length;
        kinds[value->kind].values += !value->more;
    }
}

static bool count_values(const struct ditto_reader *reader, uint32_t replay_id,
                         struct ditto_thread_counts *counts, struct ditto_value_counts *kinds,
                         struct ditto_error *error)
{
    struct ditto_cursor cursor;
    struct ditto_input_record value = {.more = false};
    int step;
    ditto_cursor_init(&cursor, reader, DITTO_STREAM_VALUE, replay_id);
    while ((step = ditto_cursor_step(&cursor, error)) > 0) {
        const uint8_t *at = cursor.bytes, *end = at + cursor.length;
        while (at < end) {
            if (!ditto_input_record_decode(&at, end, &value)) {
                ditto_error_set(error,
                                "%s: thread %" PRIu32 "'s value stream, chunk %" PRIu32
                                ": byte %zu begins no value; get the file again",
                                ditto_reader_info(reader)->path, replay_id, cursor.sequence - 1,
                                (size_t)(at - cursor.bytes));
                ditto_cursor_destroy(&cursor);
                return false;
            }
            count_value(&value, counts, kinds);
        }
    }
    ditto_cursor_destroy(&cursor);
    return step == 0;
}

bool ditto_count_thread(const struct ditto_reader *reader, const struct ditto_order *order,
                        uint32_t replay_id, struct ditto_thread_counts *counts,
                        struct ditto_error *error)
{
    *counts = (struct ditto_thread_counts){0};
    return count_items(reader, order, DITTO_STREAM_MEMORY, replay_id, &counts->memory, error) &&
           count_items(reader, order, DITTO_STREAM_SYNC, replay_id, &counts->sync, error) &&
           count_values(reader, replay_id, counts, NULL, error);
}

bool ditto_count_kinds(const struct ditto_reader *reader, uint32_t replay_id,
                       struct ditto_value_counts *counts, struct ditto_error *error)
{
    return count_values(reader, replay_id, NULL, counts, error);
}
