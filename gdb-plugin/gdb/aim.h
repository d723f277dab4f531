/* SPDX-License-Identifier: MIT */
/* What a resumption looks for, and what it came to. */
#ifndef DITTO_GDB_PLUGIN_GDB_AIM_H
#define DITTO_GDB_PLUGIN_GDB_AIM_H

#include "gdb-plugin/gdb/client.h"

/* Why a breakpoint of a move is there. */
enum trap_kind {
    TRAP_BREAKPOINT, /* gdb's */
    TRAP_LOCAL,      /* an instruction that stores to a local that gdb watches */
    TRAP_ROOT /* a return from a thread's first method, while gdb waits at the thread's root */
};

struct trap {
    enum trap_kind kind;
    uint64_t address; /* of gdb's breakpoint */
    const struct breakpoint
        *breakpoint; /* the breakpoint, NULL: it was taken away; the watchpoint */
    uint32_t thread; /* TRAP_LOCAL: whose frame */
    uint64_t fp;     /* and which */
};

struct aim {
    struct client *client;
    struct ditto_go go;
    struct ditto_location *locations;
    struct trap *traps; /* one for each of the locations */
    size_t trap_count, trap_room, location_room;
    struct ditto_watch *watches;
    uint64_t *watch_addresses; /* what gdb calls each; 0 for those of break-write */
    const struct breakpoint **watchpoints;
    size_t watch_count, watch_room, address_room, watchpoint_room;
    bool root_wanted, throw_wanted, hook_wanted;
    uint32_t only; /* the thread that all stops are of, STACKS_MAX: any */
};

/* What a move came to, in gdb's terms. */
struct outcome {
    struct ditto_halt halt;
    const struct trap *trap; /* of a breakpoint */
    bool caught;             /* of a throw: it has happened, and the thread is where it is caught */
};

/* gdb's breakpoints and watchpoints, with or without those that it has taken away for a moment, as
 * the machine's; to be dropped. */
void take_aim(struct aim *aim, struct client *client, bool with_removed);
void drop_aim(struct aim *aim);

#endif
