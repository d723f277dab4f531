/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/commands/order_options.h"
#include "jvm-bridge/control/agent_options.h"
#include "jvm-bridge/launch/launch.h"
#include "jvm-bridge/launch/which_java.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/debug.h"
#include "core/base/die.h"
#include "core/base/seconds.h"
#include "trace/seal.h"

/* The running program, for the signal handlers; 0: none.  Written by the only thread. */
static volatile pid_t program;
static volatile sig_atomic_t interrupted, timed_out;

/* A terminal signals the program itself; what only we got is passed on. */
static void pass_on(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    interrupted = 1;
    if (program && info->si_code <= 0)
        kill(program, signal_number);
}

/* SIGUSR1: the program is stuck; what it did so far is in the trace. */
static void finish(int signal_number)
{
    (void)signal_number;
    interrupted = 1;
    if (program)
        kill(program, SIGKILL);
}

/* SIGALRM: its time is over. */
static void time_out(int signal_number)
{
    (void)signal_number;
    timed_out = 1;
    if (program)
        kill(program, SIGKILL);
}

static void handle_signals(void)
{
    static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaction(passed_on[i], &action, NULL);
    struct sigaction finishing = {.sa_handler = finish, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &finishing, NULL);
    struct sigaction timing = {.sa_handler = time_out, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &timing, NULL);
}

struct recording {
    const char *trace;
    struct ditto_words words;
    const regex_t *pattern; /* of output that means failure, or NULL */
    unsigned limit;         /* seconds for a run; 0: none */
};

/* One run's end. */
struct outcome {
    bool started;
    int status;   /* as a shell would have it */
    int signal;   /* that ended it, or 0 */
    bool matched; /* its output fits the pattern */
};

/* Copies one output of the program to ours, and looks for the pattern line by line. */
struct tee {
    int from, to;
    char line[4096];
    size_t length;
};

static bool tee_matches(struct tee *tee, const char *bytes, size_t length, const regex_t *pattern)
{
    bool matched = false;
    for (size_t i = 0; i < length; i++) {
        bool full = tee->length == sizeof tee->line - 1;
        if (bytes[i] != '\n' && !full) {
            tee->line[tee->length++] = bytes[i] ? bytes[i] : ' ';
            continue;
        }
        tee->line[tee->length] = '\0';
        tee->length = 0;
        matched = matched || regexec(pattern, tee->line, 0, NULL, 0) == 0;
    }
    return matched;
}

