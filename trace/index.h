/* SPDX-License-Identifier: MIT */
/*
 * Where the chunks of a trace file are: the result of one walk over its headers, with what a dying
 * process leaves behind sorted out and everything else that is odd noted as damage.  Internal to
 * trace/.
 */
#ifndef DITTO_TRACE_INDEX_H
#define DITTO_TRACE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"
#include "trace/format.h"
#include "trace/stream.h"

struct ditto_chunk_ref {
    uint64_t offset;                  /* of the payload */
    struct ditto_chunk_header header; /* for an open chunk made up from the slot's control block */
    bool open;
};

struct ditto_index {
    int fd;
    const char *path;
    uint64_t length; /* of the file */
    struct ditto_file_header header;
    struct ditto_chunk_ref *chunks; /* sorted: metadata first, then thread, stream, sequence */
    size_t count;
    uint64_t torn;
    uint64_t damage_count;
    struct ditto_error damage; /* the first */
};

/* False, with nothing to destroy, if this is no trace that can be read at all. */
bool ditto_index_build(struct ditto_index *index, int fd, const char *path,
                       struct ditto_error *error);
void ditto_index_destroy(struct ditto_index *index);

/* Notes damage; the first text is kept.  It says what to do, too: most often this. */
#define DITTO_GET_AGAIN "; get the file again"
void ditto_index_damage(struct ditto_index *index, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The half-open range of a stream's chunks. */
void ditto_index_find(const struct ditto_index *index, enum ditto_stream_kind kind,
                      uint32_t replay_id, size_t *begin, size_t *end);

/*
 * Reads a chunk's stored bytes into a new buffer, checked unless it is open.  NULL on damage.  An
 * empty chunk gives a buffer too.  The error's text says which chunk, not which file.
 */
uint8_t *ditto_index_load(const struct ditto_index *index, const struct ditto_chunk_ref *chunk,
                          struct ditto_error *error);

/* "thread 3's memory stream" or "the metadata", for messages. */
const char *ditto_stream_label(char *buffer, size_t size, unsigned stream, uint32_t replay_id);

#endif
