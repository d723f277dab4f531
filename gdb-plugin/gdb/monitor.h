/* SPDX-License-Identifier: MIT */
/* The commands of `monitor`: all that the plugin can do, for a gdb without it, too. */
#ifndef DITTO_GDB_PLUGIN_GDB_MONITOR_H
#define DITTO_GDB_PLUGIN_GDB_MONITOR_H

#include "gdb-plugin/gdb/client.h"

/* What it prints is in `out`; false if the command failed, and why is there. */
bool monitor_command(struct client *client, char *line, struct ditto_buf *out);

#endif
