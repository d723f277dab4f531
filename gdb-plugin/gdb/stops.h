/* SPDX-License-Identifier: MIT */
/* Stops, in the words of gdb's protocol. */
#ifndef DITTO_GDB_PLUGIN_GDB_STOPS_H
#define DITTO_GDB_PLUGIN_GDB_STOPS_H

#include "gdb-plugin/gdb/aim.h"

/* Makes client->stop say that thread is where it is. */
void describe_thread(struct client *client, int signal, uint32_t thread, const char *reason);

/* The stop that gdb is told of. */
void describe_stop(struct client *client, const struct aim *aim, const struct outcome *outcome);

#endif
