/* SPDX-License-Identifier: MIT */
/*
 * Resuming: gdb's addresses become the machine's breakpoints and watches, and a halt becomes a
 * stop.
 *
 * gdb dies of an internal error if a thread stops that it has not resumed.  It resumes one alone to
 * step over a breakpoint that it has taken away for that moment, and when its user has locked the
 * scheduler.  So such a resumption is always answered for its thread.  If another one must stop
 * before a step is done, the thread is shown at its root, and the stop of the other is kept for the
 * next time that gdb resumes; while one thread runs on alone, the others do not stop.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb-plugin/session.h"
#include "jvm-bridge/bytecode.h"
#include "jvm-bridge/classfile.h"

/* Why a breakpoint of a run is there. */
enum trap_kind {
    TRAP_POINT, /* gdb's */
    TRAP_LOCAL, /* an instruction that stores to a local that gdb watches */
    TRAP_ROOT   /* a return from a thread's first method, while gdb waits at the thread's root */
};

struct trap {
    enum trap_kind kind;
    uint64_t address;          /* of gdb's breakpoint */
    const struct point *point; /* TRAP_LOCAL: the watchpoint */
    uint32_t thread;           /* TRAP_LOCAL: whose frame */
    uint64_t fp;               /* and which */
};

struct aim {
    struct session *session;
    struct ditto_run run;
    struct ditto_code *codes;
    struct trap *traps; /* one for each of the codes */
    size_t trap_count, trap_capacity;
    struct ditto_watch *watches;
    uint64_t *watch_addresses; /* what gdb calls each; 0 for those of break-write */
    const struct point **watch_points;
    size_t watch_count, watch_capacity;
    bool root_wanted, throw_wanted, hook_wanted;
    uint32_t only; /* the thread that all stops are of, STACKS_MAX: any */
};

/* ----------------------------------------------------------------- what to look for */

static void *grown(void *array, size_t count, size_t size)
{
    void *larger = realloc(array, count * size);
    if (!larger)
        abort();
    return larger;
}

static void add_trap(struct aim *aim, struct ditto_code code, struct trap trap)
{
    if (aim->trap_count == aim->trap_capacity) {
        aim->trap_capacity = aim->trap_capacity ? 2 * aim->trap_capacity : 16;
        aim->codes = grown(aim->codes, aim->trap_capacity, sizeof *aim->codes);
        aim->traps = grown(aim->traps, aim->trap_capacity, sizeof *aim->traps);
    }
    aim->codes[aim->trap_count] = code;
    aim->traps[aim->trap_count++] = trap;
}

static void add_watch(struct aim *aim, struct ditto_watch watch, uint64_t address,
                      const struct point *point)
{
    if (aim->watch_count == aim->watch_capacity) {
        aim->watch_capacity = aim->watch_capacity ? 2 * aim->watch_capacity : 16;
        aim->watches = grown(aim->watches, aim->watch_capacity, sizeof *aim->watches);
        aim->watch_addresses =
            grown(aim->watch_addresses, aim->watch_capacity, sizeof *aim->watch_addresses);
        aim->watch_points =
            grown(aim->watch_points, aim->watch_capacity, sizeof *aim->watch_points);
    }
    aim->watches[aim->watch_count] = watch;
    aim->watch_addresses[aim->watch_count] = address;
    aim->watch_points[aim->watch_count++] = point;
}

static void add_breakpoint(struct aim *aim, uint64_t address)
{
    int32_t bci;
    const struct program_method *method = program_method_at(aim->session->program, address, &bci);
    if (address >= ROOT_BASE && address < THROW_BASE)
        aim->root_wanted = true;
    else if (address >= THROW_BASE && address < HOOK_BASE)
        aim->throw_wanted = true;
    else if (address >= HOOK_BASE && address < CODE_BASE)
        aim->hook_wanted = !aim->run.back;
    else if (method)
        add_trap(aim, (struct ditto_code){program_handle(aim->session->machine, method), bci},
                 (struct trap){.kind = TRAP_POINT, .address = address});
}

