/* SPDX-License-Identifier: MIT */
/*
 * The debug information of a program, DWARF 4, in the shape that stock gdb takes for C++:
 * a compilation unit for each class, packages as namespaces.
 *
 * A unit names other classes by declarations only, and gdb looks them up when it needs them; so gdb
 * expands what its user looks at, and not every class of the program.  Superclasses alone are
 * referred to across units.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_INFO_H
#define DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_INFO_H

#include "gdb-plugin/program/shapes.h"

struct dwarf {
    struct ditto_buf info, abbrev, line, frame;
};

/* Where sources may be; a unit's directory is the one that has its source. */
struct dwarf_sources {
    const char *const *paths;
    size_t count;
};

void dwarf_make(const struct program *program, const struct dwarf_sources *sources,
                struct dwarf *dwarf);
void dwarf_free(struct dwarf *dwarf);

#endif
