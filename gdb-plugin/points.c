/* SPDX-License-Identifier: MIT */
/* Breakpoints and watchpoints as gdb sets them: addresses. */
#include <stdlib.h>
#include <string.h>

#include "gdb-plugin/session.h"

enum { POINTS_MAX = 10000 };

static struct point *find(struct session *session, const struct point *point)
{
    for (size_t i = 0; i < session->point_count; i++) {
        struct point *at = &session->points[i];
        if (at->type == point->type && at->address == point->address && at->length == point->length)
            return at;
    }
    return NULL;
}

bool points_insert(struct session *session, const struct point *point)
{
    size_t kept = 0;
    for (size_t i = 0; i < session->removed_count; i++)
        if (point->type > 1 || session->removed[i].address != point->address)
            session->removed[kept++] = session->removed[i];
    session->removed_count = kept;
    if (find(session, point))
        return true;
    if (session->point_count == POINTS_MAX)
        return false;
    session->points =
        realloc(session->points, (session->point_count + 1) * sizeof *session->points);
    if (!session->points)
        abort();
    session->points[session->point_count++] = *point;
    return true;
}

void points_remove(struct session *session, const struct point *point)
{
    struct point *at = find(session, point);
    if (!at)
        return;
    *at = session->points[--session->point_count];
    if (point->type > 1)
        return;
    session->removed =
        realloc(session->removed, (session->removed_count + 1) * sizeof *session->removed);
    if (!session->removed)
        abort();
    session->removed[session->removed_count++] = (struct removal){point->address, !session->shown};
}
