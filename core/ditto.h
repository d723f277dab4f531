/* SPDX-License-Identifier: MIT */
/*
 * Ditto's engine for native programs: record a run of several threads, and run it again exactly.
 *
 * A program opens a session, recording or replaying, and calls the engine around what its threads
 * share.  The same calls serve both modes; in a replay they wait until it is their turn:
 *
 *     ditto_load_begin(thread, place);
 *     value = shared->field;
 *     ditto_load_end(thread, place);
 *
 *     ditto_acquire_begin(thread, monitor);
 *     pthread_mutex_lock(&shared->mutex);
 *     ditto_acquire_end(thread, monitor);
 *     ...
 *     ditto_release(thread, monitor);
 *     pthread_mutex_unlock(&shared->mutex);
 *
 * Between a begin and its end a thread makes no other call to the engine, and does not leave by
 * longjmp, cancellation or a signal handler that comes back here: a place is locked meanwhile. What
 * a call does to the clocks is the section Time of the design: a store or an acquisition ticks, a
 * load does not.
 *
 * Everything a thread does must follow from what it loads, from its inputs (ditto_input) and from
 * its arguments; then the replay is the run.  What the engine does not see must not decide
 * anything: the result of a trylock or of a timed wait, say, is an input.  Where a replay does
 * something else than the recording it stops: see struct ditto_stop.
 *
 * A forked child runs on without Ditto: its calls do nothing, and the trace is its parent's.
 */
#ifndef DITTO_CORE_DITTO_H
#define DITTO_CORE_DITTO_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

struct ditto_session;
struct ditto_thread;
struct ditto_timeline_calls;

/* A field, static variable or array element, and a monitor: state that an order keeps for it. */
typedef struct ditto_place ditto_place;
typedef struct ditto_monitor ditto_monitor;

/* ------------------------------------------------------------------ sessions */

enum ditto_pruning {
    DITTO_PRUNE_FULL,          /* program order and what earlier constraints imply: the default */
    DITTO_PRUNE_PROGRAM_ORDER, /* constraints that the thread's own order implies */
    DITTO_PRUNE_NONE,          /* every event is traced */
};

enum ditto_granularity {
    DITTO_FIELDS, /* a state for each field and array element: the default */
    DITTO_OBJECTS /* one for each object */
};

enum { DITTO_ARRAY_STATES_DEFAULT = 10 };

enum ditto_stop_kind {
    DITTO_STOP_DIVERGED, /* an event that the trace does not expect */
    DITTO_STOP_STALLED,  /* every thread waits, and nothing that could end it is left */
    DITTO_STOP_END,     /* the trace ends before the program does: it was killed or stopped there */
    DITTO_STOP_DAMAGED, /* what comes next in the trace cannot be read */
};

/* Why a replay cannot go on. */
struct ditto_stop {
    enum ditto_stop_kind kind;
    uint32_t replay_id; /* of the thread that met it; of no use for the others */
    uint64_t event;     /* its event, counted from 1, memory and sync together */
    const char *text;   /* the whole story in one or more lines, without "ditto: " */
};

/* Of an option of the order: "pruning", "none". */
struct ditto_order_choice {
    const char *name, *value;
};

struct ditto_record_options {
    const char *order; /* NULL: the default, "ditto" */
    enum ditto_pruning pruning;
    enum ditto_granularity granularity;
    unsigned array_states; /* most states for one array; 0: the default */
    /*
     * Any option of the order, by name; a name that is NULL behind the last.  The three above are
     * short forms for orders that have such options, and say nothing to others.
     */
    const struct ditto_order_choice *choices;
    uint32_t buffer_size; /* of each stream of each living thread; 0: the default, 64 KiB */
    /*
     * Called once if the recording has to stop while the program goes on.  NULL: a line on stderr.
     */
    void (*on_failure)(void *context, const struct ditto_error *error);
    void *context;
};

