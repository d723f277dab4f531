/* SPDX-License-Identifier: MIT */
#include "core/engine/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/orders/orders.h"

static const char *const pruning_names[] = {
    [DITTO_PRUNE_FULL] = "full",
    [DITTO_PRUNE_PROGRAM_ORDER] = "program-order",
    [DITTO_PRUNE_NONE] = "none",
};

static const char *const granularity_names[] = {
    [DITTO_FIELDS] = "field",
    [DITTO_OBJECTS] = "object",
};

enum { PRUNINGS = 3, GRANULARITIES = 2 };

/* No array has more elements, so more says the same. */
enum { MOST_ARRAY_STATES = INT32_MAX };

bool ditto_settings_from_options(struct ditto_session *session,
                                 const struct ditto_record_options *options,
                                 struct ditto_error *error)
{
    const char *name = options->order ? options->order : "ditto";
    session->order = ditto_order_find(name);
    if (!session->order) {
        ditto_error_set(error, "there is no order '%s'; use 'ditto'", name);
        return false;
    }
    session->pruning = options->pruning;
    session->granularity = options->granularity;
    session->array_states =
        options->array_states ? options->array_states : DITTO_ARRAY_STATES_DEFAULT;
    if (session->array_states > MOST_ARRAY_STATES)
        session->array_states = MOST_ARRAY_STATES;
    return true;
}

void ditto_settings_store(struct ditto_session *session)
{
    char number[16];
    ditto_set_property(session, "order", session->order->name);
    ditto_set_property(session, "pruning", pruning_names[session->pruning]);
    ditto_set_property(session, "granularity", granularity_names[session->granularity]);
    snprintf(number, sizeof number, "%u", session->array_states);
    ditto_set_property(session, "array-states", number);
}

/* The index of the property's value among `names`, or -1. */
static int choice(const struct ditto_reader *reader, const char *property, const char *const *names,
                  int count, struct ditto_error *error)
{
    const char *value = ditto_reader_property(reader, property);
    for (int i = 0; value && i < count; i++)
        if (strcmp(names[i], value) == 0)
            return i;
    ditto_error_set(error,
                    "%s: its property '%s' is %s%s%s, which this Ditto does not know; replay it "
                    "with the Ditto that recorded it",
                    ditto_reader_info(reader)->path, property, value ? "'" : "",
                    value ? value : "missing", value ? "'" : "");
    return -1;
}

bool ditto_settings_load(struct ditto_session *session, struct ditto_error *error)
{
    const struct ditto_reader *reader = session->reader;
    session->order = ditto_trace_order(reader, error);
    if (!session->order)
        return false;
    int pruning = choice(reader, "pruning", pruning_names, PRUNINGS, error);
    int granularity =
        pruning < 0 ? -1 : choice(reader, "granularity", granularity_names, GRANULARITIES, error);
    if (granularity < 0)
        return false;
    const char *states = ditto_reader_property(reader, "array-states");
    char *end = NULL;
    errno = 0;
    unsigned long number = states ? strtoul(states, &end, 10) : 0;
    if (number == 0 || errno || *end || number > MOST_ARRAY_STATES) {
        ditto_error_set(error,
                        "%s: its property 'array-states' is not a number; get the file again",
                        ditto_reader_info(reader)->path);
        return false;
    }
    session->pruning = (enum ditto_pruning)pruning;
    session->granularity = (enum ditto_granularity)granularity;
    session->array_states = (unsigned)number;
    return true;
}
