/* SPDX-License-Identifier: MIT */
/* The two halves of the order `ditto`. */
#ifndef DITTO_CORE_ORDERS_DITTO_EVENTS_H
#define DITTO_CORE_ORDERS_DITTO_EVENTS_H

#include "core/orders/order.h"

extern const struct ditto_order_events ditto_record_events;
extern const struct ditto_order_events ditto_replay_events;
uint64_t ditto_replay_clock_after(const struct ditto_thread *thread, enum ditto_event_kind kind,
                                  const void *where);

#endif
