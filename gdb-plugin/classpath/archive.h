/* SPDX-License-Identifier: MIT */
/*
 * Where the bytes of classes come from: directories and archives (jar) of a class path, and the
 * modules of a JDK.  No byte of an archive is trusted.
 */
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

struct jdk;

/* The modules of the JDK whose java that is; NULL if there are none. */
struct jdk *jdk_open(const char *java);
void jdk_close(struct jdk *jdk);
/* The bytes of the class "java/lang/Object", to be freed; NULL: there is none. */
uint8_t *jdk_read(const struct jdk *jdk, const char *class_name, size_t *size);

#endif
