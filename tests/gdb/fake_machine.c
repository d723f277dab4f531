/* SPDX-License-Identifier: MIT */
/*
 * The machine of gdb-plugin/machine/machine.h over the toy JVM.  Its traces are texts:
 *
 *     classes DIRECTORY     class files, as often as one likes
 *     sources DIRECTORY     for gdb
 *     main CLASS
 *     switch EVENTS         another thread's turn after so many events
 *     slow MICROSECONDS     for each step, to have something to interrupt
 *
 * To go back it runs again from the beginning, up to a step earlier.
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/gdb/toy_jvm.h"

struct ditto_machine {
    struct toy_program program;
    struct toy_run run;
    struct ditto_thread_view views[TOY_THREADS];
    char names[TOY_THREADS][64]; /* of all threads of the whole run */
    size_t thread_count;
    uint64_t last_time, last_clock;
    struct ditto_location *frames;
    uint64_t *held;
    const char *sources[8];
    size_t source_count;
    unsigned slow;
    struct ditto_machine_options options;
    atomic_bool interrupted; /* set by another thread or a signal's handler */
};

/* ---------------------------------------------------------------- coming and going */

static bool take_line(struct ditto_machine *machine, char *line, char *main_class)
{
    char *rest = NULL, *word = strtok_r(line, " \n", &rest), *value = strtok_r(NULL, " \n", &rest);
    if (!word || !value)
        return !word;
    if (strcmp(word, "classes") == 0)
        return toy_load(&machine->program, value);
    if (strcmp(word, "sources") == 0 && machine->source_count < 8)
        return (machine->sources[machine->source_count++] = strdup(value)) != NULL;
    if (strcmp(word, "switch") == 0)
        machine->program.switch_after = (unsigned)atoi(value);
    else if (strcmp(word, "slow") == 0)
        machine->slow = (unsigned)atoi(value);
    else if (strcmp(word, "main") == 0)
        snprintf(main_class, 256, "%s", value);
    else
        return false;
    return true;
}

static void restart(struct ditto_machine *machine, uint64_t time)
{
    toy_free(&machine->run);
    toy_start(&machine->run, &machine->program);
    while (machine->run.time < time && toy_next(&machine->run) >= 0)
        toy_step(&machine->run);
}

/* Learns what there is to know of the whole run. */
static void look_ahead(struct ditto_machine *machine)
{
    enum { LONGEST = 1000000 };
    toy_start(&machine->run, &machine->program);
    while (machine->run.time < LONGEST && toy_next(&machine->run) >= 0)
        toy_step(&machine->run);
    machine->last_time = machine->run.time;
    machine->last_clock = machine->run.clock;
    machine->thread_count = machine->run.thread_count;
    for (size_t i = 0; i < machine->thread_count; i++)
        strcpy(machine->names[i], machine->run.threads[i].name);
    restart(machine, 0);
}

struct ditto_machine *ditto_machine_open(const char *trace,
                                         const struct ditto_machine_options *options,
                                         struct ditto_error *error)
{
    char line[1024], main_class[256] = "Main";
    FILE *in = fopen(trace, "r");
    if (!in) {
        ditto_error_set(error, "%s: cannot be opened", trace);
        return NULL;
    }
    struct ditto_machine *machine = calloc(1, sizeof *machine);
    machine->program.switch_after = 3;
    machine->options = *options;
    bool good = true;
    while (good && fgets(line, sizeof line, in))
        good = take_line(machine, line, main_class);
    fclose(in);
    if (!good || !toy_find_main(&machine->program, main_class)) {
        ditto_error_set(error, "%s: is no trace of the toy JVM", trace);
        ditto_machine_close(machine);
        return NULL;
    }
    look_ahead(machine);
    return machine;
}

void ditto_machine_close(struct ditto_machine *machine)
{
    toy_free(&machine->run);
    toy_unload(&machine->program);
    for (size_t i = 0; i < machine->source_count; i++)
        free((char *)machine->sources[i]);
    free(machine->frames);
    free(machine->held);
    free(machine);
}

/* --------------------------------------------------------------------- the program */

