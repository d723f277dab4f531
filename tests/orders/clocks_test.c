/* SPDX-License-Identifier: MIT */
/*
 * The section Time of the design, as properties of random programs of random threads: for every C
 * the cut "all events with clock <= C" is consistent, and a replay has the clocks of the recording.
 * DITTO_CLOCK_PROGRAMS programs, 400 by default.
 *
 * A program is a tree of threads that load and store places, lock and unlock monitors (nested and
 * repeatedly), start children and join them.  Each event notes, inside its critical section, where
 * it stands in its place's or monitor's own order; with program order, starts and joins those are
 * all the edges of happened-before that matter.
 */
#include <pthread.h>

#include "core/ditto.h"
#include "core/orders/orders.h"
#include "tests/support.h"
#include "tests/tap.h"

enum {
    PLACES = 4,
    MONITORS = 3,
    MOST_EVENTS = 80,
    MOST_CHILDREN = 3,
    MOST_DEPTH = 2,
    MOST_THREADS = 1 + 3 + 3 * 3,
    MOST_HELD = 4,
};

enum kind { LOAD, STORE, ACQUIRE };

struct event {
    enum kind kind;
    unsigned target;  /* place or monitor */
    uint64_t version; /* of a load or store: how many stores the place had seen before */
    uint64_t turn;    /* of an acquisition: how many the monitor had seen before */
    uint64_t clock;
};

struct strand {
    struct program *program;
    uint64_t choices; /* the state of its random choices */
    unsigned depth;
    struct ditto_thread *thread;
    pthread_t os_thread;
    uint32_t id;
    uint64_t start_clock;
    uint64_t end_clock;
    uint32_t parent;
    unsigned started_after; /* how many events its parent had done */
    unsigned
        joined_before[MOST_THREADS]; /* by id: events done when it joined that thread, plus 1 */
    struct event events[MOST_EVENTS];
    unsigned count;
    struct {
        unsigned monitor;
        unsigned last_event; /* before the release */
    } releases[MOST_EVENTS];
    unsigned release_count;
};

struct program {
    struct ditto_session *session;
    ditto_cell cell;
    ditto_cell monitor_cells[MONITORS];
    pthread_mutex_t mutexes[MONITORS];
    uint64_t versions[PLACES];            /* the shared data: how often each place was stored */
    uint64_t turns[MONITORS];             /* guarded by the mutexes */
    struct strand *strands[MOST_THREADS]; /* by replay id */
};

static void *run_strand(void *argument);

static struct event *next_event(struct strand *strand, enum kind kind, unsigned target)
{
    struct event *event = &strand->events[strand->count++];
    event->kind = kind;
    event->target = target;
    return event;
}

static void access_place(struct strand *strand, enum kind kind, unsigned target)
{
    struct program *program = strand->program;
    ditto_place *place = ditto_field(program->session, &program->cell, PLACES, target);
    struct event *event = next_event(strand, kind, target);
    if (kind == LOAD) {
        ditto_load_begin(strand->thread, place);
        event->version = program->versions[target];
        ditto_load_end(strand->thread, place);
    } else {
        ditto_store_begin(strand->thread, place);
        event->version = program->versions[target]++;
        ditto_store_end(strand->thread, place);
    }
    event->clock = ditto_clock(strand->thread);
}

static void acquire(struct strand *strand, unsigned target)
{
    struct program *program = strand->program;
    ditto_monitor *monitor =
        ditto_object_monitor(program->session, &program->monitor_cells[target], 0);
    struct event *event = next_event(strand, ACQUIRE, target);
    ditto_acquire_begin(strand->thread, monitor);
    pthread_mutex_lock(&program->mutexes[target]);
    ditto_acquire_end(strand->thread, monitor);
    event->turn = program->turns[target]++;
    event->clock = ditto_clock(strand->thread);
}

static void release(struct strand *strand, unsigned target)
{
    struct program *program = strand->program;
    strand->releases[strand->release_count].monitor = target;
    strand->releases[strand->release_count++].last_event = strand->count;
    ditto_release(strand->thread,
                  ditto_object_monitor(program->session, &program->monitor_cells[target], 0));
    pthread_mutex_unlock(&program->mutexes[target]);
}

static struct strand *start_child(struct strand *parent)
{
    struct program *program = parent->program;
    struct strand *child = calloc(1, sizeof *child);
    if (!child)
        abort();
    child->program = program;
    child->depth = parent->depth + 1;
    child->choices = random_next(&parent->choices);
    child->thread = ditto_thread_start(parent->thread, "strand");
    child->id = ditto_replay_id(child->thread);
    child->parent = parent->id;
    child->started_after = parent->count;
    child->start_clock = ditto_clock(child->thread);
    program->strands[child->id] = child;
    if (pthread_create(&child->os_thread, NULL, run_strand, child))
        abort();
    return child;
}

static void join_child(struct strand *parent, struct strand *child)
{
    ditto_join_begin(parent->thread, child->thread);
    pthread_join(child->os_thread, NULL);
    ditto_join_end(parent->thread, child->thread);
    ditto_thread_release(child->thread);
    parent->joined_before[child->id] = parent->count + 1;
}

