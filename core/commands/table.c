/* SPDX-License-Identifier: MIT */
/* The list of all sub-commands.  The one file that names what lives in folders above this one. */
#include <string.h>

#include "core/commands/commands.h"

static const struct command *const commands[] = {
    &record_command, &replay_command, &gdb_command,  &info_command,
    &dump_command,   &check_command,  &stub_command, &help_command,
};

enum { COMMANDS = sizeof commands / sizeof *commands };

const struct command *command_at(size_t index)
{
    return index < COMMANDS ? commands[index] : NULL;
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i]->name;
    const char *hint = closest(name, names, COMMANDS);
    if (hint)
        complain("there is no command '%s'; did you mean 'ditto %s'?", name, hint);
    else
        complain("there is no command '%s'; 'ditto help' lists those there are", name);
    return NULL;
}
