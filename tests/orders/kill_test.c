/* SPDX-License-Identifier: MIT */
/*
 * A recording killed with SIGKILL at random moments leaves a trace that opens, passes `check`,
 * holds every event that each thread had finished, and replays to the end of what it holds.
 * DITTO_KILLS kills, 200 by default.
 *
 * The recorded program writes what it loads, and how far it is, into memory shared with the test.
 * So after the kill the test knows what the trace must hold and what the replay must load.
 */
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/ditto.h"
#include "core/orders/orders.h"
#include "core/reading/counts.h"
#include "tests/micro.h"
#include "tests/support.h"
#include "tests/tap.h"

/* More operations than any run gets to do; small slots, so that chunks are finished all the time.
 */
static const struct micro_parameters parameters = {.threads = 4,
                                                   .operations = 1000000,
                                                   .loads = 2,
                                                   .stores = 1,
                                                   .fields = 2,
                                                   .objects = 4,
                                                   .yields = 100,
                                                   .seed = 11};
static const char *path;
static struct micro_result recorded, replayed;

static const struct ditto_order *order_in_use;

static void record(void)
{
    const struct ditto_record_options options = {
        .order = order_in_use->name,
        .buffer_size = 4096,
        /* Every event leaves bytes, so kills fall into the middle of many chunks. */
        .pruning = getpid() % 2 ? DITTO_PRUNE_NONE : DITTO_PRUNE_FULL,
    };
    struct ditto_error error;
    struct ditto_session *session = ditto_record(path, &options, &error);
    if (!session) {
        dprintf(STDERR_FILENO, "%s\n", error.text);
        _exit(1);
    }
    micro_run(&parameters, session, &recorded);
    ditto_close(session, &error);
    _exit(0);
}

static uint64_t operations_done(const struct micro_result *result)
{
    uint64_t done = 0;
    for (unsigned t = 0; t < parameters.threads; t++)
        done += atomic_load(&result->done[t]);
    return done;
}

/* One kill in four comes within the set-up, the others while the threads run. */
static void kill_recording(uint64_t *state, uint64_t kill_number)
{
    pid_t child = fork();
    if (child == 0)
        record();
    while (kill_number % 4 && operations_done(&recorded) == 0 && kill(child, 0) == 0)
        sched_yield();
    uint64_t most = kill_number % 4 ? 20000000 : 2000000;
    struct timespec moment = {0, (long)(random_next(state) % most)};
    nanosleep(&moment, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void expect_end(void *context, const struct ditto_stop *stop)
{
    (void)context;
    if (stop->kind != DITTO_STOP_END) {
        dprintf(STDERR_FILENO, "%s\n", stop->text);
        _exit(3);
    }
    _exit(42);
}

static void replay(void *argument)
{
    (void)argument;
    const struct ditto_replay_options options = {.on_stop = expect_end};
    struct ditto_error error;
    struct ditto_session *session = ditto_replay(path, &options, &error);
    if (!session) {
        dprintf(STDERR_FILENO, "%s\n", error.text);
        _exit(1);
    }
    micro_run(&parameters, session, &replayed);
    ditto_close(session, &error);
}

/* Whether the trace has thread t's finished operations, and the replay loaded the same values. */
static bool thread_is_right(const struct ditto_reader *reader, const struct ditto_order *order,
                            unsigned t)
{
    struct ditto_thread_counts counts;
    struct ditto_error error;
    if (!ditto_count_thread(reader, order, t + 1, &counts, &error)) {
        diag("%s", error.text);
        return false;
    }
    uint64_t done = atomic_load(&recorded.done[t]), events = counts.memory.events;
    uint64_t again = atomic_load(&replayed.done[t]);
    /* One more may have been recorded and not reported; an operation is one event. */
    if (events < done || events > done + 1 || again != events) {
        diag("thread %u finished %" PRIu64 ", the trace has %" PRIu64 ", the replay did %" PRIu64,
             t + 1, done, events, again);
        return false;
    }
    size_t first = (size_t)t * parameters.operations;
    return memcmp(recorded.loaded + first, replayed.loaded + first, done * sizeof(uint64_t)) == 0;
}

static void forget(struct micro_result *result)
{
    for (unsigned t = 0; t < parameters.threads; t++) {
        memset(result->loaded + (size_t)t * parameters.operations, 0,
               (atomic_load(&result->done[t]) + 1) * sizeof(uint64_t));
        atomic_store(&result->done[t], 0);
    }
}

/* What came of one kill. */
enum outcome { NOTHING_YET, RIGHT, WRONG };

static enum outcome examine(uint64_t *events)
{
    struct ditto_error error;
    struct child_result result;
    if (access(path, F_OK))
        return NOTHING_YET; /* killed before the file was created */
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    if (!reader) {
        /* The header's 64 bytes are the one thing that is there or not. */
        if (strstr(error.text, "has 0 bytes"))
            return NOTHING_YET;
        diag("%s", error.text);
        return WRONG;
    }
    const struct ditto_order *order = ditto_trace_order(reader, &error);
    bool early = !order || ditto_reader_thread_count(reader) == 0;
    if (early && ditto_reader_info(reader)->damage_count == 0) {
        ditto_reader_close(reader);
        return NOTHING_YET; /* killed before the run began */
    }
    run_ditto(&result, "check", path);
    bool right = result.exit_status == 0;
    if (!right)
        diag("check: %s", result.output);
    in_child(replay, NULL, &result);
    if (result.exit_status != 42) {
        diag("the replay ended with %d: %s", result.exit_status, result.output);
        right = false;
    }
    for (unsigned t = 0; t < parameters.threads; t++)
        right = right && thread_is_right(reader, order, t);
    *events += operations_done(&replayed);
    ditto_reader_close(reader);
    return right ? RIGHT : WRONG;
}

static void test_order(uint64_t kills)
{
    uint64_t state = setting("DITTO_KILL_SEED", 4711);
    uint64_t right = 0, wrong = 0, early = 0, events = 0;
    for (uint64_t i = 0; i < kills; i++) {
        unlink(path);
        kill_recording(&state, i);
        enum outcome outcome = examine(&events);
        right += outcome == RIGHT;
        wrong += outcome == WRONG;
        early += outcome == NOTHING_YET;
        if (outcome == WRONG)
            diag("kill %" PRIu64 " left a trace that is not right", i);
        forget(&recorded);
        forget(&replayed);
    }
    diag("%" PRIu64 " kills: %" PRIu64 " before the run began; %" PRIu64 " events replayed", kills,
         early, events);
    is(wrong, 0, "%s: every trace opens, passes check, holds what was finished, and replays",
       order_in_use->name);
    ok(right >= kills / 2, "and most kills fell into the run");
}

int main(void)
{
    uint64_t kills = setting("DITTO_KILLS", 200);
    path = scratch("killed.dt");
    ditto_command = DITTO_WITH_TOY;
    micro_result_make(&recorded, &parameters, true);
    micro_result_make(&replayed, &parameters, true);
    for (size_t i = 0; ditto_orders[i]; i++) {
        order_in_use = ditto_orders[i];
        test_order(ditto_orders[i + 1] ? kills : (kills + 4) / 5);
    }
    done_testing();
    return exit_status();
}
