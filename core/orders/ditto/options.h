/* SPDX-License-Identifier: MIT */
/* What can be chosen for a recording with the order `ditto`, and its session's choices. */
#ifndef DITTO_CORE_ORDERS_DITTO_OPTIONS_H
#define DITTO_CORE_ORDERS_DITTO_OPTIONS_H

#include "core/engine/state.h"

/* Their indexes in ditto_session.choices. */
enum { OPTION_PRUNING, OPTION_GRANULARITY, OPTION_ARRAY_STATES };

extern const struct ditto_order_option ditto_options[];

struct ditto_grain ditto_grain(const struct ditto_session *session);

static inline enum ditto_pruning pruning_of(const struct ditto_session *session)
{
    return (enum ditto_pruning)session->choices[OPTION_PRUNING];
}

#endif
