/* SPDX-License-Identifier: MIT */
/* Packets that hand out documents and files, and what they share with the others. */
#ifndef DITTO_GDB_PLUGIN_GDB_DOCUMENTS_H
#define DITTO_GDB_PLUGIN_GDB_DOCUMENTS_H

#include "gdb-plugin/gdb/client.h"

void files_features(struct session *session, const char *packet, struct reply *reply);
void files_threads(struct session *session, const char *packet, struct reply *reply);
void files_exec_file(struct session *session, const char *packet, struct reply *reply);
void files_first_threads(struct session *session, const char *packet, struct reply *reply);
void files_more_threads(struct session *session, const char *packet, struct reply *reply);
void files_thread_extra(struct session *session, const char *packet, struct reply *reply);
void files_vfile(struct session *session, const char *packet, struct reply *reply);

/* A hexadecimal number, or a byte, at the beginning of the text, which moves on; false if it is not
 * there. */
bool packet_hex(const char **at, uint64_t *number);
bool packet_take(const char **at, char byte);

#endif
