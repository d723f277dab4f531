/* SPDX-License-Identifier: MIT */
/*
 * The .dt file as it lies on disk.  trace/README.md describes it byte by byte; this header is the
 * same in C, shared by the writer and the reader and by nothing else.
 */
#ifndef DITTO_TRACE_FORMAT_H
#define DITTO_TRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "A trace is little-endian, and this code maps it as it is: port it before building here."
#endif

#define DITTO_FILE_MAGIC                                                                           \
    "\x89"                                                                                         \
    "DITTO\r\n"

enum {
    DITTO_FORMAT_VERSION = 1,
    DITTO_CHUNK_MAGIC = 0x6b437444, /* "DtCk" */
    DITTO_CHUNK_ALIGNMENT = 8,
    DITTO_SLOT_SIZE_DEFAULT = 64 * 1024,
    DITTO_SLOT_SIZE_MIN = 4 * 1024,
    DITTO_SLOT_SIZE_MAX = 16 * 1024 * 1024,
    /* No chunk is longer than this when unpacked, so a damaged length cannot ask for more memory.
     */
    DITTO_CHUNK_RAW_MAX = 16 * 1024 * 1024,
};

enum ditto_chunk_kind {
    DITTO_CHUNK_DATA = 1, /* a finished piece of a stream */
    DITTO_CHUNK_SLOT = 2, /* room for an open piece of a stream, written through a mapping */
};

enum ditto_coding {
    DITTO_CODING_RAW = 0,
    DITTO_CODING_ZSTD = 1,
    DITTO_CODING_COLUMNS = 2, /* zstd too; unpacked, it is column lengths and columns */
};

struct ditto_file_header {
    uint8_t magic[8];
    uint32_t version;
    uint32_t header_size;
    uint64_t trace_id;      /* random; the seed of every checksum in the file */
    uint64_t created;       /* nanoseconds since 1970, UTC */
    uint64_t sealed_length; /* the file's length once it is complete and closed, else 0 */
    uint8_t reserved[16];
    uint64_t checksum; /* of the bytes before this field */
};

struct ditto_chunk_header {
    uint32_t magic;
    uint8_t kind;
    uint8_t stream;
    uint8_t coding;
    uint8_t reserved;
    uint32_t replay_id;
    uint32_t sequence;
    uint32_t stored_length; /* bytes that follow this header */
    uint32_t raw_length;    /* the same, unpacked */
    uint32_t tail;
    uint32_t header_checksum;  /* of this header, with this field 0 */
    uint64_t payload_checksum; /* of the stored bytes; 0 for a slot, whose bytes still change */
};

/* The word of a slot that no stream owns.  No open chunk can have this many bytes. */
#define DITTO_SLOT_FREE UINT64_MAX

/* What follows the chunk header of a slot, at DITTO_SLOT_CONTROL from the slot's beginning. */
struct ditto_slot_control {
    /*
     * Low half: how many payload bytes count.  High half: the tail.  Written with one 64-bit store
     * after the bytes it covers, so at every instruction it describes whole records only.
     */
    _Atomic uint64_t word;
    uint32_t replay_id;
    uint32_t stream;
    uint32_t sequence;
    uint32_t reserved;
    uint64_t checksum; /* of the four fields before */
};

enum {
    DITTO_SLOT_CONTROL = 64,
    DITTO_SLOT_PAYLOAD = 128,
};

_Static_assert(sizeof(struct ditto_file_header) == 64, "the file header has 64 bytes");
_Static_assert(sizeof(struct ditto_chunk_header) == 40, "a chunk header has 40 bytes");
_Static_assert(sizeof(struct ditto_slot_control) == 32, "a slot's control block has 32 bytes");

/* The checksums of the headers, seeded with the trace's id. */
uint64_t ditto_file_header_checksum(const struct ditto_file_header *header);
uint32_t ditto_chunk_header_checksum(const struct ditto_chunk_header *header, uint64_t trace_id);
uint64_t ditto_slot_control_checksum(const struct ditto_slot_control *control, uint64_t trace_id);
uint64_t ditto_payload_checksum(const void *bytes, size_t length, uint64_t trace_id);

#endif
