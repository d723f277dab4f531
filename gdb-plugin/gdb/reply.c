/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reply_text(struct reply *reply, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    ditto_buf_bytes(&reply->bytes, text,
                    (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void reply_hex(struct reply *reply, const uint8_t *bytes, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < length; i++) {
        char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
        ditto_buf_bytes(&reply->bytes, pair, 2);
    }
}

bool packet_hex(const char **at, uint64_t *number)
{
    char *end;
    /* strtoull takes signs, spaces and 0x, which the protocol does not have. */
    if (!strchr("0123456789abcdefABCDEF", **at) || !**at)
        return false;
    *number = strtoull(*at, &end, 16);
    if (end == *at || (end == *at + 1 && (*end == 'x' || *end == 'X')))
        return false;
    *at = end;
    return true;
}

bool packet_take(const char **at, char byte)
{
    if (**at != byte)
        return false;
    ++*at;
    return true;
}
