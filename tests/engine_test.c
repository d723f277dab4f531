/* SPDX-License-Identifier: MIT */
/* The engine's calls, one by one: states, granularity, arrays, threads, inputs, forks. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ditto.h"
#include "core/inspect.h"
#include "core/settings.h"
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
        for (int i = 0; i < 100000; i++) {
            ditto_store_begin(self, place);
            ditto_store_end(self, place);
        }
        ditto_thread_end(ditto_thread_start(self, "the child's"));
        ditto_close(session, NULL);
        _exit(0);
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

static void test_close_with_threads(void)
{
    const char *path = scratch("lingering.dt");
    struct ditto_error error;
    static _Atomic bool go_on = true;
    static _Atomic uint64_t events;
    struct ditto_session *session = record_or_die(path, NULL);
    struct lingering lingering = {session, ditto_thread_start(ditto_main_thread(session), "daemon"),
                                  &go_on, &events};
    pthread_t thread;
    if (pthread_create(&thread, NULL, linger, &lingering))
        abort();
    while (atomic_load(&events) < 1000)
        sched_yield();
    ok(ditto_close(session, &error), "a recording can be closed while a thread runs");
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    struct ditto_thread_counts counts;
    ok(ditto_count_thread(reader, ditto_trace_order(reader, &error), 1, &counts, &error) &&
           counts.memory.events >= 1000,
       "its events until then are in the trace");
    ok(!ditto_reader_find_thread(reader, 1)->ended, "and it was alive");
    is(ditto_reader_info(reader)->ending, DITTO_ENDING_CLOSED, "the recording ended in good order");
    ditto_reader_close(reader);
    uint64_t then = atomic_load(&events);
    while (atomic_load(&events) < then + 1000)
        sched_yield();
    atomic_store(&go_on, false);
    pthread_join(thread, NULL);
    ditto_thread_release(lingering.thread);
    ok(true, "the thread goes on");
}

int main(void)
{
    test_states();
    test_inputs();
    test_reentrance();
    test_many_threads();
    test_fork();
    test_close_with_threads();
    done_testing();
    return exit_status();
}
