/* SPDX-License-Identifier: MIT */
#include "core/base/debug.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/seconds.h"
#include "core/base/text.h"

static const char *const names[DITTO_DEBUG_COUNT] = {
#define NAME(name, what) #name,
    DITTO_DEBUG_DOMAINS(NAME)
#undef NAME
};

_Atomic unsigned char ditto_debug_levels[DITTO_DEBUG_COUNT];

/* Where lines go.  Written by ditto_debug_choose, before there are levels. */
static int output = STDERR_FILENO;

void ditto_debug_print(enum ditto_debug_domain domain, const char *format, ...)
{
    char text[2048];
    int error = errno;
    int head = snprintf(text, sizeof text, "ditto: [%d %ld %.6f] %s: ", (int)getpid(),
                        syscall(SYS_gettid), ditto_seconds(), names[domain]);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + head, sizeof text - (size_t)head - 1, format, arguments);
    va_end(arguments);
    for (char *at = text + head; *at; at++)
        if (ditto_is_control(at))
            *at = '?';
    size_t length = strlen(text);
    text[length++] = '\n';
    ssize_t written = write(output, text, length);
    (void)written; /* there is nobody to tell */
    errno = error;
}

/* NAME or NAME:LEVEL, or the same of `all`; false if there is no such domain. */
static bool choose_one(const char *word, size_t length)
{
    const char *colon = memchr(word, ':', length);
    size_t size = colon ? (size_t)(colon - word) : length;
    unsigned long level = colon ? strtoul(colon + 1, NULL, 10) : 1;
    bool all = size == 3 && memcmp(word, "all", size) == 0, found = all;
    for (int i = 0; i < DITTO_DEBUG_COUNT; i++) {
        if (!all && (strlen(names[i]) != size || memcmp(names[i], word, size) != 0))
            continue;
        atomic_store_explicit(&ditto_debug_levels[i], (unsigned char)(level > 255 ? 255 : level),
                              memory_order_relaxed);
        found = true;
    }
    return found;
}

static void choose_domains(const char *domains)
{
    char unknown[256] = "", known[256] = "";
    size_t used = 0, length;
    for (const char *at = domains; *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        if (length && !choose_one(at, length) && used < sizeof unknown)
            used += (size_t)snprintf(unknown + used, sizeof unknown - used, "%s'%.*s'",
                                     used ? ", " : "", (int)length, at);
    }
    used = 0;
    for (int i = 0; i < DITTO_DEBUG_COUNT && used < sizeof known; i++)
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
    if (unknown[0])
        dprintf(STDERR_FILENO, "ditto: DITTO_DEBUG: there is no domain %s; there are all, %s\n",
                unknown, known);
}

/* The name with the process id for each %p; false if it is too long. */
static bool expand(const char *file, char *path, size_t size)
{
    size_t used = 0;
    while (*file && used < size) {
        bool is_id = ditto_begins(file, "%p");
        used += (size_t)(is_id ? snprintf(path + used, size - used, "%d", (int)getpid())
                               : snprintf(path + used, size - used, "%c", *file));
        file += is_id ? 2 : 1;
    }
    return used < size;
}

static void choose_file(const char *file)
{
    /* Above the descriptors that a native program counts on getting, and below those that the agent
     * gives to a Java program. */
    enum { FAR = 100 };
    char path[4096] = "";
    int fd = -1;
    if (expand(file, path, sizeof path))
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    int moved = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, FAR) : -1;
    if (moved >= 0) {
        close(fd);
        fd = moved;
    }
    if (fd >= 0)
        output = fd;
    else
        dprintf(STDERR_FILENO,
                "ditto: DITTO_DEBUG_FILE: %s cannot be written: %s; lines go to stderr\n", file,
                strerror(errno));
}

void ditto_debug_choose(const char *domains, const char *file)
{
    for (int i = 0; i < DITTO_DEBUG_COUNT; i++)
        atomic_store_explicit(&ditto_debug_levels[i], 0, memory_order_relaxed);
    if (output != STDERR_FILENO)
        close(output);
    output = STDERR_FILENO;
    if (!domains || !*domains)
        return;
    if (file && *file)
        choose_file(file);
    choose_domains(domains);
}

__attribute__((constructor)) static void choose_by_environment(void)
{
    ditto_debug_choose(secure_getenv("DITTO_DEBUG"), secure_getenv("DITTO_DEBUG_FILE"));
}
