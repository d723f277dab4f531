/* SPDX-License-Identifier: MIT */
/* Any bytes as an archive of a class path: opened, and entries read by their names. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gdb-plugin/classpath/archive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Those of tests/gdb/make_archives.py. */
    static const char *const names[] = {"com/acme/A.class", "com/acme/B.class", "Empty.class",
                                        "A.class",          "B.class",          "com/acme/none"};
    char path[64];
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct archive *archive = archive_open(path);
    for (size_t i = 0; archive && i < sizeof names / sizeof *names; i++) {
        size_t length = 0;
        uint8_t *bytes = archive_read(archive, names[i], &length);
        /* Every byte that is handed out is there. */
        for (size_t b = 0; bytes && b < length; b++)
            *(volatile uint8_t *)&bytes[b];
        free(bytes);
    }
    archive_close(archive);
    close(fd);
    return 0;
}
