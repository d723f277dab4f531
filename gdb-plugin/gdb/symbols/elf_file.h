/* SPDX-License-Identifier: MIT */
/* The ELF file that gdb takes for the program: symbols and debug information, no code. */
#ifndef DITTO_GDB_PLUGIN_GDB_SYMBOLS_ELF_FILE_H
#define DITTO_GDB_PLUGIN_GDB_SYMBOLS_ELF_FILE_H

#include "gdb-plugin/gdb/symbols/dwarf_info.h"

/* Writes it to an open file.  False on failure. */
bool symbols_write(const struct program *program, const struct dwarf_sources *sources, int fd,
                   struct ditto_error *error);

#endif