bool ditto_machine_classes(struct ditto_machine *machine,
                           bool (*each)(void *context, const char *name, const uint8_t *bytes,
                                        size_t length),
                           void *context, struct ditto_error *error)
{
    (void)error;
    for (size_t i = 0; i < machine->program.class_count; i++) {
        const struct toy_class *class = machine->program.classes[i];
        if (!each(context, class->name, class->bytes, class->length))
            break;
    }
    return true;
}

uint8_t *ditto_machine_jdk_class(struct ditto_machine *machine, const char *name, size_t *length)
{
    (void)machine, (void)name, (void)length;
    return NULL;
}

const struct ditto_method *ditto_machine_method(struct ditto_machine *machine,
                                                const char *class_name, const char *name,
                                                const char *descriptor)
{
    static const struct ditto_method unknown = {"", "", ""};
    for (size_t i = 0; i < machine->program.class_count; i++) {
        const struct toy_class *class = machine->program.classes[i];
        for (size_t m = 0; strcmp(class->name, class_name) == 0 && m < class->method_count; m++)
            if (strcmp(class->methods[m].handle.name, name) == 0 &&
                strcmp(class->methods[m].handle.descriptor, descriptor) == 0)
                return &class->methods[m].handle;
    }
    return &unknown;
}

size_t ditto_machine_source_paths(struct ditto_machine *machine, const char *const **paths)
{
    *paths = machine->sources;
    return machine->source_count;
}

/* ------------------------------------------------------------------------- looking */

void ditto_machine_position(struct ditto_machine *machine, struct ditto_position *position)
{
    const struct toy_run *run = &machine->run;
    const struct toy_thread *thread = &run->threads[run->last];
    *position =
        (struct ditto_position){run->clock, (uint32_t)run->last, thread->events, thread->step};
}

uint64_t ditto_machine_last_clock(struct ditto_machine *machine)
{
    return machine->last_clock;
}

static void explain(const struct toy_run *run, const struct toy_thread *thread,
                    struct ditto_thread_view *view)
{
    if (thread->wanted) {
        view->waiting = DITTO_WAITS_FOR_MONITOR;
        view->object = thread->wanted;
        view->on = (uint32_t)run->objects[thread->wanted].owner;
    } else {
        view->waiting = DITTO_WAITS_FOR_END;
        view->on = (uint32_t)thread->joins;
    }
}

size_t ditto_machine_threads(struct ditto_machine *machine, const struct ditto_thread_view **views)
{
    for (size_t i = 0; i < machine->thread_count; i++) {
        bool there = i < machine->run.thread_count;
        const struct toy_thread *thread = &machine->run.threads[i];
        machine->views[i] = (struct ditto_thread_view){
            .replay_id = (uint32_t)i,
            .name = machine->names[i],
            .life = there ? thread->life : DITTO_NOT_STARTED,
            .on = DITTO_NOBODY,
        };
        if (machine->views[i].life == DITTO_BLOCKED)
            explain(&machine->run, thread, &machine->views[i]);
    }
    *views = machine->views;
    return machine->thread_count;
}

size_t ditto_machine_held(struct ditto_machine *machine, uint32_t thread, const uint64_t **objects)
{
    size_t count = 0;
    machine->held = realloc(machine->held, (machine->run.object_count + 1) * sizeof *machine->held);
    for (size_t i = 1; i < machine->run.object_count; i++)
        if (machine->run.objects[i].owner == (int)thread)
            machine->held[count++] = i;
    *objects = machine->held;
    return count;
}

static struct toy_thread *thread_at(struct ditto_machine *machine, uint32_t thread)
{
    return thread < machine->run.thread_count ? &machine->run.threads[thread] : NULL;
}

size_t ditto_machine_frames(struct ditto_machine *machine, uint32_t number,
                            const struct ditto_location **frames)
{
    const struct toy_thread *thread = thread_at(machine, number);
    size_t count = thread ? thread->frame_count : 0;
    machine->frames = realloc(machine->frames, (count + 1) * sizeof *machine->frames);
    for (size_t i = 0; i < count; i++) {
        const struct toy_frame *frame = &thread->frames[count - 1 - i];
        int32_t bci = frame->bci;
        /* A caller's index is behind its invoke, which has 3 or 5 bytes; an initializer's caller is
         * still before its instruction. */
        if (i > 0 && !thread->frames[count - i].initializer && bci >= 3)
            bci -= bci >= 5 && frame->method->code.code[bci - 5] == 0xb9 ? 5 : 3;
        machine->frames[i] = (struct ditto_location){&frame->method->handle, bci};
    }
    *frames = machine->frames;
    return count;
}

