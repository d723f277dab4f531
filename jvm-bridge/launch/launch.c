/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/launch/launch.h"
#include "jvm-bridge/control/agent_options.h"
#include "jvm-bridge/control/java_format.h"
#include "jvm-bridge/launch/which_java.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/debug.h"
#include "core/base/die.h"
#include "core/base/text.h"

/* In the build tree the agent is in ../lib from here; installed, where libraries go. */
char *agent_argument(struct ditto_error *error)
{
    static const char *const places[] = {"../lib/libditto-jvm.so", DITTO_AGENT_FROM_COMMAND};
    char here[PATH_MAX], path[2 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    here[length > 0 ? length : 0] = '\0';
    const char *directory = dirname(here);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s", directory, places[i]);
        char *agent = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        char *argument = agent ? ditto_format("-agentpath:%s", agent) : NULL;
        free(agent);
        if (argument)
            return argument;
    }
    ditto_error_set(error,
                    "there is no libditto-jvm.so beside this command (%s/%s); build it with a JDK "
                    "on the PATH or in JAVA_HOME",
                    directory, places[0]);
    return NULL;
}

void add_agent(struct ditto_words *arguments, const char *java, const char *agent)
{
    enum { HAS_VIRTUAL_THREADS = 21 };
    /* Compiled code then calls these methods of System and Object, where the agent sees them. */
    ditto_words_add(arguments, "-XX:+UnlockDiagnosticVMOptions");
    ditto_words_add(arguments,
                    "-XX:DisableIntrinsic=_nanoTime,_currentTimeMillis,_identityHashCode,"
                    "_hashCode");
    ditto_words_add(arguments, "-XX:-InlineObjectHash");
    /* StringBuffer loses the flag `synchronized`, and with it compiled code of the JVM's own. */
    ditto_words_add(arguments, "-XX:-CheckIntrinsics");
    ditto_words_add(arguments, "-XX:CompileCommand=quiet");
    ditto_words_add(arguments, "-XX:CompileCommand=exclude,java.lang.System::identityHashCode");
    /* The generator of identity hashes that the agent knows; those that are drawn before the
     * program begins are then the same in every run. */
    ditto_words_add(arguments, "-XX:+UnlockExperimentalVMOptions");
    ditto_words_add(arguments, "-XX:hashCode=5");
    /* Each virtual thread then has a thread of the operating system to itself. */
    if (java_feature(java) >= HAS_VIRTUAL_THREADS)
        ditto_words_add(arguments, "-XX:-VMContinuations");
    ditto_words_add(arguments, agent);
}

/* ------------------------------------------------------------------- replays */

/* Variables that decide what code runs: they are this user's to set, not a trace's. */
static bool is_ours(const char *variable)
{
    return ditto_begins(variable, "LD_") || ditto_begins(variable, "JAVA_TOOL_OPTIONS=") ||
           ditto_begins(variable, "_JAVA_OPTIONS=") ||
           ditto_begins(variable, "JDK_JAVA_OPTIONS=") || ditto_begins(variable, "DITTO_");
}

/* Options of java that name a command for the JVM to run. */
static bool runs_a_command(const char *argument)
{
    return ditto_begins(argument, "-XX:OnError=") ||
           ditto_begins(argument, "-XX:OnOutOfMemoryError=");
}

/* The properties NAME.1, NAME.2 and so on. */
static void add_properties(struct ditto_words *list, const struct ditto_reader *reader,
                           const char *name, bool (*refuse)(const char *))
{
    for (unsigned i = 1;; i++) {
        char property[32];
        snprintf(property, sizeof property, "%s.%u", name, i);
        const char *value = ditto_reader_property(reader, property);
        if (!value)
            return;
        if (!refuse(value))
            ditto_words_add(list, value);
    }
}

/* The JDK sizes pools and tables by the number of processors, in class initializers as well, where
 * recording pauses: a replay that may use fewer or more of them takes it from the trace. */
static void add_processors(struct ditto_words *list, const struct ditto_reader *reader)
{
    const char *recorded = ditto_reader_property(reader, "java.processors");
    int number = recorded ? atoi(recorded) : 0;
    char option[48];
    snprintf(option, sizeof option, "-XX:ActiveProcessorCount=%d", number);
    if (number > 0)
        ditto_words_add(list, option);
}

static char *default_java(void)
{
    const char *home = getenv("JAVA_HOME");
    return home && *home ? ditto_format("%s/bin/java", home) : ditto_copy_text("java", "a path");
}

/*
 * Options that the recorded JVM took from its environment are part of the run, but not the trace's
 * to set: who replays it has to.
 */
