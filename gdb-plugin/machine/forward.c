/* SPDX-License-Identifier: MIT */
/* Moving: forwards with the JVM at the present, to a clock with any that can. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine/timeline.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/state.h"

void request_fill(struct ditto_machine *machine, const struct ditto_run *run,
                  struct ditto_wire_run *request)
{
    request->breaks = calloc(run->breakpoint_count + 1, sizeof *request->breaks);
    request->watches = calloc(run->watch_count + 1, sizeof *request->watches);
    if (!request->breaks || !request->watches)
        abort();
    for (size_t i = 0; i < run->breakpoint_count; i++) {
        const struct ditto_code *code = &run->breakpoints[i];
        request->breaks[request->break_count++] = (struct ditto_wire_break){
            code->method->class_name, code->method->name, code->method->descriptor, code->bci};
    }
    for (size_t i = 0; i < run->watch_count; i++) {
        const struct ditto_watch *watch = &run->watches[i];
        struct replica *jvm = watch->object ? machine_jvm(machine) : NULL;
        uint64_t key = jvm ? key_of_number(&machine->numbers, jvm, watch->object) : 0;
        request->watches[request->watch_count++] =
            (struct ditto_wire_watch){.kind = (uint8_t)watch->kind,
                                      /* A number that is no object here matches nothing. */
                                      .key = watch->object && !key ? UINT64_MAX : key,
                                      .class_name = watch->class_name,
                                      .field = watch->field,
                                      .descriptor = watch->descriptor,
                                      .index = watch->index,
                                      .nth = watch->nth};
    }
    if (run->at_throw)
        request->flags |= DITTO_RUN_THROWS;
}

void request_free(struct ditto_wire_run *request)
{
    free(request->breaks);
    free(request->watches);
}

void halt_lost(struct ditto_halt *halt, const struct ditto_error *error)
{
    halt->why = DITTO_WHY_LOST;
    halt->error = *error;
}

/* What the JVM's last answer tells of a hit. */
void halt_from_hit(struct ditto_machine *machine, struct replica *replica,
                   const struct ditto_wire_hit *hit, const struct spot *at,
                   const struct ditto_method *place, struct ditto_halt *halt)
{
    halt->thread = at->thread;
    switch (hit->why) {
    case DITTO_HALT_BREAK:
        halt->why = DITTO_WHY_BREAKPOINT;
        halt->breakpoint = hit->index;
        break;
    case DITTO_HALT_WATCH:
        halt->why = DITTO_WHY_WATCH;
        halt->watch = hit->index;
        halt->before = machine_value(machine, replica, hit->old);
        halt->after = machine_value(machine, replica, hit->new);
        halt->nth = hit->nth;
        halt->place = (struct ditto_code){place, hit->bci};
        break;
    default:
        halt->why = DITTO_WHY_THROW;
    }
}

static void halt_from_answer(struct ditto_machine *machine, struct replica *replica,
                             struct ditto_halt *halt)
{
    halt->thread = replica->at.thread;
    switch (replica->halt.why) {
    case DITTO_HALT_BREAK:
    case DITTO_HALT_WATCH:
    case DITTO_HALT_THROW:
        halt_from_hit(machine, replica, &replica->halt.hit, &replica->hit_at,
                      replica_method(replica, replica->halt.hit.method), halt);
        break;
    case DITTO_HALT_END:
        halt->why = DITTO_WHY_END;
        break;
    case DITTO_HALT_HELD:
        halt->why = DITTO_WHY_INTERRUPTED;
        break;
    default:
        halt->why = DITTO_WHY_STEPPED;
    }
}

void machine_move(struct ditto_machine *machine, struct replica *jvm)
{
    struct replica *old = machine->jvm;
    machine->jvm = jvm;
    machine->present = jvm->at;
    shown_free(machine);
    log_free(&machine->log);
    hits_forget(machine);
    if (old && old != jvm)
        spare_keep(machine, old);
}

/* A thread that has ended has no steps any more. */
static bool is_over(struct ditto_machine *machine, uint32_t thread)
{
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(machine, &views);
    for (size_t i = 0; i < count; i++)
        if (views[i].replay_id == thread)
            return views[i].life == DITTO_OVER;
    return false;
}

