/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/forward.h"

#include "core/engine/timeline.h"
#include "gdb-plugin/machine/moving.h"
#include "gdb-plugin/machine/present.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/requests.h"
#include "gdb-plugin/machine/spares.h"

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

void go_forward(struct ditto_machine *machine, const struct ditto_go *go, struct ditto_halt *halt)
{
    struct ditto_error error;
    struct replica *jvm = machine->jvm;
    if (!jvm || jvm->lost)
        jvm = machine_jvm(machine);
    if (!jvm && (jvm = bring_to_position(machine, &machine->present, &error)))
        machine->jvm = jvm;
    if (!jvm) {
        halt_lost(halt, &error);
        return;
    }
    if (go->going != DITTO_GO_ON && is_over(machine, go->thread)) {
        halt->why = DITTO_WHY_END;
        halt->thread = go->thread;
        return;
    }
    struct ditto_message_go request = {.pace = DITTO_ONE_BY_ONE, .limit = UINT64_MAX};
    request_fill(machine, go, &request);
    request.walker = go->thread;
    request.from = go->from;
    request.to = go->to;
    if (go->going == DITTO_GO_STEP)
        request.walk = DITTO_WALK_STEP;
    else if (go->going == DITTO_GO_RANGE)
        request.walk = DITTO_WALK_RANGE;
    bool good = replica_go(jvm, &request, NULL);
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

/* A move of all threads that was interrupted is at no cut: it goes on to the next one. */
static bool settle(struct replica *jvm)
{
    uint64_t clock = jvm->at.clock;
    while (jvm->halt.why == DITTO_HALT_HELD) {
        const struct ditto_message_go go = {.pace = DITTO_TOGETHER, .limit = clock};
        if (!replica_go(jvm, &go, NULL))
            return false;
    }
    return true;
}

void go_to_clock(struct ditto_machine *machine, uint64_t clock, struct ditto_halt *halt)
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
