/* SPDX-License-Identifier: MIT */
/* The streams of a trace.  A stream is a sequence of bytes that its owner's encoding gives sense.
 */
#ifndef DITTO_TRACE_STREAM_H
#define DITTO_TRACE_STREAM_H

#include <stddef.h>
#include <stdint.h>

enum ditto_stream_kind {
    DITTO_STREAM_META = 0,   /* one for the trace, replay id DITTO_NO_THREAD */
    DITTO_STREAM_MEMORY = 1, /* a thread's constraints on loads and stores */
    DITTO_STREAM_SYNC = 2,   /* a thread's constraints on acquisitions */
    DITTO_STREAM_VALUE = 3,  /* a thread's inputs */
    DITTO_STREAM_KINDS
};

#define DITTO_NO_THREAD UINT32_MAX

/*
 * A finished chunk packs better when bytes of one sort stand together.  The owner of a stream may
 * know how to part its bytes into columns; it then knows how to put them together again, and the
 * reader of the stream has to ask for that.  A chunk in columns begins with their lengths.
 */
enum { DITTO_COLUMNS = 4 };

struct ditto_column_lengths {
    uint32_t length[DITTO_COLUMNS];
};

/* Writes the columns of `length` bytes, as many bytes, one after the other. */
typedef void ditto_split_fn(const uint8_t *bytes, size_t length, uint8_t *columns,
                            struct ditto_column_lengths *lengths);

/* "metadata", "memory", "sync", "value". */
const char *ditto_stream_name(enum ditto_stream_kind kind);

#endif