static void run_forward(struct ditto_machine *machine, const struct ditto_run *run,
                        struct ditto_halt *halt)
{
    struct ditto_error error;
    struct replica *jvm = machine->jvm;
    if (!jvm || jvm->lost)
        jvm = machine_jvm(machine);
    if (!jvm && (jvm = bring_to_spot(machine, &machine->present, &error)))
        machine->jvm = jvm;
    if (!jvm) {
        halt_lost(halt, &error);
        return;
    }
    if (run->going != DITTO_GO_ON && is_over(machine, run->thread)) {
        halt->why = DITTO_WHY_END;
        halt->thread = run->thread;
        return;
    }
    struct ditto_wire_run request = {.pace = DITTO_ONE_BY_ONE, .limit = UINT64_MAX};
    request_fill(machine, run, &request);
    request.walker = run->thread;
    request.from = run->from;
    request.to = run->to;
    if (run->going == DITTO_GO_STEP)
        request.walk = DITTO_WALK_STEP;
    else if (run->going == DITTO_GO_RANGE)
        request.walk = DITTO_WALK_RANGE;
    bool good = replica_run(jvm, &request, NULL);
    request_free(&request);
    if (good) {
        machine_move(machine, jvm);
        halt_from_answer(machine, jvm, halt);
    } else if (is_interrupted(&machine->recording.interrupts) && !jvm->told) {
        /* It did not stop in time: the present is still where it was, and others can go there. */
        machine->jvm = NULL;
        replica_end(jvm);
        halt->why = DITTO_WHY_INTERRUPTED;
    } else {
        halt_lost(halt, &jvm->error);
    }
}

/* A run of all threads that was interrupted is at no cut: it goes on to the next one. */
static bool settle(struct replica *jvm)
{
    uint64_t clock = jvm->at.clock;
    while (jvm->halt.why == DITTO_HALT_HELD) {
        const struct ditto_wire_run run = {.pace = DITTO_TOGETHER, .limit = clock};
        if (!replica_run(jvm, &run, NULL))
            return false;
    }
    return true;
}

static void go_to_clock(struct ditto_machine *machine, uint64_t clock, struct ditto_halt *halt)
{
    struct ditto_error error;
    /* The present's JVM is one of those that may be nearest. */
    struct replica *old = machine->jvm;
    if (old) {
        old->next = machine->spares;
        machine->spares = old;
        machine->jvm = NULL;
    }
    struct replica *jvm = bring_to_cut(machine, clock, &error);
    if (!jvm) {
        halt_lost(halt, &error);
        if (is_interrupted(&machine->recording.interrupts))
            halt->why = DITTO_WHY_INTERRUPTED;
        return;
    }
    bool interrupted = jvm->halt.why == DITTO_HALT_HELD;
    atomic_store_explicit(&machine->recording.interrupts.interrupted, false, memory_order_release);
    if (!settle(jvm)) {
        halt_lost(halt, &jvm->error);
        replica_end(jvm);
        return;
    }
    machine_move(machine, jvm);
    halt->thread = machine->present.thread;
    halt->why = interrupted                       ? DITTO_WHY_INTERRUPTED
                : jvm->halt.why == DITTO_HALT_END ? DITTO_WHY_END
                                                  : DITTO_WHY_STEPPED;
}

void ditto_machine_run(struct ditto_machine *machine, const struct ditto_run *run,
                       struct ditto_halt *halt)
{
    *halt = (struct ditto_halt){.why = DITTO_WHY_STEPPED, .thread = machine->present.thread};
    interrupts_forget(&machine->recording.interrupts);
    if (run->going == DITTO_GO_TO_CLOCK)
        go_to_clock(machine, run->clock, halt);
    else if (run->back)
        run_back(machine, run, halt);
    else
        run_forward(machine, run, halt);
    /* Where no JVM is nobody may look: gdb may only pass by. */
    if (machine->jvm)
        spares_replenish(machine);
}

void ditto_machine_interrupt(struct ditto_machine *machine)
{
    interrupt(&machine->recording.interrupts);
}

void hits_forget(struct ditto_machine *machine)
{
    hits_free(&machine->hits);
    if (!machine->log.count)
        hits_free(&machine->watched);
}

void shown_free(struct ditto_machine *machine)
{
    free(machine->shown.frames);
    machine->shown = (struct stack){0};
}
