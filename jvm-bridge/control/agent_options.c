/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/control/agent_options.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/debug.h"
#include "core/base/die.h"

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

static bool set(struct ditto_agent_options *options, const char *name, char *value)
{
    static const char *const modes[] = {"record", "replay"};
    static const char *const prunings[] = {"full", "program-order", "none"};
    static const char *const granularities[] = {"field", "object"};
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
    } else if (strcmp(name, "array-states") == 0) {
        options->record.array_states = (unsigned)strtoul(value, NULL, 10);
    } else if (strcmp(name, "order") == 0) {
        options->record.order = value;
    } else if (strcmp(name, "mode") == 0 && choose(value, modes, 2, &choice)) {
        options->replay = choice == 1;
    } else if (strcmp(name, "debug") == 0) {
        options->debug = atoi(value);
    } else if (strcmp(name, "pruning") == 0 && choose(value, prunings, 3, &choice)) {
        options->record.pruning = (enum ditto_pruning)choice;
    } else if (strcmp(name, "granularity") == 0 && choose(value, granularities, 2, &choice)) {
        options->record.granularity = (enum ditto_granularity)choice;
    } else {
        return false;
    }
    return true;
}

bool ditto_agent_options_parse(const char *text, struct ditto_agent_options *options,
                               struct ditto_error *error)
{
    *options = (struct ditto_agent_options){0};
    DITTO_DEBUG(launch, 1, "the agent's options: %s", text ? text : "");
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
