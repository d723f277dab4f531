/* SPDX-License-Identifier: MIT */
/*
 * The records of the metadata stream: what was recorded, its threads, and how it ended.
 *
 * Strings are bytes with a length; they are borrowed from whoever made the record (the caller when
 * encoding, the stream's bytes when decoding).
 */
#ifndef DITTO_TRACE_METADATA_H
#define DITTO_TRACE_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ditto_meta_type {
    DITTO_META_PROPERTY = 1,     /* name and text */
    DITTO_META_THREAD_START = 2, /* replay_id, parent, clock, text is the name */
    DITTO_META_THREAD_END = 3,   /* replay_id, clock, memory_events, sync_events, values */
    DITTO_META_END = 4,          /* ending, text says more */
};

enum ditto_ending {
    DITTO_ENDING_UNKNOWN = 0, /* no record of it: the process was killed, or still runs */
    DITTO_ENDING_CLOSED = 1,  /* the recording was closed in good order */
    DITTO_ENDING_STOPPED = 2, /* it stopped before the program did; the text says why */
};

struct ditto_text {
    const char *bytes;
    size_t length;
};

struct ditto_meta {
    enum ditto_meta_type type;
    uint32_t replay_id;
    uint32_t parent; /* DITTO_NO_THREAD for the first thread */
    uint64_t clock;
    uint64_t memory_events;
    uint64_t sync_events;
    uint64_t values;
    enum ditto_ending ending;
    struct ditto_text name;
    struct ditto_text text;
};

/* A text over a C string. */
struct ditto_text ditto_text(const char *string);

/* Encodes into a new buffer that the caller frees; NULL when memory is out. */
uint8_t *ditto_meta_encode(const struct ditto_meta *record, size_t *length);

enum ditto_meta_result {
    DITTO_META_OK,
    DITTO_META_SKIPPED, /* a type this version does not know; stepped over */
    DITTO_META_DAMAGED,
};

/* Decodes the record at *from and moves *from behind it. */
enum ditto_meta_result ditto_meta_decode(const uint8_t **from, const uint8_t *end,
                                         struct ditto_meta *record);

#endif
