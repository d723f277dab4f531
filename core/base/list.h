/* SPDX-License-Identifier: MIT */
/*
 * Lists that grow: three variables of whoever has one, a pointer to the items, their number, and
 * the number that there is room for.  All start as zeroes; the memory is malloc's.
 *
 *     struct point *points;
 *     size_t count, room;
 *     DITTO_PUSH(points, count, room, (struct point){.x = 1});
 *
 * Room is doubled, so that many items cost as much each as few; it ends the process if there is no
 * memory (die.h).  Pointers to items are good until the next push.
 */
#ifndef DITTO_CORE_BASE_LIST_H
#define DITTO_CORE_BASE_LIST_H

#include "core/base/die.h"

/* Adds the item at the end. */
#define DITTO_PUSH(items, count, room, ...)                                                        \
    ((void)(DITTO_MAKE_ROOM(items, count, room, 1), (items)[(count)++] = (__VA_ARGS__)))

/* Makes sure that `more` items fit behind those there are. */
#define DITTO_MAKE_ROOM(items, count, room, more)                                                  \
    ((void)((size_t)(room) - (size_t)(count) >= (size_t)(more)                                     \
                ? (void)0                                                                          \
                : (void)((room) = ditto_list_room((count), (more), (room)),                        \
                         (items) = ditto_grow((items), (room), sizeof *(items), "a list"))))

/* A number that is at least count + more, and twice as large as room was. */
static inline size_t ditto_list_room(size_t count, size_t more, size_t room)
{
    enum { FEWEST = 8 };
    DITTO_CHECK(more <= (size_t)-1 / 2 - count, "no memory for a list of %zu and %zu", count, more);
    size_t wanted = room < FEWEST / 2 ? FEWEST : 2 * room;
    return wanted < count + more ? count + more : wanted;
}

#endif
