/* SPDX-License-Identifier: MIT */
/*
 * Writing a trace while the program runs.
 *
 * Every thread of the recorded program owns its streams and appends to them without a lock: bytes
 * go into the stream's open chunk, a slot of the file that is mapped shared, and one 64-bit store
 * makes them count.  What has been committed is in the file whatever happens to the process next.
 * A full slot is compressed and appended to the file by the thread that filled it, and the slot is
 * used again.
 *
 * A failure (a full disk, say) stops the recording, never the program: the stop flag
 * is set, ditto_stream_room() is false, and what was recorded until then stays in the file.
 */
#ifndef DITTO_TRACE_WRITER_H
#define DITTO_TRACE_WRITER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"
#include "trace/metadata.h"
#include "trace/stream.h"

struct ditto_writer;
struct ditto_slot;

struct ditto_writer_options {
    uint32_t slot_size; /* 0: the default */
    /* Called once, from the thread that met it, when the recording has to stop. May be NULL. */
    void (*on_failure)(void *context, const struct ditto_error *error);
    void *context;
};

/*
 * Creates the file.  An existing file of that name is replaced by a new one, not overwritten: who
 * still reads the old one keeps it.  NULL on failure.
 */
struct ditto_writer *ditto_writer_create(const char *path,
                                         const struct ditto_writer_options *options,
                                         struct ditto_error *error);

/*
 * Ends the writing.  With every stream closed the trace is also sealed: rewritten without the
 * slots' room, or marked as complete where it is.  Streams that are still open, since their threads
 * still run, take nothing more; they stay readable in their slots.  False if the recording stopped
 * early or the trace could not be sealed; it is readable all the same.
 */
bool ditto_writer_close(struct ditto_writer *writer, struct ditto_error *error);

/* Frees a writer that was closed, or never used; all its streams must be closed. */
void ditto_writer_free(struct ditto_writer *writer);

/* Stops the recording at once; the first caller's reason is the one that is kept. */
void ditto_writer_stop(struct ditto_writer *writer, const struct ditto_error *reason);

/* Appends a metadata record (trace/metadata.h).  Takes a lock; not for hot paths. */
bool ditto_writer_meta(struct ditto_writer *writer, const struct ditto_meta *record);

/* A thread's end of a stream.  Fields are for the inline functions below. */
struct ditto_stream {
    struct ditto_writer *writer;
    struct ditto_slot *slot; /* NULL until the first byte, and after closing */
    _Atomic uint64_t *word;
    uint8_t *bytes;
    uint32_t used;
    uint32_t capacity;
    uint32_t tail;
    uint32_t sequence;
    uint32_t replay_id;
    enum ditto_stream_kind kind;
    ditto_split_fn *split;
    bool failed; /* its last append did; the slot keeps what was in it */
};

/* `split` parts finished chunks into columns, and may be NULL. */
void ditto_stream_init(struct ditto_stream *stream, struct ditto_writer *writer,
                       enum ditto_stream_kind kind, uint32_t replay_id, ditto_split_fn *split);

/* Finishes the open chunk and gives the slot back.  The stream must not be used afterwards. */
void ditto_stream_close(struct ditto_stream *stream);

/* The slow half of ditto_stream_room(): finishes the open chunk and begins the next. */
bool ditto_stream_turn(struct ditto_stream *stream);

/*
 * Makes room for `length` bytes, at most a few dozen, in the open chunk.  It may begin a new chunk;
 * then `used` and `tail` are 0.  May compress and write, so call it before taking any lock.  False
 * when the recording has stopped.
 */
static inline bool ditto_stream_room(struct ditto_stream *stream, uint32_t length)
{
    if (stream->capacity - stream->used >= length && stream->tail != UINT32_MAX)
        return true;
    return ditto_stream_turn(stream);
}

/*
 * Makes everything up to `used`, and the tail, part of the trace.  Program order of one thread's
 * commits, and the order in which threads hand locks to each other, is the order in which they
 * reach the file: all of them are stores to one shared mapping.
 */
static inline void ditto_stream_commit(struct ditto_stream *stream)
{
    atomic_store_explicit(stream->word, (uint64_t)stream->tail << 32 | stream->used,
                          memory_order_release);
}

/* Appends and commits one record of any length up to DITTO_RECORD_MAX, as a whole or not at all. */
bool ditto_stream_append(struct ditto_stream *stream, const void *bytes, size_t length);

/* The longest record that ditto_stream_append() takes. */
enum { DITTO_RECORD_MAX = 16 * 1024 * 1024 };

/*
 * True once the recording has stopped; readable for as long as a stream of the writer is open.
 * Relaxed loads are enough where the flag is looked at under the lock that orders the event: who
 * leaves an event out lets go of that lock afterwards, so whoever depends on the event sees the
 * flag too (a read that happens after another read of the same atomic cannot see an older value).
 */
const _Atomic bool *ditto_writer_stop_flag(const struct ditto_writer *writer);

static inline bool ditto_stop_flag_is_set(const _Atomic bool *flag)
{
    return __builtin_expect(atomic_load_explicit(flag, memory_order_relaxed), 0);
}

/*
 * Around fork(), in this order, so that no lock is left held in the child.  The child must not use
 * the writer otherwise: the mappings that it inherits are the parent's trace.
 */
void ditto_writer_before_fork(struct ditto_writer *writer);
void ditto_writer_after_fork(struct ditto_writer *writer);

#endif