/* Monitors are locked in ascending order, so that the program itself cannot deadlock. */
static void run_choices(struct strand *strand)
{
    struct strand *children[MOST_CHILDREN];
    unsigned held[MOST_HELD], held_count = 0, child_count = 0, joined = 0;
    unsigned length = 10 + (unsigned)(random_next(&strand->choices) % (MOST_EVENTS - 20));
    while (strand->count < length) {
        uint64_t choice = random_next(&strand->choices);
        unsigned target = (unsigned)(choice >> 32);
        unsigned lowest = held_count ? held[held_count - 1] : 0;
        switch (choice % 10) {
        case 0:
            if (held_count < MOST_HELD)
                acquire(strand, held[held_count++] = lowest + target % (MONITORS - lowest));
            break;
        case 1:
            if (held_count)
                release(strand, held[--held_count]);
            break;
        case 2:
            if (strand->depth < MOST_DEPTH && child_count < MOST_CHILDREN && held_count == 0)
                children[child_count++] = start_child(strand);
            break;
        case 3:
            if (joined < child_count && held_count == 0)
                join_child(strand, children[joined++]);
            break;
        case 4:
        case 5:
        case 6:
            access_place(strand, STORE, target % PLACES);
            break;
        default:
            access_place(strand, LOAD, target % PLACES);
        }
    }
    while (held_count)
        release(strand, held[--held_count]);
    while (joined < child_count)
        join_child(strand, children[joined++]);
}

static void *run_strand(void *argument)
{
    struct strand *strand = argument;
    run_choices(strand);
    strand->end_clock = ditto_clock(strand->thread);
    ditto_thread_end(strand->thread);
    return NULL;
}

static void run_program(struct program *program, struct ditto_session *session, uint64_t seed)
{
    program->session = session;
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    for (int i = 0; i < MONITORS; i++)
        pthread_mutex_init(&program->mutexes[i], &recursive);
    struct strand *main_strand = calloc(1, sizeof *main_strand);
    if (!main_strand)
        abort();
    main_strand->program = program;
    main_strand->choices = seed;
    main_strand->thread = ditto_main_thread(session);
    program->strands[0] = main_strand;
    run_choices(main_strand);
    main_strand->end_clock = ditto_clock(main_strand->thread);
    for (int i = 0; i < MONITORS; i++) {
        ditto_cell_release(&program->monitor_cells[i]);
        pthread_mutex_destroy(&program->mutexes[i]);
    }
    ditto_cell_release(&program->cell);
}

static void free_program(struct program *program)
{
    for (int i = 0; i < MOST_THREADS; i++)
        free(program->strands[i]);
}

/* ------------------------------------------------------------------ checks */

struct edge {
    uint64_t before, after; /* clocks */
};

struct edges {
    struct edge *list;
    size_t count, capacity;
};

static void add_edge(struct edges *edges, uint64_t before, uint64_t after)
{
    if (edges->count == edges->capacity) {
        edges->capacity = edges->capacity ? edges->capacity * 2 : 1024;
        edges->list = realloc(edges->list, edges->capacity * sizeof *edges->list);
        if (!edges->list)
            abort();
    }
    edges->list[edges->count++] = (struct edge){before, after};
}

static void add_program_order(struct edges *edges, const struct program *program,
                              const struct strand *strand)
{
    for (unsigned i = 1; i < strand->count; i++)
        add_edge(edges, strand->events[i - 1].clock, strand->events[i].clock);
    const struct strand *parent = strand->id ? program->strands[strand->parent] : NULL;
    if (parent && parent != strand && strand->count && strand->started_after)
        add_edge(edges, parent->events[strand->started_after - 1].clock, strand->events[0].clock);
    for (unsigned id = 0; id < MOST_THREADS; id++) {
        const struct strand *joined = program->strands[id];
        unsigned next = strand->joined_before[id];
        if (next && joined->count && next - 1 < strand->count)
            add_edge(edges, joined->events[joined->count - 1].clock,
                     strand->events[next - 1].clock);
    }
}

/* Edges between two events on one place or monitor. */
static void add_conflicts(struct edges *edges, const struct event *a, const struct event *b,
                          const struct strand *strand_of_a, const struct strand *strand_of_b)
{
    if (a->target != b->target)
        return;
    if (a->kind == ACQUIRE && b->kind == ACQUIRE) {
        if (a->turn >= b->turn)
            return;
        add_edge(edges, a->clock, b->clock);
        if (strand_of_a == strand_of_b)
            return; /* perhaps nested: a is not released before b */
        /* All that a's thread did before it let go comes before the next acquisition. */
        unsigned index = (unsigned)(a - strand_of_a->events);
        for (unsigned r = 0; a->turn + 1 == b->turn && r < strand_of_a->release_count; r++) {
            unsigned last = strand_of_a->releases[r].last_event;
            if (strand_of_a->releases[r].monitor == a->target && last > index) {
                add_edge(edges, strand_of_a->events[last - 1].clock, b->clock);
                break;
            }
        }
        return;
    }
    if (a->kind == ACQUIRE || b->kind == ACQUIRE || (a->kind == LOAD && b->kind == LOAD))
        return;
    /* A load of version v comes after the store that made it and before the one that ends it. */
    bool before = a->kind == STORE ? a->version < b->version : a->version <= b->version;
    if (before)
        add_edge(edges, a->clock, b->clock);
}

