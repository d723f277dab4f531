/* SPDX-License-Identifier: MIT */
/*
 * The agent's options: what follows -agentpath:...libditto-jvm.so=.
 *
 * They are written by `ditto record` and `ditto replay`, not by people: NAME=VALUE, separated by
 * commas, where a comma, a percent sign or a control character in a value is %XX.
 */
#ifndef DITTO_JVM_BRIDGE_CONTROL_AGENT_OPTIONS_H
#define DITTO_JVM_BRIDGE_CONTROL_AGENT_OPTIONS_H

#include <stdbool.h>

#include "core/ditto.h"
#include "core/orders/order.h"

/* Their names; beside them there are those of the orders' own options (core/orders/order.h). */
#define DITTO_AGENT_MODE       "mode" /* "record" or "replay" */
#define DITTO_AGENT_TRACE      "trace"
#define DITTO_AGENT_ORDER      "order"
#define DITTO_AGENT_INCLUDE    "include"
#define DITTO_AGENT_EXCLUDE    "exclude"
#define DITTO_AGENT_VALUE      "value"
#define DITTO_AGENT_VERIFY     "verify"
#define DITTO_AGENT_STANDSTILL "standstill"
#define DITTO_AGENT_DEBUG      "debug"
#define DITTO_AGENT_DO_WRITES  "do-writes"

struct ditto_agent_options {
    bool replay;
    char *trace;
    bool verify;
    bool end_standstill; /* recording: a program that stands still is ended */
    int debug;           /* replaying: the descriptor of a debugger's socket; 0: none */
    bool do_writes;      /* replaying: files are written, too */
    /* Recording only; a replay takes them from the trace. Patterns are separated by newlines. */
    char *include, *exclude;
    char *value;                        /* methods whose results are inputs */
    struct ditto_record_options record; /* its choices are those below */
    struct ditto_order_choice choices[DITTO_ORDER_OPTIONS + 1];
};

/*
 * Adds ",NAME=VALUE" to the argument -agentpath:..., or "=NAME=VALUE" for the first, and returns
 * the new one; the old one is freed.  The agent must know the name; options that are there or not
 * have any value.
 */
char *ditto_agent_option(char *argument, const char *name, const char *value);

/* `text` may be NULL.  The strings of `options` live as long as the process. */
bool ditto_agent_options_parse(const char *text, struct ditto_agent_options *options,
                               struct ditto_error *error);

#endif
