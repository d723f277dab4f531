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

/* `text` may be NULL.  The strings of `options` live as long as the process. */
bool ditto_agent_options_parse(const char *text, struct ditto_agent_options *options,
                               struct ditto_error *error);

#endif
