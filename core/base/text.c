/* SPDX-License-Identifier: MIT */
#include "core/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void put_arguments(struct ditto_buf *out, const char *format, va_list arguments)
{
    char *text = NULL;
    int length = vasprintf(&text, format, arguments);
    if (length < 0)
        abort();
    ditto_buf_bytes(out, text, (size_t)length);
    free(text);
}

void put_format(struct ditto_buf *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put_arguments(out, format, arguments);
    va_end(arguments);
}
