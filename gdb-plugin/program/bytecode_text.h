/* SPDX-License-Identifier: MIT */
/* Bytecode in words, as javap writes it. */
#ifndef DITTO_GDB_PLUGIN_PROGRAM_BYTECODE_TEXT_H
#define DITTO_GDB_PLUGIN_PROGRAM_BYTECODE_TEXT_H

#include "gdb-plugin/program/shapes.h"

/* Appends the instruction at `bci`; how many bytes it has.  Index -1 is the method's entry. */
unsigned bytecodes_put(const struct program_method *method, int32_t bci, struct ditto_buf *out);

#endif
