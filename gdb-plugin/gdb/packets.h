/* SPDX-License-Identifier: MIT */
/* The packets of gdb: what each means. */
#ifndef DITTO_GDB_PLUGIN_GDB_PACKETS_H
#define DITTO_GDB_PLUGIN_GDB_PACKETS_H

#include "gdb-plugin/gdb/client.h"

/* Does what a packet asks, and replies. */
void packets_handle(struct client *client, char *packet, size_t length);

#endif
