/* SPDX-License-Identifier: MIT */
/*
 * How threads come to rest and go on.
 *
 * `active` of the session counts threads that can run on by themselves (core/engine/running.h).  A
 * thread at a gate takes itself out like one that waits; who takes the last one out finds all at
 * rest, and decides: one by one, it lets the next event's thread through, perhaps itself.  So in
 * the usual case, one thread doing several events in a row, nobody is woken.
 *
 * `pace` and `limit` are changed when all threads rest, before any is let through, and opening a
 * gate is a release that passing it acquires; so threads read what was set for them.  The exception
 * is ditto_timeline_hold(), which only ever stores DITTO_HOLD, atomically, while they run.
 *
 * `threads_lock` of the session guards the decision, and with it `resting`: all threads rest, this
 * has been told, and nothing moves until ditto_timeline_go().
 */
#include "core/engine/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/debug.h"
#include "core/base/futex.h"
#include "core/engine/running.h"
#include "core/engine/state.h"
#include "core/engine/stop.h"

struct ditto_timeline {
    struct ditto_timeline_calls calls;
    _Atomic uint32_t pace; /* enum ditto_pace */
    uint64_t limit;
    bool resting;             /* guarded by threads_lock */
    struct ditto_turn buried; /* the latest turn of threads that ended; likewise */
    struct ditto_turn *ended; /* that of each, by replay id, as far as `ended_count`; likewise */
    uint32_t ended_count;
    _Atomic uint64_t passed; /* gates, by all threads */
};

static bool comes_before(const struct ditto_turn *a, const struct ditto_turn *b)
{
    if (a->clock != b->clock)
        return a->clock < b->clock;
    if (a->tick != b->tick)
        return a->tick;
    return a->thread < b->thread;
}

void ditto_timeline_free(struct ditto_timeline *timeline)
{
    if (timeline)
        free(timeline->ended);
    free(timeline);
}

static uint32_t pace_of(struct ditto_timeline *timeline)
{
    return atomic_load_explicit(&timeline->pace, memory_order_acquire);
}

/* ---------------------------------------------------------------- at a gate */

static void sleep_until_open(struct ditto_thread *self)
{
    while (!atomic_load_explicit(&self->gate.open, memory_order_acquire))
        ditto_futex_wait(&self->gate.open, 0);
    atomic_store_explicit(&self->gate.open, 0, memory_order_relaxed);
}

static void rest_here(struct ditto_thread *self, enum ditto_thread_phase phase)
{
    atomic_store_explicit(&self->phase, phase, memory_order_seq_cst);
    ditto_thread_idles(self);
    sleep_until_open(self);
}

static void pass(struct ditto_thread *self)
{
    struct ditto_timeline *timeline = self->session->timeline;
    struct ditto_gate *gate = &self->gate;
    atomic_fetch_add_explicit(&timeline->passed, 1, memory_order_relaxed);
    if (!gate->counts)
        return;
    gate->latest.clock = gate->clock;
    gate->latest.tick = gate->tick;
    gate->latest.turn++;
    timeline->calls.passed(timeline->calls.context, self);
}

/* One that was taken for blocked outside counts itself in again, once. */
static void come_back(struct ditto_thread *self)
{
    if (atomic_load_explicit(&self->outside, memory_order_relaxed) &&
        atomic_exchange_explicit(&self->outside, false, memory_order_acq_rel))
        ditto_thread_runs(self);
}

static void gate(struct ditto_thread *self, uint64_t clock, bool tick, bool counts)
{
    struct ditto_timeline *timeline = self->session->timeline;
    come_back(self);
    self->gate.clock = clock;
    self->gate.tick = tick;
    self->gate.counts = counts;
    DITTO_DEBUG(timeline, 2, "thread %u is at a gate, clock %" PRIu64, self->replay_id, clock);
    if (pace_of(timeline) != DITTO_TOGETHER || clock > timeline->limit)
        rest_here(self, DITTO_AT_GATE);
    pass(self);
}

void ditto_gate_uncounted(struct ditto_thread *self)
{
    gate(self, ditto_thread_clock(self), false, false);
}

void ditto_gate_join(struct ditto_thread *self, const struct ditto_thread *other)
{
    uint64_t others = ditto_thread_clock(other), own = ditto_thread_clock(self);
    gate(self, others > own ? others : own, false, true);
}

