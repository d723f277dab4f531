/* SPDX-License-Identifier: MIT */
/* Classes of the JDK that the program knows by heart. */
#ifndef DITTO_GDB_PLUGIN_PROGRAM_BUILT_IN_H
#define DITTO_GDB_PLUGIN_PROGRAM_BUILT_IN_H

#include "gdb-plugin/program/shapes.h"

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
