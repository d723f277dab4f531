/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/classpath/archive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <xxhash.h>
#include <zlib.h>

#include "core/base/mapped_file.h"

/* More than any class file has; what claims to be larger is damaged. */
enum { LARGEST = 64 << 20 };

struct entry {
    const uint8_t *name;
    uint16_t name_length, method;
    uint32_t packed, size, header;
};

struct archive {
    const uint8_t *bytes; /* mapped */
    size_t size;
    struct entry *table; /* by hash of the name, open addressing */
    size_t table_size;
};

static uint32_t u2(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

static uint32_t u4(const uint8_t *at)
{
    return u2(at) | u2(at + 2) << 16;
}

static size_t slot_of(const struct archive *archive, const void *name, size_t length)
{
    size_t slot = XXH3_64bits(name, length) & (archive->table_size - 1);
    while (archive->table[slot].name && (archive->table[slot].name_length != length ||
                                         memcmp(archive->table[slot].name, name, length)))
        slot = (slot + 1) & (archive->table_size - 1);
    return slot;
}

/* The record at the end of the file that says where the directory is; NULL: there is none. */
static const uint8_t *find_end(const struct archive *archive)
{
    enum { LENGTH = 22, COMMENT_MOST = 65535 };
    if (archive->size < LENGTH)
        return NULL;
    size_t least =
        archive->size > LENGTH + COMMENT_MOST ? archive->size - LENGTH - COMMENT_MOST : 0;
    for (size_t at = archive->size - LENGTH;; at--) {
        if (memcmp(archive->bytes + at, "PK\5\6", 4) == 0)
            return archive->bytes + at;
        if (at == least)
            return NULL;
    }
}

static bool read_directory(struct archive *archive)
{
    enum { LENGTH = 46 };
    const uint8_t *end = find_end(archive);
    if (!end)
        return false;
    uint32_t count = u2(end + 10);
    size_t at = u4(end + 16);
    for (archive->table_size = 64; archive->table_size < 2u * count + 2;)
        archive->table_size *= 2;
    archive->table = calloc(archive->table_size, sizeof *archive->table);
    if (!archive->table)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (at > archive->size || archive->size - at < LENGTH)
            return true; /* what could be read */
        const uint8_t *record = archive->bytes + at;
        size_t length = LENGTH + u2(record + 28) + u2(record + 30) + u2(record + 32);
        if (memcmp(record, "PK\1\2", 4) || archive->size - at < length)
            return true;
        struct entry entry = {.name = record + LENGTH,
                              .name_length = (uint16_t)u2(record + 28),
                              .method = (uint16_t)u2(record + 10),
                              .packed = u4(record + 20),
                              .size = u4(record + 24),
                              .header = u4(record + 42)};
        archive->table[slot_of(archive, entry.name, entry.name_length)] = entry;
        at += length;
    }
    return true;
}

struct archive *archive_open(const char *path)
{
    struct archive *archive = calloc(1, sizeof *archive);
    if (!archive || !(archive->bytes = map_file(path, &archive->size))) {
        free(archive);
        return NULL;
    }
    if (read_directory(archive))
        return archive;
    archive_close(archive);
    return NULL;
}

void archive_close(struct archive *archive)
{
    if (!archive)
        return;
    munmap((void *)archive->bytes, archive->size);
    free(archive->table);
    free(archive);
}

static bool unpack(const uint8_t *from, uint32_t packed, uint8_t *to, uint32_t size)
{
    z_stream stream = {
        .next_in = (Bytef *)from, .avail_in = packed, .next_out = to, .avail_out = size};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    int result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return result == Z_STREAM_END && stream.total_out == size;
}

uint8_t *archive_read(const struct archive *archive, const char *name, size_t *size)
{
    enum { HEADER = 30, STORED = 0, DEFLATED = 8 };
    const struct entry *entry = &archive->table[slot_of(archive, name, strlen(name))];
    if (!entry->name || entry->size > LARGEST || entry->header > archive->size ||
        archive->size - entry->header < HEADER)
        return NULL;
    const uint8_t *header = archive->bytes + entry->header;
    size_t at = entry->header + (size_t)HEADER + u2(header + 26) + u2(header + 28);
    if (memcmp(header, "PK\3\4", 4) || at > archive->size || archive->size - at < entry->packed)
        return NULL;
    uint8_t *bytes = malloc(entry->size + 1);
    bool good = bytes && ((entry->method == STORED && entry->packed == entry->size) ||
                          entry->method == DEFLATED);
    if (good && entry->method == STORED)
        memcpy(bytes, archive->bytes + at, entry->size);
    else if (good)
        good = unpack(archive->bytes + at, entry->packed, bytes, entry->size);
    *size = entry->size;
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}
