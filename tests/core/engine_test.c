/* SPDX-License-Identifier: MIT */
/* The engine's calls, one by one: states, granularity, arrays, threads, inputs, forks. */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ditto.h"
#include "core/engine/quick.h"
#include "core/engine/state.h"
#include "core/orders/orders.h"
#include "core/reading/counts.h"
#include "tests/micro.h"
#include "tests/support.h"
#include "tests/tap.h"

static struct ditto_session *record_or_die(const char *path,
                                           const struct ditto_record_options *options)
{
    struct ditto_error error;
    struct ditto_session *session = ditto_record(path, options, &error);
    if (!session) {
        diag("%s", error.text);
        exit(1);
    }
    return session;
}

static struct ditto_session *replay_or_die(const char *path)
{
    struct ditto_error error;
    struct ditto_session *session = ditto_replay(path, NULL, &error);
    if (!session) {
        diag("%s", error.text);
        exit(1);
    }
    return session;
}

/* How many different places the elements of an array, or fields of an object, have. */
static size_t places_of_array(struct ditto_session *session, size_t length)
{
    ditto_cell cell = {NULL};
    ditto_place *last = NULL;
    size_t places = 0;
    for (size_t i = 0; i < length; i++) {
        ditto_place *place = ditto_element(session, &cell, length, i);
        places += place != last;
        last = place;
    }
    ditto_cell_release(&cell);
    return places;
}

static size_t places_of_object(struct ditto_session *session, unsigned fields)
{
    ditto_cell cell = {NULL};
    ditto_place *last = NULL;
    size_t places = 0;
    for (unsigned i = 0; i < fields; i++) {
        ditto_place *place = ditto_field(session, &cell, fields, i);
        places += place != last;
        last = place;
    }
    ditto_cell_release(&cell);
    return places;
}

static void test_states(void)
{
    const char *path = scratch("states.dt");
    struct ditto_error error;
    struct ditto_session *session = record_or_die(path, NULL);
    is(places_of_object(session, 7), 7, "each field has a place");
    is(places_of_array(session, 8), 8, "each element of a short array has one");
    is(places_of_array(session, 80), 10, "80 elements share 10");
    ditto_cell cell = {NULL};
    ok(ditto_element(session, &cell, 80, 0) == ditto_element(session, &cell, 80, 7) &&
           ditto_element(session, &cell, 80, 7) != ditto_element(session, &cell, 80, 8),
       "8 neighbours each");
    ok(places_of_array(session, 81) <= 10, "81 elements share at most 10");
    ditto_cell_release(&cell);
    ditto_close(session, &error);

    const struct ditto_record_options coarse = {.granularity = DITTO_OBJECTS};
    session = record_or_die(path, &coarse);
    is(places_of_object(session, 7), 1, "with object granularity an object has one");
    is(places_of_array(session, 80), 1, "and so has an array");
    ditto_close(session, &error);
    session = replay_or_die(path);
    is(places_of_object(session, 7), 1, "a replay does as the recording did");
    ditto_close(session, &error);

    const struct ditto_record_options fine = {.array_states = 40};
    session = record_or_die(path, &fine);
    is(places_of_array(session, 80), 40, "the cap is an option");
    ditto_close(session, &error);
    session = replay_or_die(path);
    is(places_of_array(session, 80), 40, "which a replay takes from the trace");
    ditto_close(session, &error);

    const struct ditto_record_options uncapped = {.array_states = UINT_MAX};
    session = record_or_die(path, &uncapped);
    is(places_of_array(session, 1000), 1000, "there need not be one");
    ditto_cell locked = {NULL};
    ditto_monitor *monitor = ditto_array_monitor(session, &locked, 1000);
    ok((void *)monitor < (void *)ditto_element(session, &locked, 1000, 999) &&
           monitor == ditto_array_monitor(session, &locked, 1000),
       "an array has a monitor beside its elements");
    ditto_cell_release(&locked);
    ditto_close(session, &error);
    session = replay_or_die(path);
    is(places_of_array(session, 1000), 1000, "in a replay neither");
    ditto_close(session, &error);

    session = record_or_die(path, NULL);
    _Alignas(16) unsigned char memory[1024] = {0};
    ditto_cell placed = {NULL};
    size_t size = ditto_object_size(session, 7);
    ditto_object_place(session, &placed, memory, 7);
    unsigned char *first = (unsigned char *)ditto_object_monitor(session, &placed, 7),
                  *last = (unsigned char *)ditto_field(session, &placed, 7, 6);
    ok(size <= sizeof memory && first >= memory && last > first && last < memory + size,
       "an object's state can be in memory of the caller's");
    ditto_close(session, &error);

    const struct ditto_record_options unknown = {.order = "nosuch"};
    session = ditto_record(path, &unknown, &error);
    ok(!session && strstr(error.text, "no order 'nosuch'"), "an unknown order: %s", error.text);
}

