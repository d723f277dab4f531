/* SPDX-License-Identifier: MIT */
#include "core/base/die.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ditto_die(const char *file, int line, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    int length = snprintf(text, sizeof text, "ditto: %s:%d: ", file, line);
    if (length < 0 || (size_t)length >= sizeof text)
        length = 0;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
    va_end(arguments);
    size_t size = strlen(text);
    text[size == sizeof text - 1 ? size - 1 : size] = '\n';
    size += size < sizeof text - 1;
    ssize_t written = write(STDERR_FILENO, text, size);
    (void)written; /* whatever comes of it, this is the end */
    abort();
}

static _Noreturn void no_memory(size_t count, size_t size, const char *what, const char *file,
                                int line)
{
    if (count == 1)
        ditto_die(file, line, "no memory for %s (%zu bytes); give the machine more memory", what,
                  size);
    ditto_die(file, line, "no memory for %s (%zu times %zu bytes); give the machine more memory",
              what, count, size);
}

void *ditto_alloc_at(size_t size, const char *what, const char *file, int line)
{
    void *memory = malloc(size ? size : 1);
    if (!memory)
        no_memory(1, size, what, file, line);
    return memory;
}

void *ditto_alloc_zeroed_at(size_t count, size_t size, const char *what, const char *file, int line)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        no_memory(count, size, what, file, line);
    return memory;
}

void *ditto_grow_at(void *memory, size_t count, size_t size, const char *what, const char *file,
                    int line)
{
    size_t bytes;
    bool fits = !__builtin_mul_overflow(count, size, &bytes);
    void *larger = fits ? realloc(memory, bytes ? bytes : 1) : NULL;
    if (!larger)
        no_memory(count, size, what, file, line);
    return larger;
}

char *ditto_copy_text_at(const char *text, const char *what, const char *file, int line)
{
    size_t size = strlen(text) + 1;
    return memcpy(ditto_alloc_at(size, what, file, line), text, size);
}

char *ditto_format(const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    DITTO_CHECK(length >= 0, "no memory for a text, '%s'", format);
    return text;
}
