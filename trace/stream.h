/* SPDX-License-Identifier: MIT */
/* The streams of a trace.  A stream is a sequence of bytes that its owner's encoding gives sense.
 */
#ifndef DITTO_TRACE_STREAM_H
#define DITTO_TRACE_STREAM_H

#include <stdint.h>

enum ditto_stream_kind {
    DITTO_STREAM_META = 0,   /* one for the trace, replay id DITTO_NO_THREAD */
    DITTO_STREAM_MEMORY = 1, /* a thread's constraints on loads and stores */
    DITTO_STREAM_SYNC = 2,   /* a thread's constraints on acquisitions */
    DITTO_STREAM_VALUE = 3,  /* a thread's inputs */
    DITTO_STREAM_KINDS
};

#define DITTO_NO_THREAD UINT32_MAX

/* "metadata", "memory", "sync", "value". */
const char *ditto_stream_name(enum ditto_stream_kind kind);

#endif