static void collect_edges(struct edges *edges, const struct program *program)
{
    for (int s = 0; s < MOST_THREADS; s++) {
        const struct strand *one = program->strands[s];
        if (!one)
            continue;
        add_program_order(edges, program, one);
        for (int t = 0; t < MOST_THREADS; t++) {
            const struct strand *other = program->strands[t];
            for (unsigned i = 0; other && i < one->count; i++)
                for (unsigned j = 0; j < other->count; j++)
                    if (&one->events[i] != &other->events[j])
                        add_conflicts(edges, &one->events[i], &other->events[j], one, other);
        }
    }
}

/* How many (C, edge) pairs have the later event in the cut at C and the earlier one not. */
static uint64_t inconsistent_cuts(const struct program *program, uint64_t *cuts)
{
    struct edges edges = {0};
    collect_edges(&edges, program);
    uint64_t last = 0, broken = 0;
    for (size_t i = 0; i < edges.count; i++)
        last = edges.list[i].after > last ? edges.list[i].after : last;
    for (uint64_t c = 0; c <= last; c++)
        for (size_t i = 0; i < edges.count; i++)
            broken += edges.list[i].after <= c && edges.list[i].before > c;
    *cuts += last + 1;
    free(edges.list);
    return broken;
}

/* A tick is above everything before it in its thread; a load is not below. */
static bool ticks_rise(const struct program *program)
{
    for (int s = 0; s < MOST_THREADS; s++) {
        const struct strand *strand = program->strands[s];
        uint64_t last = strand ? strand->start_clock : 0;
        for (unsigned i = 0; strand && i < strand->count; i++) {
            const struct event *event = &strand->events[i];
            if (event->kind == LOAD ? event->clock < last : event->clock <= last)
                return false;
            last = event->clock;
        }
    }
    return true;
}

static bool same_events(const struct program *a, const struct program *b)
{
    for (int s = 0; s < MOST_THREADS; s++) {
        const struct strand *one = a->strands[s], *other = b->strands[s];
        if (!one != !other)
            return false;
        if (!one)
            continue;
        if (one->count != other->count || one->end_clock != other->end_clock ||
            one->start_clock != other->start_clock || one->parent != other->parent)
            return false;
        for (unsigned i = 0; i < one->count; i++) {
            const struct event *x = &one->events[i], *y = &other->events[i];
            if (x->kind != y->kind || x->target != y->target || x->version != y->version ||
                x->turn != y->turn || x->clock != y->clock)
                return false;
        }
    }
    return true;
}

struct tally {
    uint64_t broken, falling, different, cuts, failed;
};

static void try_program(const char *path, const char *order, uint64_t seed,
                        enum ditto_pruning pruning, struct tally *tally)
{
    struct ditto_error error = {""};
    const struct ditto_record_options options = {
        .order = order, .pruning = pruning, .buffer_size = 4096};
    struct program recorded = {0}, replayed = {0};
    struct ditto_session *session = ditto_record(path, &options, &error);
    if (!session || (run_program(&recorded, session, seed), !ditto_close(session, &error)) ||
        !(session = ditto_replay(path, NULL, &error))) {
        diag("%s", error.text);
        tally->failed++;
        free_program(&recorded);
        return;
    }
    run_program(&replayed, session, seed);
    tally->failed += !ditto_close(session, &error);
    tally->broken += inconsistent_cuts(&recorded, &tally->cuts);
    tally->falling += !ticks_rise(&recorded);
    if (!same_events(&recorded, &replayed)) {
        tally->different++;
        diag("the replay of program %" PRIu64 " differs, pruning %d", seed, pruning);
    }
    free_program(&recorded);
    free_program(&replayed);
}

static void test_order(const struct ditto_order *order)
{
    uint64_t programs = setting("DITTO_CLOCK_PROGRAMS", 400);
    struct tally tally = {0};
    const char *path = scratch("clocks.dt");
    for (uint64_t i = 0; i < programs; i++)
        try_program(path, order->name, setting("DITTO_CLOCK_SEED", 1) * 1000000 + i,
                    (enum ditto_pruning)(i % 3), &tally);
    diag("%" PRIu64 " programs, %" PRIu64 " cuts", programs, tally.cuts);
    is(tally.failed, 0, "%s: all programs can be recorded and replayed", order->name);
    is(tally.falling, 0, "ticks rise in every thread");
    is(tally.broken, 0, "every cut is consistent");
    is(tally.different, 0, "every replay has the same events with the same clocks");
}

int main(void)
{
    for (size_t i = 0; ditto_orders[i]; i++)
        if (ditto_orders[i]->clock)
            test_order(ditto_orders[i]);
    done_testing();
    return exit_status();
}
