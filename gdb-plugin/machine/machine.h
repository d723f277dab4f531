/* SPDX-License-Identifier: MIT */
/*
 * The recorded run as a machine that can be moved in time and looked at, in Java's terms: classes,
 * methods, bytecode indices, frames, locals, objects.  The stub shows it to gdb as a program with
 * addresses; behind it stand replay JVMs.  Nothing here knows gdb, and nothing above it knows JVMs.
 *
 * Time.  A position is (clock, thread, turn, step).  At a position all threads but one stand before
 * their next event of interest; `thread` has taken its turn number `turn` (0: none, it has just
 * begun) at `clock`, and `step` bytecodes of recorded classes since then.  A turn is an event, or a
 * join.  Going forward takes turns in the canonical order of the design, one thread at a time: a
 * turn, then that thread's bytecodes up to its next.  So positions are totally ordered, the same in
 * every replay, and independent of how one came there.
 *
 * Bytecode indices are those of the original class file.  Index -1 is the entry of a method, a step
 * of its own before bytecode 0.
 *
 * Objects are numbers, 0 for null; the same object has the same number at all times, and always
 * after the same commands.
 *
 * This is the promise of the whole room; who keeps which part of it stands beside the headings.
 *
 * Every call works on the present position.  Strings that are handed out stay valid until the next
 * call that moves in time, or until the machine is closed for the names of classes and threads.
 */
#ifndef DITTO_GDB_PLUGIN_MACHINE_MACHINE_H
#define DITTO_GDB_PLUGIN_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

struct ditto_machine;

/* "com/acme/Account", "deposit", "(I)V".  The same pointers for the same method, always. */
struct ditto_method {
    const char *class_name, *name, *descriptor;
};

/* A method and a bytecode index. */
struct ditto_location {
    const struct ditto_method *method;
    int32_t bci;
};

struct ditto_position {
    uint64_t clock;
    uint32_t thread; /* a replay id */
    uint64_t turn;
    uint64_t step;
};

/*
 * A step that has not been counted: where a breakpoint or a cut stopped a thread that was not being
 * stepped.  Going back from there counts it.
 */
#define DITTO_STEP_UNKNOWN UINT64_MAX

/* A Java value; `type` is the first letter of its descriptor: Z B C S I J F D L [. */
struct ditto_value {
    char type;
    union {
        int64_t integer; /* Z B C S I J */
        float f;
        double d;
        uint64_t object; /* L [ */
    };
};

enum ditto_life {
    DITTO_NOT_STARTED,
    DITTO_ALIVE,   /* runs, when its turn comes */
    DITTO_BLOCKED, /* cannot go on at this position */
    DITTO_OVER
};

/* What a blocked thread waits for. */
enum ditto_waiting {
    DITTO_WAITS_FOR_MONITOR,      /* of `object`, which `on` holds */
    DITTO_WAITS_FOR_NOTIFICATION, /* through `object` */
    DITTO_WAITS_FOR_END,          /* of the thread `on` */
    DITTO_WAITS_FOR_ELSE,         /* `what` says for what */
    DITTO_IS_AT_END               /* for nothing: the trace has no more of it */
};

#define DITTO_NOBODY UINT32_MAX

struct ditto_thread_view {
    uint32_t replay_id;
    const char *name;
    enum ditto_life life;
    enum ditto_waiting waiting; /* of one that is blocked */
    uint64_t object;            /* 0: not known */
    uint32_t on;                /* a replay id, or DITTO_NOBODY */
    const char *what;           /* "the initialization of class com.acme.Account" */
};

/* ---------------------------------------------------- coming and going: lifetime.c */

struct ditto_machine_options {
    const char *java;     /* NULL: as `ditto replay` finds it */
    unsigned spares;      /* most replay JVMs kept along the timeline; 0: the default */
    uint64_t spare_bytes; /* most memory for all of them; 0: the default */
    /*
     * Called now and then by whatever takes long, with how far it is of 1; true: stop it.  May be
     * NULL.
     */
    bool (*busy)(void *context, double done);
    void *context;
};

/* At the beginning of the run: before the first bytecode of main.  NULL on failure. */
struct ditto_machine *ditto_machine_open(const char *trace,
                                         const struct ditto_machine_options *options,
                                         struct ditto_error *error);

