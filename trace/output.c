/* SPDX-License-Identifier: MIT */
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
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
    /* The program may change its directory before the trace is sealed. */
    output->path = realpath(path, NULL);
    if (!output->path)
        output->path = strdup(path);
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

/* Returns the packed length, or 0 where packing does not pay or could not be done. */
static size_t pack(struct ditto_output *output, void *to, size_t room, const void *bytes,
                   size_t length)
{
    /* Below this a frame's own header and tables eat what it saves. */
    enum { WORTH_PACKING = 64 };
    if (length < WORTH_PACKING)
        return 0;
    ZSTD_CCtx *context = take_context(output);
    if (!context)
        return 0;
    size_t packed = ZSTD_compressCCtx(context, to, room, bytes, length, COMPRESSION_LEVEL);
    return_context(output, context);
    return ZSTD_isError(packed) || packed >= length ? 0 : packed;
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

bool ditto_output_chunk(struct ditto_output *output, enum ditto_stream_kind stream,
                        uint32_t replay_id, uint32_t sequence, uint32_t tail, const void *bytes,
                        size_t length, struct ditto_error *error)
{
    uint8_t *image = malloc(sizeof(struct ditto_chunk_header) + padded(length));
    if (!image) {
        ditto_error_system(error, output->path, "write the trace", ENOMEM);
        return false;
    }
    uint8_t *stored = image + sizeof(struct ditto_chunk_header);
    size_t packed = pack(output, stored, length, bytes, length);
    if (!packed)
        memcpy(stored, bytes, length);
    size_t stored_length = packed ? packed : length;
    struct ditto_chunk_header header = {
        .magic = DITTO_CHUNK_MAGIC,
        .kind = DITTO_CHUNK_DATA,
        .stream = (uint8_t)stream,
        .coding = packed ? DITTO_CODING_ZSTD : DITTO_CODING_RAW,
        .replay_id = replay_id,
        .sequence = sequence,
        .stored_length = (uint32_t)stored_length,
        .raw_length = (uint32_t)length,
        .tail = tail,
        .payload_checksum = ditto_payload_checksum(stored, stored_length, output->header.trace_id),
    };
    header.header_checksum = ditto_chunk_header_checksum(&header, output->header.trace_id);
    memcpy(image, &header, sizeof header);
    memset(stored + stored_length, 0, padded(stored_length) - stored_length);
    bool written = append(output, image, sizeof header + padded(stored_length), error);
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
