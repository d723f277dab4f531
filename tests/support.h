/* SPDX-License-Identifier: MIT */
/* What the test programs share beside tap.h: a place for files, and running code in a child. */
#ifndef DITTO_TESTS_SUPPORT_H
#define DITTO_TESTS_SUPPORT_H

#include <stddef.h>
#include <stdint.h>

/* The path of a file in a directory of this test's own, which is removed at exit. */
const char *scratch(const char *name);

struct child_result {
    int exit_status;   /* or -signal */
    char output[8192]; /* what it wrote to stderr */
};

/* Runs body(argument) in a forked child, which then exits with 0 unless body does otherwise. */
void in_child(void (*body)(void *argument), void *argument, struct child_result *result);

/* Runs the built `ditto` command; stdout and stderr both go to the result's output. */
/* The command that it runs; a test may name another one. */
extern const char *ditto_command;
void run_ditto(struct child_result *result, const char *command, const char *path);

/* The number in an environment variable, or the default. */
uint64_t setting(const char *name, uint64_t otherwise);

/* A stream of random numbers from a seed that may be any number. */
uint64_t random_next(uint64_t *state);

#endif