static void give_inputs(struct ditto_session *session, uint64_t salt, uint64_t *numbers,
                        char *large, size_t large_length)
{
    struct ditto_thread *self = ditto_main_thread(session);
    for (int i = 0; i < 100; i++)
        numbers[i] = ditto_input_number(self, 1, salt * (uint64_t)i * 0x123456789u);
    size_t length = large_length;
    ditto_input(self, 2, large, &length, large_length);
    numbers[100] = length;
    length = 0;
    ditto_input(self, 3, NULL, &length, 0);
    numbers[101] = length;
}

static void test_inputs(void)
{
    const char *path = scratch("inputs.dt");
    struct ditto_error error;
    enum { LARGE = 5 * 1024 * 1024 };
    uint64_t recorded[102], replayed[102];
    char *out = malloc(LARGE), *in = calloc(1, LARGE);
    uint64_t state = 1;
    for (size_t i = 0; i < LARGE; i++)
        out[i] = (char)random_next(&state);
    struct ditto_session *session = record_or_die(path, NULL);
    give_inputs(session, 7, recorded, out, LARGE);
    ok(ditto_close(session, &error), "inputs are recorded");
    session = replay_or_die(path);
    give_inputs(session, 8, replayed, in, LARGE);
    ok(ditto_close(session, &error), "and replayed");
    ok(memcmp(recorded, replayed, sizeof recorded) == 0, "numbers are those of the recording");
    ok(memcmp(out, in, LARGE) == 0, "and so are 5 MiB in one piece");
    free(out);
    free(in);
}

/* Threads that add to a number by compare-and-set; what each found on the way is `seen`. */
struct adder {
    struct ditto_session *session;
    struct ditto_thread *thread;
    pthread_t os_thread;
    ditto_cell *cell;
    _Atomic uint64_t *number;
    uint64_t seen, failures;
};

enum { ADDERS = 3, ADDITIONS = 2000 };

static void *add(void *argument)
{
    struct adder *adder = argument;
    ditto_place *place = ditto_field(adder->session, adder->cell, 1, 0);
    for (int i = 0; i < ADDITIONS; i++) {
        ditto_load_begin(adder->thread, place);
        uint64_t found = atomic_load(adder->number);
        ditto_load_end(adder->thread, place);
        bool stored;
        do {
            adder->seen = adder->seen * 31 + found;
            ditto_update_begin(adder->thread, place);
            stored = atomic_compare_exchange_strong(adder->number, &found, found + 1);
            ditto_update_end(adder->thread, place, stored);
            adder->failures += !stored;
        } while (!stored);
    }
    ditto_thread_end(adder->thread);
    return NULL;
}

static void run_adders(struct ditto_session *session, struct adder adders[ADDERS], uint64_t *sum)
{
    struct ditto_thread *self = ditto_main_thread(session);
    ditto_cell cell = {NULL};
    _Atomic uint64_t number = 0;
    for (int i = 0; i < ADDERS; i++) {
        adders[i] = (struct adder){.session = session,
                                   .thread = ditto_thread_start(self, "adder"),
                                   .cell = &cell,
                                   .number = &number};
        if (pthread_create(&adders[i].os_thread, NULL, add, &adders[i]))
            abort();
    }
    for (int i = 0; i < ADDERS; i++) {
        ditto_join_begin(self, adders[i].thread);
        pthread_join(adders[i].os_thread, NULL);
        ditto_join_end(self, adders[i].thread);
        ditto_thread_release(adders[i].thread);
    }
    *sum = atomic_load(&number);
    ditto_cell_release(&cell);
}

