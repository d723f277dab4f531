/* SPDX-License-Identifier: MIT */
/*
 * The timeline, without a JVM: one by one events come in the canonical order, the same each time;
 * and a cut has the same memory whether threads went there together or one by one.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "core/base/futex.h"
#include "core/engine/state.h"
#include "core/engine/timeline.h"
#include "core/orders/orders.h"
#include "tests/support.h"
#include "tests/tap.h"

enum { WORKERS = 3, CELLS = 4, ROUNDS = 60, MOST_TURNS = 1 << 14 };

/* The program: workers that load, store and lock shared cells as a seed of each says. */
struct program {
    struct ditto_session *session;
    ditto_cell cell, lock_cell;
    pthread_mutex_t mutex;
    unsigned values[CELLS];
    ditto_flag ended[WORKERS];
    struct ditto_thread *handles[WORKERS];
    bool gated;
    sem_t *outside; /* the first worker waits for it before it ends; or NULL */
    _Atomic bool blocked;
};

static struct program program;

static void *work(void *argument)
{
    size_t number = (size_t)argument;
    struct ditto_thread *self = program.handles[number];
    uint64_t seed = number + 1;
    if (program.gated)
        ditto_timeline_begin(self);
    unsigned sum = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t dice = random_next(&seed);
        unsigned cell = (unsigned)(dice % CELLS);
        ditto_place *place = ditto_field(program.session, &program.cell, CELLS, cell);
        ditto_monitor *monitor = ditto_object_monitor(program.session, &program.lock_cell, 0);
        if (dice & 64) {
            ditto_acquire_begin(self, monitor);
            pthread_mutex_lock(&program.mutex);
            ditto_acquire_end(self, monitor);
        }
        ditto_load_begin(self, place);
        sum += program.values[cell];
        ditto_load_end(self, place);
        if (dice & 128) {
            ditto_store_begin(self, place);
            program.values[cell] = sum + i;
            ditto_store_end(self, place);
        }
        if (dice & 64) {
            ditto_release(self, monitor);
            pthread_mutex_unlock(&program.mutex);
        }
    }
    if (program.outside && number == 0) {
        atomic_store(&program.blocked, true);
        sem_wait(program.outside);
    }
    ditto_flag_raise(program.session, &program.ended[number]);
    ditto_thread_end(self);
    return NULL;
}

/* Runs, and gives back what the run needed. */
static void run_program(void)
{
    struct ditto_thread *self = ditto_main_thread(program.session);
    pthread_t threads[WORKERS];
    if (program.gated)
        ditto_timeline_begin(self);
    for (size_t i = 0; i < WORKERS; i++) {
        program.handles[i] = ditto_thread_start(self, "worker");
        pthread_create(&threads[i], NULL, work, (void *)i);
    }
    for (size_t i = 0; i < WORKERS; i++) {
        if (program.gated)
            ditto_flag_wait(self, &program.ended[i], "the end of a worker");
        else
            pthread_join(threads[i], NULL);
        ditto_join_begin(self, program.handles[i]);
        ditto_join_end(self, program.handles[i]);
        if (program.gated)
            pthread_join(threads[i], NULL);
        ditto_thread_release(program.handles[i]);
    }
    ditto_cell_release(&program.cell);
    ditto_cell_release(&program.lock_cell);
    pthread_mutex_destroy(&program.mutex);
}

static void prepare(bool gated)
{
    memset(&program, 0, sizeof program);
    pthread_mutex_init(&program.mutex, NULL);
    program.gated = gated;
}

/* --------------------------------------------------------------------- replays */

/* What a debugged replay tells; written by the one that passes or rests. */
static struct {
    _Atomic uint32_t rested; /* how often; a futex */
    _Atomic uint32_t why;
    struct ditto_turn turns[MOST_TURNS];
    _Atomic uint32_t turn_count;
} told;

static void passed(void *context, struct ditto_thread *thread)
{
    (void)context;
    uint32_t index = atomic_fetch_add(&told.turn_count, 1);
    if (index < MOST_TURNS)
        told.turns[index] = *ditto_thread_turn(thread);
}

static void rests(void *context, enum ditto_rest why)
{
    (void)context;
    atomic_store(&told.why, why);
    atomic_fetch_add(&told.rested, 1);
    ditto_futex_wake(&told.rested, 1);
}

static enum ditto_rest await(uint32_t times)
{
    for (uint32_t now; (now = atomic_load(&told.rested)) < times;)
        ditto_futex_wait(&told.rested, now);
    return (enum ditto_rest)atomic_load(&told.why);
}

static pthread_barrier_t opened;

static void *replay(void *path)
{
    static const struct ditto_timeline_calls calls = {NULL, passed, rests};
    const struct ditto_replay_options options = {.timeline = &calls};
    struct ditto_error error;
    program.session = ditto_replay(path, &options, &error);
    pthread_barrier_wait(&opened);
    if (!program.session) {
        diag("%s", error.text);
        return NULL;
    }
    run_program();
    ditto_close(program.session, &error);
    return NULL;
}

static pthread_t begin_replay(const char *path, sem_t *outside)
{
    pthread_t thread;
    prepare(true);
    program.outside = outside;
    memset(&told, 0, sizeof told);
    pthread_barrier_init(&opened, NULL, 2);
    pthread_create(&thread, NULL, replay, (void *)path);
    pthread_barrier_wait(&opened);
    await(1);
    return thread;
}

