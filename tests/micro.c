/* SPDX-License-Identifier: MIT */
#include "tests/micro.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/support.h"

struct object {
    ditto_cell cell;
    pthread_mutex_t mutex;
    uint64_t *fields;
};

struct run {
    const struct micro_parameters *parameters;
    struct ditto_session *session;
    struct micro_result *result;
    struct object *objects;
    /*
     * All threads begin at once, or there is little to race.  Not in a replay, which makes its own
     * order, and whose trace may end before all threads are there.
     */
    pthread_barrier_t together;
};

struct worker {
    struct run *run;
    unsigned index;
    struct ditto_thread *thread;
    uint64_t random, pauses; /* the states of its choices */
    uint64_t last;           /* what it loaded last */
};

static void *allocate(size_t size, bool shared)
{
    if (!shared)
        return calloc(1, size ? size : 1);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void micro_result_make(struct micro_result *result, const struct micro_parameters *parameters,
                       bool shared)
{
    size_t operations = (size_t)parameters->threads * parameters->operations;
    result->memory = allocate(sizeof(uint64_t) * parameters->objects * parameters->fields, shared);
    result->loaded = allocate(sizeof(uint64_t) * operations, shared);
    result->clocks = allocate(sizeof(uint64_t) * parameters->threads, shared);
    result->done = allocate(sizeof(uint64_t) * parameters->threads, shared);
    if (!result->memory || !result->loaded || !result->clocks || !result->done) {
        perror("micro");
        exit(1);
    }
}

void micro_result_free(struct micro_result *result, const struct micro_parameters *parameters)
{
    (void)parameters;
    free(result->memory);
    free(result->loaded);
    free(result->clocks);
    free(result->done);
}

bool micro_results_equal(const struct micro_result *a, const struct micro_result *b,
                         const struct micro_parameters *parameters)
{
    size_t operations = (size_t)parameters->threads * parameters->operations;
    size_t fields = (size_t)parameters->objects * parameters->fields;
    return memcmp(a->memory, b->memory, fields * sizeof *a->memory) == 0 &&
           memcmp(a->loaded, b->loaded, operations * sizeof *a->loaded) == 0 &&
           memcmp(a->clocks, b->clocks, parameters->threads * sizeof *a->clocks) == 0;
}

/*
 * Without Ditto these accesses race, as the benchmark wants it.  In a session the engine orders
 * them, recording or replaying, and they are plain: a data race that ThreadSanitizer finds here
 * then is the engine's.
 */
static uint64_t load(struct worker *worker, ditto_place *place, const uint64_t *field)
{
    uint64_t value;
    if (worker->thread)
        ditto_load_begin(worker->thread, place);
    if (worker->thread && !worker->run->parameters->unordered)
        value = *field;
    else
        value = __atomic_load_n(field, __ATOMIC_RELAXED);
    if (worker->thread)
        ditto_load_end(worker->thread, place);
    return value;
}

static void store(struct worker *worker, ditto_place *place, uint64_t *field, uint64_t value)
{
    if (worker->thread)
        ditto_store_begin(worker->thread, place);
    if (worker->thread && !worker->run->parameters->unordered)
        *field = value;
    else
        __atomic_store_n(field, value, __ATOMIC_RELAXED);
    if (worker->thread)
        ditto_store_end(worker->thread, place);
}

static void lock(struct worker *worker, struct object *object)
{
    unsigned fields = worker->run->parameters->fields;
    if (!worker->thread) {
        pthread_mutex_lock(&object->mutex);
        return;
    }
    ditto_monitor *monitor = ditto_object_monitor(worker->run->session, &object->cell, fields);
    ditto_acquire_begin(worker->thread, monitor);
    pthread_mutex_lock(&object->mutex);
    ditto_acquire_end(worker->thread, monitor);
}

static void unlock(struct worker *worker, struct object *object)
{
    unsigned fields = worker->run->parameters->fields;
    if (worker->thread)
        ditto_release(worker->thread,
                      ditto_object_monitor(worker->run->session, &object->cell, fields));
    pthread_mutex_unlock(&object->mutex);
}

/* Which object the i-th operation of a thread goes to. */
static unsigned choose_object(const struct worker *worker, unsigned i, uint64_t random)
{
    const struct micro_parameters *p = worker->run->parameters;
    if (p->pattern == MICRO_RANDOM)
        return (unsigned)(random >> 8) % p->objects;
    /* A share is two steps long and begins one step after the last thread's. */
    unsigned step = p->objects / p->threads ? p->objects / p->threads : 1;
    return (worker->index * step + i / 2 % (2 * step)) % p->objects;
}

static void operate(struct worker *worker, unsigned i)
{
    const struct micro_parameters *p = worker->run->parameters;
    uint64_t random = random_next(&worker->random);
    struct object *object = &worker->run->objects[choose_object(worker, i, random)];
    unsigned field = (unsigned)(random >> 32) % p->fields;
    bool locked = p->locked && random % p->locked == 0;
    /* In the walk a load and a store of the same counter take turns: increments. */
    bool is_store = p->pattern == MICRO_OVERLAP
                        ? i % 2
                        : (unsigned)(random >> 16) % (p->loads + p->stores) < p->stores;
    if (p->pattern == MICRO_OVERLAP)
        field = 0;
    ditto_place *place = NULL;
    if (worker->thread)
        place = ditto_field(worker->run->session, &object->cell, p->fields, field);
    if (locked)
        lock(worker, object);
    if (is_store) {
        store(worker, place, &object->fields[field], worker->last * 6364136223846793005u + i);
    } else {
        worker->last = load(worker, place, &object->fields[field]);
        worker->run->result->loaded[(size_t)worker->index * p->operations + i] = worker->last;
    }
    if (locked)
        unlock(worker, object);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct run *run = worker->run;
    if (!run->session || !ditto_is_replay(run->session))
        pthread_barrier_wait(&run->together);
    for (unsigned i = 0; i < run->parameters->operations; i++) {
        operate(worker, i);
        atomic_store_explicit(&run->result->done[worker->index], i + 1, memory_order_relaxed);
        unsigned yields = run->parameters->yields;
        if (yields && random_next(&worker->pauses) % yields == 0)
            sched_yield();
    }
    if (worker->thread) {
        run->result->clocks[worker->index] = ditto_clock(worker->thread);
        ditto_thread_end(worker->thread);
    }
    return NULL;
}

static void start_all(struct run *run, struct worker *workers, pthread_t *threads)
{
    const struct micro_parameters *p = run->parameters;
    for (unsigned i = 0; i < p->threads; i++) {
        workers[i] = (struct worker){
            .run = run, .index = i, .random = p->seed * 1000003 + i, .pauses = i, .last = i};
        if (run->session) {
            char name[32];
            snprintf(name, sizeof name, "worker-%u", i + 1);
            workers[i].thread = ditto_thread_start(ditto_main_thread(run->session), name);
        }
        if (pthread_create(&threads[i], NULL, work, &workers[i])) {
            perror("pthread_create");
            exit(1);
        }
    }
}

static void join_all(struct run *run, struct worker *workers, pthread_t *threads)
{
    for (unsigned i = 0; i < run->parameters->threads; i++) {
        struct ditto_thread *thread = workers[i].thread;
        if (thread)
            ditto_join_begin(ditto_main_thread(run->session), thread);
        pthread_join(threads[i], NULL);
        if (thread) {
            ditto_join_end(ditto_main_thread(run->session), thread);
            ditto_thread_release(thread);
        }
    }
}

void micro_run(const struct micro_parameters *parameters, struct ditto_session *session,
               struct micro_result *result)
{
    struct run run = {.parameters = parameters, .session = session, .result = result};
    struct worker *workers = calloc(parameters->threads, sizeof *workers);
    pthread_t *threads = calloc(parameters->threads, sizeof *threads);
    run.objects = calloc(parameters->objects, sizeof *run.objects);
    if (!workers || !threads || !run.objects) {
        perror("micro");
        exit(1);
    }
    memset(result->memory, 0, sizeof(uint64_t) * parameters->objects * parameters->fields);
    for (unsigned i = 0; i < parameters->objects; i++) {
        run.objects[i].fields = &result->memory[(size_t)i * parameters->fields];
        pthread_mutex_init(&run.objects[i].mutex, NULL);
    }
    pthread_barrier_init(&run.together, NULL, parameters->threads);
    start_all(&run, workers, threads);
    join_all(&run, workers, threads);
    pthread_barrier_destroy(&run.together);
    for (unsigned i = 0; i < parameters->objects; i++) {
        pthread_mutex_destroy(&run.objects[i].mutex);
        ditto_cell_release(&run.objects[i].cell);
    }
    free(run.objects);
    free(threads);
    free(workers);
}
