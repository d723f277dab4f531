/* SPDX-License-Identifier: MIT */
/*
 * A replay JVM that obeys us: started, moved forward in time, asked, ended.  It cannot go back.
 *
 * It runs in the background: a request to move is sent at once and its answer taken when somebody
 * needs it.  Its output goes nowhere: a run is shown again and again, by several JVMs, and printed
 * when it was recorded; what it says before it dies is kept for the error.
 */
#ifndef DITTO_GDB_PLUGIN_MACHINE_REPLICA_H
#define DITTO_GDB_PLUGIN_MACHINE_REPLICA_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "gdb-plugin/machine/positions.h"
#include "gdb-plugin/machine/recording.h"
#include "jvm-bridge/control/messages.h"

struct replica {
    struct replica *next; /* in whatever list it is */
    uint32_t serial;      /* 1, 2 and so on: keys that were looked at belong to one */
    struct recording *recording;
    pid_t pid;
    int socket, messages; /* messages: a file with what it wrote to stderr */
    unsigned due;         /* answers to moves that have not been taken */
    unsigned asked;       /* answers about progress that have not been taken */
    double looked;        /* when it was last asked about that, in seconds */
    uint64_t from, to;    /* the clocks between which its last move goes */
    bool wanted;          /* as a spare, where it is */
    bool lost;
    bool told;                          /* it left the trace, and said so */
    struct ditto_error error;           /* why */
    struct position at;                 /* where it is, or will be when nothing is due any more */
    bool fresh;                         /* it has not begun */
    struct ditto_message_halt halt;     /* the last answer; its texts are gone */
    struct position hit_at, hit_before; /* of that */
    struct ditto_message in, out;
    const struct ditto_method **methods; /* by number, as far as known */
    uint32_t method_count;
};

/* What a move sends before its answer; either may be NULL. */
struct replica_listener {
    void *context;
    void (*log)(void *context, struct replica *replica, struct ditto_message *message);
    /* Must take the frames that follow the hit. */
    void (*write)(void *context, struct replica *replica, const struct ditto_message_hit *hit,
                  struct ditto_message *frames);
};

/* Starts one; it stands at the beginning when its first answer was taken.  NULL with the error. */
struct replica *replica_start(struct recording *recording, struct ditto_error *error);
/* Ends it, and forgets it. */
void replica_end(struct replica *replica);

/* Whether it has ended; it has then said nothing that is worth waiting for. */
bool replica_is_dead(struct replica *replica);

/* Sends a request to move; the answer is due. */
void replica_send_go(struct replica *replica, const struct ditto_message_go *go);
/*
 * Takes all answers that are due.  False if it is lost.  Asks it to stop when the machine is
 * interrupted.
 */
bool replica_wait(struct replica *replica, const struct replica_listener *listener);
/* The same, for so many seconds at most: then something may be due still.  `*done` is how far the
 * move is, of 1. */
bool replica_wait_for(struct replica *replica, const struct replica_listener *listener,
                      double seconds, double *done);
/* The two together. */
bool replica_go(struct replica *replica, const struct ditto_message_go *go,
                const struct replica_listener *listener);

/* All threads together to the cut, without waiting. */
void replica_send_goto(struct replica *replica, uint64_t clock);

/*
 * A question: begin it, put its fields into replica->out, ask; the answer's fields are in
 * replica->in.  False if it is lost.
 */
void replica_begin(struct replica *replica, enum ditto_message_kind kind);
bool replica_ask(struct replica *replica);

const struct ditto_method *replica_method(struct replica *replica, uint32_t number);

#endif
