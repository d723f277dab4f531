/* SPDX-License-Identifier: MIT */
/* The list of all orders.  The one file that names what lives in rooms above this one. */
#include "core/orders/orders.h"

extern const struct ditto_order ditto_order_ditto;

const struct ditto_order *const ditto_orders[] = {&ditto_order_ditto, NULL};
