/* SPDX-License-Identifier: MIT */
/*
 * The debug information of a program, DWARF 4, in the shape that stock gdb takes for C++:
 * a compilation unit for each class, packages as namespaces.
 *
 * A unit names other classes by declarations only, and gdb looks them up when it needs them; so gdb
 * expands what its user looks at, and not every class of the program.  Superclasses alone are
 * referred to across units.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_H
#define DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_H

#include "gdb-plugin/program/program.h"

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

/* Little-endian pieces. */
void put1(struct ditto_buf *buf, unsigned value);
void put2(struct ditto_buf *buf, unsigned value);
void put4(struct ditto_buf *buf, uint32_t value);
void put8(struct ditto_buf *buf, uint64_t value);
void put_uleb(struct ditto_buf *buf, uint64_t value);
void put_sleb(struct ditto_buf *buf, int64_t value);
void put_text(struct ditto_buf *buf, const char *text);
/* Overwrites four bytes. */
void patch4(struct ditto_buf *buf, size_t at, uint32_t value);

/* Appends a class's line table; returns where it begins. */
uint32_t dwarf_lines(struct ditto_buf *line, const struct program_class *class);
/* The same for _Unwind_DebugHook, which no source has. */
uint32_t dwarf_hook_lines(struct ditto_buf *line);
void dwarf_frames(struct ditto_buf *frame, const struct program *program);

#endif
