/* SPDX-License-Identifier: MIT */
/*
 * The end of a trace file at which finished chunks are appended, by any thread.  Internal to
 * trace/: the writer and the sealer stand on it.
 */
#ifndef DITTO_TRACE_OUTPUT_H
#define DITTO_TRACE_OUTPUT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"
#include "trace/format.h"
#include "trace/stream.h"

enum { DITTO_OUTPUT_CONTEXTS = 8 };

struct ditto_output {
    int fd;
    char *path; /* absolute where it could be found out, owned */
    struct ditto_file_header header;
    _Atomic uint64_t end; /* where the next chunk goes; claimed by adding to it */
    /* Idle compression contexts, so that a thread that finishes a chunk need not make one. */
    pthread_mutex_t contexts_lock;
    void *contexts[DITTO_OUTPUT_CONTEXTS];
    unsigned contexts_count;
};

/* Takes over `fd` and a copy of `path`.  Writes the header.  On failure the fd is not closed. */
bool ditto_output_init(struct ditto_output *output, int fd, const char *path,
                       const struct ditto_file_header *header, struct ditto_error *error);

/* Frees what init made; closes the fd. */
void ditto_output_destroy(struct ditto_output *output);

/* A finished piece of a stream. */
struct ditto_chunk {
    enum ditto_stream_kind stream;
    uint32_t replay_id;
    uint32_t sequence;
    uint32_t tail;
    const uint8_t *bytes;
    size_t length;
    ditto_split_fn *split; /* NULL: it stays as it is */
};

/* Appends one finished chunk, compressed if that makes it smaller. */
bool ditto_output_chunk(struct ditto_output *output, const struct ditto_chunk *chunk,
                        struct ditto_error *error);

/* Appends a chunk that is packed and checksummed already. */
bool ditto_output_packed(struct ditto_output *output, const struct ditto_chunk_header *header,
                         const void *stored, struct ditto_error *error);

/*
 * Claims `size` bytes at a multiple of `alignment` and makes the file system promise the blocks, so
 * that a store through a mapping does not fail later (a copy-on-write file system promises less).
 * Returns the offset, or 0 on failure.
 */
uint64_t ditto_output_claim(struct ditto_output *output, uint64_t size, uint64_t alignment,
                            struct ditto_error *error);

/* Writes the file's length into the header: the trace is complete as it is. */
bool ditto_output_seal(struct ditto_output *output, struct ditto_error *error);

#endif
