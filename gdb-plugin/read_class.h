/* SPDX-License-Identifier: MIT */
/* What the program keeps of one class file, and of the JDK's classes that it knows by heart. */
#ifndef DITTO_GDB_PLUGIN_READ_CLASS_H
#define DITTO_GDB_PLUGIN_READ_CLASS_H

#include "gdb-plugin/program.h"

/* Copies the bytes.  NULL on failure. */
struct program_class *read_class(struct program *program, const uint8_t *bytes, size_t length,
                                 struct ditto_error *error);

/*
 * Classes that printing needs and that a trace need not hold: strings, boxes, collections, and the
 * shapes of arrays.  Calls `add` for each, supers first.
 */
void built_in_classes(struct program *program,
                      void (*add)(struct program *program, struct program_class *class));

#endif
