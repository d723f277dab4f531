/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/control/agent_options.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/debug.h"
#include "core/base/die.h"
#include "core/orders/orders.h"

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Turns %XX back, in place. */
static bool unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        if (*from != '%') {
            *to = *from++;
            continue;
        }
        int high = digit(from[1]), low = high < 0 ? -1 : digit(from[2]);
        if (low < 0)
            return false;
        *to = (char)(high << 4 | low);
        from += 3;
    }
    *to = '\0';
    return true;
}

static bool choose(const char *value, const char *const *names, unsigned count, unsigned *choice)
{
    for (*choice = 0; *choice < count; ++*choice)
        if (strcmp(value, names[*choice]) == 0)
            return true;
    return false;
}

/* An option that some order has: whether it is the chosen one's, and fits, the engine will say. */
static bool add_choice(struct ditto_agent_options *options, const char *name, const char *value)
{
    size_t count = 0;
    while (options->choices[count].name)
        count++;
    if (count == DITTO_ORDER_OPTIONS)
        return false;
    for (size_t i = 0; ditto_orders[i]; i++) {
        const struct ditto_order_option *option = ditto_orders[i]->options;
        while (option && option->name && strcmp(option->name, name) != 0)
            option++;
        if (option && option->name) {
            options->choices[count] = (struct ditto_order_choice){name, value};
            return true;
        }
    }
    return false;
}

static bool set(struct ditto_agent_options *options, const char *name, char *value)
{
    static const char *const modes[] = {"record", "replay"};
    unsigned choice;
    if (strcmp(name, "trace") == 0) {
        options->trace = value;
    } else if (strcmp(name, "include") == 0) {
        options->include = value;
    } else if (strcmp(name, "exclude") == 0) {
        options->exclude = value;
    } else if (strcmp(name, "value") == 0) {
        options->value = value;
    } else if (strcmp(name, "verify") == 0) {
        options->verify = true;
    } else if (strcmp(name, "standstill") == 0) {
        options->end_standstill = true;
    } else if (strcmp(name, "do-writes") == 0) {
        options->do_writes = true;
    } else if (strcmp(name, "order") == 0) {
        options->record.order = value;
    } else if (strcmp(name, "mode") == 0 && choose(value, modes, 2, &choice)) {
        options->replay = choice == 1;
    } else if (strcmp(name, "debug") == 0) {
        options->debug = atoi(value);
    } else {
        return add_choice(options, name, value);
    }
    return true;
}

bool ditto_agent_options_parse(const char *text, struct ditto_agent_options *options,
                               struct ditto_error *error)
{
    *options = (struct ditto_agent_options){0};
    DITTO_DEBUG(launch, 1, "the agent's options: %s", text ? text : "");
    options->record.choices = options->choices;
    /* Never freed: the values point into it. */
    char *rest = ditto_copy_text(text ? text : "", "the agent's options"), *option;
    while ((option = strsep(&rest, ","))) {
        char *value = strchr(option, '=');
        if (value)
            *value++ = '\0';
        if (!value || !unescape(value) || !set(options, option, value)) {
            ditto_error_set(error, "the agent does not know the option '%s'; use 'ditto record'",
                            option);
            return false;
        }
    }
    if (!options->trace) {
        ditto_error_set(error, "the agent is not to be loaded by hand; use 'ditto record'");
        return false;
    }
    return true;
}
