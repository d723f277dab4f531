/* SPDX-License-Identifier: MIT */
/* Files that are read where they are. */
#ifndef DITTO_CORE_BASE_MAPPED_FILE_H
#define DITTO_CORE_BASE_MAPPED_FILE_H

#include <stddef.h>
#include <stdint.h>

/* An ordinary file's bytes, at least one, until munmap; NULL if there are none to be had. */
const uint8_t *ditto_map_file(const char *path, size_t *size);

#endif