struct ditto_replay_options {
    /*
     * Called once, by the thread that notices, when the replay has to stop.  When it returns, the
     * process ends with status 0 for DITTO_STOP_END, 2 for DITTO_STOP_DAMAGED and 3 otherwise, at
     * once, by _exit(): the other threads are in the middle of something.  NULL: prints the text on
     * stderr and returns.
     */
    void (*on_stop)(void *context, const struct ditto_stop *stop);
    void *context;
    /* A debugger's: all threads are held at their beginning.  See core/engine/timeline.h.  May be
     * NULL. */
    const struct ditto_timeline_calls *timeline;
};

/* The calling thread becomes thread 0.  `options` may be NULL.  NULL on failure. */
struct ditto_session *ditto_record(const char *path, const struct ditto_record_options *options,
                                   struct ditto_error *error);
struct ditto_session *ditto_replay(const char *path, const struct ditto_replay_options *options,
                                   struct ditto_error *error);

bool ditto_is_replay(const struct ditto_session *session);

/* Which calls below the session's order has a use for, as a set of DITTO_WANTS_... of
 * core/orders/order.h: what it does not want need not be called. */
unsigned ditto_wants(const struct ditto_session *session);

/*
 * Ends thread 0 and the session.  Threads that still run go on, and must still be ended and
 * released; their part of the trace ends where it is, and a replay lets them go on from there.
 * False if the trace is not complete, because the recording had to stop or the file could not be
 * finished; the session is gone all the same.
 */
bool ditto_close(struct ditto_session *session, struct ditto_error *error);

/* Recording: notes something about the run in the trace's metadata.  No effect in a replay. */
void ditto_set_property(struct ditto_session *session, const char *name, const char *value);

/* Replaying: what the recording noted under that name, or NULL.  Valid as long as the session. */
const char *ditto_property(const struct ditto_session *session, const char *name);

/*
 * For a process that ends with threads still running, and therefore without ditto_close().
 * Recording: notes that the program has come to its own end.  Replaying: returns when every other
 * thread has done what the trace has of it, so that the process ends where the recorded one did.
 * `thread` is the caller's handle, or NULL if it has none.
 */
void ditto_exiting(struct ditto_session *session, struct ditto_thread *thread);

/*
 * Replaying: the process will call ditto_exiting() by itself, whatever the threads that are left
 * do. That they cannot go on is no reason to stop the replay any more.
 */
void ditto_exit_is_near(struct ditto_session *session);

/*
 * Replaying: the caller has seen that no thread runs any more, though some do not wait in the
 * engine: they wait for something that it does not know.  If they have done all that the trace has
 * of them, this is its end, or that of the process if it is exiting, and only then this returns;
 * otherwise the replay stalls.
 */
void ditto_nobody_runs(struct ditto_session *session);

/* Replaying: whether the thread waits in the engine. */
bool ditto_is_waiting(const struct ditto_thread *thread);

/* Replaying: stops the replay, because the caller has seen it leave the trace. */
_Noreturn void ditto_left_trace(struct ditto_thread *thread, const char *what);

/* ------------------------------------------------------------------- threads */

struct ditto_thread *ditto_main_thread(struct ditto_session *session);

/*
 * The parent, about to start a thread, gets its handle, with a replay id that is the same in every
 * replay.  `name` is for people; a replay takes it from the trace.  If the thread then cannot be
 * started, end and release the handle all the same.
 */
struct ditto_thread *ditto_thread_start(struct ditto_thread *parent, const char *name);

/*
 * The calling thread, which nobody in the session has started: one that ends a JVM, say.  It knows
 * nothing of the others yet, so it should begin with the acquisition of something that tells when
 * its turn is.  There can be one in a session: NULL if there has been one; and in a replay, if the
 * recording has none of that name.
 */
struct ditto_thread *ditto_thread_adopt(struct ditto_session *session, const char *name);

/* Replaying: the name of the thread that was adopted in the recording; NULL: none was. */
const char *ditto_adopted_name(const struct ditto_session *session);

/*
 * The thread itself, after its last event.  Thread 0 calls it only in a program that ends through
 * ditto_exiting() and not through ditto_close().
 */
