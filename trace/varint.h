/* SPDX-License-Identifier: MIT */
/*
 * Variable-length integers: little-endian groups of seven bits, the top bit of a byte says that
 * another follows (LEB128).  Signed numbers are folded to unsigned ones first (zigzag), so that
 * small magnitudes of either sign stay short.
 */
#ifndef DITTO_TRACE_VARINT_H
#define DITTO_TRACE_VARINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DITTO_VARINT_MAX = 10 };

static inline uint8_t *ditto_varint_put(uint8_t *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

/*
 * Reads a number at *from and moves *from behind it.  False, with *from unchanged, when the bytes
 * end first or the number does not fit into 64 bits.
 */
static inline bool ditto_varint_get(const uint8_t **from, const uint8_t *end, uint64_t *value)
{
    uint64_t result = 0;
    const uint8_t *at = *from;
    for (unsigned shift = 0; shift < 70 && at < end; shift += 7) {
        uint8_t byte = *at++;
        if (shift == 63 && byte > 1)
            return false;
        result |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *from = at;
            *value = result;
            return true;
        }
    }
    return false;
}

static inline uint64_t ditto_zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (value < 0 ? UINT64_MAX : 0);
}

static inline int64_t ditto_unzigzag(uint64_t value)
{
    return (int64_t)((value >> 1) ^ (value & 1 ? UINT64_MAX : 0));
}

#endif