void ditto_timeline_begin(struct ditto_thread *self)
{
    struct ditto_timeline *timeline = self->session->timeline;
    gate(self, ditto_thread_clock(self), false, false);
    self->gate.latest = (struct ditto_turn){
        .clock = ditto_thread_clock(self), .tick = false, .thread = self->replay_id};
    self->gate.begun = true;
    timeline->calls.passed(timeline->calls.context, self);
}

void ditto_timeline_stand(struct ditto_thread *self)
{
    ditto_timeline_hold(self->session);
    rest_here(self, DITTO_STANDING);
}

void ditto_timeline_hold(struct ditto_session *session)
{
    atomic_store_explicit(&session->timeline->pace, DITTO_HOLD, memory_order_release);
}

/* --------------------------------------------------------------- all at rest */

static void open_gate(struct ditto_thread *thread)
{
    ditto_thread_runs(thread);
    /* From here on the thread may run and end: only the address is used. */
    atomic_store_explicit(&thread->gate.open, 1, memory_order_release);
    ditto_futex_wake(&thread->gate.open, 1);
}

static uint32_t phase_of(const struct ditto_thread *thread)
{
    return atomic_load_explicit(&thread->phase, memory_order_seq_cst);
}

/* Who goes on next: one that stands, else the least of those at gates.  Under the lock. */
static struct ditto_thread *next_of(struct ditto_session *session)
{
    struct ditto_thread *least = NULL;
    struct ditto_turn least_turn = {0};
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
        uint32_t phase = phase_of(thread);
        if (phase == DITTO_STANDING)
            return thread;
        const struct ditto_turn turn = {thread->gate.clock, thread->gate.tick, thread->replay_id,
                                        0};
        if (phase == DITTO_AT_GATE && (!least || comes_before(&turn, &least_turn))) {
            least = thread;
            least_turn = turn;
        }
    }
    return least;
}

/* Under the lock, which it lets go: somebody goes on, or all rest and this is told. */
static void decide(struct ditto_session *session)
{
    struct ditto_timeline *timeline = session->timeline;
    struct ditto_thread *next = next_of(session);
    bool within = next && (phase_of(next) == DITTO_STANDING || next->gate.clock <= timeline->limit);
    bool held = pace_of(timeline) == DITTO_HOLD;
    if (within && pace_of(timeline) == DITTO_ONE_BY_ONE) {
        open_gate(next);
        pthread_mutex_unlock(&session->threads_lock);
        return;
    }
    DITTO_DEBUG(timeline, 1, "all rest: %s",
                held   ? "held"
                : next ? "what comes next is beyond the limit"
                       : "the end of the trace");
    timeline->resting = true;
    atomic_store_explicit(&timeline->pace, DITTO_HOLD, memory_order_release);
    pthread_mutex_unlock(&session->threads_lock);
    timeline->calls.rests(timeline->calls.context, held   ? DITTO_REST_HELD
                                                   : next ? DITTO_REST_LIMIT
                                                          : DITTO_REST_END);
}

static void all_rest(struct ditto_session *session)
{
    pthread_mutex_lock(&session->threads_lock);
    /* Who counted itself in meanwhile will come here by itself. */
    bool rest = !session->timeline->resting &&
                ditto_active_in(atomic_load_explicit(&session->active, memory_order_seq_cst)) == 0;
    if (rest)
        decide(session);
    else
        pthread_mutex_unlock(&session->threads_lock);
}

struct ditto_timeline *ditto_timeline_make(struct ditto_session *session,
                                           const struct ditto_timeline_calls *calls)
{
    struct ditto_timeline *timeline = calloc(1, sizeof *timeline);
    if (timeline)
        timeline->calls = *calls;
    session->timeline = timeline;
    session->nobody_runs = all_rest;
    return timeline;
}

void ditto_timeline_go(struct ditto_session *session, enum ditto_pace pace, uint64_t limit)
{
    struct ditto_timeline *timeline = session->timeline;
    pthread_mutex_lock(&session->threads_lock);
    DITTO_DEBUG(timeline, 1, "threads go %s, up to clock %" PRIu64,
                pace == DITTO_TOGETHER ? "together" : "one by one", limit);
    timeline->resting = false;
    timeline->limit = limit;
    atomic_store_explicit(&timeline->pace, pace, memory_order_release);
    if (pace == DITTO_TOGETHER) {
        bool any = false;
        for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
            uint32_t phase = phase_of(thread);
            if (phase == DITTO_STANDING ||
                (phase == DITTO_AT_GATE && thread->gate.clock <= limit)) {
                open_gate(thread);
                any = true;
            }
        }
        /* They can come to rest again only after the lock is free: nobody decides meanwhile. */
        if (any) {
            pthread_mutex_unlock(&session->threads_lock);
            return;
        }
    }
    decide(session);
}

