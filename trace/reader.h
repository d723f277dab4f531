/* SPDX-License-Identifier: MIT */
/*
 * Reading a trace, whole or cut short, and trusting none of its bytes.
 *
 * Opening looks at the chunk headers only; a chunk's bytes are read, checked and unpacked when a
 * cursor comes to it.  Threads may read different cursors of one reader at the same time.
 */
#ifndef DITTO_TRACE_READER_H
#define DITTO_TRACE_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"
#include "trace/metadata.h"
#include "trace/stream.h"

struct ditto_reader;

/*
 * NULL on failure: not a trace, a newer version, or a file that cannot be read.  A damaged or
 * truncated trace opens, so that one can look at what is left; its info says what is wrong.
 */
struct ditto_reader *ditto_reader_open(const char *path, struct ditto_error *error);

/* The same for an open file; the reader takes over the descriptor, also when it fails. */
struct ditto_reader *ditto_reader_open_fd(int fd, const char *path, struct ditto_error *error);

void ditto_reader_close(struct ditto_reader *reader);

struct ditto_trace_info {
    const char *path;
    uint32_t version;
    uint64_t trace_id;
    uint64_t created;                    /* nanoseconds since 1970, UTC */
    uint64_t length;                     /* of the file */
    uint64_t chunks;                     /* that hold data, the open ones included */
    uint64_t stored[DITTO_STREAM_KINDS]; /* bytes in the file by stream, headers apart */
    uint64_t raw[DITTO_STREAM_KINDS];    /* the same unpacked */
    uint64_t open_chunks;                /* of threads that had not ended */
    uint64_t torn_chunks;                /* begun when the process died; their bytes are in slots */
    bool sealed;                         /* closed in good order */
    uint64_t damage_count;               /* things that are wrong, as far as opening can see */
    const char *damage;                  /* the first of them, or NULL */
    enum ditto_ending ending;
    const char *ending_text;
};

const struct ditto_trace_info *ditto_reader_info(const struct ditto_reader *reader);

/* A thread of the trace.  `ended` is false for one that had not ended when the recording did. */
struct ditto_thread_info {
    uint32_t replay_id;
    uint32_t parent; /* DITTO_NO_THREAD for the first, and where its beginning is not recorded */
    const char *name;
    uint64_t start_clock;
    bool started; /* its beginning is recorded */
    bool ended;
    uint64_t end_clock; /* this and the rest only if it ended */
    uint64_t memory_events;
    uint64_t sync_events;
    uint64_t values;
};

/* The threads in the order of their replay ids. */
size_t ditto_reader_thread_count(const struct ditto_reader *reader);
const struct ditto_thread_info *ditto_reader_thread(const struct ditto_reader *reader,
                                                    size_t index);

/* NULL when the trace has no such thread. */
const struct ditto_thread_info *ditto_reader_find_thread(const struct ditto_reader *reader,
                                                         uint32_t replay_id);

/* Properties in the order they were written; one that was written twice is here once, the last. */
size_t ditto_reader_property_count(const struct ditto_reader *reader);
void ditto_reader_property_at(const struct ditto_reader *reader, size_t index, const char **name,
                              const char **value);

/* NULL when there is none of that name. */
const char *ditto_reader_property(const struct ditto_reader *reader, const char *name);

/* Goes through the chunks of one stream. */
struct ditto_cursor {
    const struct ditto_reader *reader;
    uint32_t replay_id;
    enum ditto_stream_kind kind;
    size_t next, end;     /* in the reader's index */
    uint32_t sequence;    /* of the next chunk */
    const uint8_t *bytes; /* of the present chunk, until the next step */
    size_t length;
    uint32_t tail;
    bool columns;    /* the bytes are column lengths and columns: see trace/stream.h */
    uint8_t *buffer; /* owned */
};

void ditto_cursor_init(struct ditto_cursor *cursor, const struct ditto_reader *reader,
                       enum ditto_stream_kind kind, uint32_t replay_id);
void ditto_cursor_destroy(struct ditto_cursor *cursor);

/* 1: a chunk is there.  0: the stream is at its end.  -1: damage; the cursor stays before it. */
int ditto_cursor_step(struct ditto_cursor *cursor, struct ditto_error *error);

#endif
