/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/launch/launch.h"
#include "core/version.h"
#include "jvm-bridge/launch/which_java.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void words_add(struct words *list, const char *word)
{
    list->words = realloc(list->words, (list->count + 2) * sizeof *list->words);
    char *own = strdup(word);
    if (!list->words || !own)
        abort();
    list->words[list->count++] = own;
    list->words[list->count] = NULL;
}

void words_free(struct words *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->words[i]);
    free(list->words);
    *list = (struct words){0};
}

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
        char *argument = NULL;
        if (agent && asprintf(&argument, "-agentpath:%s", agent) < 0)
            abort();
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

void add_agent(struct words *arguments, const char *java, const char *agent)
{
    enum { HAS_VIRTUAL_THREADS = 21 };
    /* Compiled code then calls these methods of System and Object, where the agent sees them. */
    words_add(arguments, "-XX:+UnlockDiagnosticVMOptions");
    words_add(arguments, "-XX:DisableIntrinsic=_nanoTime,_currentTimeMillis,_identityHashCode,"
                         "_hashCode");
    words_add(arguments, "-XX:-InlineObjectHash");
    /* StringBuffer loses the flag `synchronized`, and with it compiled code of the JVM's own. */
    words_add(arguments, "-XX:-CheckIntrinsics");
    words_add(arguments, "-XX:CompileCommand=quiet");
    words_add(arguments, "-XX:CompileCommand=exclude,java.lang.System::identityHashCode");
    /* The generator of identity hashes that the agent knows; those that are drawn before the
     * program begins are then the same in every run. */
    words_add(arguments, "-XX:+UnlockExperimentalVMOptions");
    words_add(arguments, "-XX:hashCode=5");
    /* Each virtual thread then has a thread of the operating system to itself. */
    if (java_feature(java) >= HAS_VIRTUAL_THREADS)
        words_add(arguments, "-XX:-VMContinuations");
    words_add(arguments, agent);
}

char *agent_option(char *argument, const char *name, const char *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    fprintf(out, "%s%c%s=", argument, strstr(argument, ".so=") ? ',' : '=', name);
    for (const unsigned char *at = (const unsigned char *)value; *at; at++) {
        if (*at == ',' || *at == '%' || *at < 0x20)
            fprintf(out, "%%%02x", *at);
        else
            fputc(*at, out);
    }
    fclose(out);
    free(argument);
    return text;
}

/* ------------------------------------------------------------------- replays */

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Variables that decide what code runs: they are this user's to set, not a trace's. */
static bool is_ours(const char *variable)
{
    return begins(variable, "LD_") || begins(variable, "JAVA_TOOL_OPTIONS=") ||
           begins(variable, "_JAVA_OPTIONS=") || begins(variable, "JDK_JAVA_OPTIONS=") ||
           begins(variable, "DITTO_");
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

/* The JDK sizes pools and tables by the number of processors, in class initializers as well, where
 * recording pauses: a replay that may use fewer or more of them takes it from the trace. */
static void add_processors(struct words *list, const struct ditto_reader *reader)
{
    const char *recorded = ditto_reader_property(reader, "java.processors");
    int number = recorded ? atoi(recorded) : 0;
    char option[48];
    snprintf(option, sizeof option, "-XX:ActiveProcessorCount=%d", number);
    if (number > 0)
        words_add(list, option);
}

static char *default_java(void)
{
    const char *home = getenv("JAVA_HOME");
    char *path = NULL;
    if (!home || !*home)
        path = strdup("java");
    else if (asprintf(&path, "%s/bin/java", home) < 0)
        path = NULL;
    if (!path)
        abort();
    return path;
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
    char *chosen = java ? strdup(java) : default_java();
    if (!chosen || !launch_fits(reader, error) || !has_same_options(reader, error) ||
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
    agent = agent_option(agent_option(agent, "mode", "replay"), "trace", path);
    for (; extra && *extra; extra += 2)
        agent = agent_option(agent, extra[0], extra[1]);
    words_add(&launch->words, chosen);
    add_processors(&launch->words, reader);
    add_agent(&launch->words, chosen, agent);
    add_properties(&launch->words, reader, "java.argument", runs_a_command);
    add_properties(&launch->variables, reader, "environment", is_ours);
    for (char **variable = environ; *variable; variable++)
        if (is_ours(*variable))
            words_add(&launch->variables, *variable);
    /* A path is looked up from here, as its user meant it. */
    launch->program = strchr(chosen, '/') ? realpath(chosen, NULL) : strdup(chosen);
    if (!launch->program)
        ditto_error_set(error, "%s: cannot run: %s; choose a java with --java PATH", chosen,
                        strerror(errno));
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
    words_free(&launch->words);
    words_free(&launch->variables);
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
    execvpe(launch->program, launch->words.words,
            launch->variables.words ? launch->variables.words : environ);
    ditto_error_set(error,
                    "%s: cannot run: %s; install the java of the recording, %s, or choose it with "
                    "--java PATH",
                    launch->words.words[0], strerror(errno), ditto_reader_property(reader, "java"));
}
