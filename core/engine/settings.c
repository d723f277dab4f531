/* SPDX-License-Identifier: MIT */
#include "core/engine/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/orders/orders.h"

static bool parse_number(const char *text, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    *number = strtoul(text, &end, 10);
    return *number != 0 && !errno && !*end;
}

/* Chooses `value`, a word or a number, for an option; false if it is neither. */
static bool choose(struct ditto_session *session, size_t index, const char *value)
{
    const struct ditto_order_option *option = &session->order->options[index];
    uint64_t *choice = &session->choices[index];
    if (!option->words)
        return parse_number(value, choice) && *choice <= option->most;
    for (*choice = 0; option->words[*choice]; ++*choice)
        if (strcmp(option->words[*choice], value) == 0)
            return true;
    return false;
}

/* The short forms of struct ditto_record_options, for orders that have an option of that name. */
static void choose_short(struct ditto_session *session, const char *name, uint64_t choice)
{
    const struct ditto_order_option *options = session->order->options;
    for (size_t i = 0; options && options[i].name; i++)
        if (strcmp(options[i].name, name) == 0)
            session->choices[i] =
                options[i].words || choice < options[i].most ? choice : options[i].most;
}

static bool choose_by_name(struct ditto_session *session, const struct ditto_order_choice *choice,
                           struct ditto_error *error)
{
    const struct ditto_order_option *options = session->order->options;
    for (size_t i = 0; options && options[i].name; i++) {
        if (strcmp(options[i].name, choice->name) != 0)
            continue;
        if (choose(session, i, choice->value))
            return true;
        ditto_error_set(error, "the order '%s' has no %s '%s'; see 'ditto help record'",
                        session->order->name, choice->name, choice->value);
        return false;
    }
    ditto_error_set(error, "the order '%s' has no option '%s'; see 'ditto help record'",
                    session->order->name, choice->name);
    return false;
}

static void no_such_order(const char *name, struct ditto_error *error)
{
    char names[256];
    size_t length = 0;
    for (size_t i = 0; ditto_orders[i] && length < sizeof names; i++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s'%s'",
                                   i == 0                ? ""
                                   : ditto_orders[i + 1] ? ", "
                                                         : " or ",
                                   ditto_orders[i]->name);
    ditto_error_set(error, "there is no order '%s'; use %s", name, names);
}

bool ditto_settings_from_options(struct ditto_session *session,
                                 const struct ditto_record_options *options,
                                 struct ditto_error *error)
{
    session->order = options->order ? ditto_order_find(options->order) : ditto_orders[0];
    if (!session->order) {
        no_such_order(options->order, error);
        return false;
    }
    const struct ditto_order_option *of_order = session->order->options;
    for (size_t i = 0; of_order && of_order[i].name; i++)
        session->choices[i] = of_order[i].words ? 0 : of_order[i].preset;
    choose_short(session, "pruning", options->pruning);
    choose_short(session, "granularity", options->granularity);
    if (options->array_states)
        choose_short(session, "array-states", options->array_states);
    for (const struct ditto_order_choice *choice = options->choices; choice && choice->name;
         choice++)
        if (!choose_by_name(session, choice, error))
            return false;
    return true;
}

void ditto_settings_store(struct ditto_session *session)
{
    const struct ditto_order_option *options = session->order->options;
    ditto_set_property(session, "order", session->order->name);
    for (size_t i = 0; options && options[i].name; i++) {
        char number[32];
        snprintf(number, sizeof number, "%" PRIu64, session->choices[i]);
        ditto_set_property(session, options[i].name,
                           options[i].words ? options[i].words[session->choices[i]] : number);
    }
}

static bool load_option(struct ditto_session *session, size_t index, struct ditto_error *error)
{
    const struct ditto_order_option *option = &session->order->options[index];
    const char *path = ditto_reader_info(session->reader)->path;
    const char *value = ditto_reader_property(session->reader, option->name);
    if (value && choose(session, index, value))
        return true;
    if (option->words)
        ditto_error_set(
            error,
            "%s: its property '%s' is %s%s%s, which this Ditto does not know; replay it "
            "with the Ditto that recorded it",
            path, option->name, value ? "'" : "", value ? value : "missing", value ? "'" : "");
    else
        ditto_error_set(error, "%s: its property '%s' is not a number; get the file again", path,
                        option->name);
    return false;
}

bool ditto_settings_load(struct ditto_session *session, struct ditto_error *error)
{
    session->order = ditto_trace_order(session->reader, error);
    if (!session->order)
        return false;
    const struct ditto_order_option *options = session->order->options;
    for (size_t i = 0; options && options[i].name; i++)
        if (!load_option(session, i, error))
            return false;
    return true;
}