bool ditto_machine_local(struct ditto_machine *machine, uint32_t number, size_t depth,
                         unsigned slot, char type, struct ditto_value *value)
{
    const struct toy_thread *thread = thread_at(machine, number);
    if (!thread || depth >= thread->frame_count)
        return false;
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1 - depth];
    if (slot >= frame->method->code.max_locals || !frame->locals[slot].type)
        return false;
    *value = frame->locals[slot];
    value->type = type;
    return true;
}

bool ditto_machine_returned(struct ditto_machine *machine, uint32_t thread,
                            struct ditto_value *value)
{
    const struct toy_run *run = &machine->run;
    if ((uint32_t)run->last != thread || !run->returned.type || run->returned.type == 'V')
        return false;
    *value = run->returned;
    return true;
}

static const struct toy_object *object_at(struct ditto_machine *machine, uint64_t object)
{
    return object && object < machine->run.object_count ? &machine->run.objects[object] : NULL;
}

const char *ditto_machine_class_of(struct ditto_machine *machine, uint64_t object)
{
    const struct toy_object *at = object_at(machine, object);
    return at ? at->class_name : NULL;
}

const char *ditto_machine_class_ever(struct ditto_machine *machine, uint64_t object)
{
    return ditto_machine_class_of(machine, object); /* a number says nothing of what is not made */
}

bool ditto_machine_field(struct ditto_machine *machine, uint64_t object, const char *class_name,
                         const char *field, const char *descriptor, struct ditto_value *value)
{
    struct toy_field *at =
        object_at(machine, object) ? toy_field(&machine->run, object, class_name, field, 0) : NULL;
    *value = (struct ditto_value){.type = descriptor[0]};
    if (at)
        *value = at->value;
    return object_at(machine, object) != NULL;
}

bool ditto_machine_static(struct ditto_machine *machine, const char *class_name, const char *field,
                          const char *descriptor, struct ditto_value *value)
{
    const struct toy_field *at = toy_field(&machine->run, 0, class_name, field, 0);
    *value = (struct ditto_value){.type = descriptor[0]};
    if (at)
        *value = at->value;
    return at != NULL;
}

int64_t ditto_machine_length(struct ditto_machine *machine, uint64_t array)
{
    const struct toy_object *at = object_at(machine, array);
    return at && at->class_name[0] == '[' ? at->length : -1;
}

size_t ditto_machine_elements(struct ditto_machine *machine, uint64_t array, int64_t first,
                              size_t count, struct ditto_value *values)
{
    const struct toy_object *at = object_at(machine, array);
    size_t done = 0;
    for (; at && done < count && first + (int64_t)done < at->length; done++)
        values[done] = at->elements[first + (int64_t)done];
    return done;
}

/* ------------------------------------------------------------------------- running */

static bool matches(const struct ditto_watch *watch, const struct toy_access *access)
{
    enum ditto_watch_kind kind = access->write ? DITTO_WATCH_WRITE : DITTO_WATCH_READ;
    if (!access->happened || !(watch->kind & kind) ||
        (watch->object && watch->object != access->object))
        return false;
    if (!watch->field)
        return !access->field && access->index == watch->index;
    return access->field && strcmp(watch->field, access->field) == 0 &&
           strcmp(watch->class_name, access->class_name) == 0;
}

/* How often it has been written from the beginning up to this time. */
static uint64_t writes_until(struct ditto_machine *machine, const struct ditto_watch *watch,
                             uint64_t time)
{
    struct toy_run run;
    uint64_t writes = 0;
    toy_start(&run, &machine->program);
    while (run.time < time && toy_next(&run) >= 0) {
        toy_step(&run);
        writes += matches(watch, &run.access) && run.access.write;
    }
    toy_free(&run);
    return writes;
}

