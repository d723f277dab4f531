/* SPDX-License-Identifier: MIT */
/*
 * Numbers for objects: 1, 2 and so on, in the order in which they are first shown.
 *
 * An object that recorded code made has a key that is the same in every JVM
 * (jvm-bridge/control/messages.h), and so its number is.  Others, strings and the like, have a key
 * of one JVM only; in another JVM they are found again the way they were found first: in the field,
 * element or local where they were seen, if that holds an object of the same class.
 */
#ifndef DITTO_GDB_PLUGIN_MACHINE_OBJECT_NUMBERS_H
#define DITTO_GDB_PLUGIN_MACHINE_OBJECT_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/map.h"

struct replica;

/* How an object was found. */
struct way {
    enum { WAY_NONE, WAY_FIELD, WAY_STATIC, WAY_ELEMENT, WAY_LOCAL } kind;
    uint64_t holder; /* a number */
    const char *class_name, *field, *descriptor;
    int64_t index;          /* of an element; of a local, its slot */
    uint32_t thread, depth; /* of a local */
};

struct numbered;

struct numbers {
    struct numbered *all; /* by number - 1 */
    size_t count, room;
    struct ditto_map by_key; /* numbers */
};

void numbers_free(struct numbers *numbers);

/* The number of the object with that key in that JVM. */
uint64_t number_of_key(struct numbers *numbers, struct replica *replica, uint64_t key,
                       const struct way *way);
/* The class of the object, which it has at all times; NULL: nobody has noted it.  The text must
 * stay until numbers_free(). */
const char *class_of_number(const struct numbers *numbers, uint64_t number);
void note_class(struct numbers *numbers, uint64_t number, const char *class_name);
/* The key in that JVM; 0: it is not there. */
uint64_t key_of_number(struct numbers *numbers, struct replica *replica, uint64_t number);

#endif