static void test_updates(enum ditto_pruning pruning)
{
    const char *path = scratch("updates.dt");
    const struct ditto_record_options options = {.pruning = pruning};
    struct ditto_error error;
    struct adder recorded[ADDERS], replayed[ADDERS];
    uint64_t sum, again;
    struct ditto_session *session = record_or_die(path, &options);
    run_adders(session, recorded, &sum);
    ok(ditto_close(session, &error) && sum == ADDERS * ADDITIONS, "updates are recorded");
    session = replay_or_die(path);
    run_adders(session, replayed, &again);
    bool same = again == sum;
    for (int i = 0; i < ADDERS; i++)
        same = same && recorded[i].seen == replayed[i].seen &&
               recorded[i].failures == replayed[i].failures;
    ok(ditto_close(session, &error) && same, "and succeed and fail as they did");
}

/* One that fails is a load: it does not tick. */
static void test_failed_update(void)
{
    struct ditto_error error;
    struct ditto_session *session = record_or_die(scratch("failed.dt"), NULL);
    struct ditto_thread *self = ditto_main_thread(session);
    ditto_cell cell = {NULL};
    ditto_place *place = ditto_field(session, &cell, 1, 0);
    ditto_update_begin(self, place);
    ditto_update_end(self, place, true);
    is(ditto_clock(self), 1, "an update that stores ticks");
    ditto_update_begin(self, place);
    ditto_update_end(self, place, false);
    is(ditto_clock(self), 1, "one that does not is a load");
    ditto_update_begin(self, place);
    ditto_access_end(self);
    ok(ditto_clock(self) == 1 && ditto_events(self) == 3, "and so is one that was lost");
    ditto_cell_release(&cell);
    ditto_close(session, &error);
}

static void test_reentrance(void)
{
    const char *path = scratch("reentrance.dt");
    struct ditto_error error;
    uint64_t clocks[2];
    for (int replaying = 0; replaying < 2; replaying++) {
        struct ditto_session *session = replaying ? replay_or_die(path) : record_or_die(path, NULL);
        struct ditto_thread *self = ditto_main_thread(session);
        ditto_cell cell = {NULL};
        ditto_monitor *monitor = ditto_object_monitor(session, &cell, 0);
        for (int i = 0; i < 3; i++) {
            ditto_acquire_begin(self, monitor);
            ditto_acquire_end(self, monitor);
        }
        for (int i = 0; i < 3; i++)
            ditto_release(self, monitor);
        clocks[replaying] = ditto_clock(self);
        ditto_cell_release(&cell);
        ditto_close(session, &error);
    }
    is(clocks[0], 3, "each acquisition ticks, also a nested one");
    is(clocks[1], 3, "in the replay too");
}

/* --------------------------------------------------------- many short threads */

struct short_thread {
    struct ditto_session *session;
    struct ditto_thread *thread;
    ditto_cell *cell;
    uint64_t *counter;
};

static void *live_shortly(void *argument)
{
    struct short_thread *self = argument;
    ditto_place *place = ditto_field(self->session, self->cell, 1, 0);
    ditto_load_begin(self->thread, place);
    uint64_t value = *self->counter;
    ditto_load_end(self->thread, place);
    ditto_store_begin(self->thread, place);
    *self->counter = value + 1;
    ditto_store_end(self->thread, place);
    ditto_thread_end(self->thread);
    return NULL;
}

static size_t mapped_slots(void)
{
    size_t count = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        count += strstr(line, "many.dt") != NULL;
    if (maps)
        fclose(maps);
    return count;
}

/* Starts `total` threads, a few at a time. */
static uint64_t run_short_threads(struct ditto_session *session, unsigned total, size_t *most_slots)
{
    enum { AT_ONCE = 20 };
    struct ditto_thread *self = ditto_main_thread(session);
    ditto_cell cell = {NULL};
    uint64_t counter = 0;
    for (unsigned started = 0; started < total; started += AT_ONCE) {
        struct short_thread threads[AT_ONCE];
        pthread_t os_threads[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++) {
            threads[i] =
                (struct short_thread){session, ditto_thread_start(self, "short"), &cell, &counter};
            if (pthread_create(&os_threads[i], NULL, live_shortly, &threads[i]))
                abort();
        }
        if (most_slots && started % 1000 == 0) {
            size_t slots = mapped_slots();
            *most_slots = slots > *most_slots ? slots : *most_slots;
        }
        for (int i = 0; i < AT_ONCE; i++) {
            ditto_join_begin(self, threads[i].thread);
            pthread_join(os_threads[i], NULL);
            ditto_join_end(self, threads[i].thread);
            ditto_thread_release(threads[i].thread);
        }
    }
    ditto_cell_release(&cell);
    return counter;
}

