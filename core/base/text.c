/* SPDX-License-Identifier: MIT */
#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/die.h"

void ditto_put_arguments(struct ditto_buf *out, const char *format, va_list arguments)
{
    char *text = NULL;
    int length = vasprintf(&text, format, arguments);
    DITTO_CHECK(length >= 0, "no memory for a text, '%s'", format);
    ditto_buf_bytes(out, text, (size_t)length);
    free(text);
}

void ditto_put_format(struct ditto_buf *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ditto_put_arguments(out, format, arguments);
    va_end(arguments);
}

unsigned ditto_utf8_length(const char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    unsigned length = at[0] < 0x80             ? 1
                      : (at[0] & 0xe0) == 0xc0 ? 2
                      : (at[0] & 0xf0) == 0xe0 ? 3
                      : (at[0] & 0xf8) == 0xf0 ? 4
                                               : 0;
    if (length < 2)
        return length;
    uint32_t code = at[0] & (0xffu >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    bool sound = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return sound ? length : 0;
}

void ditto_print_text(FILE *out, const char *text)
{
    while (*text) {
        unsigned length = ditto_utf8_length(text);
        if (length && !ditto_is_control(text)) {
            fwrite(text, 1, length, out);
            text += length;
        } else {
            fprintf(out, "\\x%02x", (unsigned char)*text++);
        }
    }
}