/* The instruction's local, if it changes one. */
static bool stores_to(const struct ditto_insn *insn, unsigned slot)
{
    uint32_t local, slots;
    if (insn->opcode == DITTO_OP_IINC)
        return insn->operand == slot;
    return ditto_insn_stores(insn, &local, &slots) && slot >= local && slot < local + slots;
}

/* gdb watches a word of a stack: the stores to that local of that frame are what can change it. */
static void add_local_watch(struct aim *aim, const struct point *point)
{
    struct session *session = aim->session;
    uint64_t thread = (point->address - STACKS_BASE) >> STACK_SHIFT;
    if (!session_has_thread(session, to_gdb((uint32_t)thread)))
        return;
    const struct view_stack *stack = view_stack(&session->view, (uint32_t)thread);
    for (size_t i = 0; i < stack->count; i++) {
        const struct view_frame *frame = &stack->frames[i];
        const struct program_method *method = frame->method;
        if (!method || point->address >= frame->fp ||
            point->address < frame->fp - 8 * (uint64_t)method->max_locals)
            continue;
        unsigned slot = (unsigned)((frame->fp - point->address - 1) / 8);
        struct ditto_insn insn;
        for (uint32_t bci = 0;
             bci < method->size && ditto_insn_decode(method->code, method->size, bci, &insn);
             bci += insn.size) {
            if (stores_to(&insn, slot))
                add_trap(
                    aim,
                    (struct ditto_code){program_handle(session->machine, method), (int32_t)bci},
                    (struct trap){.kind = TRAP_LOCAL,
                                  .point = point,
                                  .address = point->address,
                                  .thread = (uint32_t)thread,
                                  .fp = frame->fp});
        }
        return;
    }
}

static enum ditto_watch_kind kind_of(const struct point *point)
{
    return point->type == 2   ? DITTO_WATCH_WRITE
           : point->type == 3 ? DITTO_WATCH_READ
                              : DITTO_WATCH_BOTH;
}

static void add_field_watch(struct aim *aim, const struct point *point, uint64_t object,
                            const struct program_field *field, uint64_t address)
{
    add_watch(aim,
              (struct ditto_watch){.kind = kind_of(point),
                                   .object = object,
                                   .class_name = field->owner->name,
                                   .field = field->name,
                                   .descriptor = field->descriptor},
              address, point);
}

static void add_object_watch(struct aim *aim, const struct point *point)
{
    struct session *session = aim->session;
    uint64_t object = view_object(point->address), end = point->address + point->length;
    const char *class_name = ditto_machine_class_ever(session->machine, object);
    const struct program_class *class =
        class_name ? program_class(session->program, class_name) : NULL;
    for (; class; class = class->super) {
        for (size_t i = 0; i < class->field_count; i++) {
            uint64_t at = HEAP_BASE + (object << OBJECT_SHIFT) + class->fields[i].offset;
            if (at < end && at + 8 > point->address)
                add_field_watch(aim, point, object, &class->fields[i], at);
        }
    }
}

static void add_element_watch(struct aim *aim, const struct point *point)
{
    enum { MOST = 4096 };
    struct ditto_machine *machine = aim->session->machine;
    uint64_t object = view_object(point->address);
    uint64_t first = ELEMENTS_BASE + (object << ELEMENTS_SHIFT) + ELEMENTS_POINT;
    const char *class_name = ditto_machine_class_ever(machine, object);
    int64_t length = ditto_machine_length(machine, object);
    if (!class_name || class_name[0] != '[' || point->address + point->length <= first)
        return;
    if (length < 0)
        length = INT64_MAX; /* it is not made yet: then there is no telling */
    unsigned size = program_element_size(class_name[1]);
    int64_t from = point->address < first ? 0 : (int64_t)((point->address - first) / size);
    for (int64_t i = from; i < length && i - from < MOST &&
                           first + (uint64_t)i * size < point->address + point->length;
         i++)
        add_watch(aim, (struct ditto_watch){.kind = kind_of(point), .object = object, .index = i},
                  first + (uint64_t)i * size, point);
}

