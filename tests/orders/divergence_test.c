/* SPDX-License-Identifier: MIT */
/*
 * A replay that does not do what the trace says stops, with the thread, the event, what was
 * expected and what was found; one that cannot go on says who waits for what.
 */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "core/ditto.h"
#include "core/orders/orders.h"
#include "tests/support.h"
#include "tests/tap.h"
#include "trace/format.h"
#include "trace/stream.h"

static const char *path;
static const struct ditto_order *order_in_use;

/*
 * Two threads on one place and one monitor, in an order that a third thing (a mutex and a condition
 * variable, unknown to Ditto) makes the same in every recording.
 */
struct script {
    const char *first, *second; /* thread 1's and thread 2's steps; a space hands over */
};

struct stage {
    struct ditto_session *session;
    ditto_cell cell;
    pthread_mutex_t mutex; /* the program's own monitor */
    pthread_mutex_t turn_lock;
    pthread_cond_t turn_changed;
    unsigned turn; /* guarded by turn_lock */
    bool in_turns; /* recording */
};

struct actor {
    struct stage *stage;
    struct ditto_thread *thread;
    const char *steps;
    unsigned number; /* 0 or 1 */
};

static void wait_for_turn(struct actor *actor)
{
    struct stage *stage = actor->stage;
    if (!stage->in_turns)
        return;
    pthread_mutex_lock(&stage->turn_lock);
    while (stage->turn % 2 != actor->number)
        pthread_cond_wait(&stage->turn_changed, &stage->turn_lock);
    pthread_mutex_unlock(&stage->turn_lock);
}

static void hand_over(struct actor *actor)
{
    struct stage *stage = actor->stage;
    pthread_mutex_lock(&stage->turn_lock);
    stage->turn++;
    pthread_cond_broadcast(&stage->turn_changed);
    pthread_mutex_unlock(&stage->turn_lock);
}

static void do_step(struct actor *actor, char step)
{
    struct stage *stage = actor->stage;
    ditto_place *place = ditto_field(stage->session, &stage->cell, 1, 0);
    ditto_monitor *monitor = ditto_object_monitor(stage->session, &stage->cell, 1);
    switch (step) {
    case 'l':
        ditto_load_begin(actor->thread, place);
        ditto_load_end(actor->thread, place);
        break;
    case 's':
        ditto_store_begin(actor->thread, place);
        ditto_store_end(actor->thread, place);
        break;
    case 'a':
        ditto_acquire_begin(actor->thread, monitor);
        pthread_mutex_lock(&stage->mutex);
        ditto_acquire_end(actor->thread, monitor);
        break;
    case 'r':
        ditto_release(actor->thread, monitor);
        pthread_mutex_unlock(&stage->mutex);
        break;
    case 'i':
    case 'j':
        ditto_input_number(actor->thread, (uint32_t)step, 5);
        break;
    case 'x': /* the process dies here, in the recording */
        if (!ditto_is_replay(stage->session))
            _exit(0);
        break;
    }
}

static void *act(void *argument)
{
    struct actor *actor = argument;
    wait_for_turn(actor);
    for (const char *step = actor->steps; *step; step++) {
        if (*step == ' ') {
            hand_over(actor);
            wait_for_turn(actor);
        } else {
            do_step(actor, *step);
        }
    }
    ditto_thread_end(actor->thread);
    hand_over(actor);
    return NULL;
}

static void play(struct ditto_session *session, const struct script *script)
{
    struct stage stage = {.session = session,
                          .mutex = PTHREAD_MUTEX_INITIALIZER,
                          .turn_lock = PTHREAD_MUTEX_INITIALIZER,
                          .turn_changed = PTHREAD_COND_INITIALIZER,
                          .in_turns = !ditto_is_replay(session)};
    struct ditto_thread *self = ditto_main_thread(session);
    struct actor actors[2] = {{.stage = &stage, .steps = script->first, .number = 0},
                              {.stage = &stage, .steps = script->second, .number = 1}};
    pthread_t threads[2];
    actors[0].thread = ditto_thread_start(self, "first");
    actors[1].thread = ditto_thread_start(self, "second");
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, act, &actors[i]))
            abort();
    for (int i = 0; i < 2; i++) {
        ditto_join_begin(self, actors[i].thread);
        pthread_join(threads[i], NULL);
        ditto_join_end(self, actors[i].thread);
        ditto_thread_release(actors[i].thread);
    }
    ditto_cell_release(&stage.cell);
}

static void record(void *argument)
{
    struct ditto_error error;
    const struct ditto_record_options options = {.order = order_in_use->name};
    struct ditto_session *session = ditto_record(path, &options, &error);
    play(session, argument);
    ditto_close(session, &error);
}

static void replay(void *argument)
{
    struct ditto_error error;
    struct ditto_session *session = ditto_replay(path, NULL, &error);
    if (!session) {
        dprintf(STDERR_FILENO, "%s\n", error.text);
        _exit(1);
    }
    play(session, argument);
    ditto_close(session, &error);
}

/* Records one script, replays another, and expects the status and the phrases in the message. */
static void expect(const char *what, struct script recorded, struct script replayed, int status,
                   const char *const *phrases)
{
    struct child_result result;
    in_child(record, &recorded, &result);
    if (result.exit_status != 0)
        diag("recording failed: %s", result.output);
    in_child(replay, &replayed, &result);
    bool said = true;
    for (int i = 0; phrases[i]; i++)
        said = said && strstr(result.output, phrases[i]);
    if (!ok(result.exit_status == status && said, "%s: %s", order_in_use->name, what))
        diag("status %d, said: %s", result.exit_status, result.output);
}