static void test_many_threads(void)
{
    const char *path = scratch("many.dt");
    unsigned total = (unsigned)setting("DITTO_SHORT_THREADS", 10000);
    struct ditto_error error;
    size_t most_slots = 0;
    struct ditto_session *session = record_or_die(path, NULL);
    uint64_t recorded = run_short_threads(session, total, &most_slots);
    ok(ditto_close(session, &error), "%u short threads are recorded", total);
    ok(most_slots > 0 && most_slots <= 3 * 21 + 1, "with buffers for those alive: %zu", most_slots);
    session = replay_or_die(path);
    uint64_t replayed = run_short_threads(session, total, NULL);
    ok(ditto_close(session, &error), "and replayed");
    is(replayed, recorded, "with the lost updates of the recording");
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    is(ditto_reader_thread_count(reader), total + 1, "the trace has them all");
    ditto_reader_close(reader);
}

/* ------------------------------------------------------------------- forks */

/* What those who do events themselves find in a thread. */
static uint64_t quick_number(struct ditto_session *session, struct ditto_thread *thread,
                             const char *name)
{
    int64_t offset;
    uint64_t number;
    assert(ditto_quick_number(session, name, &offset));
    memcpy(&number, (const char *)thread + offset, sizeof number);
    return number;
}

static void test_fork(void)
{
    const char *path = scratch("fork.dt");
    struct ditto_error error;
    struct ditto_session *session = record_or_die(path, NULL);
    struct ditto_thread *self = ditto_main_thread(session);
    ditto_cell cell = {NULL};
    ditto_place *place = ditto_field(session, &cell, 1, 0);
    for (int i = 0; i < 10; i++) {
        ditto_store_begin(self, place);
        ditto_store_end(self, place);
    }
    pid_t child = fork();
    if (child == 0) {
        bool quick = quick_number(session, self, "thread.word") != 0;
        for (int i = 0; i < 100000; i++) {
            ditto_store_begin(self, place);
            ditto_store_end(self, place);
        }
        ditto_thread_end(ditto_thread_start(self, "the child's"));
        ditto_close(session, NULL);
        _exit(quick);
    }
    int status;
    waitpid(child, &status, 0);
    is((uint64_t)status, 0, "a forked child of a recorded program runs");
    for (int i = 0; i < 10; i++) {
        ditto_store_begin(self, place);
        ditto_store_end(self, place);
    }
    ditto_cell_release(&cell);
    ok(ditto_close(session, &error), "its parent's recording goes on");
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    ok(reader && ditto_reader_info(reader)->damage_count == 0, "and is sound");
    is(ditto_reader_find_thread(reader, 0)->memory_events, 20, "with the parent's events alone");
    is(ditto_reader_thread_count(reader), 1, "and threads");
    ditto_reader_close(reader);

    session = replay_or_die(path);
    self = ditto_main_thread(session);
    place = ditto_field(session, &cell, 1, 0);
    for (int i = 0; i < 20; i++) {
        if (i == 10) {
            child = fork();
            if (child == 0) {
                alarm(20); /* a child that waits for its parent's threads would hang */
                bool quick = quick_number(session, self, "thread.run") != 0;
                for (int k = 0; k < 100000; k++) {
                    ditto_store_begin(self, place);
                    ditto_store_end(self, place);
                }
                uint64_t number = ditto_input_number(self, 1, 77);
                ditto_close(session, NULL);
                _exit(number != 77 || quick);
            }
            waitpid(child, &status, 0);
            is((uint64_t)status, 0, "a forked child of a replay runs on without the trace");
        }
        ditto_store_begin(self, place);
        ditto_store_end(self, place);
    }
    ditto_cell_release(&cell);
    ok(ditto_close(session, &error), "and the replay goes on");
}

