/* SPDX-License-Identifier: MIT */
/*
 * Every write to a field.  All threads of a JVM run together through the whole run, each telling
 * its writes as they come; the clocks put them in order afterwards.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "core/engine/timeline.h"
#include "gdb-plugin/machine/present.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/requests.h"
#include "gdb-plugin/machine/spares.h"

struct found {
    struct position at;
    struct ditto_message_hit hit;
};

struct ditto_writes {
    struct ditto_machine *machine;
    struct replica *jvm;
    struct found *all;
    size_t count, room;
};

static void take_write(void *context, struct replica *replica, const struct ditto_message_hit *hit,
                       struct ditto_message *frames)
{
    ditto_message_get32(frames); /* accesses have none */
    struct ditto_writes *writes = context;
    (void)replica;
    struct found found = {.hit = *hit};
    position_from_message(&writes->machine->recording.methods, &found.at, &hit->at);
    DITTO_PUSH(writes->all, writes->count, writes->room, found);
}

static int by_time(const void *a, const void *b)
{
    const struct position *x = &((const struct found *)a)->at, *y = &((const struct found *)b)->at;
    if (x->clock != y->clock)
        return x->clock < y->clock ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->turn < y->turn ? -1 : x->turn > y->turn;
}

struct ditto_writes *ditto_writes_begin(struct ditto_machine *machine,
                                        const struct ditto_watch *watch, struct ditto_error *error)
{
    struct ditto_writes *writes = ditto_alloc_zeroed(1, sizeof *writes, "a list of writes");
    writes->machine = machine;
    struct ditto_watch all = *watch;
    all.nth = 0;
    const struct ditto_go asked = {.watches = &all, .watch_count = 1};
    struct ditto_message_go go = {0};
    request_fill(machine, &asked, &go);
    go.pace = DITTO_TOGETHER;
    go.limit = UINT64_MAX;
    go.flags = DITTO_GO_WRITES;
    writes->jvm = replica_start(&machine->recording, error);
    if (writes->jvm)
        replica_send_go(writes->jvm, &go);
    request_free(&go);
    if (writes->jvm)
        return writes;
    free(writes);
    return NULL;
}

int ditto_writes_look(struct ditto_writes *writes, double seconds, double *done,
                      struct ditto_error *error)
{
    const struct replica_listener listener = {.context = writes, .write = take_write};
    interrupts_forget(&writes->machine->recording.interrupts);
    if (!replica_wait_for(writes->jvm, &listener, seconds, done)) {
        *error = writes->jvm->error;
        return -1;
    }
    if (writes->jvm->due)
        return 0;
    if (writes->jvm->halt.why != DITTO_HALT_END) {
        ditto_error_set(error, "%s: interrupted", writes->machine->recording.path);
        return -1;
    }
    if (writes->count)
        qsort(writes->all, writes->count, sizeof *writes->all, by_time);
    return 1;
}

void ditto_writes_each(struct ditto_writes *writes,
                       bool (*each)(void *context, const struct ditto_write *write), void *context)
{
    struct replica *jvm = writes->jvm;
    for (size_t i = 0; i < writes->count; i++) {
        const struct found *found = &writes->all[i];
        const struct ditto_message_value object = {'L', found->hit.key};
        const struct ditto_write write = {
            .position = {found->at.clock, found->at.thread, found->at.turn, 0},
            .nth = i + 1,
            .object = machine_value(writes->machine, jvm, object).object,
            .before = machine_value(writes->machine, jvm, found->hit.old),
            .after = machine_value(writes->machine, jvm, found->hit.new),
            .location = {replica_method(jvm, found->hit.method), found->hit.bci}};
        if (!each(context, &write))
            return;
    }
}

void ditto_writes_end(struct ditto_writes *writes)
{
    if (!writes)
        return;
    if (writes->jvm->due)
        replica_end(writes->jvm);
    else
        spare_keep(writes->machine, writes->jvm);
    free(writes->all);
    free(writes);
}
