/* SPDX-License-Identifier: MIT */
/*
 * Registers.  Only rip, rbp and rsp mean anything, rax and xmm0 after a return, and the clock.  SSE
 * is there since gdb breaks down without it when a method returns a double.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_REGISTERS_H
#define DITTO_GDB_PLUGIN_GDB_REGISTERS_H

#include "gdb-plugin/gdb/view.h"

enum { VIEW_REGISTERS_SIZE = 17 * 8 + 7 * 4 + 8 * 10 + 8 * 4 + 16 * 16 + 4 + 8 };

/* The registers of target.xml in their order.  `known` has a bit for each byte that is. */
void view_registers(struct view *view, uint32_t thread, uint8_t *bytes, bool *known);
/* Those alone that follow from the thread's frames: no JVM is needed for them where a breakpoint
 * was hit. */
void view_pointers(struct view *view, uint32_t thread, uint8_t *bytes, bool *known);
/* The offset and size of register `number`; false if there is none. */
bool view_register(unsigned number, size_t *offset, size_t *size);

extern const char view_target_xml[];

#endif