/* The watch that the step which ended at this time has met. */
static bool met_watch(struct ditto_machine *machine, const struct ditto_go *go,
                      const struct toy_run *at, struct ditto_halt *halt)
{
    for (size_t i = 0; i < go->watch_count; i++) {
        if (!matches(&go->watches[i], &at->access))
            continue;
        uint64_t nth = writes_until(machine, &go->watches[i], at->time);
        if (go->watches[i].nth && go->watches[i].nth != nth)
            continue;
        halt->why = DITTO_WHY_WATCH;
        halt->thread = (uint32_t)at->last;
        halt->watch = i;
        halt->before = at->access.before;
        halt->after = at->access.after;
        halt->location = at->access.location;
        halt->nth = nth;
        return true;
    }
    return false;
}

/* A breakpoint or a throw that the next step would meet. */
static bool meets_code(const struct ditto_go *go, struct toy_run *at, struct ditto_halt *halt)
{
    int next = toy_next(at);
    if (next < 0)
        return false;
    const struct toy_thread *thread = &at->threads[next];
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    for (size_t i = 0; i < go->breakpoint_count; i++) {
        if (go->breakpoints[i].method != &frame->method->handle ||
            go->breakpoints[i].bci != frame->bci)
            continue;
        halt->why = DITTO_WHY_BREAKPOINT;
        halt->thread = (uint32_t)next;
        halt->breakpoint = i;
        return true;
    }
    if (!go->at_throw || !toy_next_throws(at))
        return false;
    halt->why = DITTO_WHY_THROW;
    halt->thread = (uint32_t)next;
    return true;
}

/* `time` is how far what takes long is, on the way to the end of the run. */
static bool is_disturbed(struct ditto_machine *machine, uint64_t time)
{
    double done = (double)time / (double)machine->last_time;
    if (machine->slow)
        usleep(machine->slow);
    if (machine->options.busy && machine->options.busy(machine->options.context, done))
        return true;
    return atomic_load(&machine->interrupted);
}

static bool in_range(const struct ditto_machine *machine, const struct ditto_go *go,
                     const struct ditto_method *method, size_t depth)
{
    const struct toy_thread *thread = &machine->run.threads[go->thread];
    if (go->thread >= machine->run.thread_count || thread->frame_count != depth || !depth)
        return false;
    const struct toy_frame *frame = &thread->frames[depth - 1];
    return &frame->method->handle == method && frame->bci >= go->from && frame->bci < go->to;
}

static void go_forward(struct ditto_machine *machine, const struct ditto_go *go,
                       struct ditto_halt *halt)
{
    const struct toy_thread *thread = thread_at(machine, go->thread);
    size_t depth = thread ? thread->frame_count : 0;
    const struct ditto_method *method = depth ? &thread->frames[depth - 1].method->handle : NULL;
    for (bool first = true;; first = false) {
        if (!first && meets_code(go, &machine->run, halt))
            return;
        if (toy_next(&machine->run) < 0) {
            halt->why = DITTO_WHY_END;
            return;
        }
        if (is_disturbed(machine, machine->run.time)) {
            halt->why = DITTO_WHY_INTERRUPTED;
            return;
        }
        toy_step(&machine->run);
        if (met_watch(machine, go, &machine->run, halt))
            return;
        if (go->going == DITTO_GO_ON || (uint32_t)machine->run.last != go->thread)
            continue;
        if (go->going == DITTO_GO_RANGE && in_range(machine, go, method, depth))
            continue;
        halt->why = DITTO_WHY_STEPPED;
        halt->thread = go->thread;
        return;
    }
}

/* Asks whether a breakpoint is wanted, with the machine there. */
static bool is_wanted(struct ditto_machine *machine, const struct ditto_go *go,
                      struct toy_run *past, const struct ditto_halt *halt)
{
    if (!go->wanted || go->going != DITTO_GO_ON || halt->why != DITTO_WHY_BREAKPOINT)
        return true;
    struct toy_run present = machine->run;
    machine->run = *past;
    bool wanted = go->wanted(go->context, halt);
    *past = machine->run;
    machine->run = present;
    return wanted;
}

