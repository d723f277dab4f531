/* SPDX-License-Identifier: MIT */
/*
 * Packets of gdb's remote protocol over a pair of file descriptors: framing, checksums, escapes,
 * acknowledgements.  What a packet means is none of its business.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_RSP_H
#define DITTO_GDB_PLUGIN_GDB_RSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_PACKET_SIZE = 0x4000, /* what we tell gdb: the longest packet, without its frame */
};

enum wire_event {
    WIRE_PACKET,
    WIRE_INTERRUPT, /* gdb's Ctrl-C */
    WIRE_CLOSED,    /* gdb has gone */
};

struct wire;

/* The descriptors stay the caller's.  When a signal comes and `must_end` says so, gdb has gone. */
struct wire *wire_make(int in, int out, bool (*must_end)(void));
void wire_free(struct wire *wire);

/* Waits for what comes next.  A packet ends with a zero byte that is not counted and is valid until
 * the next call. */
enum wire_event wire_next(struct wire *wire, char **packet, size_t *length);

/* Sends a packet; what needs an escape gets one. */
void wire_send(struct wire *wire, const void *packet, size_t length);

/* From the next packet on nothing is acknowledged any more. */
void wire_stop_acks(struct wire *wire);

/*
 * Between these two calls another thread reads what gdb sends, and calls `interrupt` from there for
 * a Ctrl-C, or when gdb has gone, again and again until the second call.  The second returns which
 * of them it was, if any: WIRE_PACKET stands for nothing.
 */
void wire_watch(struct wire *wire, void (*interrupt)(void *context), void *context);
enum wire_event wire_unwatch(struct wire *wire);

#endif