static void write_all(int fd, const char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(fd, bytes, length);
        if (written < 0 && errno != EINTR)
            return;
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

/* Until both outputs are closed. */
static bool copy_output(struct tee tees[2], const regex_t *pattern)
{
    bool matched = false;
    while (tees[0].from >= 0 || tees[1].from >= 0) {
        struct pollfd polls[2] = {{tees[0].from, POLLIN, 0}, {tees[1].from, POLLIN, 0}};
        if (poll(polls, 2, -1) < 0)
            continue;
        for (int i = 0; i < 2; i++) {
            char bytes[8192];
            if (tees[i].from < 0 || !polls[i].revents)
                continue;
            ssize_t length = read(tees[i].from, bytes, sizeof bytes);
            if (length <= 0) {
                matched |= tee_matches(&tees[i], "\n", 1, pattern);
                close(tees[i].from);
                tees[i].from = -1;
                continue;
            }
            matched |= tee_matches(&tees[i], bytes, (size_t)length, pattern);
            write_all(tees[i].to, bytes, (size_t)length);
        }
    }
    return matched;
}

/* In the child.  `pipes` are its outputs, or -1 for ours; what goes wrong goes to `report`. */
static _Noreturn void become_program(const struct recording *recording, const int pipes[2],
                                     int report)
{
    for (int i = 0; i < 2; i++)
        if (pipes[i] >= 0)
            dup2(pipes[i], STDOUT_FILENO + i);
    execvp(recording->words.words[0], recording->words.words);
    int error = errno;
    write_all(report, (const char *)&error, sizeof error);
    _exit(127);
}

/* The program's end, as waitpid() tells it.  Its id stays taken until no handler uses it any more.
 */
static int await_program(void)
{
    int status = 0;
    siginfo_t info;
    pid_t id = program;
    while (id > 0 && waitid(P_PID, (id_t)id, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    program = 0;
    alarm(0);
    if (id > 0)
        waitpid(id, &status, 0);
    return status;
}

static struct outcome run_once(const struct recording *recording)
{
    struct outcome outcome = {.status = EXIT_TROUBLE};
    int report[2], output[2][2] = {{-1, -1}, {-1, -1}}, error = 0, status;
    if (pipe2(report, O_CLOEXEC) != 0 ||
        (recording->pattern &&
         (pipe2(output[0], O_CLOEXEC) != 0 || pipe2(output[1], O_CLOEXEC) != 0))) {
        complain("record: cannot make a pipe: %s; raise the limit of open files (ulimit -n)",
                 strerror(errno));
        return outcome;
    }
    /* What is left there from earlier must not be taken for this run's. */
    unlink(recording->trace);
    fflush(NULL);
    timed_out = 0;
    for (size_t i = 0; i < recording->words.count; i++)
        DITTO_DEBUG(launch, 1, "argument %zu: %s", i, recording->words.words[i]);
    program = fork();
    if (program < 0) {
        complain("record: cannot start a process: %s; raise the limit of processes (ulimit -u)",
                 strerror(errno));
        return outcome;
    }
    if (program == 0)
        become_program(recording, (const int[2]){output[0][1], output[1][1]}, report[1]);
    close(report[1]);
    outcome.started = read(report[0], &error, sizeof error) <= 0;
    close(report[0]);
    alarm(recording->limit);
    if (recording->pattern) {
        struct tee tees[2] = {{.from = output[0][0], .to = STDOUT_FILENO},
                              {.from = output[1][0], .to = STDERR_FILENO}};
        close(output[0][1]);
        close(output[1][1]);
        outcome.matched = copy_output(tees, recording->pattern);
    }
    status = await_program();
    if (!outcome.started) {
        complain("%s: cannot run: %s; is it installed?", recording->words.words[0],
                 strerror(error));
        return outcome;
    }
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.status = outcome.signal ? 128 + outcome.signal : WEXITSTATUS(status);
    DITTO_DEBUG(launch, 1, "the program ended: status %d, signal %d%s%s", outcome.status,
                outcome.signal, outcome.matched ? ", its output matched" : "",
                timed_out ? ", its time was over" : "");
    return outcome;
}

static bool is_sound(const struct recording *recording)
{
    struct ditto_reader *reader = ditto_reader_open(recording->trace, NULL);
    bool sound = reader && !ditto_reader_info(reader)->damage;
    ditto_reader_close(reader);
    return sound;
}

/* Makes the trace compact, and notes in it which signal ended the program.  False if there is none.
 */
static bool seal(const struct recording *recording, const struct outcome *outcome)
{
    struct ditto_error error;
    char number[16];
    snprintf(number, sizeof number, "%d", outcome->signal);
    const struct ditto_meta note = {
        .type = DITTO_META_PROPERTY, .name = ditto_text("signal"), .text = ditto_text(number)};
    int fd = open(recording->trace, O_RDWR | O_CLOEXEC);
    if (fd < 0) {
        /* An agent that cannot make one has said why, and ended the program with this status. */
        if (outcome->status != EXIT_TROUBLE)
            complain("%s: the program wrote no trace; does '%s' run a java of version 17 or later "
                     "with all its arguments?",
                     recording->trace, recording->words.words[0]);
        return false;
    }
    bool sealed = ditto_seal(fd, recording->trace, outcome->signal ? &note : NULL, &error);
    DITTO_DEBUG(trace, 1, "seal %s: %s", recording->trace, sealed ? "good" : error.text);
    if (!sealed)
        complain("%s%s", error.text,
                 is_sound(recording)
                     ? "; the trace is good as it is, but larger than it had to be"
                     : "; do not write to it or remove it while it is recorded, and record again");
    close(fd);
    return true;
}

/* What the agent has noted about the run. */
static bool has_property(const struct recording *recording, const char *name)
{
    struct ditto_reader *reader = ditto_reader_open(recording->trace, NULL);
    bool has = reader && ditto_reader_property(reader, name);
    ditto_reader_close(reader);
    return has;
}

/* What makes a run a failure, or NULL. */
static const char *failure(const struct recording *recording, const struct outcome *outcome)
{
    if (timed_out)
        return "it was not over within the time limit";
    if (outcome->signal && has_property(recording, "standstill"))
        return "a standstill";
    if (outcome->status)
        return "exit status";
    if (outcome->matched)
        return "its output";
    return has_property(recording, "uncaught") ? "an uncaught exception" : NULL;
}

/* Again and again, until a run fails. */
static int repeat(const struct recording *recording, uint64_t runs)
{
    double begin = ditto_seconds();
    for (uint64_t i = 1; i <= runs; i++) {
        struct outcome outcome = run_once(recording);
        if (!outcome.started)
            return EXIT_TROUBLE;
        double seconds = ditto_seconds() - begin;
        const char *why = failure(recording, &outcome);
        if (why || interrupted) {
            bool there = seal(recording, &outcome);
            if (there && !interrupted)
                complain("run %llu failed (%s) after %.1f s; its trace is %s",
                         (unsigned long long)i, why, seconds, recording->trace);
            return there ? outcome.status : EXIT_TROUBLE;
        }
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\rditto: run %llu of %llu, %.1f s, %.1f runs/s ",
                    (unsigned long long)i, (unsigned long long)runs, seconds, (double)i / seconds);
    }
    unlink(recording->trace);
    complain("none of %llu runs failed; there is no trace", (unsigned long long)runs);
    return EXIT_GOOD;
}

enum { OUTPUT, ORDER, INCLUDE, EXCLUDE, VALUE, VERIFY, REPEAT, PATTERN, TIMEOUT, SLOTS };

/* Classes and their members are named with points. */
static bool is_pattern(const struct command *self, const struct option_slot *slot)
{
    if (!slot->given || (*slot->value && !strchr(slot->value, '/')))
        return true;
    complain("%s: option '%s' needs a name with points, as com.acme.Main, not '%s'", self->name,
             slot->name, slot->value);
    return false;
}

/*
 * Told before the program runs, where it can be.  What stands in the trace's place is removed (see
 * run_once()), so it had better be a file: a device or a pipe would be gone for everybody.
 */
static bool can_be_created(const char *trace)
{
    struct stat status;
    struct ditto_error error;
    if (stat(trace, &status) == 0 && !S_ISREG(status.st_mode)) {
        complain("%s: cannot create the trace: there is something of that name that is not a file; "
                 "choose another name",
                 trace);
        return false;
    }
    char *path = ditto_copy_text(trace, "a path");
    bool good = access(dirname(path), W_OK | X_OK) == 0;
    if (!good) {
        ditto_error_system(&error, trace, "create the trace", errno);
        complain("%s", error.text);
    }
    free(path);
    return good;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct option_slot slots[SLOTS + ORDER_OPTIONS_MAX] = {
        [OUTPUT] = {.name = "-o", .has_value = true},
        [ORDER] = {.name = "--order", .has_value = true},
        [INCLUDE] = {.name = "--include", .has_value = true, .repeats = true},
        [EXCLUDE] = {.name = "--exclude", .has_value = true, .repeats = true},
        [VALUE] = {.name = "--value", .has_value = true, .repeats = true},
        [VERIFY] = {.name = "--verify"},
        [REPEAT] = {.name = "--repeat", .has_value = true},
        [PATTERN] = {.name = "--fail-pattern", .has_value = true},
        [TIMEOUT] = {.name = "--timeout", .has_value = true},
    };
    uint64_t runs = 1, limit = 0;
    size_t of_orders = order_slots(slots + SLOTS);
    int first = parse_leading_options(self, argc, argv, slots, SLOTS + of_orders);
    if (first < 0 || !order_slots_fit(self, slots[ORDER].value, slots + SLOTS, of_orders) ||
        !slot_is_number(self, &slots[REPEAT], 1u << 30, &runs) ||
        !slot_is_number(self, &slots[TIMEOUT], 1u << 30, &limit) ||
        !is_pattern(self, &slots[INCLUDE]) || !is_pattern(self, &slots[EXCLUDE]) ||
        !is_pattern(self, &slots[VALUE]))
        return EXIT_TROUBLE;
    if (slots[PATTERN].given && !slots[REPEAT].given) {
        complain("record: '--fail-pattern' says when to stop with '--repeat', which is missing");
        return EXIT_TROUBLE;
    }
    if (first == argc) {
        complain("record: what shall I record? Say 'ditto record java ...'");
        return EXIT_TROUBLE;
    }
    struct recording recording = {.trace = slots[OUTPUT].given ? slots[OUTPUT].value : "trace.dt"};
    regex_t pattern;
    if (slots[PATTERN].given) {
        if (regcomp(&pattern, slots[PATTERN].value, REG_EXTENDED | REG_NOSUB) != 0) {
            complain("record: '%s' is not a regular expression; quote what is special in it",
                     slots[PATTERN].value);
            return EXIT_TROUBLE;
        }
        recording.pattern = &pattern;
    }
    if (!can_be_created(recording.trace))
        return EXIT_TROUBLE;
    struct ditto_error error;
    char *agent = java_is_good(argv[first], &error) ? agent_argument(&error) : NULL;
    if (!agent) {
        complain("%s: %s", self->name, error.text);
        return EXIT_TROUBLE;
    }
    agent = ditto_agent_option(agent, DITTO_AGENT_MODE, "record");
    agent = ditto_agent_option(agent, DITTO_AGENT_TRACE, recording.trace);
    /* The command and the agent call them the same. */
    for (size_t i = ORDER; i < SLOTS + of_orders; i++)
        if (slots[i].given && (i <= VERIFY || i >= SLOTS))
            agent = ditto_agent_option(agent, slots[i].name + 2,
                                       slots[i].value ? slots[i].value : "yes");
    if (slots[REPEAT].given)
        agent = ditto_agent_option(agent, DITTO_AGENT_STANDSTILL, "end");
    recording.limit = (unsigned)limit;
    ditto_words_add(&recording.words, argv[first]);
    add_agent(&recording.words, argv[first], agent);
    for (int i = first + 1; i < argc; i++)
        ditto_words_add(&recording.words, argv[i]);
    handle_signals();
    if (slots[REPEAT].given)
        return repeat(&recording, runs);
    struct outcome outcome = run_once(&recording);
    if (!outcome.started || !seal(&recording, &outcome))
        return EXIT_TROUBLE;
    if (timed_out)
        complain("the program was not over after %u s and has been ended; its trace is %s",
                 recording.limit, recording.trace);
    return outcome.status;
}

const struct command record_command = {
    .name = "record",
    .summary = "[OPTION...] java ARG...  runs a Java program and records it",
    .manual =
        "ditto record [OPTION...] [--] java ARG...\n"
        "\n"
        "Runs a Java program as it is and records in which order its threads touch what they\n"
        "share, in trace.dt. 'ditto replay trace.dt' runs it again. Needs a HotSpot JVM of JDK 17\n"
        "or later; tried with 17 and 25.\n"
        "\n"
        "    -o FILE             the trace; what was there before is removed\n"
        "    --include PATTERN   only this; a package, a class, or a class and its method; with a\n"
        "                        '*' at its end, all that begins so. May be given several times\n"
        "    --exclude PATTERN   not this; also a class and its field. May be given several times\n"
        "    --value METHOD      what this method of the program answers, or throws, is an input: "
        "it\n"
        "                        goes into the trace, and a replay does not call the method. A\n"
        "                        class and its method, as in com.acme.Sensor.read. For native\n"
        "                        methods; it answers a primitive, a String, an array of "
        "primitives\n"
        "                        or nothing, and what else it changes is not recorded. May be\n"
        "                        given several times\n"
        "    --verify            adds a digest of every event (kind, place, value), which a "
        "replay\n"
        "                        compares one by one; of an object, its class, and the contents\n"
        "                        of strings and boxes. Several times slower and larger\n"
        "    --repeat N          records again, up to N times, until the program fails (an exit\n"
        "                        status that is not 0, an uncaught exception, a standstill), and\n"
        "                        keeps that trace alone\n"
        "    --fail-pattern RE   a line of output that fits this extended regular expression is a\n"
        "                        failure for --repeat, too\n"
        "    --timeout SECONDS   ends a run that takes longer and keeps its trace; for --repeat a\n"
        "                        failure, too\n"
        "    --order NAME        which order to record with; there is one so far: ditto\n"
        "    --granularity WHAT  field (the default): a state for each field; object: one for "
        "each\n"
        "                        object\n"
        "    --array-states N    most states for one array; above, neighbours share one (10)\n"
        "    --pruning WHAT      full (the default), program-order, none: which constraints are\n"
        "                        left out because they follow from others\n"
        "\n"
        "Recorded: loads and stores of fields, statics and array elements, monitors, wait and\n"
        "notify, threads' starts, ends, joins, sleeps and interrupts, class initialization and\n"
        "exits, by the application's classes and by java.util with java.util.concurrent, with\n"
        "VarHandle and Unsafe; the order of output; and what the program gets from outside: time,\n"
        "identity hashes, random seeds, stdin, files, sockets, processes. What it reads is in the\n"
        "trace. Not recorded: other classes of the JDK; what the garbage collector clears and\n"
        "finalizes; results of native methods of the program, unless --value names them;\n"
        "Object.wait and Thread.join called through reflection, method references or by the JDK.\n"
        "'ditto info' says which of these limits a trace has met.\n"
        "\n"
        "'--include' chooses among the application's classes, and does not add classes of the\n"
        "JDK. '--exclude java.util' leaves the library out, and with it what its locks and queues\n"
        "order.\n"
        "\n"
        "Not recorded, too: what has an annotation of the simple name DittoIgnore, a class, a\n"
        "method with all that it calls, or a field. Such code may be added to a program or taken\n"
        "away, and its trace still replays; the README says more.\n"
        "\n"
        "A standstill is a deadlock in the wider sense: for a second every thread has waited for\n"
        "a monitor, a notification, another thread or a permit, without a time limit, and no\n"
        "thread has used the processor. --repeat then ends the program and prints where its\n"
        "threads are. A program that sleeps, waits with a time limit, or reads from a file, a\n"
        "socket or a child process does not stand still; --timeout is for those.\n"
        "\n"
        "Signals go to the program. SIGUSR1 ends a program that hangs and keeps its trace, as\n"
        "does killing it: whatever was done is in the trace.\n"
        "\n"
        "Exit status: the program's, 128 and the signal's number if a signal ended it; 2 if it\n"
        "cannot be recorded.\n",
    .run = run,
};
