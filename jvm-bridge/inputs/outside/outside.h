/* SPDX-License-Identifier: MIT */
/*
 * The outside world as the JDK's libraries reach it, through functions of the C library that are
 * led here (imports.h): files, directories, sockets, name lookups, processes.
 *
 * What a thread that counts asks for is an input (inputs.h); in a replay nothing of it reaches the
 * system.  Descriptors that it opens are moved to numbers of their own, from `first` on, so that a
 * descriptor says by itself whether it belongs to the program or to the JVM: what the JVM opens to
 * load classes stays real in a replay, and the program's are then numbers without a descriptor
 * behind them.  Standard input, output and error are the program's, too.
 *
 * Paths: the JDK's own files and the archives of the class path are read where they are in both
 * modes.  All others are the program's, unless they are opened to load a class, when the thread is
 * paused: a compiler reads and writes class files, too.
 */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_OUTSIDE_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_OUTSIDE_H

#include "jvm-bridge/inputs/inputs.h"

/* What tells the program's paths and descriptors from the JVM's.  In the OnLoad phase, with the
 * session open. */
void ditto_outside_begin(void);

/* The calling thread, if what it asks for is an input; NULL: pass the call on. */
struct ditto_thread *ditto_of_path(const char *path);
struct ditto_thread *ditto_of_descriptor(int fd);

/* The program's descriptor, of which a replay has only the number. */
bool ditto_is_virtual(int fd);

/* Recording: moves a descriptor, or -1, to where the program's are. */
int ditto_keep(int fd);

/* Replaying with --do-writes: the real descriptor behind a number, or -1. */
int ditto_behind(int fd);
void ditto_set_behind(int fd, int real);

/* Whether what changes the outside world is to be done. */
bool ditto_does_writes(void);

/* The answer of a call that only asks. */
#define DITTO_ASK(self, kind, call) ditto_input_result(self, kind, ditto_agent.replay ? 0 : (call))
/* That of one that changes something. */
#define DITTO_CHANGE(self, kind, call)                                                             \
    ditto_input_result(self, kind, ditto_does_writes() ? (call) : 0)

/* On a real descriptor when there is one, else nothing. */
#define DITTO_ON_BEHIND(fd, call)                                                                  \
    do {                                                                                           \
        int real = ditto_agent.replay ? ditto_behind(fd) : -1;                                     \
        if (real >= 0 && (call) < 0)                                                               \
            errno = 0;                                                                             \
    } while (0)

/* What a call has put there, unless it failed. */
void ditto_ask_bytes(struct ditto_thread *self, enum ditto_input_kind kind, int64_t result,
                     void *bytes, size_t length);

/* How many bytes came, as recorded, and the bytes; not more than there is room for, whatever the
 * trace says. */
ssize_t ditto_ask_data(struct ditto_thread *self, enum ditto_input_kind kind, ssize_t got,
                       void *bytes, size_t room);

#endif