/* A thread that is most of the time in one of the engine's locks. */
struct busy {
    struct ditto_session *session;
    struct ditto_thread *thread;
    _Atomic bool over;
};

static void *keep_locks_busy(void *argument)
{
    struct busy *busy = argument;
    while (!atomic_load(&busy->over)) {
        struct ditto_thread *child = ditto_thread_start(busy->thread, "short");
        ditto_thread_end(child);
        ditto_thread_release(child);
        ditto_set_property(busy->session, "busy", "yes");
    }
    ditto_thread_end(busy->thread);
    return NULL;
}

/* Whatever the others hold at the moment of the fork, the child's calls come back. */
static void test_fork_with_locks_held(void)
{
    enum { FORKS = 300 };
    struct ditto_error error;
    struct ditto_session *session = record_or_die(scratch("fork-locks.dt"), NULL);
    struct ditto_thread *self = ditto_main_thread(session);
    struct busy busy[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        busy[i] = (struct busy){.session = session, .thread = ditto_thread_start(self, "busy")};
        pthread_create(&threads[i], NULL, keep_locks_busy, &busy[i]);
    }
    int failed = 0;
    for (int i = 0; i < FORKS && !failed; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            ditto_set_property(session, "child", "yes");
            ditto_thread_end(ditto_thread_start(self, "the child's"));
            _exit(0);
        }
        int status = 1;
        waitpid(child, &status, 0);
        failed += status != 0;
    }
    for (int i = 0; i < 2; i++) {
        atomic_store(&busy[i].over, true);
        pthread_join(threads[i], NULL);
        ditto_thread_release(busy[i].thread);
    }
    is((uint64_t)failed, 0, "forked while other threads hold the engine's locks, a child runs");
    ok(ditto_close(session, &error), "and so does its parent");
}

/* ---------------------------------------------------- condition variables */

enum { HANDOVERS = 300, PLAYERS = 4 };

/* A table with room for one thing. */
struct table {
    struct ditto_session *session;
    ditto_cell cell;
    pthread_mutex_t mutex; /* guards the rest */
    pthread_cond_t changed;
    bool full, over;
    uint32_t giver;
    unsigned handovers;
    uint32_t hands[HANDOVERS][2]; /* who gave, who took */
};

struct player {
    struct table *table;
    struct ditto_thread *thread;
    pthread_t os_thread;
    bool gives;
};

static void take_turn(struct player *player)
{
    struct table *table = player->table;
    uint32_t me = ditto_replay_id(player->thread);
    if (player->gives) {
        table->giver = me;
    } else {
        table->hands[table->handovers][0] = table->giver;
        table->hands[table->handovers++][1] = me;
        table->over = table->handovers == HANDOVERS;
    }
    table->full = player->gives;
}

static void *play(void *argument)
{
    struct player *player = argument;
    struct table *table = player->table;
    ditto_monitor *monitor = ditto_object_monitor(table->session, &table->cell, 0);
    for (bool over = false; !over;) {
        ditto_acquire_begin(player->thread, monitor);
        pthread_mutex_lock(&table->mutex);
        ditto_acquire_end(player->thread, monitor);
        while (table->full == player->gives && !table->over)
            ditto_cond_wait(player->thread, monitor, &table->changed, &table->mutex);
        over = table->over;
        if (!over)
            take_turn(player);
        pthread_cond_broadcast(&table->changed);
        ditto_release(player->thread, monitor);
        pthread_mutex_unlock(&table->mutex);
    }
    ditto_thread_end(player->thread);
    return NULL;
}

static void run_table(struct table *table, struct ditto_session *session)
{
    struct ditto_thread *self = ditto_main_thread(session);
    struct player players[PLAYERS];
    memset(table, 0, sizeof *table);
    table->session = session;
    pthread_mutex_init(&table->mutex, NULL);
    pthread_cond_init(&table->changed, NULL);
    for (int i = 0; i < PLAYERS; i++) {
        players[i] = (struct player){
            .table = table, .thread = ditto_thread_start(self, "player"), .gives = i % 2};
        if (pthread_create(&players[i].os_thread, NULL, play, &players[i]))
            abort();
    }
    for (int i = 0; i < PLAYERS; i++) {
        ditto_join_begin(self, players[i].thread);
        pthread_join(players[i].os_thread, NULL);
        ditto_join_end(self, players[i].thread);
        ditto_thread_release(players[i].thread);
    }
    ditto_cell_release(&table->cell);
    pthread_mutex_destroy(&table->mutex);
    pthread_cond_destroy(&table->changed);
}

