/* SPDX-License-Identifier: MIT */
#include "core/commands/java.h"
#include "core/commands/launch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Variables that decide what code runs: they are this user's to set, not a trace's. */
static bool is_ours(const char *variable)
{
    return begins(variable, "LD_") || begins(variable, "JAVA_TOOL_OPTIONS=") ||
           begins(variable, "_JAVA_OPTIONS=") || begins(variable, "DITTO_");
}

/* Options of java that name a command for the JVM to run. */
static bool runs_a_command(const char *argument)
{
    return begins(argument, "-XX:OnError=") || begins(argument, "-XX:OnOutOfMemoryError=");
}

/* The properties NAME.1, NAME.2 and so on. */
static void add_properties(struct words *list, const struct ditto_reader *reader, const char *name,
                           bool (*refuse)(const char *))
{
    for (unsigned i = 1;; i++) {
        char property[32];
        snprintf(property, sizeof property, "%s.%u", name, i);
        const char *value = ditto_reader_property(reader, property);
        if (!value)
            return;
        if (!refuse(value))
            words_add(list, value);
    }
}

static const char *default_java(void)
{
    const char *home = getenv("JAVA_HOME");
    char *path = NULL;
    if (!home || !*home)
        return "java";
    if (asprintf(&path, "%s/bin/java", home) < 0)
        abort();
    return path;
}

/*
 * Options that the recorded JVM took from its environment are part of the run, but not the trace's
 * to set: who replays it has to.
 */
static bool has_same_options(const struct ditto_reader *reader, const char *trace)
{
    static const char *const variables[][2] = {{"JAVA_TOOL_OPTIONS", "tool-options"},
                                               {"_JAVA_OPTIONS", "java-options"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *recorded = ditto_reader_property(reader, variables[i][1]);
        const char *now = getenv(variables[i][0]);
        if (strcmp(recorded ? recorded : "", now ? now : "") == 0)
            continue;
        if (recorded)
            complain("%s: recorded with %s='%s', which a replay does not take from a trace; set "
                     "it, if you trust it",
                     trace, variables[i][0], recorded);
        else
            complain("%s: recorded without %s, which is now '%s'; unset it", trace, variables[i][0],
                     now);
        return false;
    }
    return true;
}

static int start(const struct command *self, const struct ditto_reader *reader, const char *trace,
                 const char *java, bool verify)
{
    const char *directory = ditto_reader_property(reader, "directory");
    struct words arguments = {0}, environment = {0};
    if (!has_same_options(reader, trace) || !java_is_good(self, java))
        return EXIT_TROUBLE;
    char *path = realpath(trace, NULL), *agent = agent_argument(self);
    if (!agent || !path)
        return EXIT_TROUBLE;
    agent = agent_option(agent_option(agent, "mode", "replay"), "trace", path);
    if (verify)
        agent = agent_option(agent, "verify", "yes");
    words_add(&arguments, java);
    words_add(&arguments, agent);
    add_properties(&arguments, reader, "java.argument", runs_a_command);
    add_properties(&environment, reader, "environment", is_ours);
    for (char **variable = environ; *variable; variable++)
        if (is_ours(*variable))
            words_add(&environment, *variable);
    /* A path is looked up from here, as its user meant it. */
    char *program = strchr(java, '/') ? realpath(java, NULL) : strdup(java);
    if (!program) {
        complain("%s: cannot run: %s; choose a java with --java PATH", java, strerror(errno));
        return EXIT_TROUBLE;
    }
    if (directory && chdir(directory) != 0) {
        complain("%s: recorded in the directory '%s', which cannot be entered: %s; put the "
                 "program's files there",
                 trace, directory, strerror(errno));
        return EXIT_TROUBLE;
    }
    execvpe(program, arguments.words, environment.words ? environment.words : environ);
    complain("%s: cannot run: %s; install the java of the recording, %s, or choose it with --java "
             "PATH",
             java, strerror(errno), ditto_reader_property(reader, "java"));
    return EXIT_TROUBLE;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct option_slot slots[] = {{.name = "--java", .has_value = true}, {.name = "--verify"}};
    const char *trace = parse_options(self, argc, argv, slots, sizeof slots / sizeof *slots);
    struct ditto_reader *reader = trace ? open_trace(trace) : NULL;
    if (!reader)
        return EXIT_TROUBLE;
    int status = EXIT_TROUBLE;
    const char *damage = ditto_reader_info(reader)->damage;
    if (damage)
        complain("%s: cannot be replayed: %s; get the file again", trace, damage);
    else if (!ditto_reader_property(reader, "java"))
        complain("%s: not a recording of a Java program; run the program that made it", trace);
    else
        status = start(self, reader, trace, slots[0].given ? slots[0].value : default_java(),
                       slots[1].given);
    ditto_reader_close(reader);
    return status;
}

const struct command replay_command = {
    .name = "replay",
    .summary = "TRACE  runs a recorded Java program again, exactly as it was",
    .manual =
        "ditto replay [--java PATH] [--verify] TRACE\n"
        "\n"
        "Runs the program of a trace that 'ditto record' made. Arguments, directory and\n"
        "environment come from the trace, the program's files from where they were. Its\n"
        "threads meet in the recorded order; sleeping and waiting take no time.\n"
        "\n"
        "    --java PATH   this java, instead of $JAVA_HOME/bin/java or the one on the PATH\n"
        "    --verify      demands a trace of 'ditto record --verify' and says at the end how\n"
        "                  many events were compared (such traces are always compared)\n"
        "\n"
        "On a terminal, a replay that takes longer than a second shows how many of the trace's\n"
        "events are done, of all and of each thread that has not ended.\n"
        "\n"
        "Refused: a java of another version than the recording's, and a class file that has\n"
        "changed since. Of a trace that came from elsewhere, neither the path of java nor LD_*,\n"
        "JAVA_TOOL_OPTIONS, _JAVA_OPTIONS, -XX:OnError or -XX:OnOutOfMemoryError are used. If the\n"
        "recorded JVM had options from such a variable, set it to the same before.\n"
        "\n"
        "Where the recorded process was killed or hung, the replay ends at the same point and\n"
        "prints where each thread is, and which monitor it waits for.\n"
        "\n"
        "Not replayed, and therefore to be kept out of what decides a program's course: time,\n"
        "random seeds, hash codes, files and other inputs; java.util.concurrent and other JDK\n"
        "classes that order threads among themselves; virtual threads; the depth at which a\n"
        "stack overflows; Thread.getState; shutdown hooks of a program that does not call exit.\n"
        "\n"
        "Exit status: the program's, 128 and the signal's number if a signal ended it; 2 if the\n"
        "replay is refused, 3 if it leaves the trace. If 'ditto record' was killed as well, "
        "nobody\n"
        "has noted how the program ended, and a replay that gets there exits with 0.\n",
    .run = run,
};
