/* SPDX-License-Identifier: MIT */
/*
 * The machine code that HotSpot made of a method, in the replay JVM at the present.
 *
 * HotSpot notes bytecodes only where it may have to find its way back to them: behind calls, at
 * polls of safepoints, and at instructions that may fault.  So what stands between two such
 * locations is what leads to the second of them, and is shown with its line.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_JIT_H
#define DITTO_GDB_PLUGIN_GDB_JIT_H

#include "gdb-plugin/gdb/client.h"

/*
 * The machine code of the method at an address of ours, or of all of a name, with lines;
 * false if there is none, and why is in `out`.
 */
bool jit_print(struct client *client, const char *method, bool intel, struct ditto_buf *out);

#endif