/* -------------------------------------------------------------------- looking */

const struct ditto_turn *ditto_thread_turn(const struct ditto_thread *thread)
{
    return &thread->gate.latest;
}

/* Under the lock.  What is not kept for want of memory is only missed by who looks back. */
static void note_end(struct ditto_timeline *timeline, const struct ditto_thread *thread)
{
    uint32_t id = thread->replay_id;
    if (id >= timeline->ended_count) {
        uint32_t count = 2 * id + 16;
        struct ditto_turn *larger = realloc(timeline->ended, count * sizeof *larger);
        if (!larger)
            return;
        memset(larger + timeline->ended_count, 0, (count - timeline->ended_count) * sizeof *larger);
        timeline->ended = larger;
        timeline->ended_count = count;
    }
    timeline->ended[id] = thread->gate.latest;
}

void ditto_timeline_ended(struct ditto_thread *thread)
{
    struct ditto_session *session = thread->session;
    pthread_mutex_lock(&session->threads_lock);
    if (comes_before(&session->timeline->buried, &thread->gate.latest))
        session->timeline->buried = thread->gate.latest;
    note_end(session->timeline, thread);
    pthread_mutex_unlock(&session->threads_lock);
}

bool ditto_timeline_latest_of(struct ditto_session *session, uint32_t replay_id,
                              struct ditto_turn *turn)
{
    const struct ditto_timeline *timeline = session->timeline;
    bool found = false;
    pthread_mutex_lock(&session->threads_lock);
    /* An entry that nobody has filled in says thread 0, which is in its own place only. */
    if (replay_id < timeline->ended_count && timeline->ended[replay_id].thread == replay_id) {
        *turn = timeline->ended[replay_id];
        found = replay_id != 0 || turn->turn != 0;
    }
    for (const struct ditto_thread *thread = session->threads; thread; thread = thread->next)
        if (thread->replay_id == replay_id && thread->gate.begun) {
            *turn = thread->gate.latest;
            found = true;
        }
    pthread_mutex_unlock(&session->threads_lock);
    return found;
}

struct ditto_turn ditto_timeline_latest(struct ditto_session *session)
{
    pthread_mutex_lock(&session->threads_lock);
    struct ditto_turn latest = session->timeline->buried;
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next)
        if (thread->gate.begun && comes_before(&latest, &thread->gate.latest))
            latest = thread->gate.latest;
    pthread_mutex_unlock(&session->threads_lock);
    return latest;
}

void ditto_timeline_threads(struct ditto_session *session,
                            bool (*each)(void *context, const struct ditto_thread_rest *rest),
                            void *context)
{
    pthread_mutex_lock(&session->threads_lock);
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
        uint32_t phase = phase_of(thread);
        struct ditto_thread_rest rest = {.replay_id = thread->replay_id,
                                         .latest = thread->gate.latest,
                                         .begun = thread->gate.begun,
                                         .waits = phase == DITTO_WAITING,
                                         .at_end = phase == DITTO_AT_END,
                                         .held = phase == DITTO_AT_GATE || phase == DITTO_STANDING};
        if (rest.waits && thread->waiter.is_flag)
            rest.flag = thread->waiter.key;
        if (rest.waits)
            thread->waiter.describe(&thread->waiter, rest.what, sizeof rest.what);
        else if (rest.at_end)
            snprintf(rest.what, sizeof rest.what, "%s", thread->wanted);
        if (!each(context, &rest))
            break;
    }
    pthread_mutex_unlock(&session->threads_lock);
}

/* ------------------------------------------------------ what the engine cannot see */

uint32_t ditto_timeline_running(struct ditto_session *session, uint64_t *passed)
{
    *passed = atomic_load_explicit(&session->timeline->passed, memory_order_relaxed);
    return ditto_active_in(atomic_load_explicit(&session->active, memory_order_seq_cst));
}