#define SAYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void test_divergences(void)
{
    struct script hand = {"sss l", "lss"};
    expect("the same program replays", hand, hand, 0, (const char *const[]){NULL});
    expect(
        "a store where a load was", (struct script){"s", "ls"}, (struct script){"s", "ss"}, 3,
        SAYS("left the trace", "thread 2 (second)", "event 1", "expected a load", "found a store"));
    expect("a load where a store was", (struct script){"s", "s"}, (struct script){"s", "l"}, 3,
           SAYS("thread 2 (second)", "expected a store", "found a load"));
    expect("an event too many", (struct script){"ss", "ll"}, (struct script){"sss", "ll"}, 3,
           SAYS("thread 1 (first)", "event 3", "expected the end of the thread", "found store"));
    expect(
        "an event too few", (struct script){"ss", "ll"}, (struct script){"ss", "l"}, 3,
        SAYS("thread 2 (second)", "expected another load or store", "found the end of the thread"));
    expect("an acquisition too few", (struct script){"arar", "ar"}, (struct script){"ar", "ar"}, 3,
           SAYS("thread 1 (first)", "expected another acquisition"));
    expect("another input", (struct script){"i", ""}, (struct script){"j", ""}, 3,
           SAYS("thread 1 (first)", "expected an input of kind 105", "found one of kind 106"));
    expect("an input too many", (struct script){"i", ""}, (struct script){"ii", ""}, 3,
           SAYS("thread 1 (first)", "expected the end of the thread", "found input"));
    expect("an input too few", (struct script){"ii", ""}, (struct script){"i", ""}, 3,
           SAYS("thread 1 (first)", "expected another input"));
}

static void test_stalls(void)
{
    /* Thread 1 does not do its second store, which thread 2's load waits for; in a free run that is
     * not noticed at once. */
    if (order_in_use->shows.free_runs)
        expect("a store that never comes", (struct script){"sas r", "l"},
               (struct script){"salr", "l"}, 3,
               SAYS("cannot go on", "every thread waits", "thread 0 (main)",
                    "waits for the end of thread 2", "thread 2 (second)",
                    "waits for a load after store clock"));
    if (order_in_use->wants & DITTO_WANTS_RELEASES)
        expect("a monitor that is never released", (struct script){"ar ", "ar"},
               (struct script){"a", "ar"}, 3,
               SAYS("every thread waits", "thread 2 (second)", "waits for a monitor",
                    "thread 1 holds it"));
}

static void test_cut_traces(void)
{
    struct script killed = {"sss sx", "ll "};
    struct script longer = {"sss ssss", "ll llll"};
    expect("a killed run replays to its end", killed, longer, 0,
           SAYS("end of the trace", "thread 1 (first) after 5 events", "before store",
                "thread 2 (second) after 3 events", "before load", "thread 0 (main)",
                "waits for the end of thread"));
    expect("a deadlocked run replays into its deadlock", (struct script){"a l", "x"},
           (struct script){"a l", "a"}, 0,
           SAYS("end of the trace", "thread 2 (second) after 1 events", "before acquire"));
}

/* Flips a bit in the first chunk of that kind of stream that has any; free events have none. */
static void damage(enum ditto_stream_kind stream)
{
    struct ditto_chunk_header header;
    off_t at = sizeof(struct ditto_file_header);
    int fd = open(path, O_RDWR);
    while (pread(fd, &header, sizeof header, at) == (ssize_t)sizeof header) {
        uint8_t byte;
        off_t payload = at + (off_t)sizeof header;
        if (header.stream == stream && header.stored_length && pread(fd, &byte, 1, payload) == 1) {
            byte ^= 1;
            ok(pwrite(fd, &byte, 1, payload) == 1, "damage in the trace");
            break;
        }
        at = payload + (off_t)((header.stored_length + 7) & ~UINT32_C(7));
    }
    close(fd);
}

/* What is damaged is read only when it is needed: the replay stops there, and blames the file. */
static void test_damage(void)
{
    static const struct {
        enum ditto_stream_kind stream;
        const char *says;
    } cases[] = {
        {DITTO_STREAM_MEMORY, "'s memory stream, chunk 0 at offset"},
        {DITTO_STREAM_SYNC, "'s sync stream, chunk 0 at offset"},
        {DITTO_STREAM_VALUE, "'s value stream, chunk 0 at offset"},
    };
    struct script script = {"sari ", "lari"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct child_result result;
        in_child(record, &script, &result);
        damage(cases[i].stream);
        in_child(replay, &script, &result);
        if (!ok(result.exit_status == 2 && strstr(result.output, cases[i].says) &&
                    strstr(result.output, "(wrong checksum); get the file again\n") &&
                    !strstr(result.output, "left the trace"),
                "a damaged stream stops the replay that comes to it"))
            diag("status %d, said: %s", result.exit_status, result.output);
    }
}

int main(void)
{
    path = scratch("divergence.dt");
    for (size_t i = 0; ditto_orders[i]; i++) {
        order_in_use = ditto_orders[i];
        test_divergences();
        test_stalls();
        test_cut_traces();
        test_damage();
    }
    done_testing();
    return exit_status();
}
