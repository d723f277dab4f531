/* SPDX-License-Identifier: MIT */
/* The orders there are. */
#ifndef DITTO_CORE_ORDERS_ORDERS_H
#define DITTO_CORE_ORDERS_ORDERS_H

#include "core/orders/order.h"
#include "trace/reader.h"

/* All of them (core/orders/list.c); behind the last stands NULL.  The first is the one that records
 * by default. */
extern const struct ditto_order *const ditto_orders[];

/* The order of that name, or NULL. */
const struct ditto_order *ditto_order_find(const char *name);

/* The order of a trace; NULL if it does not say, or says one that is unknown. */
const struct ditto_order *ditto_trace_order(const struct ditto_reader *reader,
                                            struct ditto_error *error);

/* Whether a trace of that order can be debugged: false, with the reason, if it has no cuts. */
bool ditto_order_has_cuts(const struct ditto_order *order, const char *path,
                          struct ditto_error *error);

#endif
