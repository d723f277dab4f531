/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "core/commands/commands.h"

/*
 * The length of the UTF-8 sequence at `text`, or 0 if there is none: overlong forms, surrogates and
 * what lies above U+10FFFF are none.
 */
static unsigned utf8_length(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = text[0] < 0x80             ? 1
                      : (text[0] & 0xe0) == 0xc0 ? 2
                      : (text[0] & 0xf0) == 0xe0 ? 3
                      : (text[0] & 0xf8) == 0xf0 ? 4
                                                 : 0;
    if (length < 2)
        return length;
    uint32_t code = text[0] & (0xffu >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    bool sound = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return sound ? length : 0;
}

void print_text(FILE *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        unsigned length = utf8_length(at);
        /* C1 controls are U+0080 to U+009F: two bytes, the first 0xc2. */
        bool control = *at < 0x20 || *at == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
        if (length && !control) {
            fwrite(at, 1, length, out);
            at += length;
        } else {
            fprintf(out, "\\x%02x", *at++);
        }
    }
}

void print_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        unsigned length = utf8_length(at);
        if (length == 0) {
            fputs("\\ufffd", out);
            at++;
            continue;
        }
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            fprintf(out, "\\u%04x", *at);
        else
            fwrite(at, 1, length, out);
        at += length;
    }
    fputc('"', out);
}

const char *ending_words(const struct ditto_trace_info *info)
{
    switch (info->ending) {
    case DITTO_ENDING_CLOSED:
        return "in good order";
    case DITTO_ENDING_STOPPED:
        return "early: the recording stopped before the program did";
    default:
        return "abruptly: the process was killed or crashed, or is still running";
    }
}
