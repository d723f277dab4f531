/* SPDX-License-Identifier: MIT */
/* Values and locations in words. */
#ifndef DITTO_GDB_PLUGIN_GDB_VALUE_TEXT_H
#define DITTO_GDB_PLUGIN_GDB_VALUE_TEXT_H

#include "gdb-plugin/gdb/client.h"

/* A value, or a location, in the words of Java. */
void put_value(struct client *client, struct ditto_buf *out, const char *descriptor,
               const struct ditto_value *value);
void put_location(struct client *client, struct ditto_buf *out,
                  const struct ditto_location *location);
/* What a thread does: "running", "waits for the monitor of com.acme.Account@3, held by thread 1
 * \"main\"". */
void put_doing(struct client *client, struct ditto_buf *out, const struct ditto_thread_view *view);
/* "com.acme.Account@3" */
void put_numbered(struct client *client, struct ditto_buf *out, uint64_t object);

#endif
