/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/control/agent_options.h"

#include <stddef.h>
#include <stdio.h>
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

/* What an option sets: the name that is written is the name that is read. */
static const struct row {
    const char *name;
    enum { TEXT, FLAG, NUMBER, IS_REPLAY } kind;
    size_t offset;
} table[] = {
#define ROW(name, kind, field)                                                                     \
    {                                                                                              \
        name, kind, offsetof(struct ditto_agent_options, field)                                    \
    }
    ROW(DITTO_AGENT_MODE, IS_REPLAY, replay),   ROW(DITTO_AGENT_TRACE, TEXT, trace),
    ROW(DITTO_AGENT_ORDER, TEXT, record.order), ROW(DITTO_AGENT_INCLUDE, TEXT, include),
    ROW(DITTO_AGENT_EXCLUDE, TEXT, exclude),    ROW(DITTO_AGENT_VALUE, TEXT, value),
    ROW(DITTO_AGENT_VERIFY, FLAG, verify),      ROW(DITTO_AGENT_STANDSTILL, FLAG, end_standstill),
    ROW(DITTO_AGENT_DEBUG, NUMBER, debug),      ROW(DITTO_AGENT_DO_WRITES, FLAG, do_writes),
#undef ROW
};

static const struct row *find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static bool is_of_an_order(const char *name)
{
    for (size_t i = 0; ditto_orders[i]; i++)
        for (const struct ditto_order_option *option = ditto_orders[i]->options;
             option && option->name; option++)
            if (strcmp(option->name, name) == 0)
                return true;
    return false;
}

char *ditto_agent_option(char *argument, const char *name, const char *value)
{
    char *text = NULL;
    size_t size = 0;
    DITTO_CHECK(find(name) || is_of_an_order(name), "the agent has no option '%s'", name);
    FILE *out = open_memstream(&text, &size);
    DITTO_CHECK(out, "no memory for an option of the agent");
    fprintf(out, "%s%c%s=", argument, strstr(argument, ".so=") ? ',' : '=', name);
    for (const unsigned char *at = (const unsigned char *)value; *at; at++) {
        if (*at == ',' || *at == '%' || *at < 0x20)
            fprintf(out, "%%%02x", *at);
        else
            fputc(*at, out);
    }
    fclose(out);
    free(argument);
    return text;
}

/* An option that some order has: whether it is the chosen one's, and fits, the engine will say. */
static bool add_choice(struct ditto_agent_options *options, const char *name, const char *value)
{
    size_t count = 0;
    while (options->choices[count].name)
        count++;
    if (count == DITTO_ORDER_OPTIONS || !is_of_an_order(name))
        return false;
    options->choices[count] = (struct ditto_order_choice){name, value};
    return true;
}

static bool set(struct ditto_agent_options *options, const char *name, char *value)
{
    const struct row *row = find(name);
    if (!row)
        return add_choice(options, name, value);
    void *field = (char *)options + row->offset;
    bool replay = strcmp(value, "replay") == 0;
    switch (row->kind) {
    case TEXT:
        memcpy(field, &value, sizeof value);
        return true;
    case FLAG:
        *(bool *)field = true;
        return true;
    case NUMBER:
        *(int *)field = atoi(value);
        return true;
    case IS_REPLAY:
        *(bool *)field = replay;
        return replay || strcmp(value, "record") == 0;
    }
    return false;
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
