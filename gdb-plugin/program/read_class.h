/* SPDX-License-Identifier: MIT */
/* What the program keeps of one class file. */
#ifndef DITTO_GDB_PLUGIN_PROGRAM_READ_CLASS_H
#define DITTO_GDB_PLUGIN_PROGRAM_READ_CLASS_H

#include "gdb-plugin/program/shapes.h"

/* Copies the bytes.  NULL on failure. */
struct program_class *read_class(struct program *program, const uint8_t *bytes, size_t length,
                                 struct ditto_error *error);

/* The same without methods and statics: all that there is of a class that is not in the trace. */
struct program_class *read_shape(struct program *program, const uint8_t *bytes, size_t length);

#endif
