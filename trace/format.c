/* SPDX-License-Identifier: MIT */
#include "trace/format.h"

#include <xxhash.h>

uint64_t ditto_file_header_checksum(const struct ditto_file_header *header)
{
    return XXH3_64bits(header, offsetof(struct ditto_file_header, checksum));
}

uint32_t ditto_chunk_header_checksum(const struct ditto_chunk_header *header, uint64_t trace_id)
{
    struct ditto_chunk_header copy = *header;
    copy.header_checksum = 0;
    return (uint32_t)XXH3_64bits_withSeed(&copy, sizeof copy, trace_id);
}

uint64_t ditto_slot_control_checksum(const struct ditto_slot_control *control, uint64_t trace_id)
{
    size_t from = offsetof(struct ditto_slot_control, replay_id);
    size_t to = offsetof(struct ditto_slot_control, checksum);
    return XXH3_64bits_withSeed((const char *)control + from, to - from, trace_id);
}

uint64_t ditto_payload_checksum(const void *bytes, size_t length, uint64_t trace_id)
{
    return XXH3_64bits_withSeed(bytes, length, trace_id);
}
