/* SPDX-License-Identifier: MIT */
/*
 * The stub: gdb's remote protocol in front of a machine.
 *
 *     listen   who may talk to us, and where             wire      bytes and packets
 *     packets  the table of packets, one handler each    points    breakpoints and watchpoints
 *     run      resuming, and what to say of the stop     monitor   the commands of `monitor`
 *     view     registers and memory                      program, dwarf, symbols   the program
 */
#ifndef DITTO_GDB_PLUGIN_GDB_STUB_H
#define DITTO_GDB_PLUGIN_GDB_STUB_H

#include "gdb-plugin/machine/machine.h"

struct stub_options {
    const char *listen;  /* a path, HOST:PORT, or NULL for stdin and stdout */
    const char *symbols; /* where to write the program's symbols, or NULL */
    bool with_parent;    /* ends when the process that started it does */
    const char *java;    /* as in ditto_machine_options */
    unsigned spares;
    uint64_t spare_bytes;
};

/*
 * Serves one gdb, until it goes.  Returns an exit status of the design; what is wrong with the
 * trace, the address or the symbols' file has then been said on stderr.
 */
int ditto_stub(const char *trace, const struct stub_options *options);

#endif
