/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/spares.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/debug.h"
#include "core/engine/timeline.h"
#include "gdb-plugin/machine/replica.h"

/* How far before the present they wait, in clocks: for steps back, and for searches. */
enum { NEAR = 150, FAR = 1000 };

static bool can_serve(const struct replica *replica, uint64_t clock, bool before)
{
    if (replica->lost)
        return false;
    return replica->fresh || replica->at.clock < clock || (!before && replica->at.clock == clock);
}

/* Whether `a` has less to do than `b`. */
static bool is_nearer(const struct replica *a, const struct replica *b)
{
    if (a->fresh != b->fresh)
        return b->fresh;
    return !a->fresh && a->at.clock > b->at.clock;
}

static void take_out(struct ditto_machine *machine, struct replica *replica)
{
    struct replica **link = &machine->spares;
    while (*link != replica)
        link = &(*link)->next;
    *link = replica->next;
    replica->next = NULL;
}

/* Those that something else has ended. */
static void drop_dead(struct ditto_machine *machine)
{
    for (struct replica *replica = machine->spares, *next; replica; replica = next) {
        next = replica->next;
        if (!replica_is_dead(replica))
            continue;
        take_out(machine, replica);
        replica_end(replica);
    }
}

struct replica *spare_take(struct ditto_machine *machine, uint64_t clock, bool before,
                           struct ditto_error *error)
{
    struct replica *best = NULL;
    drop_dead(machine);
    for (struct replica *replica = machine->spares; replica; replica = replica->next)
        if (can_serve(replica, clock, before) && (!best || is_nearer(replica, best)))
            best = replica;
    if (best) {
        DITTO_DEBUG(go, 1, "the spare at clock %" PRIu64 " serves for clock %" PRIu64,
                    best->at.clock, clock);
        take_out(machine, best);
    } else {
        best = replica_start(&machine->recording, error);
    }
    return best;
}

static uint64_t memory_of(const struct replica *replica)
{
    char path[64];
    unsigned long pages = 0, resident = 0;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)replica->pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%lu %lu", &pages, &resident) != 2)
        resident = 0;
    fclose(file);
    return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Ahead of the present the farthest goes first; then, of those before it, the one that is nowhere
 * near a post where one is wanted, or else the earliest. */
static struct replica *least_useful(struct ditto_machine *machine)
{
    struct replica *worst = NULL;
    uint64_t now = machine->present.clock, worst_score = 0;
    for (struct replica *replica = machine->spares; replica; replica = replica->next) {
        uint64_t clock = replica->fresh ? 0 : replica->at.clock;
        uint64_t score =
            clock >= now && !replica->fresh ? UINT64_MAX / 2 + (clock - now) : now - clock + 1;
        if (replica->lost)
            return replica;
        if (!replica->wanted && score > worst_score) {
            worst = replica;
            worst_score = score;
        }
    }
    return worst;
}

/* Ends those that are of least use until there are no more than `most`, nor more bytes than
 * allowed; false if all that are left are wanted. */
static bool shrink(struct ditto_machine *machine, unsigned most)
{
    for (;;) {
        unsigned count = 0;
        uint64_t bytes = 0;
        for (struct replica *replica = machine->spares; replica; replica = replica->next) {
            count++;
            bytes += memory_of(replica);
        }
        if (count <= most && (bytes <= machine->options.spare_bytes || count == 0))
            return true;
        struct replica *worst = least_useful(machine);
        if (!worst)
            return false;
        take_out(machine, worst);
        replica_end(worst);
    }
}

void spare_keep(struct ditto_machine *machine, struct replica *replica)
{
    if (!replica)
        return;
    if (replica->lost) {
        replica_end(replica);
        return;
    }
    replica->wanted = false;
    replica->next = machine->spares;
    machine->spares = replica;
    shrink(machine, machine->options.spares + 1);
}

void spares_end(struct ditto_machine *machine)
{
    while (machine->spares) {
        struct replica *next = machine->spares->next;
        replica_end(machine->spares);
        machine->spares = next;
    }
}

static uint64_t before(uint64_t clock, uint64_t by)
{
    return clock > by ? clock - by : 0;
}

/* Where spares are wanted: so many at or after `from` and before `to`, and if they have to be
 * started, at `cut`. */
struct post {
    uint64_t from, to, cut;
    unsigned wanted;
};

