/* SPDX-License-Identifier: MIT */
/*
 * JSON as it is printed: nothing of the document is kept, so that it may be of any size.
 *
 * A document is one call after the other: a value, or what opens an object or an array, its
 * members, and ditto_json_end.  Every member of an object has a name; elements of arrays, and the
 * document itself, have NULL for one.  Separators, brackets, line ends and escapes are the writer's
 * business; that names fit where they are is the caller's.  Errors of the stream are left in the
 * stream.
 */
#ifndef DITTO_CORE_BASE_JSON_H
#define DITTO_CORE_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* How the members of an object or array stand. */
enum ditto_json_layout {
    DITTO_JSON_INLINE, /* all of them in the line that it begins in */
    DITTO_JSON_LINES,  /* each in a line of its own, and the closing bracket, too */
    DITTO_JSON_FOLDED, /* in one line, but for those after ditto_json_fold */
};

enum { DITTO_JSON_DEPTH = 16 };

/* Starts as all zeroes but for `out`. */
struct ditto_json {
    FILE *out;
    unsigned depth;  /* of open objects and arrays, DITTO_JSON_DEPTH at most */
    unsigned indent; /* of those that have lines */
    bool folds;      /* the next member begins a line */
    struct {
        enum ditto_json_layout layout;
        bool is_array, has_members;
    } open[DITTO_JSON_DEPTH];
};

void ditto_json_object(struct ditto_json *json, const char *name, enum ditto_json_layout layout);
void ditto_json_array(struct ditto_json *json, const char *name, enum ditto_json_layout layout);

/* Closes what was opened last; a line end follows the document. */
void ditto_json_end(struct ditto_json *json);

/* The next member of the folded object or array that is open begins a line. */
void ditto_json_fold(struct ditto_json *json);

void ditto_json_number(struct ditto_json *json, const char *name, uint64_t value);
void ditto_json_bool(struct ditto_json *json, const char *name, bool value);

/* Bytes that are not UTF-8 become U+FFFD. */
void ditto_json_string(struct ditto_json *json, const char *name, const char *value);

/* A string of two digits for each byte. */
void ditto_json_hex(struct ditto_json *json, const char *name, const uint8_t *bytes, size_t size);

#endif
