/* SPDX-License-Identifier: MIT */
/*
 * A recording that dies at any instruction.  A child records under ptrace, one instruction at a
 * time; whenever the file has changed, it is what a kill would leave at that instruction.  Each
 * time it must open without damage and hold every event that was finished, and at most the one that
 * was under way.  Small buffers make the child finish chunks, use slots again, write a record that
 * is longer than a slot, end a thread, and seal the trace.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/ditto.h"
#include "core/orders/orders.h"
#include "core/reading/counts.h"
#include "tests/support.h"
#include "tests/tap.h"

enum { THREADS = 2, ROUNDS = 600 };

/* What the child has finished; in memory that both see. */
struct finished {
    _Atomic uint64_t started; /* threads */
    _Atomic uint64_t memory[THREADS], sync[THREADS], values;
};

static struct finished *finished;
static const char *path;

static void count(_Atomic uint64_t *counter)
{
    atomic_fetch_add(counter, 1);
}

/* One operating-system thread plays two recorded ones: the engine does not mind. */
static void record(void)
{
    const struct ditto_record_options options = {.buffer_size = 4096, .pruning = DITTO_PRUNE_NONE};
    struct ditto_error error;
    struct ditto_session *session = ditto_record(path, &options, &error);
    if (!session)
        _exit(1);
    ditto_cell cell = {NULL};
    struct ditto_thread *threads[THREADS] = {ditto_main_thread(session)};
    threads[1] = ditto_thread_start(threads[0], "other");
    count(&finished->sync[0]);
    count(&finished->started);
    ditto_monitor *monitor = ditto_object_monitor(session, &cell, 4);
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned t = i * 2654435761u >> 31;
        ditto_place *place = ditto_field(session, &cell, 4, i % 4);
        if (i % 3) {
            ditto_store_begin(threads[t], place);
            ditto_store_end(threads[t], place);
        } else {
            ditto_load_begin(threads[t], place);
            ditto_load_end(threads[t], place);
        }
        count(&finished->memory[t]);
        if (i % 50 == 0) {
            ditto_acquire_begin(threads[t], monitor);
            ditto_acquire_end(threads[t], monitor);
            count(&finished->sync[t]);
            ditto_release(threads[t], monitor);
        }
        if (i % 25 == 0) {
            /* Most fill a slot in five; some are longer than one. */
            static uint8_t input[6000];
            size_t length = i % 200 ? 750 : sizeof input;
            ditto_input(threads[0], 1, input, &length, length);
            count(&finished->values);
        }
    }
    ditto_thread_end(threads[1]);
    ditto_thread_release(threads[1]);
    ditto_cell_release(&cell);
    _exit(!ditto_close(session, &error));
}

static bool between(const char *what, uint64_t seen, uint64_t done)
{
    if (seen == done || seen == done + 1)
        return true;
    diag("%s: %" PRIu64 " finished, %" PRIu64 " in the trace", what, done, seen);
    return false;
}

static bool trace_is_right(void)
{
    struct ditto_error error = {""};
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    if (!reader) {
        diag("%s", error.text);
        return false;
    }
    const struct ditto_trace_info *info = ditto_reader_info(reader);
    bool right = info->damage_count == 0;
    if (!right)
        diag("%s", info->damage);
    const struct ditto_order *order = ditto_trace_order(reader, &error);
    uint64_t started = atomic_load(&finished->started);
    for (uint32_t t = 0; right && order && t <= started; t++) {
        struct ditto_thread_counts counts;
        right = ditto_count_thread(reader, order, t, &counts, &error) &&
                between("memory events", counts.memory.events, atomic_load(&finished->memory[t])) &&
                between("sync events", counts.sync.events, atomic_load(&finished->sync[t])) &&
                (t || between("values", counts.values, atomic_load(&finished->values)));
        if (!right)
            diag("thread %" PRIu32 " %s", t, error.text);
    }
    ditto_reader_close(reader);
    return right;
}

/* The file as it was when last looked at. */
struct view {
    struct stat status;
    uint8_t *mapped, *copy;
};

static bool changed(struct view *view)
{
    struct stat status;
    if (stat(path, &status) || status.st_size < 64)
        return false;
    size_t size = (size_t)status.st_size;
    if (status.st_ino == view->status.st_ino && status.st_size == view->status.st_size) {
        if (memcmp(view->mapped, view->copy, size) == 0)
            return false;
        memcpy(view->copy, view->mapped, size);
        return true;
    }
    if (view->mapped)
        munmap(view->mapped, (size_t)view->status.st_size);
    int fd = open(path, O_RDONLY);
    view->mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    free(view->copy);
    view->copy = malloc(size);
    if (view->mapped == MAP_FAILED || !view->copy) {
        perror("view");
        exit(1);
    }
    memcpy(view->copy, view->mapped, size);
    view->status = status;
    return true;
}

int main(void)
{
    uint64_t steps = 0, states = 0, wrong = 0;
    int status;
    path = scratch("steps.dt");
    finished =
        mmap(NULL, sizeof *finished, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    /* The two take turns, which takes longest where each has to wake up the other's processor. */
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((unsigned)sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            _exit(77);
        raise(SIGSTOP);
        record();
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
        plan(1);
        skip(1, "this system does not let a process trace its child");
        return exit_status();
    }
    plan(3);
    struct view view = {0};
    while (WIFSTOPPED(status) && wrong < 10) {
        steps++;
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) || waitpid(child, &status, 0) < 0)
            break;
        if (WIFSTOPPED(status) && changed(&view)) {
            states++;
            wrong += !trace_is_right();
        }
    }
    kill(child, SIGKILL);
    diag("%" PRIu64 " instructions, %" PRIu64 " different files", steps, states);
    is(wrong, 0, "at every instruction the trace is sound and holds what was finished");
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the recording came to its end");
    ok(states > 2 * ROUNDS, "the file was seen to change with every event");
    return exit_status();
}
