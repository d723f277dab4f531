/* SPDX-License-Identifier: MIT */
#include "core/orders/order.h"

#include <string.h>

extern const struct ditto_order ditto_order_ditto;

static const struct ditto_order *const orders[] = {&ditto_order_ditto};

const struct ditto_order *ditto_order_find(const char *name)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(orders[i]->name, name) == 0)
            return orders[i];
    return NULL;
}
