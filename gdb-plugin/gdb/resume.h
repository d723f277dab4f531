/* SPDX-License-Identifier: MIT */
/*
 * Resuming.
 *
 * gdb dies of an internal error if a thread stops that it has not resumed.  It resumes one alone to
 * step over a breakpoint that it has taken away for that moment, and when its user has locked the
 * scheduler.  So such a resumption is always answered for its thread.  If another one must stop
 * before a step is done, the thread is shown at its root, and the stop of the other is kept for the
 * next time that gdb resumes; while one thread runs on alone, the others do not stop.
 */
#ifndef DITTO_GDB_PLUGIN_GDB_RESUME_H
#define DITTO_GDB_PLUGIN_GDB_RESUME_H

#include "gdb-plugin/gdb/client.h"

struct resumption {
    enum ditto_going going; /* DITTO_GO_STEP, DITTO_GO_RANGE or DITTO_GO_ON */
    bool back;
    bool alone;      /* gdb wants no other thread to stop */
    uint32_t thread; /* a replay id */
    uint64_t from, to;
};

/* Moves the machine and puts the stop into client->stop. */
void resume_machine(struct client *client, const struct resumption *resumption);
/* To the beginning, as gdb's `run` does. */
void restart_machine(struct client *client);

#endif
