/* SPDX-License-Identifier: MIT */
/* One gdb's session with a machine: the state that packets change. */
#ifndef DITTO_GDB_PLUGIN_GDB_CLIENT_H
#define DITTO_GDB_PLUGIN_GDB_CLIENT_H

#include "core/base/text.h"
#include "gdb-plugin/gdb/condition.h"
#include "gdb-plugin/gdb/rsp.h"
#include "gdb-plugin/gdb/view.h"

/* The reply to a packet, in the making.  Texts and bytes; the wire escapes. */
struct reply {
    struct ditto_buf bytes;
    bool none; /* the packet has none */
};

void reply_text(struct reply *reply, const char *format, ...) __attribute__((format(printf, 2, 3)));
void reply_hex(struct reply *reply, const uint8_t *bytes, size_t length);

/* A breakpoint or watchpoint of gdb's. */
struct point {
    unsigned type; /* 0 and 1: breakpoints; 2, 3, 4: written, read, either */
    uint64_t address, length;
    struct condition *conditions; /* one of them must hold; owned; none: it always stops */
    size_t condition_count;
};

/*
 * A breakpoint that gdb took away.  When its user sees a stop, gdb takes all away; otherwise only
 * the one that it lets a thread step over.
 */
struct removal {
    uint64_t address;
    bool for_step;
};

/* A request of `monitor break-write`. */
struct write_request {
    unsigned number;
    struct ditto_watch watch;
    char *text; /* as the user wrote it */
};

struct session {
    const char *trace;
    struct ditto_machine *machine;
    struct program *program;
    struct view view;
    struct wire *wire;
    const uint8_t *symbols; /* the ELF file, mapped */
    size_t symbols_size;

    uint32_t general, moving; /* of H packets: gdb's thread ids, 0 for any */
    bool swbreak;             /* gdb understands why it stopped */
    bool killed, over;        /* by gdb: until `run`; for good */
    bool progress;            /* gdb's user wants to see how far long commands are */

    struct point *points;
    size_t point_count;
    struct removal *removed; /* breakpoints that gdb took away since it last resumed */
    size_t removed_count;
    bool shown;       /* gdb has asked for the threads since the stop: its user sees it */
    bool interrupted; /* a Ctrl-C that no stop has been told for */
    struct write_request *requests;
    size_t request_count;
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
uint32_t session_thread(const struct session *session, uint32_t gdb_thread);
bool session_has_thread(struct session *session, uint32_t gdb_thread);

/* Sends text for gdb to print, at once. */
void session_say(struct session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Around what may take long: tells how far it is, and heeds a Ctrl-C and a gdb that goes, which
 * sets session->over.  The end says whether there was a Ctrl-C.
 */
void session_busy_begin(struct session *session);
bool session_busy_end(struct session *session);

/* breakpoints.c: false if it cannot be kept.  Takes the conditions, or frees them. */
bool points_insert(struct session *session, const struct point *point);
void points_remove(struct session *session, const struct point *point);
void points_free(struct session *session);
bool point_add_condition(struct point *point, const uint8_t *code, size_t size);
void point_free(struct point *point);
/* Whether a breakpoint that the thread has come to is to stop it: also if a condition has no value,
 * for gdb asks itself once more, and says why. */
bool point_holds(const struct point *point, struct view *view, uint32_t thread);

/* resume.c */
struct resumption {
    enum ditto_going going; /* DITTO_GO_STEP, DITTO_GO_RANGE or DITTO_GO_ON */
    bool back;
    bool alone;      /* gdb wants no other thread to stop */
    uint32_t thread; /* a replay id */
    uint64_t from, to;
};
/* Moves the machine and puts the stop into session->stop. */
void run_resume(struct session *session, const struct resumption *resumption);
/* To the beginning, as gdb's `run` does. */
void run_restart(struct session *session);
/* Makes session->stop say that thread is where it is. */
void run_describe(struct session *session, int signal, uint32_t thread, const char *reason);

/* packets.c */
void packets_handle(struct session *session, char *packet, size_t length);

/* monitor.c: what it prints is in `out`; false if the command failed, and why is there. */
bool monitor_command(struct session *session, char *line, struct ditto_buf *out);

/*
 * write_list.c: begins to list writes, goes on with it, gives up.  With session->pieces the
 * answer comes after half a second at most, and may be how far it is.
 */
bool listing_begin(struct session *session, const struct ditto_watch *watch, const char *name,
                   struct ditto_buf *out);
bool listing_more(struct session *session, struct ditto_buf *out);
void listing_end(struct session *session);

/* freeruns.c: a thread's free runs, or every thread's with thread == -1, as text. */
bool freeruns_print(const char *trace, int64_t thread, struct ditto_buf *out,
                    struct ditto_error *error);

/*
 * member_names.c: the class of "CLASS.MEMBER", and the member's name in the text; NULL if it is not
 * clear which is meant, and why is in `out`.  `kind` is "field" or "method".
 */
const struct program_class *member_class(struct session *session, const char *text,
                                         const char *kind, const char *example, const char **member,
                                         struct ditto_buf *out);
void put_no_member(const struct program_class *class, const char *kind, const char *member,
                   struct ditto_buf *out);

/*
 * jit.c: the machine code of the method at an address of ours, or of all of a name, with lines;
 * false if there is none, and why is in `out`.
 */
bool jit_print(struct session *session, const char *method, bool intel, struct ditto_buf *out);

/* value_text.c: a value, or a place, in the words of Java. */
void put_value(struct session *session, struct ditto_buf *out, const char *descriptor,
               const struct ditto_value *value);
void put_place(struct session *session, struct ditto_buf *out, const struct ditto_code *place);
const char *thread_name(struct session *session, uint32_t replay_id);
bool thread_exists(struct session *session, uint32_t replay_id);
/* What a thread does: "running", "waits for the monitor of com.acme.Account@3, held by thread 1
 * \"main\"". */
void put_doing(struct session *session, struct ditto_buf *out,
               const struct ditto_thread_view *view);
/* "com.acme.Account@3" */
void put_numbered(struct session *session, struct ditto_buf *out, uint64_t object);

#endif
