/* SPDX-License-Identifier: MIT */
#include "core/commands/commands.h"
#include "core/version.h"

static void print_overview(void)
{
    printf("ditto %s: records runs of multithreaded programs and replays them exactly\n\n",
           DITTO_VERSION);
    const struct command *command;
    for (size_t i = 0; (command = command_at(i)); i++)
        printf("    ditto %-8s %s\n", command->name, command->summary);
    printf("    ditto --version\n"
           "\n"
           "'ditto help COMMAND' is the manual of a command.\n"
           "\n"
           "This version records and replays Java programs ('ditto help record' says how far) and\n"
           "native programs that call its engine (core/ditto.h).\n"
           "\n"
           "Exit status: that of the program for record and replay, otherwise 0 if all is well; 2 "
           "for\n"
           "a mistake in the call or a trace that is damaged, 3 when a replay leaves its trace.\n");
}

static int run(const struct command *self, int argc, char **argv)
{
    if (argc > 2) {
        complain("%s: one command at a time", self->name);
        return EXIT_TROUBLE;
    }
    if (argc == 1) {
        print_overview();
        return EXIT_GOOD;
    }
    const struct command *command = command_find(argv[1]);
    if (!command)
        return EXIT_TROUBLE;
    fputs(command->manual, stdout);
    return EXIT_GOOD;
}

const struct command help_command = {
    .name = "help",
    .summary = "[COMMAND]  how to use ditto, or one of its commands",
    .manual = "ditto help [COMMAND]\n"
              "\n"
              "Without a command, lists the commands. With one, prints its manual.\n",
    .run = run,
};
