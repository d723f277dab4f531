/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/die.h"
#include "core/commands/commands.h"
#include "jvm-bridge/launch/java_trace.h"
#include "jvm-bridge/launch/launch.h"

/* In the build tree the plugin is in the sources; installed, with our data. */
static char *find_plugin(const struct command *self, const char *here)
{
    static const char *const places[] = {"../../gdb-plugin/ditto.py", DITTO_PLUGIN_FROM_COMMAND};
    char directory[PATH_MAX], path[2 * PATH_MAX];
    snprintf(directory, sizeof directory, "%s", here);
    const char *beside = dirname(directory);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s", beside, places[i]);
        char *plugin = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
        if (plugin)
            return plugin;
    }
    complain("%s: the plugin is missing (%s/%s); install ditto again", self->name, beside,
             places[1]);
    return NULL;
}

/* The trace as one word of gdb's. */
static char *open_command(const char *trace)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DITTO_CHECK(out, "no memory for a command of gdb");
    fputs("target ditto \"", out);
    for (; *trace; trace++) {
        if (*trace == '"' || *trace == '\\')
            fputc('\\', out);
        fputc(*trace, out);
    }
    fputc('"', out);
    fclose(out);
    return text;
}

static int start(const struct command *self, const char *trace, char **more)
{
    char here[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    here[length > 0 ? length : 0] = '\0';
    char *plugin = find_plugin(self, here);
    if (!plugin)
        return EXIT_TROUBLE;
    struct ditto_words arguments = {0};
    char *command = open_command(trace);
    ditto_words_add(&arguments, "gdb");
    ditto_words_add(&arguments, "-q");
    ditto_words_add(&arguments, "-x");
    ditto_words_add(&arguments, plugin);
    ditto_words_add(&arguments, "-ex");
    ditto_words_add(&arguments, command);
    for (; *more; more++)
        ditto_words_add(&arguments, *more);
    /* The plugin calls this very command, unless its user has said otherwise. */
    setenv("DITTO", here, 0);
    execvp("gdb", arguments.words);
    complain("%s: cannot run gdb: %s; install the package gdb", self->name, strerror(errno));
    return EXIT_TROUBLE;
}

static int run(const struct command *self, int argc, char **argv)
{
    int own = 1;
    while (own < argc && strcmp(argv[own], "--") != 0)
        own++;
    const char *trace = parse_options(self, own, argv, NULL, 0);
    struct ditto_reader *reader = trace ? open_java_trace(trace) : NULL;
    if (!reader)
        return EXIT_TROUBLE;
    struct ditto_error error;
    bool fits = launch_fits(reader, &error);
    ditto_reader_close(reader);
    if (!fits) {
        complain("%s", error.text);
        return EXIT_TROUBLE;
    }
    return start(self, trace, argv + (own < argc ? own + 1 : own));
}

const struct command gdb_command = {
    .name = "gdb",
    .summary = "TRACE [-- GDB-ARGUMENT...]  opens a recorded run in gdb",
    .manual =
        "ditto gdb TRACE [-- GDB-ARGUMENT...]\n"
        "\n"
        "Starts gdb with Ditto's plugin and opens the trace, as 'target ditto TRACE' does in a "
        "gdb\n"
        "that has loaded the plugin. The run stands at its beginning; gdb's commands go forwards,\n"
        "and the reverse- ones back. Added to them are:\n"
        "\n"
        "    ditto goto CLOCK|begin|end            to a moment, in either direction\n"
        "    ditto break-write CLASS.FIELD [N] [of EXPR]   stop at the Nth write, or at each\n"
        "    ditto writes CLASS.FIELD [of EXPR]    every write: clock, thread, values, place\n"
        "    ditto freeruns [THREAD]               free runs and the constraint that ends each\n"
        "    ditto waits                           what each thread waits for, and on whom\n"
        "    ditto info                            the trace, the position, the threads\n"
        "    ditto java COMMAND                    gdb's command, with classes spelled as in Java\n"
        "    ditto jit [CLASS.METHOD]              the machine code of a method, with its lines\n"
        "    print $_ditto_clock                   the present clock\n"
        "\n"
        "'help ditto' in gdb tells more. What is shown is history: variables cannot be set, and\n"
        "methods not called.\n"
        "\n"
        "Exit status: gdb's, or 2 if it cannot be started.\n",
    .run = run,
};
