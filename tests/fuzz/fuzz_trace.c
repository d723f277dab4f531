/* SPDX-License-Identifier: MIT */
/*
 * libFuzzer harness for everything that reads a trace: the index, the streams, the metadata, the
 * order's decoding, the commands that print and check, and the sealer.
 *
 * Checksums would stop a fuzzer at the door, so the mutator works on a trace as what it is: it
 * takes the file apart, changes one piece (a chunk's unpacked bytes, a header, a slot's word, the
 * chunks' order), and puts it together again with checksums that fit.  One mutation in four is
 * plain bytes, which tests the checksums themselves.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "core/commands/commands.h"
#include "trace/format.h"
#include "trace/reader.h"
#include "trace/seal.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const struct command *command_at(size_t index)
{
    (void)index;
    return NULL;
}

const struct command *command_find(const char *name)
{
    (void)name;
    return NULL;
}

static void run_command(const struct command *command, const char *option, const char *path)
{
    char *arguments[4] = {(char *)command->name, (char *)path, (char *)option, NULL};
    command->run(command, option ? 3 : 2, arguments);
}

/* A trace that opens without damage must still do so after it was sealed. */
static void seal_and_compare(const char *path)
{
    struct ditto_error error;
    struct ditto_reader *before = ditto_reader_open(path, &error);
    if (!before)
        return;
    bool sound = ditto_reader_info(before)->damage_count == 0;
    size_t threads = ditto_reader_thread_count(before);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool sealed = ditto_seal(fd, path, NULL, &error);
    close(fd);
    if (sealed) {
        struct ditto_reader *after = ditto_reader_open(path, &error);
        if (!after || (sound && (ditto_reader_info(after)->damage_count ||
                                 ditto_reader_thread_count(after) > threads)))
            abort();
        ditto_reader_close(after);
    }
    ditto_reader_close(before);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "/dev/shm/fuzz_trace.%d.dt", (int)getpid());
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    /* The ways to print differ in printing alone: one of them is enough for one input. */
    const char *option = size % 2 ? "--json" : NULL;
    run_command(&check_command, NULL, path);
    run_command(&info_command, option, path);
    run_command(&dump_command, option, path);
    seal_and_compare(path);
    unlink(path);
    return 0;
}

/* ------------------------------------------------------------- the mutator */

enum { MOST_CHUNKS = 64, MOST_RAW = 256 * 1024 };

struct piece {
    struct ditto_chunk_header header;
    uint8_t *payload; /* into the input, or owned if it was changed */
    size_t length;    /* of the payload, whatever the header says */
    bool owned;
};

struct layout {
    struct ditto_file_header header;
    struct piece pieces[MOST_CHUNKS];
    unsigned count;
};

