/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/replica.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/debug.h"
#include "core/base/die.h"
#include "core/base/seconds.h"
#include "core/engine/timeline.h"
#include "jvm-bridge/control/agent_options.h"
#include "jvm-bridge/launch/launch.h"

/* ------------------------------------------------------------------ beginning */

/* In the child. */
static _Noreturn void become(const struct launch *launch, const struct ditto_reader *reader,
                             pid_t parent, int socket, int messages)
{
    struct ditto_error error;
    sigset_t none;
    int nothing = open("/dev/null", O_RDWR);
    /* Whatever ends us ends it; and if that has happened already: */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* A Ctrl-C is the debugger's. */
    setpgid(0, 0);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(messages, STDERR_FILENO);
    fcntl(socket, F_SETFD, 0);
    launch_exec(launch, reader, &error);
    dprintf(STDERR_FILENO, "ditto: %s\n", error.text);
    _exit(2);
}

static bool spawn(struct replica *replica, struct ditto_error *error)
{
    struct recording *recording = replica->recording;
    int pair[2];
    char number[16];
    struct launch launch;
    replica->messages = memfd_create("ditto", MFD_CLOEXEC);
    if (replica->messages < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        ditto_error_system(error, recording->path, "start a replay of", errno);
        return false;
    }
    snprintf(number, sizeof number, "%d", pair[1]);
    const char *const options[] = {DITTO_AGENT_DEBUG, number, NULL};
    if (!launch_make(&launch, recording->reader, recording->java, options, error)) {
        close(pair[0]);
        close(pair[1]);
        return false;
    }
    replica->socket = pair[0];
    pid_t parent = getpid();
    replica->pid = fork();
    if (replica->pid == 0)
        become(&launch, recording->reader, parent, pair[1], replica->messages);
    if (replica->pid < 0)
        ditto_error_system(error, recording->path, "start a replay of", errno);
    close(pair[1]);
    launch_free(&launch);
    return replica->pid > 0;
}

struct replica *replica_start(struct recording *recording, struct ditto_error *error)
{
    struct replica *replica = ditto_alloc_zeroed(1, sizeof *replica, "a replay");
    replica->recording = recording;
    replica->serial = ++recording->replicas;
    replica->socket = replica->messages = -1;
    replica->fresh = true;
    replica->due = 1;
    if (spawn(replica, error)) {
        DITTO_DEBUG(replica, 1, "replica %u begins as process %d", replica->serial,
                    (int)replica->pid);
        return replica;
    }
    replica_end(replica);
    return NULL;
}