static bool has_same_options(const struct ditto_reader *reader, struct ditto_error *error)
{
    static const char *const variables[][2] = {{"JAVA_TOOL_OPTIONS", "tool-options"},
                                               {"_JAVA_OPTIONS", "java-options"},
                                               {"JDK_JAVA_OPTIONS", "launcher-options"}};
    const char *trace = ditto_reader_info(reader)->path;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *recorded = ditto_reader_property(reader, variables[i][1]);
        const char *now = getenv(variables[i][0]);
        if (strcmp(recorded ? recorded : "", now ? now : "") == 0)
            continue;
        if (recorded)
            ditto_error_set(
                error,
                "%s: recorded with %s='%s', which a replay does not take from a trace; set "
                "it, if you trust it",
                trace, variables[i][0], recorded);
        else
            ditto_error_set(error, "%s: recorded without %s, which is now '%s'; unset it", trace,
                            variables[i][0], now);
        return false;
    }
    return true;
}

bool launch_fits(const struct ditto_reader *reader, struct ditto_error *error)
{
    const char *format = ditto_reader_property(reader, "java.format");
    if (format && strcmp(format, DITTO_JAVA_FORMAT) == 0)
        return true;
    ditto_error_set(error,
                    "%s: recorded by another Ditto, whose agent records other things of a Java "
                    "program (format %s, this one has %s); replay it with that Ditto, or record "
                    "it again",
                    ditto_reader_info(reader)->path, format ? format : "0", DITTO_JAVA_FORMAT);
    return false;
}

bool launch_make(struct launch *launch, const struct ditto_reader *reader, const char *java,
                 const char *const *extra, struct ditto_error *error)
{
    const char *trace = ditto_reader_info(reader)->path;
    *launch = (struct launch){.directory = ditto_reader_property(reader, "directory")};
    char *chosen = java ? ditto_copy_text(java, "a path") : default_java();
    if (!launch_fits(reader, error) || !has_same_options(reader, error) ||
        !java_is_good(chosen, error)) {
        free(chosen);
        return false;
    }
    char *path = realpath(trace, NULL), *agent = agent_argument(error);
    if (!agent || !path) {
        if (agent)
            ditto_error_system(error, trace, "find", errno);
        free(path);
        free(agent);
        free(chosen);
        return false;
    }
    agent = ditto_agent_option(agent, DITTO_AGENT_MODE, "replay");
    agent = ditto_agent_option(agent, DITTO_AGENT_TRACE, path);
    for (; extra && *extra; extra += 2)
        agent = ditto_agent_option(agent, extra[0], extra[1]);
    ditto_words_add(&launch->words, chosen);
    add_processors(&launch->words, reader);
    add_agent(&launch->words, chosen, agent);
    add_properties(&launch->words, reader, "java.argument", runs_a_command);
    add_properties(&launch->variables, reader, "environment", is_ours);
    for (char **variable = environ; *variable; variable++)
        if (is_ours(*variable))
            ditto_words_add(&launch->variables, *variable);
    /* A path is looked up from here, as its user meant it. */
    launch->program =
        strchr(chosen, '/') ? realpath(chosen, NULL) : ditto_copy_text(chosen, "a path");
    if (!launch->program)
        ditto_error_set(error, "%s: cannot run: %s; choose a java with --java PATH", chosen,
                        strerror(errno));
    for (size_t i = 0; i < launch->words.count; i++)
        DITTO_DEBUG(launch, 1, "argument %zu: %s", i, launch->words.words[i]);
    for (size_t i = 0; i < launch->variables.count; i++)
        DITTO_DEBUG(launch, 2, "variable: %s", launch->variables.words[i]);
    free(path);
    free(agent);
    free(chosen);
    if (!launch->program)
        launch_free(launch);
    return launch->program != NULL;
}

void launch_free(struct launch *launch)
{
    free(launch->program);
    ditto_words_free(&launch->words);
    ditto_words_free(&launch->variables);
    *launch = (struct launch){0};
}

void launch_exec(const struct launch *launch, const struct ditto_reader *reader,
                 struct ditto_error *error)
{
    if (launch->directory && chdir(launch->directory) != 0) {
        ditto_error_set(error,
                        "%s: recorded in the directory '%s', which cannot be entered: %s; put the "
                        "program's files there",
                        ditto_reader_info(reader)->path, launch->directory, strerror(errno));
        return;
    }
    DITTO_DEBUG(launch, 1, "become %s in %s", launch->program,
                launch->directory ? launch->directory : ".");
    execvpe(launch->program, launch->words.words,
            launch->variables.words ? launch->variables.words : environ);
    ditto_error_set(error,
                    "%s: cannot run: %s; install the java of the recording, %s, or choose it with "
                    "--java PATH",
                    launch->words.words[0], strerror(errno), ditto_reader_property(reader, "java"));
}