uint64_t ditto_timeline_glance(struct ditto_session *session)
{
    uint64_t clock = 0;
    pthread_mutex_lock(&session->threads_lock);
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
        uint64_t now = ditto_glance(&thread->gate.latest.clock);
        clock = now > clock ? now : clock;
    }
    pthread_mutex_unlock(&session->threads_lock);
    return clock;
}

uint32_t ditto_timeline_started(struct ditto_session *session)
{
    /* A thread that rests at its gate inside a start holds the other lock, and changes nothing. */
    return session->next_replay_id;
}

bool ditto_timeline_runs(const struct ditto_thread *thread)
{
    return phase_of(thread) == DITTO_RUNNING &&
           !atomic_load_explicit(&thread->outside, memory_order_acquire);
}

bool ditto_timeline_is_past(struct ditto_thread *thread)
{
    struct ditto_session *session = thread->session;
    pthread_mutex_lock(&session->threads_lock);
    bool past = !thread->in_trace_to_the_end && ditto_has_done_all(session, thread);
    pthread_mutex_unlock(&session->threads_lock);
    return past;
}

void ditto_timeline_outside(struct ditto_thread *const *threads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ditto_thread_outside(threads[i]);
}

void ditto_timeline_exiting(struct ditto_thread *thread)
{
    _Atomic uint32_t forever = 0;
    if (thread) {
        come_back(thread);
        thread->wanted = "exit";
        atomic_store_explicit(&thread->phase, DITTO_AT_END, memory_order_seq_cst);
        ditto_thread_idles(thread);
    }
    for (;;)
        ditto_futex_wait(&forever, 0);
}

/* ----------------------------------------------------------------- the events */

static const struct ditto_order_events *plain(const struct ditto_thread *self)
{
    return &self->session->order_events;
}

static void before(struct ditto_thread *self, enum ditto_event_kind kind, void *where)
{
    const struct ditto_order *order = self->session->order;
    gate(self, order->clock->after(self, kind, where), kind != DITTO_EVENT_LOAD, true);
}

static void load_begin(struct ditto_thread *self, void *place)
{
    come_back(self);
    plain(self)->load_begin(self, place);
    before(self, DITTO_EVENT_LOAD, place);
}

static void load_end(struct ditto_thread *self, void *place)
{
    plain(self)->load_end(self, place);
}

static void store_begin(struct ditto_thread *self, void *place)
{
    come_back(self);
    plain(self)->store_begin(self, place);
    before(self, DITTO_EVENT_STORE, place);
}

static void store_end(struct ditto_thread *self, void *place)
{
    plain(self)->store_end(self, place);
}

static bool update_begin(struct ditto_thread *self, void *place)
{
    come_back(self);
    bool stores = plain(self)->update_begin(self, place);
    before(self, stores ? DITTO_EVENT_STORE : DITTO_EVENT_LOAD, place);
    return stores;
}

static void update_end(struct ditto_thread *self, void *place, bool stored)
{
    plain(self)->update_end(self, place, stored);
}

static void acquire_begin(struct ditto_thread *self, void *monitor)
{
    come_back(self);
    plain(self)->acquire_begin(self, monitor);
    before(self, DITTO_EVENT_ACQUIRE, monitor);
}

static void acquire_end(struct ditto_thread *self, void *monitor)
{
    plain(self)->acquire_end(self, monitor);
}

static void release(struct ditto_thread *self, void *monitor)
{
    plain(self)->release(self, monitor);
}

static void point(struct ditto_thread *self)
{
    plain(self)->point(self);
}

static void park(struct ditto_thread *self)
{
    plain(self)->park(self);
}

static void unpark(struct ditto_thread *self)
{
    plain(self)->unpark(self);
}

static void start(struct ditto_thread *parent, struct ditto_thread *child)
{
    plain(parent)->start(parent, child);
}

static void join(struct ditto_thread *self, struct ditto_thread *other)
{
    plain(self)->join(self, other);
}

static void end(struct ditto_thread *self)
{
    plain(self)->end(self);
}

const struct ditto_order_events ditto_gated_events = {
    .load_begin = load_begin,
    .load_end = load_end,
    .store_begin = store_begin,
    .store_end = store_end,
    .update_begin = update_begin,
    .update_end = update_end,
    .acquire_begin = acquire_begin,
    .acquire_end = acquire_end,
    .release = release,
    .point = point,
    .park = park,
    .unpark = unpark,
    .start = start,
    .join = join,
    .end = end,
};
