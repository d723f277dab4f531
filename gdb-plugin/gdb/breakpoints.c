/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/breakpoints.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "gdb-plugin/gdb/registers.h"

enum { BREAKPOINTS_MAX = 10000, CONDITIONS_MAX = 100 };

static struct breakpoint *find(struct client *client, const struct breakpoint *breakpoint)
{
    for (size_t i = 0; i < client->breakpoint_count; i++) {
        struct breakpoint *at = &client->breakpoints[i];
        if (at->type == breakpoint->type && at->address == breakpoint->address &&
            at->length == breakpoint->length)
            return at;
    }
    return NULL;
}

bool breakpoint_add_condition(struct breakpoint *breakpoint, const uint8_t *code, size_t size)
{
    if (breakpoint->condition_count == CONDITIONS_MAX)
        return false;
    uint8_t *copy = ditto_alloc(size, "a condition");
    memcpy(copy, code, size);
    DITTO_PUSH(breakpoint->conditions, breakpoint->condition_count, breakpoint->condition_room,
               (struct condition){copy, size});
    return true;
}

void breakpoint_free(struct breakpoint *breakpoint)
{
    for (size_t i = 0; i < breakpoint->condition_count; i++)
        free(breakpoint->conditions[i].code);
    free(breakpoint->conditions);
    breakpoint->conditions = NULL;
    breakpoint->condition_count = breakpoint->condition_room = 0;
}

void breakpoints_free(struct client *client)
{
    for (size_t i = 0; i < client->breakpoint_count; i++)
        breakpoint_free(&client->breakpoints[i]);
    free(client->breakpoints);
    client->breakpoints = NULL;
    client->breakpoint_count = client->breakpoint_room = 0;
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

bool breakpoint_holds(const struct breakpoint *breakpoint, struct view *view, uint32_t thread)
{
    struct looking looking = {view, thread};
    const struct condition_world world = {read_register, read_memory, &looking};
    uint64_t value;
    for (size_t i = 0; i < breakpoint->condition_count; i++)
        if (!condition_value(&breakpoint->conditions[i], &world, &value) || value)
            return true;
    return breakpoint->condition_count == 0;
}

/* -------------------------------------------------------------------- keeping */

bool breakpoints_insert(struct client *client, const struct breakpoint *breakpoint)
{
    size_t kept = 0;
    for (size_t i = 0; i < client->removed_count; i++)
        if (breakpoint->type > 1 || client->removed[i].address != breakpoint->address)
            client->removed[kept++] = client->removed[i];
    client->removed_count = kept;
    struct breakpoint *known = find(client, breakpoint);
    if (known) {
        breakpoint_free(known);
        *known = *breakpoint;
        return true;
    }
    if (client->breakpoint_count == BREAKPOINTS_MAX) {
        breakpoint_free(&(struct breakpoint){.conditions = breakpoint->conditions,
                                             .condition_count = breakpoint->condition_count});
        return false;
    }
    DITTO_PUSH(client->breakpoints, client->breakpoint_count, client->breakpoint_room, *breakpoint);
    return true;
}

void breakpoints_remove(struct client *client, const struct breakpoint *breakpoint)
{
    struct breakpoint *at = find(client, breakpoint);
    if (!at)
        return;
    breakpoint_free(at);
    *at = client->breakpoints[--client->breakpoint_count];
    if (breakpoint->type > 1)
        return;
    DITTO_PUSH(client->removed, client->removed_count, client->removed_room,
               (struct removal){breakpoint->address, !client->shown});
}
