/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/resume.h"

#include <string.h>

#include "gdb-plugin/gdb/breakpoints.h"
#include "gdb-plugin/gdb/stops.h"

/* -------------------------------------------------------------------------- moving */

/* Runs the machine once; gdb can interrupt it, or go. */
static void move(struct client *client, const struct ditto_go *go, struct ditto_halt *halt)
{
    memset(halt, 0, sizeof *halt);
    client_busy_begin(client);
    ditto_machine_go(client->machine, go, halt);
    bool interrupted = client_busy_end(client);
    /* A Ctrl-C that came too late to interrupt the move is answered by its stop all the same,
     * unless gdb goes on from there by itself. */
    if (interrupted && (halt->why == DITTO_WHY_STEPPED || client->over))
        halt->why = DITTO_WHY_INTERRUPTED;
    else if (interrupted && halt->why != DITTO_WHY_INTERRUPTED)
        client->interrupted = true;
    view_changed(&client->view);
}

static bool is_breakpoint(const struct client *client, uint64_t address)
{
    for (size_t i = 0; i < client->breakpoint_count; i++)
        if (client->breakpoints[i].type <= 1 && client->breakpoints[i].address == address)
            return true;
    return false;
}

/* The trap that a breakpoint halt means: gdb's own before ours, if both are at one location. */
static const struct trap *trap_of(const struct aim *aim, const struct ditto_halt *halt)
{
    const struct ditto_location *location = &aim->locations[halt->breakpoint];
    for (size_t i = 0; i < aim->trap_count; i++)
        if (aim->traps[i].kind == TRAP_BREAKPOINT && aim->locations[i].method == location->method &&
            aim->locations[i].bci == location->bci)
            return &aim->traps[i];
    const struct view_stack *stack = view_stack(&aim->client->view, halt->thread);
    for (size_t i = 0; i < aim->trap_count; i++) {
        const struct trap *trap = &aim->traps[i];
        if (aim->locations[i].method != location->method || aim->locations[i].bci != location->bci)
            continue;
        if (trap->kind == TRAP_LOCAL && trap->thread == halt->thread &&
            stack->frames[0].fp == trap->fp)
            return trap;
        if (trap->kind == TRAP_ROOT && stack->count == 2)
            return trap;
    }
    return NULL;
}

/* One step more of the thread that halted, for traps whose effect comes after them. */
static bool step_more(struct aim *aim, struct outcome *outcome)
{
    struct ditto_go step = aim->go;
    uint32_t thread = outcome->halt.thread;
    step.going = DITTO_GO_STEP;
    step.back = false;
    step.thread = thread;
    move(aim->client, &step, &outcome->halt);
    outcome->trap = NULL;
    if (outcome->halt.why == DITTO_WHY_BREAKPOINT)
        outcome->trap = trap_of(aim, &outcome->halt);
    bool stepped = outcome->halt.why == DITTO_WHY_STEPPED ||
                   (outcome->halt.why == DITTO_WHY_BREAKPOINT && outcome->halt.thread == thread);
    return stepped && outcome->halt.thread == thread;
}

/*
 * gdb wants to know where an exception is caught: lets it be thrown.  False if the thread is not
 * somewhere else now because of it, and there is nothing to tell.
 */
static bool find_catcher(struct aim *aim, struct outcome *outcome)
{
    uint32_t thread = outcome->halt.thread;
    if (!step_more(aim, outcome))
        return true;
    if (view_stack(&aim->client->view, thread)->count == 1)
        return aim->go.going != DITTO_GO_ON || outcome->trap;
    outcome->halt.why = DITTO_WHY_THROW;
    outcome->halt.thread = thread;
    outcome->caught = true;
    return true;
}

/* A watched store that the thread is about to make: the machine does not halt where it begins. */
static const struct trap *trap_here(const struct aim *aim, uint32_t thread)
{
    const struct view_frame *top = &view_stack(&aim->client->view, thread)->frames[0];
    for (size_t i = 0; i < aim->trap_count; i++)
        if (aim->traps[i].kind == TRAP_LOCAL && aim->traps[i].thread == thread &&
            aim->traps[i].fp == top->fp && aim->locations[i].bci == top->bci)
            return &aim->traps[i];
    return NULL;
}

static bool begin_on_trap(struct aim *aim, uint32_t thread, struct outcome *outcome)
{
    const struct trap *trap = aim->go.back ? NULL : trap_here(aim, thread);
    if (!trap)
        return false;
    outcome->halt.thread = thread;
    if (step_more(aim, outcome) && !outcome->trap) {
        outcome->halt.why = DITTO_WHY_BREAKPOINT;
        outcome->trap = trap;
    }
    return true;
}

/* Whether it is something that a thread has come upon, and not the end of the trace. */
static bool is_of_thread(const struct ditto_halt *halt)
{
    return halt->why == DITTO_WHY_BREAKPOINT || halt->why == DITTO_WHY_WATCH ||
           halt->why == DITTO_WHY_THROW;
}

