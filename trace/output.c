/* SPDX-License-Identifier: MIT */
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

/* Fast: the recorded program pays for it.  The gain of level 3 over 1 is a few per cent here. */
enum { COMPRESSION_LEVEL = 1 };

/*
 * A write beyond the file size limit raises SIGXFSZ, whose default is to kill, and the process is
 * the recorded program's.  The signal goes to the writing thread, so it can be held back and taken
 * away there; what remains is EFBIG.
 */
struct held_signal {
    sigset_t before;
};

static void hold_size_signal(struct held_signal *held)
{
    sigset_t size_signal;
    sigemptyset(&size_signal);
    sigaddset(&size_signal, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &size_signal, &held->before);
}

static void release_size_signal(const struct held_signal *held, int result)
{
    if (result == EFBIG && !sigismember(&held->before, SIGXFSZ)) {
        sigset_t size_signal;
        sigemptyset(&size_signal);
        sigaddset(&size_signal, SIGXFSZ);
        sigtimedwait(&size_signal, NULL, &(struct timespec){0});
    }
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
}

/* Returns 0 or an errno. */
static int write_all(int fd, const void *bytes, size_t length, uint64_t offset)
{
    struct held_signal held;
    int result = 0;
    hold_size_signal(&held);
    const char *from = bytes;
    while (length) {
        ssize_t written = pwrite(fd, from, length, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            result = written < 0 ? errno : ENOSPC;
            break;
        }
        from += written;
        offset += (uint64_t)written;
        length -= (size_t)written;
    }
    release_size_signal(&held, result);
    return result;
}

/* The program may change its directory before the trace is sealed. */
static char *absolute(const char *path)
{
    char *whole = NULL;
    char *directory = path[0] == '/' ? NULL : getcwd(NULL, 0);
    if (!directory)
        return strdup(path);
    if (asprintf(&whole, "%s/%s", directory, path) < 0)
        whole = NULL;
    free(directory);
    return whole;
}

bool ditto_output_init(struct ditto_output *output, int fd, const char *path,
                       const struct ditto_file_header *header, struct ditto_error *error)
{
    *output = (struct ditto_output){.fd = fd, .header = *header};
    atomic_init(&output->end, sizeof *header);
    int result = write_all(fd, header, sizeof *header, 0);
    if (result) {
        ditto_error_system(error, path, "write the trace", result);
        return false;
    }
    output->path = absolute(path);
    if (!output->path) {
        ditto_error_system(error, path, "write the trace", ENOMEM);
        return false;
    }
    pthread_mutex_init(&output->contexts_lock, NULL);
    return true;
}

void ditto_output_destroy(struct ditto_output *output)
{
    for (unsigned i = 0; i < output->contexts_count; i++)
        ZSTD_freeCCtx(output->contexts[i]);
    pthread_mutex_destroy(&output->contexts_lock);
    free(output->path);
    close(output->fd);
}

static ZSTD_CCtx *take_context(struct ditto_output *output)
{
    ZSTD_CCtx *context = NULL;
    pthread_mutex_lock(&output->contexts_lock);
    if (output->contexts_count)
        context = output->contexts[--output->contexts_count];
    pthread_mutex_unlock(&output->contexts_lock);
    return context ? context : ZSTD_createCCtx();
}

static void return_context(struct ditto_output *output, ZSTD_CCtx *context)
{
    pthread_mutex_lock(&output->contexts_lock);
    if (output->contexts_count < DITTO_OUTPUT_CONTEXTS) {
        output->contexts[output->contexts_count++] = context;
        context = NULL;
    }
    pthread_mutex_unlock(&output->contexts_lock);
    ZSTD_freeCCtx(context);
}

/* Compresses into frames, one for each part, each with tables of its own; 0 if it does not pay. */
static size_t compress(struct ditto_output *output, uint8_t *to, size_t room, const uint8_t *bytes,
                       const uint32_t *parts, unsigned count)
{
    ZSTD_CCtx *context = take_context(output);
    size_t total = 0;
    bool good = context != NULL;
    for (unsigned i = 0; good && i < count; i++) {
        size_t packed = ZSTD_compressCCtx(context, to + total, room - total, bytes, parts[i],
                                          COMPRESSION_LEVEL);
        good = !ZSTD_isError(packed);
        total += good ? packed : 0;
        bytes += parts[i];
    }
    return_context(output, context);
    return good ? total : 0;
}

static size_t compress_columns(struct ditto_output *output, uint8_t *to, size_t room,
                               const struct ditto_chunk *chunk)
{
    struct ditto_column_lengths lengths;
    uint8_t *columns = malloc(sizeof lengths + chunk->length);
    if (!columns)
        return 0;
    chunk->split(chunk->bytes, chunk->length, columns + sizeof lengths, &lengths);
    memcpy(columns, &lengths, sizeof lengths);
    lengths.length[0] += sizeof lengths;
    size_t packed = compress(output, to, room, columns, lengths.length, DITTO_COLUMNS);
    free(columns);
    return packed;
}

