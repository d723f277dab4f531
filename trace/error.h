/* SPDX-License-Identifier: MIT */
/*
 * Errors that a user or a file can cause.
 *
 * A function that can fail that way takes a `struct ditto_error *` as its last argument, returns a
 * value that says "failed" (false, NULL or a negative number), and leaves one sentence that names
 * the thing, what was found and what to do.  A caller that knows more adds it in front with
 * ditto_error_prefix().  Broken contracts between functions are assertions instead.
 */
#ifndef DITTO_TRACE_ERROR_H
#define DITTO_TRACE_ERROR_H

struct ditto_error {
    char text[768];
};

/* Replaces the text.  `error` may be NULL when the caller does not want to know. */
void ditto_error_set(struct ditto_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " in front of the text. */
void ditto_error_prefix(struct ditto_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Describes an errno of the system call that did `action` to `path`, with the remedy where there
 * is a usual one: "trace.dt: cannot write: No space left on device; free some space ...".
 */
void ditto_error_system(struct ditto_error *error, const char *path, const char *action,
                        int error_number);

#endif