/* The last moment before the present one that a run forward to here would have halted at. */
static void go_back(struct ditto_machine *machine, const struct ditto_go *go,
                    struct ditto_halt *halt)
{
    struct toy_run past;
    uint64_t end = machine->run.time, target = 0;
    halt->why = DITTO_WHY_BEGIN;
    toy_start(&past, &machine->program);
    while (past.time < end) {
        struct ditto_halt found = {0};
        uint64_t time = past.time;
        if (is_disturbed(machine, machine->run.time)) {
            halt->why = DITTO_WHY_INTERRUPTED;
            target = end;
            break;
        }
        bool met = meets_code(go, &past, &found) && is_wanted(machine, go, &past, &found);
        toy_step(&past);
        met = met_watch(machine, go, &past, &found) || met;
        if (!met && go->going != DITTO_GO_ON && (uint32_t)past.last == go->thread) {
            found.why = DITTO_WHY_STEPPED;
            found.thread = go->thread;
            met = true;
        }
        if (met) {
            *halt = found;
            target = time;
        }
    }
    toy_free(&past);
    restart(machine, target);
}

static void go_to_clock(struct ditto_machine *machine, uint64_t clock, struct ditto_halt *halt)
{
    restart(machine, 0);
    while (toy_next(&machine->run) >= 0 &&
           !(machine->run.clock == clock && toy_next_ticks(&machine->run)))
        toy_step(&machine->run);
    halt->why = DITTO_WHY_STEPPED;
    halt->thread = (uint32_t)machine->run.last;
}

void ditto_machine_go(struct ditto_machine *machine, const struct ditto_go *go,
                      struct ditto_halt *halt)
{
    memset(halt, 0, sizeof *halt);
    atomic_store(&machine->interrupted, false); /* it was meant for another call */
    if (go->going == DITTO_GO_TO_CLOCK)
        go_to_clock(machine, go->clock, halt);
    else if (go->back)
        go_back(machine, go, halt);
    else
        go_forward(machine, go, halt);
}

void ditto_machine_interrupt(struct ditto_machine *machine)
{
    atomic_store(&machine->interrupted, true);
}

/* ---------------------------------------------------------------------- questions */

struct ditto_writes {
    struct ditto_machine *machine;
    struct ditto_watch watch;
    struct toy_run run;
    struct ditto_write *all;
    size_t count;
};

struct ditto_writes *ditto_writes_begin(struct ditto_machine *machine,
                                        const struct ditto_watch *watch, struct ditto_error *error)
{
    struct ditto_writes *writes = calloc(1, sizeof *writes);
    (void)error;
    writes->machine = machine;
    writes->watch = *watch;
    toy_start(&writes->run, &machine->program);
    return writes;
}

int ditto_writes_look(struct ditto_writes *writes, double seconds, double *done,
                      struct ditto_error *error)
{
    struct ditto_machine *machine = writes->machine;
    struct toy_run *run = &writes->run;
    struct timespec began, now;
    clock_gettime(CLOCK_MONOTONIC, &began);
    atomic_store(&machine->interrupted, false);
    while (toy_next(run) >= 0) {
        toy_step(run);
        if (matches(&writes->watch, &run->access) && run->access.write) {
            writes->all = realloc(writes->all, (writes->count + 1) * sizeof *writes->all);
            writes->all[writes->count] = (struct ditto_write){
                .position = {run->clock, (uint32_t)run->last, run->threads[run->last].events, 0},
                .nth = writes->count + 1,
                .object = run->access.object,
                .before = run->access.before,
                .after = run->access.after,
                .location = run->access.location,
            };
            writes->count++;
        }
        *done = (double)run->time / (double)machine->last_time;
        if (is_disturbed(machine, run->time)) {
            ditto_error_set(error, "the toy was interrupted");
            return -1;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        if ((double)(now.tv_sec - began.tv_sec) + 1e-9 * (double)(now.tv_nsec - began.tv_nsec) >
            seconds)
            return 0;
    }
    return 1;
}

void ditto_writes_each(struct ditto_writes *writes,
                       bool (*each)(void *context, const struct ditto_write *write), void *context)
{
    for (size_t i = 0; i < writes->count; i++)
        if (!each(context, &writes->all[i]))
            return;
}

void ditto_writes_end(struct ditto_writes *writes)
{
    if (!writes)
        return;
    toy_free(&writes->run);
    free(writes->all);
    free(writes);
}

bool ditto_machine_compiled(struct ditto_machine *machine, const struct ditto_method *method,
                            struct ditto_compiled *compiled, struct ditto_error *error)
{
    (void)machine, (void)method, (void)error;
    *compiled = (struct ditto_compiled){0}; /* it interprets everything */
    return true;
}
