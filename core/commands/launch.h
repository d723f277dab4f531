/* SPDX-License-Identifier: MIT */
/* Starting java with the agent: what `record` and `replay` share. */
#ifndef DITTO_CORE_COMMANDS_LAUNCH_H
#define DITTO_CORE_COMMANDS_LAUNCH_H

#include "core/commands/commands.h"

/* A list of strings that ends with NULL, for exec. */
struct words {
    char **words;
    size_t count;
};

/* Adds a copy. */
void words_add(struct words *list, const char *word);

/*
 * The argument that loads the agent, still without options; NULL after having said that there is no
 * agent.  The text is never freed.
 */
char *agent_argument(const struct command *command);

/* Adds ",NAME=VALUE" to the argument, or "=NAME=VALUE" for the first; returns the new one. */
char *agent_option(char *argument, const char *name, const char *value);

#endif