void replica_end(struct replica *replica)
{
    if (!replica)
        return;
    DITTO_DEBUG(replica, 1, "replica %u is ended", replica->serial);
    if (replica->pid > 0) {
        kill(replica->pid, SIGKILL);
        while (waitpid(replica->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (replica->socket >= 0)
        close(replica->socket);
    if (replica->messages >= 0)
        close(replica->messages);
    ditto_message_free(&replica->in);
    ditto_message_free(&replica->out);
    free(replica->methods);
    free(replica);
}

bool replica_is_dead(struct replica *replica)
{
    if (replica->pid > 0 && waitpid(replica->pid, NULL, WNOHANG) == replica->pid)
        replica->pid = 0;
    return replica->lost || replica->pid <= 0;
}

/* The last line that the JVM or the agent has written, if any. */
static void last_words(struct replica *replica, char *text, size_t size)
{
    char all[4096];
    off_t end = lseek(replica->messages, 0, SEEK_END);
    off_t from = end > (off_t)sizeof all - 1 ? end - (off_t)sizeof all + 1 : 0;
    ssize_t length = pread(replica->messages, all, sizeof all - 1, from);
    all[length > 0 ? length : 0] = '\0';
    char *line = strstr(all, "ditto: ");
    char *stop = line ? strchr(line, '\n') : NULL;
    if (stop)
        *stop = '\0';
    snprintf(text, size, "%s", line ? line + 7 : "");
}

static void lose(struct replica *replica, const char *why)
{
    char words[512];
    if (replica->lost)
        return;
    replica->lost = true;
    replica->due = 0;
    int status = 0;
    pid_t gone = why || replica->pid <= 0 ? 0 : waitpid(replica->pid, &status, 0);
    last_words(replica, words, sizeof words);
    if (gone == replica->pid)
        replica->pid = 0;
    replica->told = why != NULL;
    if (why)
        ditto_error_set(&replica->error, "%s", why);
    else if (words[0])
        ditto_error_set(&replica->error, "%s", words);
    else if (WIFSIGNALED(status))
        ditto_error_set(&replica->error, "%s: the JVM that replays it was ended by signal %d",
                        replica->recording->path, WTERMSIG(status));
    else
        ditto_error_set(&replica->error, "%s: the JVM that replays it ended with status %d",
                        replica->recording->path, WEXITSTATUS(status));
    DITTO_DEBUG(replica, 1, "replica %u is lost: %s", replica->serial, replica->error.text);
}

/* ---------------------------------------------------------------------- moves */

void replica_send_go(struct replica *replica, const struct ditto_message_go *go)
{
    uint64_t last = replica->recording->last_clock;
    replica->from = replica->fresh ? 0 : replica->at.clock;
    replica->to = go->target.kind ? go->target.clock : go->limit < last ? go->limit : last;
    DITTO_DEBUG(replica, 1, "replica %u goes from clock %" PRIu64 " to %" PRIu64, replica->serial,
                replica->from, replica->to);
    ditto_message_begin(&replica->out, DITTO_ASK_GO);
    ditto_message_put_go(&replica->out, go);
    if (!replica->lost && !ditto_message_send(replica->socket, &replica->out))
        lose(replica, NULL);
    else if (!replica->lost)
        replica->due++;
    replica->fresh = false;
}

void replica_send_goto(struct replica *replica, uint64_t clock)
{
    const struct ditto_message_go go = {.pace = DITTO_TOGETHER, .limit = clock};
    replica_send_go(replica, &go);
    replica->at = (struct position){.kind = DITTO_POSITION_ALL, .clock = clock};
}

static void take_halt(struct replica *replica)
{
    struct methods *methods = &replica->recording->methods;
    ditto_message_get_halt(&replica->in, &replica->halt);
    position_from_message(methods, &replica->at, &replica->halt.present);
    position_from_message(methods, &replica->hit_at, &replica->halt.hit.at);
    position_from_message(methods, &replica->hit_before, &replica->halt.hit.before);
    DITTO_DEBUG(replica, 1, "replica %u halts at clock %" PRIu64, replica->serial,
                replica->at.clock);
    replica->due--;
}

static void take_progress(struct replica *replica)
{
    uint64_t clock = ditto_message_get64(&replica->in);
    struct recording *recording = replica->recording;
    replica->asked--;
    if (clock > replica->to)
        clock = replica->to;
    recording->interrupts.done = clock > replica->from ? (double)(clock - replica->from) /
                                                             (double)(replica->to - replica->from)
                                                       : 0;
}

static void take_message(struct replica *replica, const struct replica_listener *listener)
{
    uint8_t kind = ditto_message_receive(replica->socket, &replica->in);
    switch (kind) {
    case DITTO_ASK_GO:
        take_halt(replica);
        break;
    case DITTO_ASK_PROGRESS:
        take_progress(replica);
        break;
    case DITTO_SAY_LOG:
        if (listener && listener->log)
            listener->log(listener->context, replica, &replica->in);
        break;
    case DITTO_SAY_WRITES: {
        struct ditto_message_hit hit;
        uint32_t count = ditto_message_get32(&replica->in);
        for (uint32_t i = 0; i < count && !replica->in.failed; i++) {
            ditto_message_get_hit(&replica->in, &hit);
            if (!listener || !listener->write)
                break;
            listener->write(listener->context, replica, &hit, &replica->in);
        }
        break;
    }
    case DITTO_SAY_LOST:
        lose(replica, ditto_message_get_text(&replica->in));
        break;
    default:
        lose(replica, NULL);
    }
}

/* Asks the JVM to come to rest, and gives it some time for it: threads rest at their next event,
 * and one that computes for long may have none. */
static bool stop_soon(struct replica *replica, unsigned *patience)
{
    enum { PATIENCE = 60 };
    if (*patience == 0) {
        ditto_message_begin(&replica->out, DITTO_ASK_INTERRUPT);
        if (!ditto_message_send(replica->socket, &replica->out))
            lose(replica, NULL);
    }
    if (++*patience < PATIENCE)
        return true;
    lose(replica, "the replay was interrupted, and did not stop");
    replica->told = false; /* by us: it has not left the trace */
    return false;
}

/* Asks about every quarter of a second how far a move is, if it is the only one. */
static void ask_progress(struct replica *replica, double now)
{
    if (replica->asked || replica->due != 1 || replica->lost || now - replica->looked < 0.25)
        return;
    replica->looked = now;
    ditto_message_begin(&replica->out, DITTO_ASK_PROGRESS);
    if (ditto_message_send(replica->socket, &replica->out))
        replica->asked++;
    else
        lose(replica, NULL);
}

bool replica_wait_for(struct replica *replica, const struct replica_listener *listener,
                      double seconds, double *done)
{
    struct recording *recording = replica->recording;
    unsigned patience = 0;
    double until = ditto_seconds() + seconds;
    recording->interrupts.done = 0;
    replica->looked = ditto_seconds();
    while (replica->due && !replica->lost) {
        struct pollfd fds[] = {{.fd = replica->socket, .events = POLLIN},
                               {.fd = recording->interrupts.wake, .events = POLLIN}};
        bool stop = is_interrupted(&recording->interrupts);
        int ready = poll(fds, stop ? 1 : 2, 50);
        double now = ditto_seconds();
        if (ready > 0 && fds[0].revents)
            take_message(replica, listener);
        else if (must_stop(&recording->interrupts) && !stop_soon(replica, &patience))
            break;
        ask_progress(replica, now);
        if (now > until)
            break;
    }
    *done = replica->due ? recording->interrupts.done : 1;
    return !replica->lost;
}

bool replica_wait(struct replica *replica, const struct replica_listener *listener)
{
    double done;
    return replica_wait_for(replica, listener, INFINITY, &done);
}

bool replica_go(struct replica *replica, const struct ditto_message_go *go,
                const struct replica_listener *listener)
{
    if (!replica_wait(replica, NULL))
        return false;
    replica_send_go(replica, go);
    return replica_wait(replica, listener);
}

/* ------------------------------------------------------------------ questions */

void replica_begin(struct replica *replica, enum ditto_message_kind kind)
{
    ditto_message_begin(&replica->out, kind);
}

bool replica_ask(struct replica *replica)
{
    if (replica->lost)
        return false;
    uint8_t kind = replica->out.bytes[4];
    if (!ditto_message_send(replica->socket, &replica->out)) {
        lose(replica, NULL);
        return false;
    }
    uint8_t answer;
    while ((answer = ditto_message_receive(replica->socket, &replica->in)) == DITTO_ASK_PROGRESS)
        take_progress(replica);
    if (answer == DITTO_SAY_LOST)
        lose(replica, ditto_message_get_text(&replica->in));
    else if (answer != kind)
        lose(replica, NULL);
    return !replica->lost;
}

const struct ditto_method *replica_method(struct replica *replica, uint32_t number)
{
    if (number == 0)
        return NULL;
    if (number >= replica->method_count) {
        uint32_t count = number + 64;
        replica->methods =
            ditto_grow(replica->methods, count, sizeof *replica->methods, "a replay's methods");
        while (replica->method_count < count)
            replica->methods[replica->method_count++] = NULL;
    }
    if (!replica->methods[number]) {
        /* A question in the middle of an answer: that one is put aside. */
        struct ditto_message aside = replica->in;
        replica->in = (struct ditto_message){0};
        replica_begin(replica, DITTO_ASK_METHOD);
        ditto_message_put32(&replica->out, number);
        if (replica_ask(replica)) {
            const char *class_name = ditto_message_get_text(&replica->in);
            const char *name = ditto_message_get_text(&replica->in);
            replica->methods[number] = method_named(&replica->recording->methods, class_name, name,
                                                    ditto_message_get_text(&replica->in));
        }
        ditto_message_free(&replica->in);
        replica->in = aside;
    }
    return replica->methods[number];
}
