/* SPDX-License-Identifier: MIT */
/*
 * Every write to a field.  All threads of a JVM run together through the whole run, each telling
 * its writes as they come; the clocks put them in order afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include "core/timeline.h"
#include "gdb-plugin/machine_state.h"

struct found {
    struct spot at;
    struct ditto_wire_hit hit;
};

struct writes {
    struct ditto_machine *machine;
    struct found *all;
    size_t count, capacity;
};

static void take_write(void *context, struct replica *replica, const struct ditto_wire_hit *hit)
{
    struct writes *writes = context;
    (void)replica;
    if (writes->count == writes->capacity) {
        writes->capacity = writes->capacity ? 2 * writes->capacity : 256;
        writes->all = realloc(writes->all, writes->capacity * sizeof *writes->all);
        if (!writes->all)
            abort();
    }
    struct found *found = &writes->all[writes->count++];
    found->hit = *hit;
    spot_from_wire(writes->machine, &found->at, &hit->at);
}

static int by_time(const void *a, const void *b)
{
    const struct spot *x = &((const struct found *)a)->at, *y = &((const struct found *)b)->at;
    if (x->clock != y->clock)
        return x->clock < y->clock ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->turn < y->turn ? -1 : x->turn > y->turn;
}

static void hand_out(struct writes *writes, struct replica *jvm,
                     bool (*each)(void *context, const struct ditto_write *write), void *context)
{
    for (size_t i = 0; i < writes->count; i++) {
        const struct found *found = &writes->all[i];
        const struct ditto_wire_value object = {'L', found->hit.key};
        const struct ditto_write write = {
            .position = {found->at.clock, found->at.thread, found->at.turn, 0},
            .nth = i + 1,
            .object = machine_value(writes->machine, jvm, object).object,
            .before = machine_value(writes->machine, jvm, found->hit.old),
            .after = machine_value(writes->machine, jvm, found->hit.new),
            .place = {replica_method(jvm, found->hit.method), found->hit.bci}};
        if (!each(context, &write))
            return;
    }
}

bool ditto_machine_writes(struct ditto_machine *machine, const struct ditto_watch *watch,
                          bool (*each)(void *context, const struct ditto_write *write),
                          void *context, struct ditto_error *error)
{
    struct writes writes = {.machine = machine};
    struct ditto_watch all = *watch;
    all.nth = 0;
    const struct ditto_run asked = {.watches = &all, .watch_count = 1};
    struct ditto_wire_run run = {0};
    request_fill(machine, &asked, &run);
    run.pace = DITTO_TOGETHER;
    run.limit = UINT64_MAX;
    run.flags = DITTO_RUN_WRITES;
    struct replica *jvm = replica_start(machine, error);
    const struct replica_listener listener = {.context = &writes, .write = take_write};
    bool good = jvm && replica_run(jvm, &run, &listener);
    if (jvm && jvm->lost)
        *error = jvm->error;
    request_free(&run);
    if (good && writes.count)
        qsort(writes.all, writes.count, sizeof *writes.all, by_time);
    if (good)
        hand_out(&writes, jvm, each, context);
    free(writes.all);
    if (good)
        spare_keep(machine, jvm);
    else
        replica_end(jvm);
    return good;
}