void ditto_thread_end(struct ditto_thread *thread);

/* Around a join: the thread waits for `other` to end, and has waited. */
void ditto_join_begin(struct ditto_thread *thread, struct ditto_thread *other);
void ditto_join_end(struct ditto_thread *thread, struct ditto_thread *other);

/*
 * A flag, zeroed at first, that one thread of a replay raises and others wait for: for order that
 * the program gets from elsewhere and that a replay has to enforce without an event.
 */
typedef struct ditto_flag {
    _Atomic uint32_t raised;
    _Atomic uint32_t waiters;
} ditto_flag;

void ditto_flag_raise(struct ditto_session *session, ditto_flag *flag);
/* `what` says what is waited for, for messages: "the end of class Config's initialization". */
void ditto_flag_wait(struct ditto_thread *thread, ditto_flag *flag, const char *what);

/*
 * Replaying: the thread's part of the trace is used up, and it wants to do something that the
 * recorded one has not done; `wanted` is for messages.  Diverges if the trace has the thread's end.
 * Otherwise the recording ended, or was closed, while the thread was alive: it waits here until all
 * others can go on no further, which ends the replay, or until the session is closed, and then
 * returns and runs on without the trace.
 */
void ditto_thread_past_end(struct ditto_thread *thread, const char *wanted);

/* The starter no longer needs the handle.  It stays valid for the thread itself until its end. */
void ditto_thread_release(struct ditto_thread *other);

uint32_t ditto_replay_id(const struct ditto_thread *thread);

/* A counter for whoever calls the engine: how often the thread is in code none of whose events are
 * to be recorded.  The engine does not look at it, but keeps it where quick events find it. */
int32_t *ditto_muted(struct ditto_thread *thread);
const char *ditto_name(const struct ditto_thread *thread);
uint64_t ditto_clock(const struct ditto_thread *thread);

/* How many events (loads, stores and acquisitions) the thread has begun. */
uint64_t ditto_events(const struct ditto_thread *thread);

/*
 * How many events all threads have come to, those that have ended included.  Any thread may ask,
 * also one that the engine does not know; what is said of threads that run may be a little old.
 * `visit`, unless NULL, is called for each thread that has not ended, and must not call the engine
 * but for what a handle's own functions tell.
 */
typedef void ditto_visit_fn(void *context, const struct ditto_thread *thread, uint64_t events);
uint64_t ditto_all_events(struct ditto_session *session, ditto_visit_fn *visit, void *context);

/* Replaying: how many events the trace has of a thread, and how many threads.  The first reads all
 * of a thread's trace if that thread had not ended. */
uint64_t ditto_recorded_events(const struct ditto_session *session, uint32_t replay_id);
uint32_t ditto_recorded_threads(const struct ditto_session *session);

/* -------------------------------------------------- objects, arrays and their states */

/*
 * Embedded, zeroed, in each object or array that threads share.  State is made when it is first
 * needed.  The object, and so the cell, must outlive every call that is under way on it.
 */
typedef struct ditto_cell {
    _Atomic(void *) state;
} ditto_cell;

/* The place of field `index` of an object with `fields` fields, the same number in every call. */
ditto_place *ditto_field(struct ditto_session *session, ditto_cell *cell, unsigned fields,
                         unsigned index);

/* The place of an element; above the cap, neighbours share one. */
ditto_place *ditto_element(struct ditto_session *session, ditto_cell *cell, size_t length,
                           size_t index);

/* The object's or array's monitor.  `fields` as above, or 0 if the object is only ever locked. */
ditto_monitor *ditto_object_monitor(struct ditto_session *session, ditto_cell *cell,
                                    unsigned fields);
ditto_monitor *ditto_array_monitor(struct ditto_session *session, ditto_cell *cell, size_t length);

/*
 * The accesses that threads have under way, for those who free the state of objects after their
 * last access began, but perhaps not after it ended: what began must be visible to the caller, and
 * no access to those objects may begin any more.
 */
