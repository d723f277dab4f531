/* SPDX-License-Identifier: MIT */
/*
 * Every write of a field, as text.  It takes a replay of the whole run, and gdb has no way to
 * interrupt a command of `monitor`: so it can be had in pieces, between which gdb hears its user.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_WRITE_LIST_H
#define DITTO_GDB_PLUGIN_GDB_WRITE_LIST_H

#include "gdb-plugin/gdb/client.h"

/*
 * Begins to list writes, goes on with it, gives up.  With client->pieces the
 * answer comes after half a second at most, and may be how far it is.
 */
bool listing_begin(struct client *client, const struct ditto_watch *watch, const char *name,
                   struct ditto_buf *out);
bool listing_more(struct client *client, struct ditto_buf *out);
void listing_end(struct client *client);

#endif