static void add_watchpoint(struct aim *aim, const struct point *point)
{
    uint64_t at = point->address, end = at + point->length;
    const struct program *program = aim->session->program;
    if (at >= STATICS_BASE && at < HUBS_BASE) {
        for (uint64_t i = (at - STATICS_BASE) / 8;
             i < program->static_count && STATICS_BASE + i * 8 < end; i++)
            add_field_watch(aim, point, 0, program->statics[i], STATICS_BASE + i * 8);
    } else if (at >= STACKS_BASE && at < HEAP_BASE) {
        add_local_watch(aim, point);
    } else if (at >= HEAP_BASE && at < HEAP_END) {
        add_object_watch(aim, point);
    } else if (at >= ELEMENTS_BASE && at < TEXTS_BASE) {
        add_element_watch(aim, point);
    }
    /* Nothing else ever changes. */
}

/* The first method of every thread, if gdb waits for a thread to come back to its root. */
static void add_root_traps(struct aim *aim)
{
    struct session *session = aim->session;
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(session->machine, &views);
    for (size_t i = 0; i < count; i++) {
        if (views[i].life != DITTO_ALIVE && views[i].life != DITTO_BLOCKED)
            continue;
        const struct view_stack *stack = view_stack(&session->view, views[i].replay_id);
        const struct program_method *method =
            stack->count > 1 ? stack->frames[stack->count - 2].method : NULL;
        struct ditto_insn insn;
        for (uint32_t bci = 0; method && bci < method->size &&
                               ditto_insn_decode(method->code, method->size, bci, &insn);
             bci += insn.size) {
            if (insn.opcode >= DITTO_OP_IRETURN && insn.opcode <= DITTO_OP_RETURN)
                add_trap(
                    aim,
                    (struct ditto_code){program_handle(session->machine, method), (int32_t)bci},
                    (struct trap){.kind = TRAP_ROOT});
        }
    }
}

static void take_aim(struct aim *aim, struct session *session, bool with_removed)
{
    aim->session = session;
    for (size_t i = 0; i < session->point_count; i++) {
        if (session->points[i].type <= 1)
            add_breakpoint(aim, session->points[i].address);
        else
            add_watchpoint(aim, &session->points[i]);
    }
    for (size_t i = 0; with_removed && i < session->removed_count; i++)
        add_breakpoint(aim, session->removed[i].address);
    for (size_t i = 0; i < session->request_count; i++)
        add_watch(aim, session->requests[i].watch, 0, NULL);
    if (aim->root_wanted && !aim->run.back)
        add_root_traps(aim);
    aim->run.at_throw = aim->throw_wanted || aim->hook_wanted;
    aim->run.breakpoints = aim->codes;
    aim->run.breakpoint_count = aim->trap_count;
    aim->run.watches = aim->watches;
    aim->run.watch_count = aim->watch_count;
}

static void drop_aim(struct aim *aim)
{
    free(aim->codes);
    free(aim->traps);
    free(aim->watches);
    free(aim->watch_addresses);
    free(aim->watch_points);
}

/* -------------------------------------------------------------------------- moving */

/* Runs the machine once; gdb can interrupt it, or go. */
static void move(struct session *session, const struct ditto_run *run, struct ditto_halt *halt)
{
    memset(halt, 0, sizeof *halt);
    session_busy_begin(session);
    ditto_machine_run(session->machine, run, halt);
    bool interrupted = session_busy_end(session);
    /* A Ctrl-C that came too late to interrupt the run is answered by its stop all the same. */
    if (interrupted && (halt->why == DITTO_WHY_STEPPED || session->over))
        halt->why = DITTO_WHY_INTERRUPTED;
    view_changed(&session->view);
}

static bool is_point(const struct session *session, uint64_t address)
{
    for (size_t i = 0; i < session->point_count; i++)
        if (session->points[i].type <= 1 && session->points[i].address == address)
            return true;
    return false;
}

