/* SPDX-License-Identifier: MIT */
/*
 * The sub-commands of `ditto`, one file each, and what they share: options, printing, and the exit
 * statuses of the design.
 */
#ifndef DITTO_CORE_COMMANDS_COMMANDS_H
#define DITTO_CORE_COMMANDS_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/error.h"
#include "trace/reader.h"

struct ditto_order;

enum {
    EXIT_GOOD = 0,
    EXIT_TROUBLE = 2, /* a user's mistake, a damaged file */
};

struct command {
    const char *name;
    const char *summary; /* one line */
    const char *manual;  /* what `ditto help NAME` prints */
    int (*run)(const struct command *self, int argc, char **argv);
};

extern const struct command check_command, dump_command, gdb_command, help_command, info_command,
    record_command, replay_command, stub_command;

/* All of them, one after the other; NULL past the last. */
const struct command *command_at(size_t index);
const struct command *command_find(const char *name);

/* The command, or other word, of `names` that `word` most resembles, or NULL. */
const char *closest(const char *word, const char *const *names, size_t count);

/* Prints "ditto: " and the text on stderr. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An option of a command; parse_options() fills in the last two fields. */
struct option_slot {
    const char *name; /* "--json" */
    bool has_value;
    bool repeats; /* may be given several times: the values are joined by newlines */
    bool given;
    const char *value;
};

/*
 * Takes the options at the head of a command's arguments, up to the first that is none or behind
 * "--".  Returns the number of that argument, argc if there is none, or -1 after having said what
 * is wrong.
 */
int parse_leading_options(const struct command *command, int argc, char **argv,
                          struct option_slot *slots, size_t count);

/*
 * Takes apart a command's arguments: its options, and exactly one operand, the trace.  Returns the
 * operand, or NULL after having said what is wrong.
 */
const char *parse_options(const struct command *command, int argc, char **argv,
                          struct option_slot *slots, size_t count);

/* A whole number; false if the text is something else. */
bool parse_number(const char *text, uint64_t *number);

/* Opens a trace, or says why not. */
struct ditto_reader *open_trace(const char *path);

/* The order of a trace; or says why not, if it is not for damage, which the caller tells. */
const struct ditto_order *find_order(const struct ditto_reader *reader);

/* What was recorded and how it ended, in words. */
const char *ending_words(const struct ditto_trace_info *info);

#endif
