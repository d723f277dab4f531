/* SPDX-License-Identifier: MIT */
/* Starting java with the agent: what `record`, `replay` and the debugger share. */
#ifndef DITTO_JVM_BRIDGE_LAUNCH_LAUNCH_H
#define DITTO_JVM_BRIDGE_LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/words.h"
#include "trace/error.h"
#include "trace/reader.h"

/* The argument that loads the agent, still without options (agent_options.h), to be freed; NULL:
 * there is none. */
char *agent_argument(struct ditto_error *error);

/* Adds the options of `java` that the agent needs, which must stand before it, and the agent. */
void add_agent(struct ditto_words *arguments, const char *java, const char *agent);

/* What runs a recorded Java program again. */
struct launch {
    char *program;                /* for execvpe */
    struct ditto_words words;     /* its arguments */
    struct ditto_words variables; /* its environment; none: that of the caller */
    const char *directory;        /* where to run it, or NULL; the reader's */
};

/* Whether a Java program was recorded by an agent that records what ours replays. */
bool launch_fits(const struct ditto_reader *reader, struct ditto_error *error);

/*
 * `java` may be NULL: that of JAVA_HOME or the PATH.  `extra` are further options of the agent,
 * NAME and VALUE by turns up to a NULL, or NULL.
 */
bool launch_make(struct launch *launch, const struct ditto_reader *reader, const char *java,
                 const char *const *extra, struct ditto_error *error);
void launch_free(struct launch *launch);

/* Becomes the program; returns only with an error. */
void launch_exec(const struct launch *launch, const struct ditto_reader *reader,
                 struct ditto_error *error);

#endif