/* The trap that a breakpoint halt means: gdb's own before ours, if both are at one place. */
static const struct trap *trap_of(const struct aim *aim, const struct ditto_halt *halt)
{
    const struct ditto_code *code = &aim->codes[halt->breakpoint];
    for (size_t i = 0; i < aim->trap_count; i++)
        if (aim->traps[i].kind == TRAP_POINT && aim->codes[i].method == code->method &&
            aim->codes[i].bci == code->bci)
            return &aim->traps[i];
    const struct view_stack *stack = view_stack(&aim->session->view, halt->thread);
    for (size_t i = 0; i < aim->trap_count; i++) {
        const struct trap *trap = &aim->traps[i];
        if (aim->codes[i].method != code->method || aim->codes[i].bci != code->bci)
            continue;
        if (trap->kind == TRAP_LOCAL && trap->thread == halt->thread &&
            stack->frames[0].fp == trap->fp)
            return trap;
        if (trap->kind == TRAP_ROOT && stack->count == 2)
            return trap;
    }
    return NULL;
}

/* What a run came to, in gdb's terms. */
struct outcome {
    struct ditto_halt halt;
    const struct trap *trap; /* of a breakpoint */
    bool caught;             /* of a throw: it has happened, and the thread is where it is caught */
};

/* One step more of the thread that halted, for traps whose effect comes after them. */
static bool step_more(struct aim *aim, struct outcome *outcome)
{
    struct ditto_run step = aim->run;
    uint32_t thread = outcome->halt.thread;
    step.going = DITTO_GO_STEP;
    step.back = false;
    step.thread = thread;
    move(aim->session, &step, &outcome->halt);
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
    if (view_stack(&aim->session->view, thread)->count == 1)
        return aim->run.going != DITTO_GO_ON || outcome->trap;
    outcome->halt.why = DITTO_WHY_THROW;
    outcome->halt.thread = thread;
    outcome->caught = true;
    return true;
}

/* A watched store that the thread is about to make: the machine does not halt where it begins. */
static const struct trap *trap_here(const struct aim *aim, uint32_t thread)
{
    const struct view_frame *top = &view_stack(&aim->session->view, thread)->frames[0];
    for (size_t i = 0; i < aim->trap_count; i++)
        if (aim->traps[i].kind == TRAP_LOCAL && aim->traps[i].thread == thread &&
            aim->traps[i].fp == top->fp && aim->codes[i].bci == top->bci)
            return &aim->traps[i];
    return NULL;
}

static bool begin_on_trap(struct aim *aim, uint32_t thread, struct outcome *outcome)
{
    const struct trap *trap = aim->run.back ? NULL : trap_here(aim, thread);
    if (!trap)
        return false;
    outcome->halt.thread = thread;
    if (step_more(aim, outcome) && !outcome->trap) {
        outcome->halt.why = DITTO_WHY_BREAKPOINT;
        outcome->trap = trap;
    }
    return true;
}

/* Whether it is something that a thread has come upon, and not the end of a run. */
static bool is_of_thread(const struct ditto_halt *halt)
{
    return halt->why == DITTO_WHY_BREAKPOINT || halt->why == DITTO_WHY_WATCH ||
           halt->why == DITTO_WHY_THROW;
}

/* Goes on until there is something to tell gdb. */
static void go(struct aim *aim, struct outcome *outcome)
{
    struct session *session = aim->session;
    struct ditto_halt *halt = &outcome->halt;
    const struct trap *trap;
    for (;;) {
        move(session, &aim->run, halt);
        outcome->trap = NULL;
        if (!session->over && is_of_thread(halt) && aim->run.going == DITTO_GO_ON &&
            aim->only < STACKS_MAX && halt->thread != aim->only)
            continue;
        if (!session->over && halt->why == DITTO_WHY_THROW && !aim->throw_wanted) {
            if (find_catcher(aim, outcome))
                return;
            continue;
        }
        if (session->over || halt->why != DITTO_WHY_BREAKPOINT)
            return;
        outcome->trap = trap = trap_of(aim, halt);
        if (!trap)
            continue; /* the same bytecode in a frame that nobody watches */
        if (trap->kind == TRAP_POINT || (trap->kind == TRAP_LOCAL && aim->run.back))
            return;
        struct ditto_halt before = *halt;
        if (!step_more(aim, outcome))
            return;
        if (trap->kind == TRAP_LOCAL || view_stack(&session->view, before.thread)->count == 1) {
            *halt = before; /* it is this trap that is told, now that it has happened */
            outcome->trap = trap;
            return;
        }
        if (aim->run.going == DITTO_GO_STEP || outcome->trap)
            return;
    }
}

