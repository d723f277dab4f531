/* SPDX-License-Identifier: MIT */
/* Packets that hand out documents and files. */
#ifndef DITTO_GDB_PLUGIN_GDB_DOCUMENTS_H
#define DITTO_GDB_PLUGIN_GDB_DOCUMENTS_H

#include "gdb-plugin/gdb/client.h"
#include "gdb-plugin/gdb/reply.h"

void files_features(struct client *client, const char *packet, struct reply *reply);
void files_threads(struct client *client, const char *packet, struct reply *reply);
void files_exec_file(struct client *client, const char *packet, struct reply *reply);
void files_first_threads(struct client *client, const char *packet, struct reply *reply);
void files_more_threads(struct client *client, const char *packet, struct reply *reply);
void files_thread_extra(struct client *client, const char *packet, struct reply *reply);
void files_vfile(struct client *client, const char *packet, struct reply *reply);

#endif