struct ditto_accesses {
    uintptr_t *places; /* owned; NULL at first, and then used again */
    size_t count, room;
};

void ditto_accesses_now(struct ditto_session *session, struct ditto_accesses *accesses);

/* Whether one of them is an access to the object. */
bool ditto_cell_in_use(const struct ditto_session *session, const struct ditto_accesses *accesses,
                       const ditto_cell *cell);

/* Frees the state of an object that is about to be freed, or used in another session. */
void ditto_cell_release(ditto_cell *cell);

/*
 * For who has memory for the state of an object: how many bytes it takes; and puts the state there,
 * before anybody else knows of the cell.  The memory is zeroed, aligned to 16 bytes, and remains
 * the caller's: such a cell is not to be released.
 */
size_t ditto_object_size(const struct ditto_session *session, unsigned fields);
void ditto_object_place(const struct ditto_session *session, ditto_cell *cell, void *memory,
                        unsigned fields);

/* -------------------------------------------------------------------- events */

void ditto_load_begin(struct ditto_thread *thread, ditto_place *place);
void ditto_load_end(struct ditto_thread *thread, ditto_place *place);
void ditto_store_begin(struct ditto_thread *thread, ditto_place *place);
void ditto_store_end(struct ditto_thread *thread, ditto_place *place);

/*
 * Around an atomic operation that stores only if it finds what it expects: a compare-and-set.  What
 * it was is said at its end: a store, or a load of what it found instead.  In a replay it finds
 * what it found before; it must not fail for any other reason.  There the answer of the first says
 * which it will be.
 */
bool ditto_update_begin(struct ditto_thread *thread, ditto_place *place);
void ditto_update_end(struct ditto_thread *thread, ditto_place *place, bool stored);

/*
 * Ends the load, store or update that the thread has begun, if there is one: for callers who lost
 * it.  An update has stored nothing then.
 */
void ditto_access_end(struct ditto_thread *thread);

/* Before asking for the lock, and after getting it.  A lock may be taken again by its holder. */
void ditto_acquire_begin(struct ditto_thread *thread, ditto_monitor *monitor);
void ditto_acquire_end(struct ditto_thread *thread, ditto_monitor *monitor);

/* Before letting the lock go. */
void ditto_release(struct ditto_thread *thread, ditto_monitor *monitor);

/*
 * Waits on a condition variable, as pthread_cond_wait() does: a release and an acquisition.  In a
 * replay nobody waits for the signal: the thread lets the lock go, waits for its turn, and takes it
 * again, so signals may go as they like.
 */
void ditto_cond_wait(struct ditto_thread *thread, ditto_monitor *monitor, pthread_cond_t *condition,
                     pthread_mutex_t *mutex);

/*
 * A point that the thread passes as often in every replay, if an order counts them: a loop's
 * back-edge, the entry of a function, before what may block.  And around what may keep it for long
 * away from what it shares.  All three do nothing for orders that do not want them.
 */
void ditto_point(struct ditto_thread *thread);
void ditto_park(struct ditto_thread *thread);
void ditto_unpark(struct ditto_thread *thread);

/*
 * An input: recording, `bytes` go into the trace; replaying, they are replaced by those of the
 * trace.  `kind` is the caller's, to notice a replay that asks for something else.  *length says
 * how many bytes there are, and in a replay, where `capacity` says how many fit, becomes the
 * recorded number.
 */
void ditto_input(struct ditto_thread *thread, uint32_t kind, void *bytes, size_t *length,
                 size_t capacity);

/*
 * Gives a kind of input, below DITTO_NAMED_INPUTS, a name for messages and for people who look at
 * the trace.  Before its first use; `name` must live as long as the session.
 */
enum { DITTO_NAMED_INPUTS = 128 };
void ditto_name_input(struct ditto_session *session, uint32_t kind, const char *name);

/* The same for one number: returns `value`, or the recorded one. */
uint64_t ditto_input_number(struct ditto_thread *thread, uint32_t kind, uint64_t value);

#endif
