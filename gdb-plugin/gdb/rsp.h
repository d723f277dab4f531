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
    RSP_PACKET_SIZE = 0x4000, /* what we tell gdb: the longest packet, without its frame */
};

enum rsp_event {
    RSP_PACKET,
    RSP_INTERRUPT, /* gdb's Ctrl-C */
    RSP_CLOSED,    /* gdb has gone */
};

struct rsp;

/* The descriptors stay the caller's.  When a signal comes and `must_end` says so, gdb has gone. */
struct rsp *rsp_make(int in, int out, bool (*must_end)(void));
void rsp_free(struct rsp *rsp);

/* Waits for what comes next.  A packet ends with a zero byte that is not counted and is valid until
 * the next call. */
enum rsp_event rsp_next(struct rsp *rsp, char **packet, size_t *length);

/* Sends a packet; what needs an escape gets one. */
void rsp_send(struct rsp *rsp, const void *packet, size_t length);

/* From the next packet on nothing is acknowledged any more. */
void rsp_stop_acks(struct rsp *rsp);

/*
 * Between these two calls another thread reads what gdb sends, and calls `interrupt` from there for
 * a Ctrl-C, or when gdb has gone, again and again until the second call.  The second returns which
 * of them it was, if any: RSP_PACKET stands for nothing.
 */
void rsp_watch(struct rsp *rsp, void (*interrupt)(void *context), void *context);
enum rsp_event rsp_unwatch(struct rsp *rsp);

#endif
