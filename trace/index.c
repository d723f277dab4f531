/* SPDX-License-Identifier: MIT */
#include "trace/index.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ditto_index_damage(struct ditto_index *index, const char *format, ...)
{
    if (index->damage_count++)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(index->damage.text, sizeof index->damage.text, format, arguments);
    va_end(arguments);
}

const char *ditto_stream_label(char *buffer, size_t size, unsigned stream, uint32_t replay_id)
{
    if (stream == DITTO_STREAM_META)
        snprintf(buffer, size, "the metadata");
    else
        snprintf(buffer, size, "thread %" PRIu32 "'s %s stream", replay_id,
                 ditto_stream_name((enum ditto_stream_kind)stream));
    return buffer;
}

/* Reads exactly `length` bytes.  Returns 0, an errno, or -1 if the file ends first. */
static int read_exactly(int fd, void *to, size_t length, uint64_t offset)
{
    char *at = to;
    while (length) {
        ssize_t got = pread(fd, at, length, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            return -1;
        at += got;
        offset += (uint64_t)got;
        length -= (size_t)got;
    }
    return 0;
}

#define A_TRACE "name a file that Ditto has recorded"

static bool read_file_header(struct ditto_index *index, struct ditto_error *error)
{
    struct stat status;
    const char *path = index->path;
    if (fstat(index->fd, &status)) {
        ditto_error_system(error, path, "read the trace", errno);
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        ditto_error_set(error, "%s: not a Ditto trace: it is not a regular file; " A_TRACE, path);
        return false;
    }
    index->length = (uint64_t)status.st_size;
    struct ditto_file_header *header = &index->header;
    int result = read_exactly(index->fd, header, sizeof *header, 0);
    if (result > 0) {
        ditto_error_system(error, path, "read the trace", result);
        return false;
    }
    if (result < 0) {
        ditto_error_set(error,
                        "%s: not a Ditto trace: it has %" PRIu64 " bytes, and a trace has at least "
                        "%zu; get the file again if it was longer once",
                        path, index->length, sizeof *header);
        return false;
    }
    if (memcmp(header->magic, DITTO_FILE_MAGIC, sizeof header->magic)) {
        ditto_error_set(error, "%s: not a Ditto trace: it does not begin as one; " A_TRACE, path);
        return false;
    }
    if (header->version > DITTO_FORMAT_VERSION) {
        ditto_error_set(error,
                        "%s: written by a newer Ditto (trace format %" PRIu32 ", this one reads up "
                        "to %d); use that Ditto to read it",
                        path, header->version, DITTO_FORMAT_VERSION);
        return false;
    }
    if (header->version == 0 || header->header_size != sizeof *header ||
        header->checksum != ditto_file_header_checksum(header)) {
        ditto_error_set(error, "%s: the trace's first %zu bytes are damaged; get the file again",
                        path, sizeof *header);
        return false;
    }
    return true;
}

/* A window on the file, so that the walk reads it in large steps. */
struct window {
    uint8_t *bytes;
    uint64_t offset;
    size_t length;
};

enum { WINDOW_SIZE = 256 * 1024 };

/* At least `need` bytes at `offset`, or NULL at the end of the file or when it cannot be read. */
static const uint8_t *look(struct ditto_index *index, struct window *window, uint64_t offset,
                           size_t need)
{
    if (offset > index->length || index->length - offset < need)
        return NULL;
    if (offset < window->offset || offset + need > window->offset + window->length) {
        uint64_t left = index->length - offset;
        window->offset = offset;
        window->length = left < WINDOW_SIZE ? (size_t)left : WINDOW_SIZE;
        int result = read_exactly(index->fd, window->bytes, window->length, offset);
        if (result) {
            window->length = 0;
            ditto_index_damage(index, "cannot read at offset %" PRIu64 ": %s" DITTO_GET_AGAIN,
                               offset, result > 0 ? strerror(result) : "the file shrank meanwhile");
            return NULL;
        }
    }
    return window->bytes + (offset - window->offset);
}

static bool header_is_sound(const struct ditto_chunk_header *header, uint64_t trace_id)
{
    if (header->magic != DITTO_CHUNK_MAGIC || header->reserved ||
        header->header_checksum != ditto_chunk_header_checksum(header, trace_id))
        return false;
    if (header->kind == DITTO_CHUNK_SLOT) {
        uint64_t size = (uint64_t)header->stored_length + sizeof *header;
        return size >= DITTO_SLOT_SIZE_MIN && size <= DITTO_SLOT_SIZE_MAX;
    }
    return header->kind == DITTO_CHUNK_DATA && header->stream < DITTO_STREAM_KINDS &&
           header->raw_length <= DITTO_CHUNK_RAW_MAX &&
           header->stored_length <= header->raw_length &&
           (header->coding == DITTO_CODING_ZSTD ||
            (header->coding == DITTO_CODING_RAW && header->stored_length == header->raw_length) ||
            (header->coding == DITTO_CODING_COLUMNS &&
             (header->stream == DITTO_STREAM_MEMORY || header->stream == DITTO_STREAM_SYNC))) &&
           (header->stream == DITTO_STREAM_META) == (header->replay_id == DITTO_NO_THREAD);
}

static bool add_chunk(struct ditto_index *index, const struct ditto_chunk_ref *chunk,
                      size_t *capacity)
{
    if (index->count == *capacity) {
        size_t grown = *capacity ? *capacity * 2 : 64;
        void *chunks = realloc(index->chunks, grown * sizeof *index->chunks);
        if (!chunks)
            return false;
        index->chunks = chunks;
        *capacity = grown;
    }
    index->chunks[index->count++] = *chunk;
    return true;
}

/* What an open slot holds, as a chunk.  False if it holds nothing. */
static bool read_slot(struct ditto_index *index, const struct ditto_chunk_header *slot,
                      const uint8_t *bytes, uint64_t offset, struct ditto_chunk_ref *chunk)
{
    struct ditto_slot_control control;
    memcpy(&control, bytes + DITTO_SLOT_CONTROL, sizeof control);
    uint64_t word = atomic_load_explicit(&control.word, memory_order_relaxed);
    if (word == DITTO_SLOT_FREE)
        return false;
    uint32_t capacity = slot->stored_length + (uint32_t)sizeof *slot - DITTO_SLOT_PAYLOAD;
    uint32_t used = (uint32_t)word;
    if (control.checksum != ditto_slot_control_checksum(&control, index->header.trace_id) ||
        control.stream >= DITTO_STREAM_KINDS || used > capacity ||
        (control.stream == DITTO_STREAM_META) != (control.replay_id == DITTO_NO_THREAD)) {
        ditto_index_damage(index, "the open chunk at offset %" PRIu64 " is damaged" DITTO_GET_AGAIN,
                           offset);
        return false;
    }
    *chunk = (struct ditto_chunk_ref){
        .offset = offset + DITTO_SLOT_PAYLOAD,
        .header = {.magic = DITTO_CHUNK_MAGIC,
                   .kind = DITTO_CHUNK_DATA,
                   .stream = (uint8_t)control.stream,
                   .coding = DITTO_CODING_RAW,
                   .replay_id = control.replay_id,
                   .sequence = control.sequence,
                   .stored_length = used,
                   .raw_length = used,
                   .tail = (uint32_t)(word >> 32)},
        .open = true,
    };
    return true;
}

/*
 * From a place where no chunk begins to the next place that looks like one, or the end.  Zeros are
 * room that was claimed and never written, or alignment; anything else in a closed file is damage.
 */
static uint64_t skip_gap(struct ditto_index *index, struct window *window, uint64_t offset)
{
    uint64_t begin = offset;
    bool zeros = true;
    for (;;) {
        uint64_t word;
        const uint8_t *bytes = look(index, window, offset, sizeof word);
        if (!bytes)
            break;
        if (offset == window->offset) {
            off_t data = lseek(index->fd, (off_t)offset, SEEK_DATA);
            if (data >= (off_t)(offset + DITTO_CHUNK_ALIGNMENT)) {
                offset = (uint64_t)data / DITTO_CHUNK_ALIGNMENT * DITTO_CHUNK_ALIGNMENT;
                continue;
            }
            if (data < 0 && errno == ENXIO) {
                offset = index->length;
                break;
            }
        }
        memcpy(&word, bytes, sizeof word);
        if (offset != begin && (uint32_t)word == DITTO_CHUNK_MAGIC)
            break;
        zeros = zeros && word == 0;
        offset += DITTO_CHUNK_ALIGNMENT;
    }
    if (!zeros) {
        if (index->header.sealed_length)
            ditto_index_damage(
                index, "the bytes from offset %" PRIu64 " on are no chunk" DITTO_GET_AGAIN, begin);
        else
            index->torn++;
    }
    return offset;
}

/* Collects the chunks in the order of the file.  False when memory is out. */
static bool walk(struct ditto_index *index, struct window *window)
{
    size_t capacity = 0;
    uint64_t offset = sizeof(struct ditto_file_header);
    struct ditto_chunk_header header;
    for (;;) {
        const uint8_t *bytes = look(index, window, offset, sizeof header);
        if (!bytes)
            return true;
        memcpy(&header, bytes, sizeof header);
        if (!header_is_sound(&header, index->header.trace_id)) {
            offset = skip_gap(index, window, offset);
            continue;
        }
        struct ditto_chunk_ref chunk = {.offset = offset + sizeof header, .header = header};
        uint64_t size = sizeof header + header.stored_length;
        if (size > index->length - offset) {
            if (!index->header.sealed_length)
                index->torn++;
            return true;
        }
        bool holds = header.kind == DITTO_CHUNK_DATA;
        if (!holds) {
            bytes = look(index, window, offset, DITTO_SLOT_PAYLOAD);
            holds = bytes && read_slot(index, &header, bytes, offset, &chunk);
        }
        if (holds && !add_chunk(index, &chunk, &capacity))
            return false;
        offset +=
            (size + DITTO_CHUNK_ALIGNMENT - 1) / DITTO_CHUNK_ALIGNMENT * DITTO_CHUNK_ALIGNMENT;
    }
}

static int compare_streams(const struct ditto_chunk_header *a, const struct ditto_chunk_header *b)
{
    bool a_meta = a->stream == DITTO_STREAM_META, b_meta = b->stream == DITTO_STREAM_META;
    if (a_meta != b_meta)
        return a_meta ? -1 : 1;
    if (a->replay_id != b->replay_id)
        return a->replay_id < b->replay_id ? -1 : 1;
    return (a->stream > b->stream) - (a->stream < b->stream);
}

static int compare_chunks(const void *left, const void *right)
{
    const struct ditto_chunk_ref *a = left, *b = right;
    int order = compare_streams(&a->header, &b->header);
    if (order)
        return order;
    if (a->header.sequence != b->header.sequence)
        return a->header.sequence < b->header.sequence ? -1 : 1;
    if (a->open != b->open)
        return a->open ? 1 : -1;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

/*
 * Of a finished and an open chunk with one number, which one counts.  The process died after the
 * finished one was begun and before the slot was let go.  Usually both hold the same, and the slot
 * is the one that cannot be torn; an empty slot stands beside a long record, which is there if it
 * is there whole.
 */
static bool finished_one_counts(const struct ditto_index *index,
                                const struct ditto_chunk_ref *finished,
                                const struct ditto_chunk_ref *open)
{
    if (open->header.raw_length || open->header.tail)
        return false;
    uint8_t *bytes = ditto_index_load(index, finished, NULL);
    free(bytes);
    return bytes != NULL;
}

/* Removes doubles and notes gaps. */
static void settle(struct ditto_index *index)
{
    size_t kept = 0;
    char label[64];
    for (size_t i = 0; i < index->count; i++) {
        struct ditto_chunk_ref chunk = index->chunks[i];
        struct ditto_chunk_ref *last = kept ? &index->chunks[kept - 1] : NULL;
        bool same_stream = last && compare_streams(&last->header, &chunk.header) == 0;
        if (same_stream && last->header.sequence == chunk.header.sequence) {
            if (chunk.open && !last->open) {
                if (!finished_one_counts(index, last, &chunk)) {
                    *last = chunk;
                    index->torn++;
                }
            } else {
                ditto_index_damage(index, "%s has two chunks with number %" PRIu32 DITTO_GET_AGAIN,
                                   ditto_stream_label(label, sizeof label, chunk.header.stream,
                                                      chunk.header.replay_id),
                                   chunk.header.sequence);
            }
            continue;
        }
        uint32_t expected = same_stream ? last->header.sequence + 1 : 0;
        if (chunk.header.sequence != expected)
            ditto_index_damage(index,
                               "%s lacks chunk %" PRIu32
                               ", and what follows it cannot be used" DITTO_GET_AGAIN,
                               ditto_stream_label(label, sizeof label, chunk.header.stream,
                                                  chunk.header.replay_id),
                               expected);
        else if (same_stream && last->open)
            ditto_index_damage(index, "%s goes on after its open chunk" DITTO_GET_AGAIN,
                               ditto_stream_label(label, sizeof label, chunk.header.stream,
                                                  chunk.header.replay_id));
        index->chunks[kept++] = chunk;
    }
    index->count = kept;
}

bool ditto_index_build(struct ditto_index *index, int fd, const char *path,
                       struct ditto_error *error)
{
    *index = (struct ditto_index){.fd = fd, .path = path};
    if (!read_file_header(index, error))
        return false;
    uint64_t sealed = index->header.sealed_length;
    if (sealed > index->length)
        ditto_index_damage(
            index, "the file is cut short: it has %" PRIu64 " of %" PRIu64 " bytes" DITTO_GET_AGAIN,
            index->length, sealed);
    else if (sealed && sealed < index->length)
        ditto_index_damage(index, "the file has %" PRIu64 " bytes after its end" DITTO_GET_AGAIN,
                           index->length - sealed);
    struct window window = {.bytes = malloc(WINDOW_SIZE)};
    bool walked = window.bytes && walk(index, &window);
    free(window.bytes);
    if (!walked) {
        ditto_error_system(error, path, "read the trace", ENOMEM);
        ditto_index_destroy(index);
        return false;
    }
    if (index->count)
        qsort(index->chunks, index->count, sizeof *index->chunks, compare_chunks);
    settle(index);
    return true;
}

void ditto_index_destroy(struct ditto_index *index)
{
    free(index->chunks);
    index->chunks = NULL;
    index->count = 0;
}

void ditto_index_find(const struct ditto_index *index, enum ditto_stream_kind kind,
                      uint32_t replay_id, size_t *begin, size_t *end)
{
    const struct ditto_chunk_header wanted = {.stream = (uint8_t)kind, .replay_id = replay_id};
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_streams(&index->chunks[middle].header, &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *begin = low;
    high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_streams(&index->chunks[middle].header, &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    *end = low;
}

uint8_t *ditto_index_load(const struct ditto_index *index, const struct ditto_chunk_ref *chunk,
                          struct ditto_error *error)
{
    const struct ditto_chunk_header *header = &chunk->header;
    char label[64];
    ditto_stream_label(label, sizeof label, header->stream, header->replay_id);
    uint8_t *bytes = malloc(header->stored_length ? header->stored_length : 1);
    if (!bytes) {
        ditto_error_set(error, "%s, chunk %" PRIu32 ": out of memory; free some", label,
                        header->sequence);
        return NULL;
    }
    int result = read_exactly(index->fd, bytes, header->stored_length, chunk->offset);
    if (result) {
        ditto_error_set(
            error, "%s, chunk %" PRIu32 " at offset %" PRIu64 ": cannot read: %s" DITTO_GET_AGAIN,
            label, header->sequence, chunk->offset,
            result > 0 ? strerror(result) : "the file ends before it does");
    } else if (!chunk->open &&
               header->payload_checksum !=
                   ditto_payload_checksum(bytes, header->stored_length, index->header.trace_id)) {
        ditto_error_set(error,
                        "%s, chunk %" PRIu32 " at offset %" PRIu64
                        " is damaged (wrong checksum)" DITTO_GET_AGAIN,
                        label, header->sequence, chunk->offset);
        result = -1;
    }
    if (result) {
        free(bytes);
        return NULL;
    }
    return bytes;
}