static void test_conditions(void)
{
    const char *path = scratch("conditions.dt");
    struct ditto_error error;
    static struct table recorded, replayed;
    struct ditto_session *session = record_or_die(path, NULL);
    run_table(&recorded, session);
    ok(ditto_close(session, &error), "waits on a condition variable are recorded");
    unsigned same = 0;
    for (int i = 0; i < 20; i++) {
        session = replay_or_die(path);
        run_table(&replayed, session);
        same += ditto_close(session, &error) &&
                memcmp(recorded.hands, replayed.hands, sizeof recorded.hands) == 0;
    }
    is(same, 20, "and 20 replays hand over in the same order");
}

/* ---------------------------------------------------- what stays alive at close */

struct lingering {
    struct ditto_session *session;
    struct ditto_thread *thread;
    _Atomic bool *go_on;
    _Atomic uint64_t *events;
};

static void *linger(void *argument)
{
    struct lingering *self = argument;
    ditto_cell cell = {NULL};
    ditto_place *place = ditto_field(self->session, &cell, 1, 0);
    while (atomic_load(self->go_on)) {
        ditto_store_begin(self->thread, place);
        ditto_store_end(self->thread, place);
        atomic_fetch_add(self->events, 1);
    }
    ditto_cell_release(&cell);
    ditto_thread_end(self->thread);
    return NULL;
}

/*
 * Closes the session while its thread runs, after `before` of its events or some more, and lets
 * that do 1000 events more.  A replay has to wait for all that were recorded: the thread must not
 * end before it has done them.
 */
static bool close_over_thread(struct ditto_session *session, uint64_t before)
{
    _Atomic bool go_on = true;
    _Atomic uint64_t events = 0;
    struct ditto_error error;
    struct lingering lingering = {session, ditto_thread_start(ditto_main_thread(session), "daemon"),
                                  &go_on, &events};
    pthread_t thread;
    if (pthread_create(&thread, NULL, linger, &lingering))
        abort();
    while (atomic_load(&events) < before)
        sched_yield();
    bool closed = ditto_close(session, &error);
    uint64_t then = atomic_load(&events);
    while (atomic_load(&events) < then + 1000)
        sched_yield();
    atomic_store(&go_on, false);
    pthread_join(thread, NULL);
    ditto_thread_release(lingering.thread);
    return closed;
}

static void test_close_with_threads(void)
{
    const char *path = scratch("lingering.dt");
    struct ditto_error error;
    ok(close_over_thread(record_or_die(path, NULL), 1000),
       "a recording can be closed while a thread runs, which goes on");
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    struct ditto_thread_counts counts;
    ok(ditto_count_thread(reader, ditto_trace_order(reader, &error), 1, &counts, &error) &&
           counts.memory.events >= 1000,
       "its events until then are in the trace");
    ok(!ditto_reader_find_thread(reader, 1)->ended, "and it was alive");
    is(ditto_reader_info(reader)->ending, DITTO_ENDING_CLOSED, "the recording ended in good order");
    ditto_reader_close(reader);
    ok(close_over_thread(replay_or_die(path), counts.memory.events),
       "a replay goes on after it, too");
}

/* ------------------------------------------------------- what a stop must not undo */

struct late_store {
    struct ditto_thread *thread;
    ditto_place *place;
    _Atomic bool stored;
};

static void *store_late(void *argument)
{
    struct late_store *late = argument;
    ditto_store_begin(late->thread, late->place);
    atomic_store(&late->stored, true);
    ditto_store_end(late->thread, late->place);
    ditto_thread_end(late->thread);
    return NULL;
}

static void ignore_failure(void *context, const struct ditto_error *error)
{
    (void)context;
    (void)error;
}

