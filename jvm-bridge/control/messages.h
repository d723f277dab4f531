/* SPDX-License-Identifier: MIT */
/*
 * What the debugger and the agent in a replay JVM say to each other, over a socket between two
 * processes of one user on one machine.
 *
 * A message is its length (4 bytes, of what follows), its kind (1 byte) and its fields one after
 * the other, numbers in the machine's order, texts with their length in front.  The debugger sends
 * a request and gets one answer of the same kind, or DITTO_SAY_LOST; only DITTO_ASK_GO takes time.
 * While it runs the agent may send DITTO_SAY_LOG and DITTO_SAY_WRITES before the answer, and the
 * debugger DITTO_ASK_INTERRUPT, which has no answer of its own, and DITTO_ASK_PROGRESS, whose
 * answer may come after that of the run.  The agent begins with the answer
 * to a run that nobody asked for: main stands at its beginning.  Who finds the socket closed ends.
 */
#ifndef DITTO_JVM_BRIDGE_CONTROL_MESSAGES_H
#define DITTO_JVM_BRIDGE_CONTROL_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ditto_message_kind {
    DITTO_ASK_GO = 1,    /* struct ditto_message_go; struct ditto_message_halt */
    DITTO_ASK_INTERRUPT, /* ; */
    DITTO_ASK_PROGRESS,  /* ; about which clock it is at */
    DITTO_ASK_THREADS,   /* ; count, struct ditto_message_thread of each that lives; then the number
                            of   threads started so far */
    DITTO_ASK_HELD,      /* thread; count, keys of objects whose monitors it holds */
    DITTO_ASK_FRAMES,    /* thread; count, (method number, bci)... */
    DITTO_ASK_LOCAL,     /* thread, depth, slot, type; whether, value */
    DITTO_ASK_LATEST,    /* thread; whether it has begun, its last turn, its clock */
    DITTO_ASK_RETURNED,  /* thread; whether, value */
    DITTO_ASK_CLASS_OF,  /* key; class name, empty: there is none */
    DITTO_ASK_FIELD,     /* key, class, field, descriptor; whether, value */
    DITTO_ASK_STATIC,    /* class, field, descriptor; whether, value */
    DITTO_ASK_LENGTH,    /* key; length or -1 */
    DITTO_ASK_ELEMENTS,  /* key, first, count; count, values */
    DITTO_ASK_METHOD,    /* method number; class, name, descriptor */
    DITTO_ASK_COMPILED,  /* class, name, descriptor; whether, address, bytes, count, (offset, method
                            number, bci)... */
    DITTO_SAY_LOG,    /* count, (thread, turn, clock, enum ditto_log_kind; of a step: method number,
                         bci, count, callers (method number, bci); count UINT32_MAX: the callers
                         are those of the thread's last step)... */
    DITTO_SAY_WRITES, /* count, (struct ditto_message_hit, count, frames (method number, bci) if
                         they are few)... */
    DITTO_SAY_LOST    /* text: the replay left its trace, and the JVM ends */
};

/* ------------------------------------------------------------------ encoding */

/* A message that is being made or read.  Reading past the end gives zeros and sets `failed`. */
struct ditto_message {
    uint8_t *bytes; /* owned */
    size_t size, at, capacity;
    bool failed;
};

void ditto_message_free(struct ditto_message *message);
/* Empties it and begins a message. */
void ditto_message_begin(struct ditto_message *message, enum ditto_message_kind kind);
void ditto_message_put8(struct ditto_message *message, uint8_t value);
void ditto_message_put32(struct ditto_message *message, uint32_t value);
void ditto_message_put64(struct ditto_message *message, uint64_t value);
void ditto_message_put_text(struct ditto_message *message, const char *text); /* NULL: empty */
void ditto_message_put_bytes(struct ditto_message *message, const void *bytes, size_t size);
uint8_t ditto_message_get8(struct ditto_message *message);
uint32_t ditto_message_get32(struct ditto_message *message);
uint64_t ditto_message_get64(struct ditto_message *message);
/* Valid until the message is emptied; never NULL. */
const char *ditto_message_get_text(struct ditto_message *message);
const uint8_t *ditto_message_get_bytes(struct ditto_message *message, size_t *size);
/* Writes one number over, for counts that are known at the end. */
void ditto_message_set32(struct ditto_message *message, size_t at, uint32_t value);

/* False when the other side is gone. */
bool ditto_message_send(int fd, struct ditto_message *message);
/* Waits for a message; 0: the other side is gone. */
uint8_t ditto_message_receive(int fd, struct ditto_message *message);

/* --------------------------------------------------------------------- values */

/* `type` is the first letter of a descriptor; of an object, `bits` is its key; else its value. */
struct ditto_message_value {
    char type;
    uint64_t bits;
};
void ditto_message_put_value(struct ditto_message *message,
                             const struct ditto_message_value *value);
struct ditto_message_value ditto_message_get_value(struct ditto_message *message);

/*
 * Keys of objects.  One that recorded code has made has the same key in every replay: who made it,
 * and which of that thread's it was.  So has one that recorded code locked or stored somewhere
 * first: who, and at which turn.  Others get a key when they are first looked at, which means
 * nothing in another JVM.
 */
