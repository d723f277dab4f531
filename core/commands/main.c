/* SPDX-License-Identifier: MIT */
/* The `ditto` command: finds the sub-command and runs it. */
#include <errno.h>
#include <string.h>

#include "core/commands/commands.h"
#include "core/version.h"

/* What was printed may still fail to reach its file: a full disk must not look like success. */
static int flush(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno != EPIPE)
        complain("cannot write the output: %s; send it somewhere else", strerror(errno));
    return EXIT_TROUBLE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "ditto: what shall I do? 'ditto help' lists the commands\n");
        return EXIT_TROUBLE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("ditto %s\n", DITTO_VERSION);
        return flush(EXIT_GOOD);
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    if (word[0] == '-') {
        complain("there is no option '%s'; 'ditto help' tells how to call ditto", word);
        return EXIT_TROUBLE;
    }
    const struct command *command = command_find(word);
    if (!command)
        return EXIT_TROUBLE;
    /* Not behind the first argument that is no option: `record` passes those on. */
    for (int i = 2; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            fputs(command->manual, stdout);
            return flush(EXIT_GOOD);
        }
    }
    return flush(command->run(command, argc - 1, argv + 1));
}
