/* SPDX-License-Identifier: MIT */
/* Text: that grows, that is looked at, and that comes from elsewhere and goes to a terminal. */
#ifndef DITTO_CORE_BASE_TEXT_H
#define DITTO_CORE_BASE_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/arena.h"

void ditto_put_format(struct ditto_buf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ditto_put_arguments(struct ditto_buf *out, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

static inline bool ditto_begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/*
 * The length of the UTF-8 sequence at `text`, or 0 if there is none: overlong forms, surrogates and
 * what lies above U+10FFFF are none.
 */
unsigned ditto_utf8_length(const char *text);

/* A terminal could take what begins here for a command. */
static inline bool ditto_is_control(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    /* C1 controls are U+0080 to U+009F: two bytes, the first 0xc2. */
    return *at < 0x20 || *at == 0x7f || (at[0] == 0xc2 && at[1] < 0xa0);
}

/*
 * Texts that come from a trace may hold anything; controls, line ends among them, and what is not
 * UTF-8 are printed as escapes.
 */
void ditto_print_text(FILE *out, const char *text);

#endif
