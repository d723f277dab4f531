/* SPDX-License-Identifier: MIT */
/* What is looked for, as a replay is asked for it. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_REQUESTS_H
#define DITTO_GDB_PLUGIN_MACHINE_REQUESTS_H

#include "gdb-plugin/machine/state.h"

/* The watches and breakpoints of a move as the message has them; to be freed. */
void request_fill(struct ditto_machine *machine, const struct ditto_go *go,
                  struct ditto_message_go *request);
void request_free(struct ditto_message_go *request);

#endif