/* Fills in what the header says of the payload, which it writes to `stored`. */
static void pack(struct ditto_output *output, const struct ditto_chunk *chunk, uint8_t *stored,
                 struct ditto_chunk_header *header)
{
    /* Below these a frame's header and tables eat what it saves. */
    enum { WORTH_PACKING = 64, WORTH_SPLITTING = 1024 };
    const uint32_t length = (uint32_t)chunk->length;
    size_t packed = 0;
    header->coding = DITTO_CODING_RAW;
    header->raw_length = length;
    if (chunk->split && length >= WORTH_SPLITTING) {
        packed = compress_columns(output, stored, length - 1, chunk);
        header->coding = DITTO_CODING_COLUMNS;
        header->raw_length = length + (uint32_t)sizeof(struct ditto_column_lengths);
    }
    if (!packed && length >= WORTH_PACKING) {
        packed = compress(output, stored, length - 1, chunk->bytes, &length, 1);
        header->coding = DITTO_CODING_ZSTD;
        header->raw_length = length;
    }
    if (!packed) {
        memcpy(stored, chunk->bytes, length);
        header->coding = DITTO_CODING_RAW;
        packed = length;
    }
    header->stored_length = (uint32_t)packed;
}

static uint64_t padded(uint64_t length)
{
    return (length + DITTO_CHUNK_ALIGNMENT - 1) & ~(uint64_t)(DITTO_CHUNK_ALIGNMENT - 1);
}

/* `image` is the header, the stored bytes and zeros up to the padded length. */
static bool append(struct ditto_output *output, const void *image, uint64_t length,
                   struct ditto_error *error)
{
    uint64_t offset = atomic_fetch_add_explicit(&output->end, length, memory_order_relaxed);
    int result = write_all(output->fd, image, length, offset);
    if (result)
        ditto_error_system(error, output->path, "write the trace", result);
    return result == 0;
}

bool ditto_output_chunk(struct ditto_output *output, const struct ditto_chunk *chunk,
                        struct ditto_error *error)
{
    uint8_t *image = malloc(sizeof(struct ditto_chunk_header) + padded(chunk->length));
    if (!image) {
        ditto_error_system(error, output->path, "write the trace", ENOMEM);
        return false;
    }
    uint8_t *stored = image + sizeof(struct ditto_chunk_header);
    const uint64_t trace_id = output->header.trace_id;
    struct ditto_chunk_header header = {
        .magic = DITTO_CHUNK_MAGIC,
        .kind = DITTO_CHUNK_DATA,
        .stream = (uint8_t)chunk->stream,
        .replay_id = chunk->replay_id,
        .sequence = chunk->sequence,
        .tail = chunk->tail,
    };
    pack(output, chunk, stored, &header);
    header.payload_checksum = ditto_payload_checksum(stored, header.stored_length, trace_id);
    header.header_checksum = ditto_chunk_header_checksum(&header, trace_id);
    memcpy(image, &header, sizeof header);
    uint64_t whole = padded(header.stored_length);
    memset(stored + header.stored_length, 0, whole - header.stored_length);
    bool written = append(output, image, sizeof header + whole, error);
    free(image);
    return written;
}

bool ditto_output_packed(struct ditto_output *output, const struct ditto_chunk_header *header,
                         const void *stored, struct ditto_error *error)
{
    uint64_t length = sizeof *header + padded(header->stored_length);
    uint8_t *image = calloc(1, length);
    if (!image) {
        ditto_error_system(error, output->path, "write the trace", ENOMEM);
        return false;
    }
    memcpy(image, header, sizeof *header);
    memcpy(image + sizeof *header, stored, header->stored_length);
    bool written = append(output, image, length, error);
    free(image);
    return written;
}

uint64_t ditto_output_claim(struct ditto_output *output, uint64_t size, uint64_t alignment,
                            struct ditto_error *error)
{
    uint64_t before = atomic_load_explicit(&output->end, memory_order_relaxed);
    uint64_t offset;
    do {
        offset = (before + alignment - 1) / alignment * alignment;
    } while (!atomic_compare_exchange_weak_explicit(&output->end, &before, offset + size,
                                                    memory_order_relaxed, memory_order_relaxed));
    struct held_signal held;
    hold_size_signal(&held);
    int result;
    do {
        result = posix_fallocate(output->fd, (off_t)offset, (off_t)size);
    } while (result == EINTR);
    release_size_signal(&held, result);
    if (result) {
        ditto_error_system(error, output->path, "write the trace", result);
        return 0;
    }
    return offset;
}

bool ditto_output_seal(struct ditto_output *output, struct ditto_error *error)
{
    output->header.sealed_length = atomic_load_explicit(&output->end, memory_order_relaxed);
    output->header.checksum = ditto_file_header_checksum(&output->header);
    int result = write_all(output->fd, &output->header, sizeof output->header, 0);
    if (result)
        ditto_error_system(error, output->path, "write the trace", result);
    return result == 0;
}
