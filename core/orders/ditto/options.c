/* SPDX-License-Identifier: MIT */
#include "core/orders/ditto/options.h"

static const char *const prunings[] = {
    [DITTO_PRUNE_FULL] = "full",
    [DITTO_PRUNE_PROGRAM_ORDER] = "program-order",
    [DITTO_PRUNE_NONE] = "none",
    NULL,
};

static const char *const granularities[] = {
    [DITTO_FIELDS] = "field",
    [DITTO_OBJECTS] = "object",
    NULL,
};

const struct ditto_order_option ditto_options[] = {
    [OPTION_PRUNING] = {.name = "pruning", .words = prunings},
    [OPTION_GRANULARITY] = {.name = "granularity", .words = granularities},
    /* No array has more elements. */
    [OPTION_ARRAY_STATES] = {.name = "array-states",
                             .preset = DITTO_ARRAY_STATES_DEFAULT,
                             .most = INT32_MAX},
    {.name = NULL},
};

struct ditto_grain ditto_grain(const struct ditto_session *session)
{
    return (struct ditto_grain){.kind = session->choices[OPTION_GRANULARITY] == DITTO_OBJECTS
                                            ? DITTO_GRAIN_OBJECT
                                            : DITTO_GRAIN_FIELD,
                                .array_places = session->choices[OPTION_ARRAY_STATES]};
}
