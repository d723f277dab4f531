/* SPDX-License-Identifier: MIT */
/* One gdb that talks to us: what is kept of the conversation, which packets change. */
#ifndef DITTO_GDB_PLUGIN_GDB_CLIENT_H
#define DITTO_GDB_PLUGIN_GDB_CLIENT_H

#include "core/base/text.h"
#include "gdb-plugin/gdb/view.h"

struct listing;
struct breakpoint;
struct removal;
struct rsp;

/* A request of `monitor break-write`. */
struct write_request {
    unsigned number;
    struct ditto_watch watch;
    char *text; /* as the user wrote it */
};

struct client {
    const char *trace;
    struct ditto_machine *machine;
    struct program *program;
    struct view view;
    struct rsp *rsp;
    const uint8_t *symbols; /* the ELF file, mapped */
    size_t symbols_size;

    uint32_t general, moving; /* of H packets: gdb's thread ids, 0 for any */
    bool swbreak;             /* gdb understands why it stopped */
    bool killed, over;        /* by gdb: until `run`; for good */
    bool progress;            /* gdb's user wants to see how far long commands are */

    struct breakpoint *breakpoints;
    size_t breakpoint_count, breakpoint_room;
    struct removal *removed; /* breakpoints that gdb took away since it last resumed */
    size_t removed_count, removed_room;
    bool shown;       /* gdb has asked for the threads since the stop: its user sees it */
    bool interrupted; /* a Ctrl-C that no stop has been told for */
    struct write_request *requests;
    size_t request_count, request_room;
    unsigned last_request;

    enum { JUMP_NONE, JUMP_CLOCK, JUMP_BEGIN, JUMP_END } jump; /* to make when gdb resumes */
    uint64_t jump_clock;

    /* What `?` says: the last stop. */
    struct ditto_buf stop;
    uint32_t current; /* the replay id of the thread that stopped */

    bool was_alone; /* the last resumption was of one thread */
    bool stepping;  /* since its user last saw a stop, gdb has stepped */

    /* A stop of another thread that came in the way of a step that gdb wanted of one alone. */
    bool pending, pending_caught, pending_back;
    struct ditto_halt pending_halt;
    uint64_t pending_address;

    uint32_t before_throw; /* a thread that is about to throw, STACKS_MAX: none */

    double busy_since, busy_said; /* seconds; 0: not busy */

    const char **names; /* of threads, by replay id; the machine's */
    size_t name_count;

    struct listing *listing; /* of writes, that is under way; NULL: none */
    bool pieces;             /* long commands of `monitor` are answered piece by piece */
};

/* gdb's thread ids begin with 1. */
static inline uint32_t to_gdb(uint32_t replay_id)
{
    return replay_id + 1;
}

/* The replay id of gdb's thread; of the current one if gdb does not say. */
uint32_t client_thread(const struct client *client, uint32_t gdb_thread);
bool client_has_thread(struct client *client, uint32_t gdb_thread);

bool thread_exists(struct client *client, uint32_t replay_id);
/* "?" if there is none. */
const char *thread_name(struct client *client, uint32_t replay_id);

/* Sends text for gdb to print, at once. */
void client_say(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Around what may take long: tells how far it is, and heeds a Ctrl-C and a gdb that goes, which
 * sets client->over.  The end says whether there was a Ctrl-C.
 */
void client_busy_begin(struct client *client);
bool client_busy_end(struct client *client);
/* The machine's `busy` with a client: tells how far it is every half a second of a long command.
 */
bool client_is_busy(void *client, double done);

#endif
