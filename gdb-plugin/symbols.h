/* SPDX-License-Identifier: MIT */
/* The ELF file that gdb takes for the program: symbols and debug information, no code. */
#ifndef DITTO_GDB_PLUGIN_SYMBOLS_H
#define DITTO_GDB_PLUGIN_SYMBOLS_H

#include "gdb-plugin/dwarf.h"

/* The bytes are the caller's to free with ditto_buf_free.  False on failure. */
bool symbols_make(const struct program *program, const struct dwarf_sources *sources,
                  struct ditto_buf *elf, struct ditto_error *error);

#endif