static unsigned pick(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* False if there is nothing to work with. */
static bool take_apart(struct layout *layout, uint8_t *data, size_t size)
{
    if (size < sizeof layout->header)
        return false;
    memcpy(&layout->header, data, sizeof layout->header);
    size_t offset = sizeof layout->header;
    while (layout->count < MOST_CHUNKS && offset + sizeof(struct ditto_chunk_header) <= size) {
        struct piece piece = {0};
        memcpy(&piece.header, data + offset, sizeof piece.header);
        if (piece.header.magic != DITTO_CHUNK_MAGIC) {
            offset += DITTO_CHUNK_ALIGNMENT;
            continue;
        }
        offset += sizeof piece.header;
        piece.payload = data + offset;
        piece.length = piece.header.stored_length;
        if (piece.length > size - offset)
            piece.length = size - offset;
        layout->pieces[layout->count++] = piece;
        offset += (piece.length + 7u) & ~(size_t)7u;
    }
    return layout->count > 0;
}

/* Unpacks the payload, changes it, and packs it again the way it was. */
static void mutate_payload(struct piece *piece)
{
    struct ditto_chunk_header *header = &piece->header;
    bool slot = header->kind == DITTO_CHUNK_SLOT, packed = header->coding != DITTO_CODING_RAW;
    uint8_t *raw = malloc(MOST_RAW);
    size_t length = 0;
    if (packed) {
        length = ZSTD_decompress(raw, MOST_RAW, piece->payload, piece->length);
        if (ZSTD_isError(length))
            length = 0;
    } else if (piece->length <= MOST_RAW) {
        length = piece->length;
        memcpy(raw, piece->payload, length);
    }
    /* A slot keeps its size, or there would be no slot. */
    size_t mutated = LLVMFuzzerMutate(raw, length, slot ? length : MOST_RAW / 4);
    if (slot)
        mutated = length;
    header->raw_length = (uint32_t)mutated;
    if (packed) {
        size_t room = ZSTD_compressBound(mutated);
        uint8_t *stored = malloc(room);
        mutated = ZSTD_compress(stored, room, raw, mutated, 1);
        free(raw);
        raw = stored;
    }
    header->stored_length = (uint32_t)mutated;
    if (piece->owned)
        free(piece->payload);
    piece->payload = raw;
    piece->length = mutated;
    piece->owned = true;
}

static void mutate_slot(struct piece *piece, unsigned *seed)
{
    size_t at = DITTO_SLOT_CONTROL - sizeof piece->header;
    if (piece->length < DITTO_SLOT_PAYLOAD)
        return;
    uint8_t *copy = malloc(piece->length);
    memcpy(copy, piece->payload, piece->length);
    LLVMFuzzerMutate(copy + at + pick(seed, 3) * 8, 8, 8);
    if (piece->owned)
        free(piece->payload);
    piece->payload = copy;
    piece->owned = true;
}

static void mutate_layout(struct layout *layout, unsigned *seed)
{
    struct piece *piece = &layout->pieces[pick(seed, layout->count)];
    switch (pick(seed, 6)) {
    case 0:
        LLVMFuzzerMutate((uint8_t *)&piece->header + 4, 24, 24);
        break;
    case 1:
        LLVMFuzzerMutate((uint8_t *)&layout->header + 8, 48, 48);
        break;
    case 2: {
        struct piece *other = &layout->pieces[pick(seed, layout->count)];
        struct piece swapped = *piece;
        *piece = *other;
        *other = swapped;
        break;
    }
    case 3:
        if (piece->header.kind == DITTO_CHUNK_SLOT)
            mutate_slot(piece, seed);
        else
            piece->header.sequence = pick(seed, 4);
        break;
    default:
        mutate_payload(piece);
    }
}

/* Writes it back with fitting checksums; what does not fit into `max_size` is left out. */
static size_t put_together(struct layout *layout, uint8_t *to, size_t max_size)
{
    uint64_t id = layout->header.trace_id;
    size_t size = sizeof layout->header;
    for (unsigned i = 0; i < layout->count; i++) {
        struct piece *piece = &layout->pieces[i];
        struct ditto_chunk_header *header = &piece->header;
        size_t padded = (piece->length + 7u) & ~(size_t)7u;
        if (size + sizeof *header + padded > max_size)
            continue;
        uint8_t *payload = to + size + sizeof *header;
        memset(payload, 0, padded);
        memcpy(payload, piece->payload, piece->length);
        if (header->kind == DITTO_CHUNK_SLOT && piece->length >= DITTO_SLOT_PAYLOAD) {
            struct ditto_slot_control control;
            size_t at = DITTO_SLOT_CONTROL - sizeof *header;
            memcpy(&control, payload + at, sizeof control);
            control.checksum = ditto_slot_control_checksum(&control, id);
            memcpy(payload + at, &control, sizeof control);
        }
        header->magic = DITTO_CHUNK_MAGIC;
        header->payload_checksum = ditto_payload_checksum(payload, piece->length, id);
        header->header_checksum = ditto_chunk_header_checksum(header, id);
        memcpy(to + size, header, sizeof *header);
        size += sizeof *header + padded;
    }
    if (layout->header.sealed_length)
        layout->header.sealed_length = size;
    layout->header.checksum = ditto_file_header_checksum(&layout->header);
    memcpy(to, &layout->header, sizeof layout->header);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct layout *layout = calloc(1, sizeof *layout);
    uint8_t *result = malloc(max_size);
    size_t result_size = 0;
    if (pick(&seed, 4) && max_size >= sizeof layout->header && take_apart(layout, data, size)) {
        for (unsigned i = 0; i <= pick(&seed, 3); i++)
            mutate_layout(layout, &seed);
        result_size = put_together(layout, result, max_size);
    }
    for (unsigned i = 0; i < layout->count; i++)
        if (layout->pieces[i].owned)
            free(layout->pieces[i].payload);
    if (result_size)
        memcpy(data, result, result_size);
    else
        result_size = LLVMFuzzerMutate(data, size, max_size);
    free(result);
    free(layout);
    return result_size;
}
