/* SPDX-License-Identifier: MIT */
/* What a packet is made of, and the reply to it. */
#ifndef DITTO_GDB_PLUGIN_GDB_REPLY_H
#define DITTO_GDB_PLUGIN_GDB_REPLY_H

#include "core/base/arena.h"

/* The reply to a packet, in the making.  Texts and bytes; rsp escapes them. */
struct reply {
    struct ditto_buf bytes;
    bool none; /* the packet has none */
};

void reply_text(struct reply *reply, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reply_hex(struct reply *reply, const uint8_t *bytes, size_t length);

/* A hexadecimal number, or a byte, at the beginning of the text, which moves on; false if it is not
 * there. */
bool packet_hex(const char **at, uint64_t *number);
bool packet_take(const char **at, char byte);

#endif