/* Goes on until there is something to tell gdb. */
static void go_on(struct aim *aim, struct outcome *outcome)
{
    struct client *client = aim->client;
    struct ditto_halt *halt = &outcome->halt;
    const struct trap *trap;
    for (;;) {
        move(client, &aim->go, halt);
        outcome->trap = NULL;
        if (!client->over && is_of_thread(halt) && aim->go.going == DITTO_GO_ON &&
            aim->only < STACKS_MAX && halt->thread != aim->only)
            continue;
        if (!client->over && halt->why == DITTO_WHY_THROW && !aim->throw_wanted) {
            if (find_catcher(aim, outcome))
                return;
            continue;
        }
        if (client->over || halt->why != DITTO_WHY_BREAKPOINT)
            return;
        outcome->trap = trap = trap_of(aim, halt);
        if (!trap)
            continue; /* the same bytecode in a frame that nobody watches */
        if (trap->kind == TRAP_BREAKPOINT || (trap->kind == TRAP_LOCAL && aim->go.back))
            return;
        struct ditto_halt before = *halt;
        if (!step_more(aim, outcome))
            return;
        if (trap->kind == TRAP_LOCAL || view_stack(&client->view, before.thread)->count == 1) {
            *halt = before; /* it is this trap that is told, now that it has happened */
            outcome->trap = trap;
            return;
        }
        if (aim->go.going == DITTO_GO_STEP || outcome->trap)
            return;
    }
}

/* ------------------------------------------------------------------------- resuming */

/* Every thread where it really is. */
static void show_all(struct client *client)
{
    struct view *view = &client->view;
    view->parked = view->throwing = view->catching = STACKS_MAX;
    view_changed(view);
}

static void make_jump(struct client *client, uint32_t only)
{
    struct ditto_go go = {.going = DITTO_GO_ON, .back = client->jump == JUMP_BEGIN};
    struct outcome outcome = {0};
    struct ditto_position position;
    if (client->jump == JUMP_CLOCK) {
        go.going = DITTO_GO_TO_CLOCK;
        go.clock = client->jump_clock;
    }
    client->jump = JUMP_NONE;
    move(client, &go, &outcome.halt);
    ditto_machine_position(client->machine, &position);
    if (outcome.halt.why == DITTO_WHY_LOST || outcome.halt.why == DITTO_WHY_INTERRUPTED) {
        struct aim none = {.only = only};
        describe_stop(client, &none, &outcome);
        return;
    }
    describe_thread(client, 0, only < STACKS_MAX ? only : position.thread, "");
}

void restart_machine(struct client *client)
{
    struct ditto_go go = {.going = DITTO_GO_ON, .back = true};
    struct ditto_halt halt;
    struct ditto_position position;
    client->jump = JUMP_NONE;
    client->pending = false;
    show_all(client);
    client->before_throw = STACKS_MAX;
    move(client, &go, &halt);
    ditto_machine_position(client->machine, &position);
    describe_thread(client, 5, position.thread, "");
}

/* Shows a thread at its root, and leaves time where it is. */
static void park(struct client *client, uint32_t thread)
{
    client->view.parked = thread;
    view_changed(&client->view);
    describe_thread(client, 5, thread, "");
}

/* The breakpoint that gdb took away, and on which the thread stands; NULL if there is none. */
static const struct removal *removed_below(struct client *client, uint32_t thread)
{
    uint64_t pc = view_stack(&client->view, thread)->frames[0].pc;
    for (size_t i = 0; i < client->removed_count; i++)
        if (client->removed[i].address == pc)
            return &client->removed[i];
    return NULL;
}

/*
 * Whether gdb lets the thread step over a breakpoint.  Told that history ends there, it would wait
 * for the end of that step for ever.
 */
static bool steps_over(struct client *client, const struct resumption *r)
{
    return r->alone && r->going != DITTO_GO_ON && removed_below(client, r->thread);
}

static enum ditto_life life_of(struct client *client, uint32_t thread)
{
    const struct ditto_thread_view *views;
    /* Who has frames lives; to ask for more, on the way back, would take a JVM for each step. */
    if (view_stack(&client->view, thread)->count > 1)
        return DITTO_ALIVE;
    size_t count = ditto_machine_threads(client->machine, &views);
    for (size_t i = 0; i < count; i++)
        if (views[i].replay_id == thread)
            return views[i].life;
    return DITTO_OVER;
}

/* A range of addresses as bytecodes of the method that the thread is in; false if it is none. */
static bool set_range(struct client *client, struct ditto_go *go, const struct resumption *r)
{
    int32_t from, to;
    const struct program_method *method = program_method_at(client->program, r->from, &from);
    const struct view_frame *top = &view_stack(&client->view, r->thread)->frames[0];
    if (!method || method != top->method || r->to <= r->from)
        return false;
    to = (int32_t)(r->to - method->base > method->size + UINT64_C(1) ? method->size + UINT64_C(1)
                                                                     : r->to - method->base) -
         1;
    if (top->bci < from || top->bci >= to)
        return false;
    go->from = from;
    go->to = to;
    return true;
}

