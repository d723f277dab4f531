/* SPDX-License-Identifier: MIT */
/* Bytes, line tables and frames: what does not depend on the tree of entries. */
#ifndef DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_PIECES_H
#define DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_PIECES_H

#include "gdb-plugin/program/shapes.h"

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
