/* SPDX-License-Identifier: MIT */
#include "trace/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "trace/stream.h"
#include "trace/varint.h"

struct ditto_text ditto_text(const char *string)
{
    return (struct ditto_text){string, strlen(string)};
}

const char *ditto_stream_name(enum ditto_stream_kind kind)
{
    static const char *const names[DITTO_STREAM_KINDS] = {"metadata", "memory", "sync", "value"};
    return kind < DITTO_STREAM_KINDS ? names[kind] : "unknown";
}

uint8_t *ditto_meta_encode(const struct ditto_meta *record, size_t *length)
{
    enum { NUMBERS_MAX = 5 * DITTO_VARINT_MAX };
    uint8_t *body = malloc(NUMBERS_MAX + record->name.length + record->text.length + 1);
    uint8_t *whole =
        malloc(2 * DITTO_VARINT_MAX + NUMBERS_MAX + record->name.length + record->text.length);
    if (!body || !whole) {
        free(body);
        free(whole);
        return NULL;
    }
    uint8_t *at = body;
    switch (record->type) {
    case DITTO_META_PROPERTY:
        at = ditto_varint_put(at, record->name.length);
        memcpy(at, record->name.bytes, record->name.length);
        at += record->name.length;
        break;
    case DITTO_META_THREAD_START:
        at = ditto_varint_put(at, record->replay_id);
        /* The parent plus one, so that "none" is 0. */
        at = ditto_varint_put(at, (uint32_t)(record->parent + 1));
        at = ditto_varint_put(at, record->clock);
        break;
    case DITTO_META_THREAD_END:
        at = ditto_varint_put(at, record->replay_id);
        at = ditto_varint_put(at, record->clock);
        at = ditto_varint_put(at, record->memory_events);
        at = ditto_varint_put(at, record->sync_events);
        at = ditto_varint_put(at, record->values);
        break;
    case DITTO_META_END:
        at = ditto_varint_put(at, record->ending);
        break;
    }
    if (record->text.length)
        memcpy(at, record->text.bytes, record->text.length);
    at += record->text.length;

    uint8_t *to = ditto_varint_put(whole, record->type);
    to = ditto_varint_put(to, (uint64_t)(at - body));
    memcpy(to, body, (size_t)(at - body));
    *length = (size_t)(to - whole) + (size_t)(at - body);
    free(body);
    return whole;
}

static bool get_id(const uint8_t **from, const uint8_t *end, uint32_t *id)
{
    uint64_t value;
    if (!ditto_varint_get(from, end, &value) || value > UINT32_MAX)
        return false;
    *id = (uint32_t)value;
    return true;
}

static bool decode_body(const uint8_t *at, const uint8_t *end, struct ditto_meta *record)
{
    uint64_t value;
    switch (record->type) {
    case DITTO_META_PROPERTY:
        if (!ditto_varint_get(&at, end, &value) || value > (uint64_t)(end - at))
            return false;
        record->name = (struct ditto_text){(const char *)at, (size_t)value};
        at += value;
        break;
    case DITTO_META_THREAD_START:
        if (!get_id(&at, end, &record->replay_id) || !get_id(&at, end, &record->parent) ||
            !ditto_varint_get(&at, end, &record->clock))
            return false;
        record->parent -= 1;
        break;
    case DITTO_META_THREAD_END:
        if (!get_id(&at, end, &record->replay_id) || !ditto_varint_get(&at, end, &record->clock) ||
            !ditto_varint_get(&at, end, &record->memory_events) ||
            !ditto_varint_get(&at, end, &record->sync_events) ||
            !ditto_varint_get(&at, end, &record->values))
            return false;
        break;
    case DITTO_META_END:
        if (!ditto_varint_get(&at, end, &value))
            return false;
        record->ending = value == DITTO_ENDING_CLOSED || value == DITTO_ENDING_STOPPED
                             ? (enum ditto_ending)value
                             : DITTO_ENDING_UNKNOWN;
        break;
    }
    record->text = (struct ditto_text){(const char *)at, (size_t)(end - at)};
    return true;
}

enum ditto_meta_result ditto_meta_decode(const uint8_t **from, const uint8_t *end,
                                         struct ditto_meta *record)
{
    uint64_t type, length;
    const uint8_t *at = *from;
    if (!ditto_varint_get(&at, end, &type) || !ditto_varint_get(&at, end, &length) ||
        length > (uint64_t)(end - at))
        return DITTO_META_DAMAGED;
    *from = at + length;
    *record = (struct ditto_meta){.replay_id = DITTO_NO_THREAD, .parent = DITTO_NO_THREAD};
    if (type < DITTO_META_PROPERTY || type > DITTO_META_END)
        return DITTO_META_SKIPPED;
    record->type = (enum ditto_meta_type)type;
    return decode_body(at, at + length, record) ? DITTO_META_OK : DITTO_META_DAMAGED;
}
