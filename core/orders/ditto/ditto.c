/* SPDX-License-Identifier: MIT */
/* The order `ditto`, put together. */
#include "core/orders/ditto/code.h"
#include "core/orders/ditto/events.h"
#include "core/orders/ditto/options.h"
#include "core/orders/ditto/quick.h"

static const struct ditto_order_coding coding = {
    .kinds = ditto_item_kinds,
    .kind_count = ITEM_KINDS,
    .decode = ditto_item_get,
    .split = ditto_items_split,
    .join = ditto_items_join,
    .say = ditto_item_say,
};

static uint64_t clock_now(const struct ditto_thread *thread)
{
    return clock_of(thread);
}

static const struct ditto_order_clock clocks = {
    .now = clock_now,
    .after = ditto_replay_clock_after,
};

const struct ditto_order ditto_order_ditto = {
    .name = "ditto",
    .wants = DITTO_WANTS_LOADS | DITTO_WANTS_STORES | DITTO_WANTS_ACQUIRES | DITTO_WANTS_RELEASES |
             DITTO_WANTS_ENDS,
    .options = ditto_options,
    .thread_size = sizeof(struct thread_state),
    .place_size = sizeof(struct ditto_place),
    .monitor_size = sizeof(struct ditto_monitor),
    .grain = ditto_grain,
    .record = &ditto_record_events,
    .replay = &ditto_replay_events,
    .coding = &coding,
    .clock = &clocks,
    .quick = &ditto_quick,
    .shows = {.cuts = true, .free_runs = true},
};
