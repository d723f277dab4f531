/* SPDX-License-Identifier: MIT */
/*
 * The stub: gdb's remote protocol in front of a machine.
 *
 *     listen   who may talk to us, and where             rsp          bytes and packets
 *     packets  the table of packets, one handler each    breakpoints  and watchpoints
 *     resume   moving the machine                        stops        what to say of a stop
 *     view     registers and memory                      monitor      the commands of `monitor`
 *     program  the program's addresses                   symbols      what gdb knows of it
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
