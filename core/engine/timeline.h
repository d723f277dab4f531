/* SPDX-License-Identifier: MIT */
/*
 * The timeline of a debugged replay: who may run, and how far.
 *
 * Every event passes a gate before it happens, when its thread's wait for the trace is over and the
 * clock that the event will have is known.  A gate lets the thread go on or holds it.  A thread
 * that waits is not at its gate yet, and whatever it waits for comes earlier in the canonical
 * order; so once every living thread rests (held, waiting, or at the end of its trace), the least
 * of those held, by clock, ticks before loads, then replay id, is the next event of the run.
 *
 * Within a clock a thread's beginning and a join come after what they follow, whatever the ids.
 *
 * A thread's turn is a gate that it passed: an event, or a join, which takes the dead thread's
 * clock; what it does until its next gate belongs to the turn.  Turn 0 is its beginning.
 *
 * A gate after a wait for a class to be initialized is not a turn: whether a thread has to wait is
 * not in the trace.
 */
#ifndef DITTO_CORE_ENGINE_TIMELINE_H
#define DITTO_CORE_ENGINE_TIMELINE_H

#include "core/engine/turn.h"

struct ditto_session;
struct ditto_thread;

enum ditto_pace {
    DITTO_HOLD,      /* nobody passes a gate */
    DITTO_TOGETHER,  /* all threads run, each up to its first event beyond the limit */
    DITTO_ONE_BY_ONE /* in the canonical order, up to the first event beyond the limit */
};

/* Why all threads rest. */
enum ditto_rest {
    DITTO_REST_HELD,  /* the pace is DITTO_HOLD: somebody stands, or was asked to stop */
    DITTO_REST_LIMIT, /* what comes next is beyond the limit */
    DITTO_REST_END    /* nothing comes next: the end of the trace */
};

struct ditto_timeline_calls {
    void *context;
    /* In the thread that was let through, before its event; its turn and clock are those of it. */
    void (*passed)(void *context, struct ditto_thread *thread);
    /*
     * All threads rest, and will until ditto_timeline_go().  By the last that came to rest, or by
     * the caller of ditto_timeline_go(); must only tell somebody.
     */
    void (*rests)(void *context, enum ditto_rest why);
};

struct ditto_timeline;

/* NULL when memory is out.  From then on the session's events pass gates. */
struct ditto_timeline *ditto_timeline_make(struct ditto_session *session,
                                           const struct ditto_timeline_calls *calls);

/* `timeline` may be NULL. */
void ditto_timeline_free(struct ditto_timeline *timeline);

/* All threads rest: lets them run again.  May come to rest at once. */
void ditto_timeline_go(struct ditto_session *session, enum ditto_pace pace, uint64_t limit);

/* From any thread: all shall come to rest at their next gate. */
void ditto_timeline_hold(struct ditto_session *session);

/* The thread itself, before anything else that it does. */
void ditto_timeline_begin(struct ditto_thread *thread);

/* The calling thread stands where it is: all come to rest, and it goes on first. */
void ditto_timeline_stand(struct ditto_thread *thread);

/* When all threads rest: the turn that is last in canonical order. */
struct ditto_turn ditto_timeline_latest(struct ditto_session *session);

/* How many turns the thread has had, and when the last was; for the thread itself, or at rest. */
const struct ditto_turn *ditto_thread_turn(const struct ditto_thread *thread);

/* The latest turn of a thread that has ended, or lives; false: it has not begun. */
bool ditto_timeline_latest_of(struct ditto_session *session, uint32_t replay_id,
                              struct ditto_turn *turn);

/* A thread at rest, for whoever shows it. */
struct ditto_thread_rest {
    uint32_t replay_id;
    bool waits;       /* for the trace, a join or a class; `what` says for what */
    const void *flag; /* that it waits for: the end of a thread, or of a class's initialization */
    bool at_end;      /* of its trace */
    bool held;        /* at a gate, or standing */
    bool begun;       /* it is no longer before its beginning */
    char what[160];
    struct ditto_turn latest;
};
/* Of all living threads, in no order; false from `each` ends it. */
void ditto_timeline_threads(struct ditto_session *session,
                            bool (*each)(void *context, const struct ditto_thread_rest *rest),
                            void *context);

/* How many threads run; and whether nothing has passed a gate since the last call. */
uint32_t ditto_timeline_running(struct ditto_session *session, uint64_t *passed);

/* How far a run is, while it runs: a clock that the thread farthest ahead has had. */
uint64_t ditto_timeline_glance(struct ditto_session *session);

/* How many threads have been started, ended ones included: the next replay id. */
uint32_t ditto_timeline_started(struct ditto_session *session);

/* Whether the thread counts as running. */
bool ditto_timeline_runs(const struct ditto_thread *thread);

/* Whether it has done all that the trace has of it, which is not its end: it may go on for ever. */
bool ditto_timeline_is_past(struct ditto_thread *thread);

/*
 * `count` running threads are blocked in something the engine does not see, and are no longer
 * counted as running; each counts itself in again at its next gate.
 */
void ditto_timeline_outside(struct ditto_thread *const *threads, uint32_t count);

/* ------------------------------------------------------------ internal to core/ */

extern const struct ditto_order_events ditto_gated_events;
void ditto_gate_uncounted(struct ditto_thread *thread);
void ditto_gate_join(struct ditto_thread *thread, const struct ditto_thread *other);
void ditto_timeline_ended(struct ditto_thread *thread);
_Noreturn void ditto_timeline_exiting(struct ditto_thread *thread);

#endif