/* ---------------------------------------------------------------------------- stops */

void run_describe(struct session *session, int signal, uint32_t thread, const char *reason)
{
    uint8_t bytes[VIEW_REGISTERS_SIZE];
    bool known[VIEW_REGISTERS_SIZE];
    static const unsigned expedited[] = {6, 7, 16};
    session->stop.size = 0;
    session->shown = false;
    session->current = thread;
    session->general = to_gdb(thread);
    put_format(&session->stop, "T%02xthread:%x;%s", (unsigned)signal, to_gdb(thread), reason);
    view_pointers(&session->view, thread, bytes, known);
    for (size_t i = 0; i < sizeof expedited / sizeof *expedited; i++) {
        size_t offset, size;
        view_register(expedited[i], &offset, &size);
        put_format(&session->stop, "%x:", expedited[i]);
        for (size_t b = 0; b < size; b++)
            put_format(&session->stop, "%02x", bytes[offset + b]);
        put_format(&session->stop, ";");
    }
}

/* break-write's own words; gdb prints them before it shows where it is. */
static void say_write(struct session *session, const struct write_request *request,
                      const struct ditto_halt *halt, bool back)
{
    struct ditto_buf text = {0};
    struct ditto_position position;
    ditto_machine_position(session->machine, &position);
    put_format(&text, "\n%s write %" PRIu64 " of %s, at clock %" PRIu64 ", by thread %u \"%s\": ",
               back ? "Before" : "After", halt->nth, request->text, position.clock,
               to_gdb(halt->thread), thread_name(session, halt->thread));
    put_value(session, &text, request->watch.descriptor, &halt->before);
    put_format(&text, " -> ");
    put_value(session, &text, request->watch.descriptor, &halt->after);
    put_format(&text, ", in ");
    put_place(session, &text, &halt->place);
    session_say(session, "%.*s\n", (int)text.size, (char *)text.data);
    ditto_buf_free(&text);
}

static void describe_watch(struct session *session, const struct aim *aim,
                           const struct ditto_halt *halt)
{
    static const char *const names[] = {"watch", "rwatch", "awatch"};
    char reason[64];
    if (halt->watch >= aim->watch_count || !aim->watch_points[halt->watch]) {
        size_t own = aim->watch_count - session->request_count;
        if (halt->watch >= own && halt->watch < aim->watch_count)
            say_write(session, &session->requests[halt->watch - own], halt, aim->run.back);
        run_describe(session, 0, halt->thread, "");
        return;
    }
    snprintf(reason, sizeof reason, "%s:%" PRIx64 ";",
             names[aim->watch_points[halt->watch]->type - 2], aim->watch_addresses[halt->watch]);
    run_describe(session, 5, halt->thread, reason);
}

static void describe_breakpoint(struct session *session, const struct trap *trap,
                                const struct ditto_halt *halt)
{
    char reason[64] = "";
    if (trap && trap->kind == TRAP_LOCAL)
        snprintf(reason, sizeof reason, "%s:%" PRIx64 ";",
                 trap->point->type == 3   ? "rwatch"
                 : trap->point->type == 4 ? "awatch"
                                          : "watch",
                 trap->address);
    else if (session->swbreak)
        strcpy(reason, "swbreak:;");
    run_describe(session, 5, halt->thread, reason);
}

