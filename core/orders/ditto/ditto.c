/* SPDX-License-Identifier: MIT */
/* The order `ditto`, put together. */
#include "core/orders/ditto/code.h"
#include "core/orders/ditto/events.h"
#include "core/orders/ditto/state.h"

static const struct ditto_item_kind kinds[] = {
    [ITEM_LOAD] = {"load", {"store_clock", NULL}, true},
    [ITEM_STORE] = {"store", {"store_clock", "load_count"}, true},
    [ITEM_SYNC] = {"acquire", {"sync_clock", NULL}, true},
};

const struct ditto_order ditto_order_ditto = {
    .name = "ditto",
    .place_size = sizeof(struct ditto_place),
    .monitor_size = sizeof(struct ditto_monitor),
    .thread_size = sizeof(struct thread_state),
    .record = &ditto_record_events,
    .replay = &ditto_replay_events,
    .clock_after = ditto_replay_clock_after,
    .kinds = kinds,
    .decode = item_get,
    .split = items_split,
    .join = items_join,
    .quick = ditto_order_quick,
};
