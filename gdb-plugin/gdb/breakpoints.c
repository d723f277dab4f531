/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/breakpoints.h"

#include <stdlib.h>
#include <string.h>

#include "gdb-plugin/gdb/registers.h"

enum { POINTS_MAX = 10000, CONDITIONS_MAX = 100 };

static struct point *find(struct client *client, const struct point *point)
{
    for (size_t i = 0; i < client->point_count; i++) {
        struct point *at = &client->points[i];
        if (at->type == point->type && at->address == point->address && at->length == point->length)
            return at;
    }
    return NULL;
}

bool point_add_condition(struct point *point, const uint8_t *code, size_t size)
{
    struct condition *all = point->conditions;
    uint8_t *copy = malloc(size + 1);
    if (point->condition_count == CONDITIONS_MAX || !copy ||
        !(all = realloc(all, (point->condition_count + 1) * sizeof *all))) {
        free(copy);
        return false;
    }
    memcpy(copy, code, size);
    point->conditions = all;
    all[point->condition_count++] = (struct condition){copy, size};
    return true;
}

void point_free(struct point *point)
{
    for (size_t i = 0; i < point->condition_count; i++)
        free(point->conditions[i].code);
    free(point->conditions);
    point->conditions = NULL;
    point->condition_count = 0;
}

void points_free(struct client *client)
{
    for (size_t i = 0; i < client->point_count; i++)
        point_free(&client->points[i]);
    free(client->points);
    client->points = NULL;
    client->point_count = 0;
}

/* ----------------------------------------------------------------- conditions */

struct looking {
    struct view *view;
    uint32_t thread;
};

static bool read_register(void *context, unsigned number, uint64_t *value)
{
    const struct looking *looking = context;
    uint8_t bytes[VIEW_REGISTERS_SIZE];
    bool known[VIEW_REGISTERS_SIZE];
    size_t offset, size;
    if (!view_register(number, &offset, &size) || size > sizeof *value)
        return false;
    view_pointers(looking->view, looking->thread, bytes, known);
    if (!known[offset])
        view_registers(looking->view, looking->thread, bytes, known);
    *value = 0;
    memcpy(value, bytes + offset, size);
    return known[offset];
}

static bool read_memory(void *context, uint64_t address, uint8_t *bytes, size_t length)
{
    const struct looking *looking = context;
    return view_read(looking->view, address, bytes, length) == length;
}

bool point_holds(const struct point *point, struct view *view, uint32_t thread)
{
    struct looking looking = {view, thread};
    const struct condition_world world = {read_register, read_memory, &looking};
    uint64_t value;
    for (size_t i = 0; i < point->condition_count; i++)
        if (!condition_value(&point->conditions[i], &world, &value) || value)
            return true;
    return point->condition_count == 0;
}

/* -------------------------------------------------------------------- keeping */

bool points_insert(struct client *client, const struct point *point)
{
    size_t kept = 0;
    for (size_t i = 0; i < client->removed_count; i++)
        if (point->type > 1 || client->removed[i].address != point->address)
            client->removed[kept++] = client->removed[i];
    client->removed_count = kept;
    struct point *known = find(client, point);
    if (known) {
        point_free(known);
        *known = *point;
        return true;
    }
    if (client->point_count == POINTS_MAX) {
        point_free(&(struct point){.conditions = point->conditions,
                                   .condition_count = point->condition_count});
        return false;
    }
    client->points = realloc(client->points, (client->point_count + 1) * sizeof *client->points);
    if (!client->points)
        abort();
    client->points[client->point_count++] = *point;
    return true;
}

void points_remove(struct client *client, const struct point *point)
{
    struct point *at = find(client, point);
    if (!at)
        return;
    point_free(at);
    *at = client->points[--client->point_count];
    if (point->type > 1)
        return;
    client->removed =
        realloc(client->removed, (client->removed_count + 1) * sizeof *client->removed);
    if (!client->removed)
        abort();
    client->removed[client->removed_count++] = (struct removal){point->address, !client->shown};
}