static void describe(struct session *session, const struct aim *aim, const struct outcome *outcome)
{
    const struct ditto_halt *halt = &outcome->halt;
    struct ditto_position position;
    ditto_machine_position(session->machine, &position);
    if (aim->only < STACKS_MAX)
        position.thread = aim->only;
    switch (halt->why) {
    case DITTO_WHY_STEPPED:
        run_describe(session, 5, halt->thread, "");
        break;
    case DITTO_WHY_BREAKPOINT:
        describe_breakpoint(session, outcome->trap, halt);
        break;
    case DITTO_WHY_WATCH:
        describe_watch(session, aim, halt);
        break;
    case DITTO_WHY_THROW:
        if (outcome->caught)
            session->view.catching = halt->thread;
        else
            session->view.throwing = session->before_throw = halt->thread;
        view_changed(&session->view);
        run_describe(session, 5, halt->thread, session->swbreak ? "swbreak:;" : "");
        break;
    case DITTO_WHY_BEGIN:
        run_describe(session, 5, position.thread, "replaylog:begin;");
        break;
    case DITTO_WHY_END:
        run_describe(session, 5, position.thread, "replaylog:end;");
        break;
    case DITTO_WHY_INTERRUPTED:
        run_describe(session, 2, position.thread, "");
        break;
    case DITTO_WHY_LOST:
        session_say(session,
                    "ditto: the replay is lost: %s\nStart again with `run`, or with `target`.\n",
                    halt->error.text);
        run_describe(session, 6, position.thread, "");
        break;
    }
}

/* ------------------------------------------------------------------------- resuming */

/* Every thread where it really is. */
static void show_all(struct session *session)
{
    struct view *view = &session->view;
    view->parked = view->throwing = view->catching = STACKS_MAX;
    view_changed(view);
}

static void make_jump(struct session *session, uint32_t only)
{
    struct ditto_run run = {.going = DITTO_GO_ON, .back = session->jump == JUMP_BEGIN};
    struct outcome outcome = {0};
    struct ditto_position position;
    if (session->jump == JUMP_CLOCK) {
        run.going = DITTO_GO_TO_CLOCK;
        run.clock = session->jump_clock;
    }
    session->jump = JUMP_NONE;
    move(session, &run, &outcome.halt);
    ditto_machine_position(session->machine, &position);
    if (outcome.halt.why == DITTO_WHY_LOST || outcome.halt.why == DITTO_WHY_INTERRUPTED) {
        struct aim none = {.only = only};
        describe(session, &none, &outcome);
        return;
    }
    run_describe(session, 0, only < STACKS_MAX ? only : position.thread, "");
}

void run_restart(struct session *session)
{
    struct ditto_run run = {.going = DITTO_GO_ON, .back = true};
    struct ditto_halt halt;
    struct ditto_position position;
    session->jump = JUMP_NONE;
    session->pending = false;
    show_all(session);
    session->before_throw = STACKS_MAX;
    move(session, &run, &halt);
    ditto_machine_position(session->machine, &position);
    run_describe(session, 5, position.thread, "");
}

/* Shows a thread at its root, and leaves time where it is. */
static void park(struct session *session, uint32_t thread)
{
    session->view.parked = thread;
    view_changed(&session->view);
    run_describe(session, 5, thread, "");
}

/* The breakpoint that gdb took away, and on which the thread stands; NULL if there is none. */
static const struct removal *removed_below(struct session *session, uint32_t thread)
{
    uint64_t pc = view_stack(&session->view, thread)->frames[0].pc;
    for (size_t i = 0; i < session->removed_count; i++)
        if (session->removed[i].address == pc)
            return &session->removed[i];
    return NULL;
}

/*
 * Whether gdb lets the thread step over a breakpoint.  Told that history ends there, it would wait
 * for the end of that step for ever.
 */
static bool steps_over(struct session *session, const struct resumption *r)
{
    return r->alone && r->going != DITTO_GO_ON && removed_below(session, r->thread);
}

static enum ditto_life life_of(struct session *session, uint32_t thread)
{
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(session->machine, &views);
    for (size_t i = 0; i < count; i++)
        if (views[i].replay_id == thread)
            return views[i].life;
    return DITTO_OVER;
}

/* A range of addresses as bytecodes of the method that the thread is in; false if it is none. */
static bool set_range(struct session *session, struct ditto_run *run, const struct resumption *r)
{
    int32_t from, to;
    const struct program_method *method = program_method_at(session->program, r->from, &from);
    const struct view_frame *top = &view_stack(&session->view, r->thread)->frames[0];
    if (!method || method != top->method || r->to <= r->from)
        return false;
    to = (int32_t)(r->to - method->base > method->size + UINT64_C(1) ? method->size + UINT64_C(1)
                                                                     : r->to - method->base) -
         1;
    if (top->bci < from || top->bci >= to)
        return false;
    run->from = from;
    run->to = to;
    return true;
}