static void test_stop_during_access(void)
{
    const char *path = scratch("stop.dt");
    const struct ditto_record_options options = {.on_failure = ignore_failure};
    struct ditto_error error;
    struct ditto_session *session = record_or_die(path, &options);
    struct ditto_thread *self = ditto_main_thread(session);
    ditto_cell cell = {NULL};
    struct late_store late = {.thread = ditto_thread_start(self, "late"),
                              .place = ditto_field(session, &cell, 1, 0)};
    pthread_t thread;
    ditto_load_begin(self, late.place);
    ditto_error_set(&error, "stopped by the test");
    ditto_writer_stop(session->writer, &error);
    if (pthread_create(&thread, NULL, store_late, &late))
        abort();
    for (int i = 0; i < 2000; i++)
        sched_yield();
    ok(!atomic_load(&late.stored),
       "a store that is not recorded any more waits for the recorded load that is under way");
    ditto_load_end(self, late.place);
    pthread_join(thread, NULL);
    ok(atomic_load(&late.stored), "and goes on after it");
    ditto_thread_release(late.thread);
    ditto_cell_release(&cell);
    ok(!ditto_close(session, &error) && strcmp(error.text, "stopped by the test") == 0,
       "closing says why the trace is not complete");
}

/* A program whose thread does some stores and is then blocked, or goes on, when the process exits.
 */
struct exiting {
    const char *path;
    bool replay, goes_on;
    struct ditto_session *session;
    struct ditto_thread *thread;
    ditto_flag flag;
    _Atomic uint64_t stores;
};

enum { STORES_BEFORE_EXIT = 500, EXIT_AS_EXPECTED = 7 };

static void *store_and_stay(void *argument)
{
    struct exiting *self = argument;
    ditto_cell cell = {NULL};
    ditto_place *place = ditto_field(self->session, &cell, 1, 0);
    if (self->replay)
        ditto_flag_wait(self->thread, &self->flag, "the flag");
    for (uint64_t i = 0; self->goes_on || i < STORES_BEFORE_EXIT; i++) {
        ditto_store_begin(self->thread, place);
        ditto_store_end(self->thread, place);
        atomic_fetch_add(&self->stores, 1);
    }
    while (pause())
        ;
    return NULL;
}

static void run_exiting(void *argument)
{
    struct exiting *self = argument;
    self->session = self->replay ? replay_or_die(self->path) : record_or_die(self->path, NULL);
    struct ditto_thread *main = ditto_main_thread(self->session);
    pthread_t thread;
    ditto_set_property(self->session, "colour", "green");
    self->thread = ditto_thread_start(main, "left behind");
    if (pthread_create(&thread, NULL, store_and_stay, self))
        abort();
    while (!self->replay && atomic_load(&self->stores) < STORES_BEFORE_EXIT)
        sched_yield();
    ditto_flag_raise(self->session, &self->flag);
    ditto_exiting(self->session, main);
    const char *colour = ditto_property(self->session, "colour");
    bool good = !self->replay || (atomic_load(&self->stores) >= STORES_BEFORE_EXIT && colour &&
                                  strcmp(colour, "green") == 0);
    _exit(good ? EXIT_AS_EXPECTED : 1);
}

static void test_exiting(bool goes_on)
{
    const char *how = goes_on ? "a thread that runs" : "a thread that is blocked elsewhere";
    struct exiting program = {.path = scratch("exiting.dt"), .goes_on = goes_on};
    struct child_result result;
    struct ditto_error error;
    in_child(run_exiting, &program, &result);
    is(result.exit_status, EXIT_AS_EXPECTED, "a recording exits and leaves %s behind", how);
    struct ditto_reader *reader = ditto_reader_open(program.path, &error);
    ok(reader && ditto_reader_info(reader)->ending == DITTO_ENDING_CLOSED, "in good order");
    ditto_reader_close(reader);
    program.replay = true;
    in_child(run_exiting, &program, &result);
    is(result.exit_status, EXIT_AS_EXPECTED, "its replay exits when that thread has done its part");
}

int main(void)
{
    test_states();
    test_inputs();
    test_updates(DITTO_PRUNE_FULL);
    test_updates(DITTO_PRUNE_NONE);
    test_failed_update();
    test_reentrance();
    test_many_threads();
    test_fork();
    test_fork_with_locks_held();
    test_conditions();
    test_close_with_threads();
    test_stop_during_access();
    test_exiting(false);
    test_exiting(true);
    done_testing();
    return exit_status();
}