/* Marks those that are where one is wanted; how many are missing there. */
static unsigned missing(struct ditto_machine *machine, const struct post *post)
{
    unsigned there = 0;
    for (struct replica *replica = machine->spares; replica; replica = replica->next) {
        uint64_t clock = replica->fresh ? 0 : replica->at.clock;
        if (there == post->wanted || replica->wanted || replica->lost || clock < post->from ||
            clock >= post->to)
            continue;
        replica->wanted = true;
        there++;
    }
    return post->wanted - there;
}

void spares_replenish(struct ditto_machine *machine)
{
    enum { POSTS = 3 };
    uint64_t now = machine->present.clock;
    bool long_run = now > FAR;
    /* In a short run those that have not begun serve for all. */
    const struct post posts[POSTS] = {
        {before(now, FAR / 2), now + (now == 0), before(now, NEAR), long_run ? 1 : 3},
        {before(now, 4 * FAR), before(now, FAR / 2), before(now, FAR), long_run ? 2 : 0},
        {now / 4, now / 4 * 3, now / 2, now > 16 * FAR}};
    unsigned wanted[POSTS];
    struct ditto_error error;
    drop_dead(machine);
    for (struct replica *replica = machine->spares; replica; replica = replica->next)
        replica->wanted = false;
    for (size_t i = 0; i < POSTS; i++)
        wanted[i] = missing(machine, &posts[i]);
    for (size_t i = 0; i < POSTS; i++)
        for (; wanted[i] && shrink(machine, machine->options.spares - 1); wanted[i]--) {
            struct replica *replica = replica_start(&machine->recording, &error);
            if (!replica)
                return;
            if (posts[i].cut)
                replica_send_goto(replica, posts[i].cut);
            replica->wanted = true;
            replica->next = machine->spares;
            machine->spares = replica;
        }
}

int64_t spare_before(const struct ditto_machine *machine, uint64_t clock, uint64_t least,
                     uint64_t most)
{
    int64_t best = -1;
    for (const struct replica *replica = machine->spares; replica; replica = replica->next)
        if (!replica->lost && !replica->fresh && replica->at.clock + least <= clock &&
            replica->at.clock + most >= clock && (int64_t)replica->at.clock > best)
            best = (int64_t)replica->at.clock;
    return best;
}

/* -------------------------------------------------------------------- bringing */

static struct replica *failed(struct ditto_machine *machine, struct replica *replica,
                              struct ditto_error *error, const char *why)
{
    if (replica->lost)
        *error = replica->error;
    else
        ditto_error_set(error, "%s: %s", machine->recording.path, why);
    replica_end(replica);
    return NULL;
}

/* A spare that something has ended while it waited says nothing about the run: another is taken. */
static bool try_again(struct replica *replica, bool was_spare)
{
    if (!replica->lost || replica->told || !was_spare ||
        is_interrupted(&replica->recording->interrupts))
        return false;
    replica_end(replica);
    return true;
}

struct replica *bring_to_cut(struct ditto_machine *machine, uint64_t clock,
                             struct ditto_error *error)
{
    const struct ditto_message_go go = {.pace = DITTO_TOGETHER, .limit = clock};
    for (;;) {
        uint32_t started = machine->recording.replicas;
        struct replica *replica = spare_take(machine, clock, false, error);
        if (!replica || replica_go(replica, &go, NULL))
            return replica;
        if (!try_again(replica, started == machine->recording.replicas))
            return failed(machine, replica, error, "");
    }
}

struct replica *bring_to_position(struct ditto_machine *machine, const struct position *position,
                                  struct ditto_error *error)
{
    struct ditto_message_go go = {.pace = DITTO_ONE_BY_ONE, .limit = UINT64_MAX};
    position_to_message(position, &go.target);
    for (;;) {
        uint32_t started = machine->recording.replicas;
        struct replica *replica = spare_take(machine, position->clock, true, error);
        if (!replica)
            return NULL;
        if (position->clock > 0 && (replica->fresh || replica->at.clock + 1 < position->clock))
            replica_send_goto(replica, position->clock - 1);
        bool good = replica_go(replica, &go, NULL);
        if (good && replica->halt.why == DITTO_HALT_TARGET)
            return replica;
        if (try_again(replica, started == machine->recording.replicas))
            continue;
        return failed(machine, replica, error,
                      is_interrupted(&machine->recording.interrupts)
                          ? "interrupted"
                          : "a second replay of the run did not come by the position of the first");
    }
}
