/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void put_format(struct ditto_buf *out, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        abort();
    ditto_buf_bytes(out, text, (size_t)length);
    free(text);
}
