/* SPDX-License-Identifier: MIT */
/* Text that grows. */
#ifndef DITTO_GDB_PLUGIN_TEXT_H
#define DITTO_GDB_PLUGIN_TEXT_H

#include <stdarg.h>

#include "jvm-bridge/arena.h"

void put_format(struct ditto_buf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void put_arguments(struct ditto_buf *out, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
