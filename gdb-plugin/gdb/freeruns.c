/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/freeruns.h"

#include <inttypes.h>
#include <string.h>

#include "core/orders/orders.h"
#include "core/reading/items.h"
#include "gdb-plugin/gdb/client.h"

struct listing {
    struct ditto_buf *out;
    const struct ditto_order *order;
    uint64_t event, run; /* of the next event; of the free run so far */
};

static void put_constraint(struct listing *list, const struct ditto_item *item)
{
    char words[DITTO_SAID_MAX];
    list->order->coding->say(item, words, sizeof words);
    ditto_put_format(list->out, "ended by event %" PRIu64 ", %s %s\n", list->event + list->run,
                     strchr("aeiou", words[0]) ? "an" : "a", words);
}

static void put_run(struct listing *list, const struct ditto_item *item)
{
    if (list->run == 0 && !item)
        return;
    if (list->run == 0)
        ditto_put_format(list->out, "    %24s  no free run, ", "");
    else if (list->run == 1)
        ditto_put_format(list->out, "    event %18" PRIu64 "  a free run of 1, ", list->event);
    else
        ditto_put_format(list->out,
                         "    events %8" PRIu64 " to %5" PRIu64 "  a free run of %" PRIu64 ", ",
                         list->event, list->event + list->run - 1, list->run);
    if (item)
        put_constraint(list, item);
    else
        ditto_put_format(list->out, "ended by the thread's last event\n");
    list->event += list->run + (item != NULL);
    list->run = 0;
}

static bool put_stream(struct ditto_buf *out, const struct ditto_reader *reader,
                       const struct ditto_order *order, enum ditto_stream_kind kind,
                       uint32_t replay_id, struct ditto_error *error)
{
    struct listing list = {.out = out, .order = order, .event = 1};
    struct ditto_items items;
    struct ditto_item item;
    int next;
    ditto_put_format(out, "  %s\n", kind == DITTO_STREAM_MEMORY ? "memory" : "sync");
    ditto_items_init(&items, reader, order, kind, replay_id);
    while ((next = ditto_items_next(&items, &item, error)) > 0) {
        list.run += item.run;
        if (item.kind != DITTO_ITEM_RUN)
            put_run(&list, &item);
    }
    put_run(&list, NULL);
    ditto_items_destroy(&items);
    return next == 0;
}

bool freeruns_print(const char *trace, int64_t thread, struct ditto_buf *out,
                    struct ditto_error *error)
{
    struct ditto_reader *reader = ditto_reader_open(trace, error);
    if (!reader)
        return false;
    const struct ditto_order *order = ditto_trace_order(reader, error);
    bool good = order != NULL, found = false;
    if (good && !order->shows.free_runs) {
        ditto_error_set(error, "%s: recorded with the order '%s', which has no free runs", trace,
                        order->name);
        good = false;
    }
    for (size_t i = 0; good && i < ditto_reader_thread_count(reader); i++) {
        const struct ditto_thread_info *info = ditto_reader_thread(reader, i);
        if (thread >= 0 && info->replay_id != thread)
            continue;
        found = true;
        ditto_put_format(out, "thread %" PRIu32 " \"%s\"\n", to_gdb(info->replay_id),
                         info->name ? info->name : "?");
        good = put_stream(out, reader, order, DITTO_STREAM_MEMORY, info->replay_id, error) &&
               put_stream(out, reader, order, DITTO_STREAM_SYNC, info->replay_id, error);
    }
    if (good && !found) {
        ditto_error_set(error,
                        "%s: there is no thread %" PRId64 "; `info threads` lists those "
                        "there are",
                        trace, thread + 1);
        good = false;
    }
    ditto_reader_close(reader);
    return good;
}
