/* SPDX-License-Identifier: MIT */
/*
 * The Test Anything Protocol, in the usual calls.  A test program calls plan(N), or done_testing()
 * at its end, and returns exit_status().
 */
#ifndef DITTO_TESTS_TAP_H
#define DITTO_TESTS_TAP_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Owned by the main thread: tests assert there. */
static struct {
    int planned, run, failed;
} tap_state;

static inline void plan(int tests)
{
    tap_state.planned = tests;
    printf("1..%d\n", tests);
    fflush(stdout);
}

__attribute__((format(printf, 1, 2))) static inline void diag(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fflush(stdout);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        fprintf(stderr, "# %s\n", line);
}

__attribute__((format(printf, 4, 0))) static inline bool
tap_report(bool good, const char *file, int line, const char *format, va_list arguments)
{
    tap_state.run++;
    tap_state.failed += !good;
    printf("%sok %d - ", good ? "" : "not ", tap_state.run);
    vprintf(format, arguments);
    printf("\n");
    fflush(stdout);
    if (!good)
        diag("failed at %s:%d", file, line);
    return good;
}

__attribute__((format(printf, 4, 5))) static inline bool tap_ok(bool good, const char *file,
                                                                int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tap_report(good, file, line, format, arguments);
    va_end(arguments);
    return good;
}

__attribute__((format(printf, 5, 6))) static inline bool
tap_is(uint64_t got, uint64_t expected, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool good = tap_report(got == expected, file, line, format, arguments);
    va_end(arguments);
    if (!good)
        diag("     got: %" PRIu64 "\nexpected: %" PRIu64, got, expected);
    return good;
}

__attribute__((format(printf, 5, 6))) static inline bool tap_is_string(const char *got,
                                                                       const char *expected,
                                                                       const char *file, int line,
                                                                       const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool same = got && expected ? strcmp(got, expected) == 0 : got == expected;
    bool good = tap_report(same, file, line, format, arguments);
    va_end(arguments);
    if (!good)
        diag("     got: %s\nexpected: %s", got ? got : "(null)", expected ? expected : "(null)");
    return good;
}

/* ok(condition, "name %d", 1) and so on; each returns whether it passed. */
#define ok(condition, ...)     tap_ok((condition), __FILE__, __LINE__, __VA_ARGS__)
#define is(got, expected, ...) tap_is((got), (expected), __FILE__, __LINE__, __VA_ARGS__)
#define is_string(got, expected, ...)                                                              \
    tap_is_string((got), (expected), __FILE__, __LINE__, __VA_ARGS__)

/* Counts `tests` tests as passed without running them, and says why. */
static inline void skip(int tests, const char *reason)
{
    for (int i = 0; i < tests; i++)
        printf("ok %d # SKIP %s\n", ++tap_state.run, reason);
    fflush(stdout);
}

static inline void done_testing(void)
{
    plan(tap_state.run);
}

static inline int exit_status(void)
{
    if (tap_state.planned != tap_state.run)
        diag("planned %d tests, ran %d", tap_state.planned, tap_state.run);
    return tap_state.failed || tap_state.planned != tap_state.run;
}

#endif
