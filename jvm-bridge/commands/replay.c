/* SPDX-License-Identifier: MIT */
#include "core/commands/commands.h"
#include "jvm-bridge/control/agent_options.h"
#include "jvm-bridge/launch/java_trace.h"
#include "jvm-bridge/launch/launch.h"

static int start(const struct ditto_reader *reader, const char *java, bool verify, bool do_writes)
{
    const char *options[5] = {NULL};
    int count = 0;
    if (verify) {
        options[count++] = DITTO_AGENT_VERIFY;
        options[count++] = "yes";
    }
    if (do_writes) {
        options[count++] = DITTO_AGENT_DO_WRITES;
        options[count++] = "yes";
    }
    struct launch launch;
    struct ditto_error error;
    if (launch_make(&launch, reader, java, options, &error))
        launch_exec(&launch, reader, &error);
    complain("%s", error.text);
    return EXIT_TROUBLE;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct option_slot slots[] = {
        {.name = "--java", .has_value = true}, {.name = "--verify"}, {.name = "--do-writes"}};
    const char *trace = parse_options(self, argc, argv, slots, sizeof slots / sizeof *slots);
    struct ditto_reader *reader = trace ? open_java_trace(trace) : NULL;
    if (!reader)
        return EXIT_TROUBLE;
    int status =
        start(reader, slots[0].given ? slots[0].value : NULL, slots[1].given, slots[2].given);
    ditto_reader_close(reader);
    return status;
}

const struct command replay_command = {
    .name = "replay",
    .summary = "TRACE  runs a recorded Java program again, exactly as it was",
    .manual =
        "ditto replay [--java PATH] [--verify] [--do-writes] TRACE\n"
        "\n"
        "Runs the program of a trace that 'ditto record' made. Arguments, directory and\n"
        "environment come from the trace, the program's files from where they were. Its\n"
        "threads meet in the recorded order; sleeping and waiting take no time.\n"
        "\n"
        "    --java PATH   this java, instead of $JAVA_HOME/bin/java or the one on the PATH\n"
        "    --verify      demands a trace of 'ditto record --verify' and says at the end how\n"
        "                  many events were compared (such traces are always compared)\n"
        "    --do-writes   writes, makes and deletes files as the recorded run did; without it a\n"
        "                  replay changes nothing\n"
        "\n"
        "What the program got from outside comes from the trace: time, random numbers, stdin,\n"
        "files, sockets, processes. Nothing is read or sent. Only class files, the archives of\n"
        "the class path and the JDK must be where they were. stdout and stderr are written.\n"
        "\n"
        "On a terminal, a replay that takes longer than a second shows how many of the trace's\n"
        "events are done, of all and of each thread that has not ended.\n"
        "\n"
        "Refused: a java of another version than the recording's, and a class file that has\n"
        "changed since. Of a trace that came from elsewhere, neither the path of java nor LD_*,\n"
        "JAVA_TOOL_OPTIONS, _JAVA_OPTIONS, JDK_JAVA_OPTIONS, -XX:OnError or\n"
        "-XX:OnOutOfMemoryError are used. If the recorded JVM had options from such a variable,\n"
        "set it to the same before. A program that looks at LD_* sees what is set now.\n"
        "\n"
        "Ctrl-C, SIGTERM and SIGHUP end a replay at once: no shutdown hook of the program runs.\n"
        "\n"
        "Where the recorded process was killed or hung, the replay ends at the same point and\n"
        "prints where each thread is, and which monitor it waits for.\n"
        "\n"
        "Not replayed, and therefore to be kept out of what decides a program's course:\n"
        "races in classes of the JDK outside java.util and java.util.concurrent; what the garbage\n"
        "collector clears and finalizes; results of native methods of the program; the depth at\n"
        "which a stack overflows; Thread.getState. The README has them all.\n"
        "\n"
        "Exit status: the program's, 128 and the signal's number if a signal ended it; 2 if the\n"
        "replay is refused or the trace is damaged, 3 if it leaves the trace. If 'ditto record'\n"
        "was killed as well, nobody has noted how the program ended, and a replay that gets there\n"
        "exits with 0.\n",
    .run = run,
};
