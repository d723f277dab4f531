/* SPDX-License-Identifier: MIT */
#include "trace/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ditto_error_set(struct ditto_error *error, const char *format, ...)
{
    if (!error)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

void ditto_error_prefix(struct ditto_error *error, const char *format, ...)
{
    if (!error)
        return;
    char front[sizeof error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(front, sizeof front, format, arguments);
    va_end(arguments);
    /* Two characters for the colon; what does not fit is cut at the end. */
    size_t length = strlen(front) + 2;
    if (length >= sizeof error->text)
        return;
    memmove(error->text + length, error->text, sizeof error->text - length);
    error->text[sizeof error->text - 1] = '\0';
    memcpy(error->text, front, length - 2);
    memcpy(error->text + length - 2, ": ", 2);
}

static const char *remedy(int error_number)
{
    switch (error_number) {
    case ENOENT:
        return "; check the path";
    case EACCES:
    case EPERM:
    case EROFS:
        return "; choose a place that you may read and write";
    case ENOSPC:
    case EDQUOT:
        return "; free some space, or write the trace to another disk";
    case EFBIG:
        return "; raise the file size limit (ulimit -f)";
    case EMFILE:
    case ENFILE:
        return "; raise the limit of open files (ulimit -n)";
    case ENOMEM:
        return "; free some memory, or raise vm.max_map_count if there are very many threads";
    default:
        return "";
    }
}

void ditto_error_system(struct ditto_error *error, const char *path, const char *action,
                        int error_number)
{
    ditto_error_set(error, "%s: cannot %s: %s%s", path, action, strerror(error_number),
                    remedy(error_number));
}
