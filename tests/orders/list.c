/* SPDX-License-Identifier: MIT */
/* The orders that tests run over: those of core/orders/list.c, and the toy. */
#include "core/orders/orders.h"

extern const struct ditto_order ditto_order_ditto, ditto_order_toy;

const struct ditto_order *const ditto_orders[] = {&ditto_order_ditto, &ditto_order_toy, NULL};
