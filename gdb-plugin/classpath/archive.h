/* SPDX-License-Identifier: MIT */
/* An archive (jar) of a class path.  No byte of it is trusted. */
#ifndef DITTO_GDB_PLUGIN_CLASSPATH_ARCHIVE_H
#define DITTO_GDB_PLUGIN_CLASSPATH_ARCHIVE_H

#include <stddef.h>
#include <stdint.h>

struct archive;

/* NULL if it is no archive that can be read. */
struct archive *archive_open(const char *path);
void archive_close(struct archive *archive);
/* The bytes of an entry, to be freed; NULL: there is none. */
uint8_t *archive_read(const struct archive *archive, const char *name, size_t *size);

#endif