/* By clock, and in a clock ticks first.  Whose load comes first is not only a matter of ids: a join
 * follows the last load of the thread that ended. */
static bool may_follow(const struct ditto_turn *a, const struct ditto_turn *b)
{
    return a->clock < b->clock || (a->clock == b->clock && (a->tick || !b->tick));
}

/* The whole run one by one; its turns are copied. */
static uint32_t one_by_one(const char *path, struct ditto_turn *turns)
{
    pthread_t thread = begin_replay(path, NULL);
    ditto_timeline_go(program.session, DITTO_ONE_BY_ONE, UINT64_MAX);
    is(await(2), DITTO_REST_END, "one by one to the end");
    pthread_join(thread, NULL);
    uint32_t count = atomic_load(&told.turn_count);
    memcpy(turns, told.turns, count * sizeof *turns);
    return count;
}

/* The memory at a cut, and how many turns led there; the replay then goes on to its end. */
static uint32_t cut(const char *path, enum ditto_pace pace, uint64_t clock, unsigned *values,
                    uint64_t *latest)
{
    pthread_t thread = begin_replay(path, NULL);
    ditto_timeline_go(program.session, pace, clock);
    await(2);
    memcpy(values, program.values, sizeof program.values);
    uint32_t count = atomic_load(&told.turn_count);
    *latest = ditto_timeline_latest(program.session).clock;
    ditto_timeline_go(program.session, DITTO_TOGETHER, UINT64_MAX);
    await(3);
    pthread_join(thread, NULL);
    return count;
}

static void await_state(const struct ditto_thread *thread, enum ditto_thread_phase phase)
{
    while (atomic_load(&thread->phase) != phase)
        sched_yield();
}

/* A thread that blocks where the engine does not see it is taken out, and then ends without another
 * event: it is counted out once, so the next rest is noticed. */
static void test_outside(const char *path)
{
    sem_t outside;
    uint64_t gates;
    sem_init(&outside, 0, 0);
    pthread_t thread = begin_replay(path, &outside);
    struct ditto_thread *main_thread = ditto_main_thread(program.session);
    ditto_timeline_go(program.session, DITTO_TOGETHER, UINT64_MAX);
    await_state(main_thread, DITTO_WAITING);
    while (!atomic_load(&program.blocked) || ditto_timeline_running(program.session, &gates) != 1)
        sched_yield();
    ditto_timeline_outside(program.handles, 1);
    is(await(2), DITTO_REST_END,
       "a thread that is blocked outside does not keep the others running");
    struct ditto_thread *blocked = program.handles[0];
    sem_post(&outside);
    await_state(blocked, DITTO_ENDED);
    await_state(main_thread, DITTO_AT_GATE);
    ditto_timeline_go(program.session, DITTO_TOGETHER, UINT64_MAX);
    is(await(3), DITTO_REST_END, "and when it has ended the next rest is noticed");
    pthread_join(thread, NULL);
    sem_destroy(&outside);
}

/* An order that cannot be stopped at a clock is not debugged; the message names it. */
static void test_refused(const char *path, const struct ditto_order *order)
{
    static const struct ditto_timeline_calls calls = {NULL, passed, rests};
    const struct ditto_replay_options options = {.timeline = &calls};
    struct ditto_error error;
    ok(!ditto_replay(path, &options, &error) && strstr(error.text, order->name), "%s: refused: %s",
       order->name, error.text);
}

static void test_order(const char *path, const struct ditto_order *order)
{
    static struct ditto_turn first[MOST_TURNS], second[MOST_TURNS];
    const struct ditto_record_options options = {.order = order->name};
    struct ditto_error error;
    prepare(false);
    program.session = ditto_record(path, &options, &error);
    if (!ok(program.session, "%s: a recording", order->name))
        return;
    run_program();
    ditto_close(program.session, &error);
    if (!order->shows.cuts) {
        test_refused(path, order);
        return;
    }

    uint32_t count = one_by_one(path, first);
    bool ordered = true;
    for (uint32_t i = 1; i < count; i++)
        ordered = ordered && may_follow(&first[i - 1], &first[i]);
    ok(ordered, "in the canonical order");
    ok(one_by_one(path, second) == count && memcmp(first, second, count * sizeof *first) == 0,
       "the same %" PRIu32 " turns each time", count);

    uint64_t last = first[count - 1].clock;
    bool memory = true, turns = true, clocks = true;
    for (uint64_t clock = 0; clock < last; clock += 7) {
        unsigned together[CELLS], apart[CELLS];
        uint64_t latest, latest_apart;
        uint32_t turns_together = cut(path, DITTO_TOGETHER, clock, together, &latest);
        uint32_t turns_apart = cut(path, DITTO_ONE_BY_ONE, clock, apart, &latest_apart);
        memory = memory && memcmp(together, apart, sizeof apart) == 0;
        turns = turns && turns_together == turns_apart;
        clocks = clocks && latest <= clock && latest == latest_apart;
    }
    ok(memory, "the memory at a cut is the same, together and one by one");
    ok(turns, "so is the number of turns");
    ok(clocks, "and the clock");
    test_outside(path);
}

int main(void)
{
    const char *path = scratch("timeline.dt");
    for (size_t i = 0; ditto_orders[i]; i++)
        test_order(path, ditto_orders[i]);
    done_testing();
    return exit_status();
}
