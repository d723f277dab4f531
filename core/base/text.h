/* SPDX-License-Identifier: MIT */
/* Text that grows. */
#ifndef DITTO_CORE_BASE_TEXT_H
#define DITTO_CORE_BASE_TEXT_H

#include <stdarg.h>

#include "core/base/arena.h"

void put_format(struct ditto_buf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void put_arguments(struct ditto_buf *out, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

#endif
