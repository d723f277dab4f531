/* SPDX-License-Identifier: MIT */
/* What the program keeps of one class file, and of the JDK's classes that it knows by heart. */
#ifndef DITTO_GDB_PLUGIN_PROGRAM_READ_CLASS_H
#define DITTO_GDB_PLUGIN_PROGRAM_READ_CLASS_H

#include "gdb-plugin/program/program.h"

/* Copies the bytes.  NULL on failure. */
struct program_class *read_class(struct program *program, const uint8_t *bytes, size_t length,
                                 struct ditto_error *error);

/* The same without methods and statics: all that there is of a class that is not in the trace. */
struct program_class *read_shape(struct program *program, const uint8_t *bytes, size_t length);

/*
 * Classes that printing needs and that a trace need not hold: strings, boxes, collections, and the
 * shapes of arrays.  Calls `find` for each, which is to make it known if it can; else it is made
 * from what is known by heart, if that is enough, and `add` called.
 */
void built_in_classes(struct program *program, struct ditto_machine *machine,
                      void (*find)(struct program *program, struct ditto_machine *machine,
                                   const char *name),
                      void (*add)(struct program *program, struct program_class *class));

#endif
