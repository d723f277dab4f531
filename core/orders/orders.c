/* SPDX-License-Identifier: MIT */
#include "core/orders/orders.h"

#include <string.h>

const struct ditto_order *ditto_order_find(const char *name)
{
    for (size_t i = 0; ditto_orders[i]; i++)
        if (strcmp(ditto_orders[i]->name, name) == 0)
            return ditto_orders[i];
    return NULL;
}

const struct ditto_order *ditto_trace_order(const struct ditto_reader *reader,
                                            struct ditto_error *error)
{
    const char *name = ditto_reader_property(reader, "order");
    const struct ditto_order *order = name ? ditto_order_find(name) : NULL;
    if (!name)
        ditto_error_set(error,
                        "%s: does not say with which order it was recorded; get the file again",
                        ditto_reader_info(reader)->path);
    else if (!order)
        ditto_error_set(error,
                        "%s: recorded with the order '%s', which this Ditto does not know; use the "
                        "Ditto that recorded it",
                        ditto_reader_info(reader)->path, name);
    return order;
}

bool ditto_order_has_cuts(const struct ditto_order *order, const char *path,
                          struct ditto_error *error)
{
    if (!order->shows.cuts)
        ditto_error_set(error,
                        "%s: recorded with the order '%s', which has no clocks to stop at; it can "
                        "be replayed, but not debugged",
                        path, order->name);
    return order->shows.cuts;
}
