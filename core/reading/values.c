/* SPDX-License-Identifier: MIT */
#include "core/reading/values.h"

#include "trace/varint.h"

bool ditto_input_record_decode(const uint8_t **from, const uint8_t *end,
                               struct ditto_input_record *value)
{
    const uint8_t *at = *from;
    uint64_t kind, length;
    if (!ditto_varint_get(&at, end, &kind) || kind >> 33 || !ditto_varint_get(&at, end, &length) ||
        length > (uint64_t)(end - at))
        return false;
    *value = (struct ditto_input_record){(uint32_t)(kind >> 1), kind & 1, at, (size_t)length};
    *from = at + length;
    return true;
}