/* Steps that need no move: those of threads that cannot, and out of what is only shown. */
static bool answer_in_place(struct session *session, const struct resumption *r)
{
    const struct removal *below = removed_below(session, r->thread);
    bool inside = session->view.throwing == r->thread || session->view.catching == r->thread;
    bool step = r->going != DITTO_GO_ON;
    /* A scheduler that is locked tells a step over a breakpoint from any other in nothing. */
    bool passing = r->back && below && below->for_step && !session->was_alone;
    if (r->alone && step && (session->jump || passing)) {
        park(session, r->thread);
        session->removed_count = 0;
        return true;
    }
    if (inside && step && !r->back) {
        show_all(session);
        run_describe(session, 5, r->thread, "");
        return true;
    }
    if (step && !session->jump) {
        enum ditto_life life = life_of(session, r->thread);
        bool stuck = r->back ? life == DITTO_NOT_STARTED : life == DITTO_OVER;
        if (stuck && steps_over(session, r)) {
            park(session, r->thread);
            session->removed_count = 0;
            return true;
        }
        if (life == DITTO_OVER && !r->back) {
            run_describe(session, 5, r->thread, "replaylog:end;");
            return true;
        }
        if (life == DITTO_NOT_STARTED && r->back) {
            run_describe(session, 5, r->thread, "replaylog:begin;");
            return true;
        }
    }
    return false;
}

/* A stop that was kept is told now, if gdb still wants it. */
static bool tell_pending(struct session *session, uint32_t only)
{
    if (!session->pending)
        return false;
    session->pending = false;
    if (only < STACKS_MAX && session->pending_halt.thread != only)
        return false;
    struct aim aim = {.only = only};
    struct outcome outcome = {.halt = session->pending_halt, .caught = session->pending_caught};
    take_aim(&aim, session, false);
    bool wanted = session->pending_halt.why != DITTO_WHY_BREAKPOINT ||
                  is_point(session, session->pending_address);
    if (wanted)
        describe(session, &aim, &outcome);
    drop_aim(&aim);
    return wanted;
}

static void resume(struct session *session, const struct resumption *r)
{
    uint32_t only = r->alone ? r->thread : STACKS_MAX;
    if (answer_in_place(session, r))
        return;
    bool over = steps_over(session, r);
    uint32_t thrower = r->back ? STACKS_MAX : session->before_throw;
    session->before_throw = STACKS_MAX;
    show_all(session);
    if (session->jump) {
        session->pending = false;
        make_jump(session, only);
        session->removed_count = 0;
        return;
    }
    session->pending = session->pending && session->pending_back == r->back;
    if (tell_pending(session, only)) {
        session->removed_count = 0;
        return;
    }
    struct aim aim = {.run = {.going = r->going, .back = r->back, .thread = r->thread},
                      .only = only};
    struct outcome outcome = {0};
    if (r->going == DITTO_GO_RANGE && !set_range(session, &aim.run, r))
        aim.run.going = DITTO_GO_STEP;
    bool alone = r->alone && r->going != DITTO_GO_ON;
    take_aim(&aim, session, alone);
    outcome.halt.thread = thrower;
    bool told = thrower < STACKS_MAX && aim.hook_wanted && find_catcher(&aim, &outcome);
    if (!told && !begin_on_trap(&aim, r->thread, &outcome))
        go(&aim, &outcome);
    session->removed_count = 0;
    const struct ditto_halt *halt = &outcome.halt;
    if (alone && is_of_thread(halt) && halt->thread != r->thread) {
        session->pending = true;
        session->pending_halt = *halt;
        session->pending_caught = outcome.caught;
        session->pending_back = r->back;
        session->pending_address = outcome.trap ? outcome.trap->address : 0;
        park(session, r->thread);
    } else if (over && (halt->why == DITTO_WHY_END || halt->why == DITTO_WHY_BEGIN)) {
        park(session, r->thread);
    } else {
        describe(session, &aim, &outcome);
    }
    drop_aim(&aim);
}

void run_resume(struct session *session, const struct resumption *r)
{
    resume(session, r);
    session->was_alone = r->alone;
}
