/* SPDX-License-Identifier: MIT */
#ifndef DITTO_GDB_PLUGIN_CLASSPATH_SUPERCLASS_H
#define DITTO_GDB_PLUGIN_CLASSPATH_SUPERCLASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The name lies in the bytes; false for java/lang/Object and for what is no class file. */
bool superclass_of(const uint8_t *bytes, size_t size, const char **name, size_t *length);

#endif