/* Leaves no process behind. */
void ditto_machine_close(struct ditto_machine *machine);

/* -------------------------------------- the program: class_files.c, source_paths.c */

/*
 * Calls `each` for every class that is in the trace or that such a class names as a superclass,
 * with the bytes of its original class file; false from it ends the walk.  Needs no JVM.
 */
bool ditto_machine_classes(struct ditto_machine *machine,
                           bool (*each)(void *context, const char *name, const uint8_t *bytes,
                                        size_t length),
                           void *context, struct ditto_error *error);

/* The class file of a class of the JDK that replays, to be freed; NULL: there is none.  Needs no
 * JVM. */
uint8_t *ditto_machine_jdk_class(struct ditto_machine *machine, const char *name, size_t *length);

/* The method, made known if it was not. */
const struct ditto_method *ditto_machine_method(struct ditto_machine *machine,
                                                const char *class_name, const char *name,
                                                const char *descriptor);

/* What the trace says of the run: directories and archives where sources may be, if they are there;
 * for gdb's `directory`. */
size_t ditto_machine_source_paths(struct ditto_machine *machine, const char *const **paths);

/* -------------------------------------------------------------- looking: present.c */

void ditto_machine_position(struct ditto_machine *machine, struct ditto_position *position);

/* The clock of the last event of the run. */
uint64_t ditto_machine_last_clock(struct ditto_machine *machine);

/* Every thread of the trace, in the order of replay ids, whether it has begun or not. */
size_t ditto_machine_threads(struct ditto_machine *machine, const struct ditto_thread_view **views);

/* The objects whose monitors the thread holds, in the order of their numbers. */
size_t ditto_machine_held(struct ditto_machine *machine, uint32_t thread, const uint64_t **objects);

/*
 * The frames of a thread, innermost first; 0 for one that is not alive.  Frames of classes that are
 * not in the trace are there too: their bci is -1 if it cannot be told.  The bci of a caller's
 * frame is that of its invoke instruction.
 */
size_t ditto_machine_frames(struct ditto_machine *machine, uint32_t thread,
                            const struct ditto_location **frames);

/* The value of a local variable's slot in frame `depth`; false if it has none there. */
bool ditto_machine_local(struct ditto_machine *machine, uint32_t thread, size_t depth,
                         unsigned slot, char type, struct ditto_value *value);

/* What a method that has just returned, in the step to this position, gave back, or the exception
 * that is about to be thrown; false if none. */
bool ditto_machine_returned(struct ditto_machine *machine, uint32_t thread,
                            struct ditto_value *value);

/* "com/acme/Account", "[I", "java/lang/String"; NULL for a number that is no object here. */
const char *ditto_machine_class_of(struct ditto_machine *machine, uint64_t object);
/* The same of an object that was seen at any time, whether it is there now or not. */
const char *ditto_machine_class_ever(struct ditto_machine *machine, uint64_t object);
bool ditto_machine_field(struct ditto_machine *machine, uint64_t object, const char *class_name,
                         const char *field, const char *descriptor, struct ditto_value *value);
bool ditto_machine_static(struct ditto_machine *machine, const char *class_name, const char *field,
                          const char *descriptor, struct ditto_value *value);
/* -1 if it is no array. */
int64_t ditto_machine_length(struct ditto_machine *machine, uint64_t array);
/* Up to `count` elements from `first` on; how many it was. */
size_t ditto_machine_elements(struct ditto_machine *machine, uint64_t array, int64_t first,
                              size_t count, struct ditto_value *values);

/* -------------------------------------------------------------------- going: go.c */

enum ditto_watch_kind { DITTO_WATCH_WRITE = 1, DITTO_WATCH_READ = 2, DITTO_WATCH_BOTH = 3 };

/* A field of one object, of all objects (object 0), a static, or an element of an array. */
struct ditto_watch {
    enum ditto_watch_kind kind;
    uint64_t object;
    const char *class_name, *field, *descriptor; /* NULL: element `index` of the array */
    int64_t index;
    uint64_t nth; /* stop at the Nth write of the whole run alone; 0: at each */
};