#define DITTO_KEY_MADE(thread, nth) ((((uint64_t)(thread) + 1) << 40) | (nth))
#define DITTO_KEY_MET(thread, turn)                                                                \
    ((UINT64_C(1) << 62) | (((uint64_t)(thread) + 1) << 40) | (turn))
#define DITTO_KEY_LOOKED_AT (UINT64_C(1) << 63)

/* ---------------------------------------------------------------------- spots */

/*
 * Where a thread is within a turn.  The step is not known where a breakpoint stopped a thread that
 * was not being stepped: then it is so many steps after the nth time in this turn that it came to a
 * bytecode.
 */
enum ditto_spot_kind {
    DITTO_POSITION_NONE,
    DITTO_POSITION_STEP,  /* after `step` steps */
    DITTO_POSITION_MARK,  /* `step` steps after the nth arrival at the mark */
    DITTO_POSITION_THROW, /* `step` steps after the nth exception that recorded code threw */
    DITTO_POSITION_ALL    /* the turn is done */
};

struct ditto_message_position {
    uint8_t kind;
    uint32_t thread;
    uint64_t turn, clock, step, nth;
    const char *class_name, *method, *descriptor; /* of the mark; NULL or empty: none */
    int32_t bci;
};
void ditto_message_put_position(struct ditto_message *message,
                                const struct ditto_message_position *position);
void ditto_message_get_position(struct ditto_message *message,
                                struct ditto_message_position *position);

/* ----------------------------------------------------------------------- runs */

enum ditto_message_walk { DITTO_WALK_NONE, DITTO_WALK_STEP, DITTO_WALK_RANGE };

enum {
    DITTO_GO_LOG = 1,      /* step everybody, and send every turn, step and end */
    DITTO_GO_REMEMBER = 2, /* do not stop at breakpoints, watches and throws: tell the last */
    DITTO_GO_WRITES = 4,   /* likewise, and send all accesses that are watched */
    DITTO_GO_THROWS = 8    /* exceptions count */
};

/* What an entry of the log tells of its thread. */
enum ditto_log_kind {
    DITTO_LOG_TURN, /* it had a turn */
    DITTO_LOG_STEP, /* it came to a bytecode */
    DITTO_LOG_END   /* it is over: one step more than the last bytecode */
};

struct ditto_message_break {
    const char *class_name, *method, *descriptor;
    int32_t bci;
};

struct ditto_message_watch {
    uint8_t kind;                                /* 1: writes, 2: reads, 3: both */
    uint64_t key;                                /* 0: of all objects */
    const char *class_name, *field, *descriptor; /* empty: an element */
    int64_t index;
    uint64_t nth;
};

struct ditto_message_go {
    uint8_t pace; /* enum ditto_pace */
    uint64_t limit;
    struct ditto_message_position target; /* where to stop in any case */
    uint8_t flags;
    uint8_t walk;
    uint32_t walker;
    int32_t from, to;
    uint32_t break_count, watch_count;
    struct ditto_message_break *breaks;
    struct ditto_message_watch *watches;
};
void ditto_message_put_go(struct ditto_message *message, const struct ditto_message_go *run);
/* The arrays are to be freed; texts point into the message. */
void ditto_message_get_go(struct ditto_message *message, struct ditto_message_go *run);

enum ditto_message_why {
    DITTO_HALT_HELD, /* interrupted */
    DITTO_HALT_LIMIT,
    DITTO_HALT_END,
    DITTO_HALT_TARGET,
    DITTO_HALT_STEPPED,
    DITTO_HALT_BREAK,
    DITTO_HALT_WATCH,
    DITTO_HALT_THROW
};

/* Something that was looked for. */
struct ditto_message_hit {
    uint8_t why;                      /* BREAK, WATCH or THROW; HELD: nothing */
    uint32_t index;                   /* of the breakpoint or watch */
    struct ditto_message_position at; /* of a watched access: just after it */
    struct ditto_message_position
        before;        /* of a watched access: the turn before it, of whatever thread */
    uint64_t key, nth; /* whose field it is, 0 of a static; which write of the run */
    struct ditto_message_value old, new;
    uint8_t written;
    uint32_t method; /* the place of an access */
    int32_t bci;
};
void ditto_message_put_hit(struct ditto_message *message, const struct ditto_message_hit *hit);
void ditto_message_get_hit(struct ditto_message *message, struct ditto_message_hit *hit);

struct ditto_message_halt {
    uint8_t why;
    struct ditto_message_position present;
    struct ditto_message_hit hit; /* why it halted, or the last that was remembered */
    uint64_t accesses;            /* that were watched, in this run */
};
void ditto_message_put_halt(struct ditto_message *message, const struct ditto_message_halt *halt);
void ditto_message_get_halt(struct ditto_message *message, struct ditto_message_halt *halt);

/* A living thread at rest. */
struct ditto_message_thread {
    uint32_t id;
    uint8_t waits;            /* for something of the program's */
    uint8_t at_end;           /* the trace has no more of it */
    const char *what;         /* it waits for, in words */
    uint8_t wants, awaits;    /* a monitor; a notification */
    uint64_t wanted, awaited; /* keys of those objects */
    uint32_t holder, joined;  /* who holds the monitor, whose end it waits for: ids + 1, or 0 */
};
void ditto_message_put_thread(struct ditto_message *message,
                              const struct ditto_message_thread *thread);
void ditto_message_get_thread(struct ditto_message *message, struct ditto_message_thread *thread);

#endif
