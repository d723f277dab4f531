/* SPDX-License-Identifier: MIT */
/*
 * A thread that nobody in the session has started: it keeps its replay id, whenever it turns up
 * among the threads that are started, and in a replay it may be there from the beginning.
 */
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

#include "core/ditto.h"
#include "tests/support.h"
#include "tests/tap.h"

enum { CHILDREN = 4, MOST = 64 };

struct run {
    struct ditto_session *session;
    ditto_cell cell;
    pthread_mutex_t mutex; /* of the cell's monitor */
    char text[MOST];       /* who came, in which order; guarded by the mutex */
    uint32_t adopted_id, last_id;
    sem_t adopted;
};

struct visitor {
    struct run *run;
    struct ditto_thread *thread; /* NULL: nobody has started it */
    char letter;
};

static void visit(struct run *run, struct ditto_thread *thread, char letter)
{
    ditto_monitor *monitor = ditto_object_monitor(run->session, &run->cell, 1);
    ditto_acquire_begin(thread, monitor);
    pthread_mutex_lock(&run->mutex);
    ditto_acquire_end(thread, monitor);
    run->text[strlen(run->text)] = letter;
    ditto_release(thread, monitor);
    pthread_mutex_unlock(&run->mutex);
}

static void *body(void *argument)
{
    struct visitor *visitor = argument;
    struct run *run = visitor->run;
    struct ditto_thread *thread = visitor->thread;
    if (!thread) {
        thread = ditto_thread_adopt(run->session, "stranger");
        run->adopted_id = ditto_replay_id(thread);
        sem_post(&run->adopted);
    }
    visit(run, thread, visitor->letter);
    ditto_thread_end(thread);
    if (!visitor->thread)
        ditto_thread_release(thread);
    return NULL;
}

/* Children one after the other, and the stranger after so many of them, or first of all. */
static void perform(struct run *run, int stranger_after)
{
    struct ditto_thread *main = ditto_main_thread(run->session);
    struct visitor stranger = {.run = run, .letter = '!'};
    pthread_t stranger_thread, child_thread;
    pthread_mutex_init(&run->mutex, NULL);
    sem_init(&run->adopted, 0, 0);
    if (stranger_after < 0) {
        pthread_create(&stranger_thread, NULL, body, &stranger);
        sem_wait(&run->adopted);
    }
    for (int i = 0; i < CHILDREN; i++) {
        if (i == stranger_after) {
            pthread_create(&stranger_thread, NULL, body, &stranger);
            pthread_join(stranger_thread, NULL);
        }
        struct visitor child = {run, ditto_thread_start(main, "child"), (char)('a' + i)};
        run->last_id = ditto_replay_id(child.thread);
        pthread_create(&child_thread, NULL, body, &child);
        ditto_join_begin(main, child.thread);
        pthread_join(child_thread, NULL);
        ditto_join_end(main, child.thread);
        ditto_thread_release(child.thread);
    }
    if (stranger_after < 0)
        pthread_join(stranger_thread, NULL);
    pthread_mutex_destroy(&run->mutex);
    sem_destroy(&run->adopted);
    ditto_cell_release(&run->cell);
}

int main(void)
{
    const char *path = scratch("adopt.dt");
    struct ditto_error error;
    plan(10);

    struct run recorded = {.session = ditto_record(path, NULL, &error)};
    perform(&recorded, 2);
    ok(!ditto_thread_adopt(recorded.session, "another"), "there is one in a session");
    ok(ditto_close(recorded.session, &error), "the recording is complete");
    is_string(recorded.text, "ab!cd", "the stranger comes after two of the others");
    is(recorded.adopted_id, 3, "and has the next replay id");
    is(recorded.last_id, 5, "which no other has");

    struct run replayed = {.session = ditto_replay(path, NULL, &error)};
    is_string(ditto_adopted_name(replayed.session), "stranger", "its name is in the trace");
    ok(!ditto_thread_adopt(replayed.session, "another"), "nobody else is taken for it");
    perform(&replayed, -1);
    ok(ditto_close(replayed.session, &error), "the replay ends");
    is_string(replayed.text, "ab!cd", "though there first, the stranger waits for its turn");
    ok(replayed.adopted_id == 3 && replayed.last_id == 5, "the replay ids are the recorded ones");
    return exit_status();
}