struct ditto_halt;

enum ditto_going {
    DITTO_GO_STEP,    /* one step of `thread`; the canonical order decides who runs before that */
    DITTO_GO_RANGE,   /* until `thread` is outside bytecodes [from, to) of the method it is in, or
                         in another frame */
    DITTO_GO_ON,      /* until something happens */
    DITTO_GO_TO_CLOCK /* to the cut at `clock`, in whichever direction it lies */
};

struct ditto_go {
    enum ditto_going going;
    bool back;
    uint32_t thread;
    int32_t from, to;
    uint64_t clock;
    const struct ditto_location *breakpoints; /* before a bytecode is executed, in any thread */
    size_t breakpoint_count;
    const struct ditto_watch *watches;
    size_t watch_count;
    bool at_throw; /* stop before an exception is thrown by a recorded class */
    /*
     * Of DITTO_GO_ON, backwards: whether to stop at a breakpoint that was come to; while this is
     * asked the machine is there.  NULL: at all.  Two moves with the same breakpoints and the same
     * `question` get the same answers.
     */
    bool (*wanted)(void *context, const struct ditto_halt *halt);
    void *context;
    uint64_t question;
};

enum ditto_why {
    DITTO_WHY_STEPPED,    /* the step or range is done, or the clock reached */
    DITTO_WHY_BREAKPOINT, /* at `breakpoint` */
    DITTO_WHY_WATCH,      /* `watch` was written or read: forwards just after it, backwards just
                             before it */
    DITTO_WHY_THROW,
    DITTO_WHY_BEGIN, /* the run has no past before this */
    DITTO_WHY_END,   /* the trace has nothing after this */
    DITTO_WHY_INTERRUPTED,
    DITTO_WHY_LOST /* the replay JVM died or left the trace: see the error */
};

struct ditto_halt {
    enum ditto_why why;
    uint32_t thread; /* whom it happened to */
    size_t breakpoint, watch;
    struct ditto_value before, after; /* of a watched write */
    uint64_t nth;                     /* which write of the whole run it was */
    struct ditto_location location;   /* of a watched access */
    struct ditto_error error;
};

/*
 * Moves.  Never stops where it began for what is there already.  A write or read watched and a
 * breakpoint at one position: the one that comes first in time.
 */
void ditto_machine_go(struct ditto_machine *machine, const struct ditto_go *go,
                      struct ditto_halt *halt);

/* May be called from a signal handler or another thread: ends the call above, if one is under way.
 */
void ditto_machine_interrupt(struct ditto_machine *machine);

/* ------------------------------------------------- questions: writes.c, present.c */

struct ditto_write {
    struct ditto_position position; /* just after it */
    uint64_t nth;
    uint64_t object; /* 0 for a static */
    struct ditto_value before, after;
    struct ditto_location location;
};

/*
 * Every write of the whole run to what `watch` names; the present stays.  Begin, look until all are
 * found, take them in canonical order, end.  Looking takes so many seconds at most, and may go on
 * after other calls; 1: all are found, 0: not yet, and `*done` is how far it is of 1, -1: never.
 */
struct ditto_writes;
struct ditto_writes *ditto_writes_begin(struct ditto_machine *machine,
                                        const struct ditto_watch *watch, struct ditto_error *error);
int ditto_writes_look(struct ditto_writes *writes, double seconds, double *done,
                      struct ditto_error *error);
void ditto_writes_each(struct ditto_writes *writes,
                       bool (*each)(void *context, const struct ditto_write *write), void *context);
void ditto_writes_end(struct ditto_writes *writes);

/*
 * The machine code that the JVM at the present made of a method: bytes, where they are, and which
 * bytecodes are noted at which of them, in no order; length 0 if it is interpreted.
 */
struct ditto_compiled {
    uint64_t address;
    const uint8_t *bytes;
    size_t length;
    struct ditto_compiled_location {
        uint32_t offset;
        struct ditto_location at;
    } * locations;
    size_t location_count;
};
bool ditto_machine_compiled(struct ditto_machine *machine, const struct ditto_method *method,
                            struct ditto_compiled *compiled, struct ditto_error *error);

#endif