/* Steps that need no move: those of threads that cannot, and out of what is only shown. */
static bool answer_in_place(struct client *client, const struct resumption *r)
{
    const struct removal *below = removed_below(client, r->thread);
    bool inside = client->view.throwing == r->thread || client->view.catching == r->thread;
    bool step = r->going != DITTO_GO_ON;
    /* A scheduler that is locked tells a step over a breakpoint from any other in nothing. */
    bool passing = r->back && below && below->for_step && !client->was_alone;
    if (r->alone && step && (client->jump || passing)) {
        park(client, r->thread);
        client->removed_count = 0;
        return true;
    }
    if (inside && step && !r->back) {
        show_all(client);
        describe_thread(client, 5, r->thread, "");
        return true;
    }
    if (step && !client->jump) {
        enum ditto_life life = life_of(client, r->thread);
        bool stuck = r->back ? life == DITTO_NOT_STARTED : life == DITTO_OVER;
        if (stuck && steps_over(client, r)) {
            park(client, r->thread);
            client->removed_count = 0;
            return true;
        }
        if (life == DITTO_OVER && !r->back) {
            describe_thread(client, 5, r->thread, "replaylog:end;");
            return true;
        }
        if (life == DITTO_NOT_STARTED && r->back) {
            describe_thread(client, 5, r->thread, "replaylog:begin;");
            return true;
        }
    }
    return false;
}

/* A stop that was kept is told now, if gdb still wants it. */
static bool tell_pending(struct client *client, uint32_t only)
{
    if (!client->pending)
        return false;
    client->pending = false;
    if (only < STACKS_MAX && client->pending_halt.thread != only)
        return false;
    struct aim aim = {.only = only};
    struct outcome outcome = {.halt = client->pending_halt, .caught = client->pending_caught};
    take_aim(&aim, client, false);
    bool wanted = client->pending_halt.why != DITTO_WHY_BREAKPOINT ||
                  is_breakpoint(client, client->pending_address);
    if (wanted)
        describe_stop(client, &aim, &outcome);
    drop_aim(&aim);
    return wanted;
}

static void resume(struct client *client, const struct resumption *r)
{
    uint32_t only = r->alone ? r->thread : STACKS_MAX;
    if (answer_in_place(client, r))
        return;
    bool over = steps_over(client, r);
    uint32_t thrower = r->back ? STACKS_MAX : client->before_throw;
    client->before_throw = STACKS_MAX;
    show_all(client);
    if (client->jump) {
        client->pending = false;
        make_jump(client, only);
        client->removed_count = 0;
        return;
    }
    client->pending = client->pending && client->pending_back == r->back;
    if (tell_pending(client, only)) {
        client->removed_count = 0;
        return;
    }
    struct aim aim = {.go = {.going = r->going, .back = r->back, .thread = r->thread},
                      .only = only};
    struct outcome outcome = {0};
    if (r->going == DITTO_GO_RANGE && !set_range(client, &aim.go, r))
        aim.go.going = DITTO_GO_STEP;
    bool alone = r->alone && r->going != DITTO_GO_ON;
    take_aim(&aim, client, alone);
    outcome.halt.thread = thrower;
    bool told = thrower < STACKS_MAX && aim.hook_wanted && find_catcher(&aim, &outcome);
    if (!told && !begin_on_trap(&aim, r->thread, &outcome))
        go_on(&aim, &outcome);
    client->removed_count = 0;
    const struct ditto_halt *halt = &outcome.halt;
    if (alone && is_of_thread(halt) && halt->thread != r->thread) {
        client->pending = true;
        client->pending_halt = *halt;
        client->pending_caught = outcome.caught;
        client->pending_back = r->back;
        client->pending_address = outcome.trap ? outcome.trap->address : 0;
        park(client, r->thread);
    } else if (over && (halt->why == DITTO_WHY_END || halt->why == DITTO_WHY_BEGIN)) {
        park(client, r->thread);
    } else {
        describe_stop(client, &aim, &outcome);
    }
    drop_aim(&aim);
}

/*
 * gdb goes on by itself, past a breakpoint whose condition does not hold, say, and its user has
 * pressed Ctrl-C meanwhile.  A thread that is resumed alone passes the breakpoint first.
 */
static bool tell_interrupt(struct client *client, const struct resumption *r)
{
    client->interrupted = client->interrupted && !client->shown;
    if (!client->interrupted || r->alone)
        return false;
    client->interrupted = false;
    show_all(client);
    describe_thread(client, 2, client->current, "");
    return true;
}

void resume_machine(struct client *client, const struct resumption *r)
{
    if (tell_interrupt(client, r))
        return;
    if (client->shown)
        client->stepping = false;
    client->stepping = client->stepping || (r->going != DITTO_GO_ON && !r->alone);
    resume(client, r);
    client->was_alone = r->alone;
}
