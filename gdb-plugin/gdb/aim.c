/* SPDX-License-Identifier: MIT */
/* gdb's addresses become the machine's breakpoints and watches. */
#include "gdb-plugin/gdb/aim.h"

#include <stdlib.h>
#include <xxhash.h>

#include "core/base/list.h"
#include "gdb-plugin/gdb/breakpoints.h"
#include "jvm-bridge/classfile/bytecode.h"

static void add_trap(struct aim *aim, struct ditto_location location, struct trap trap)
{
    DITTO_MAKE_ROOM(aim->locations, aim->trap_count, aim->location_room, 1);
    aim->locations[aim->trap_count] = location;
    DITTO_PUSH(aim->traps, aim->trap_count, aim->trap_room, trap);
}

static void add_watch(struct aim *aim, struct ditto_watch watch, uint64_t address,
                      const struct breakpoint *watchpoint)
{
    DITTO_MAKE_ROOM(aim->watch_addresses, aim->watch_count, aim->address_room, 1);
    DITTO_MAKE_ROOM(aim->watchpoints, aim->watch_count, aim->watchpoint_room, 1);
    aim->watch_addresses[aim->watch_count] = address;
    aim->watchpoints[aim->watch_count] = watchpoint;
    DITTO_PUSH(aim->watches, aim->watch_count, aim->watch_room, watch);
}

static void add_breakpoint(struct aim *aim, uint64_t address, const struct breakpoint *breakpoint)
{
    int32_t bci;
    const struct program_method *method = program_method_at(aim->client->program, address, &bci);
    if (address >= ROOT_BASE && address < THROW_BASE)
        aim->root_wanted = true;
    else if (address >= THROW_BASE && address < HOOK_BASE)
        aim->throw_wanted = true;
    else if (address >= HOOK_BASE && address < CODE_BASE)
        aim->hook_wanted = !aim->go.back;
    else if (method)
        add_trap(
            aim, (struct ditto_location){program_handle(aim->client->machine, method), bci},
            (struct trap){.kind = TRAP_BREAKPOINT, .address = address, .breakpoint = breakpoint});
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
static void add_local_watch(struct aim *aim, const struct breakpoint *watchpoint)
{
    struct client *client = aim->client;
    uint64_t thread = (watchpoint->address - STACKS_BASE) >> STACK_SHIFT;
    if (!client_has_thread(client, to_gdb((uint32_t)thread)))
        return;
    const struct view_stack *stack = view_stack(&client->view, (uint32_t)thread);
    for (size_t i = 0; i < stack->count; i++) {
        const struct view_frame *frame = &stack->frames[i];
        const struct program_method *method = frame->method;
        if (!method || watchpoint->address >= frame->fp ||
            watchpoint->address < frame->fp - 8 * (uint64_t)method->max_locals)
            continue;
        unsigned slot = (unsigned)((frame->fp - watchpoint->address - 1) / 8);
        struct ditto_insn insn;
        for (uint32_t bci = 0;
             bci < method->size && ditto_insn_decode(method->code, method->size, bci, &insn);
             bci += insn.size) {
            if (stores_to(&insn, slot))
                add_trap(
                    aim,
                    (struct ditto_location){program_handle(client->machine, method), (int32_t)bci},
                    (struct trap){.kind = TRAP_LOCAL,
                                  .breakpoint = watchpoint,
                                  .address = watchpoint->address,
                                  .thread = (uint32_t)thread,
                                  .fp = frame->fp});
        }
        return;
    }
}

static enum ditto_watch_kind kind_of(const struct breakpoint *watchpoint)
{
    return watchpoint->type == 2   ? DITTO_WATCH_WRITE
           : watchpoint->type == 3 ? DITTO_WATCH_READ
                                   : DITTO_WATCH_BOTH;
}

static void add_field_watch(struct aim *aim, const struct breakpoint *watchpoint, uint64_t object,
                            const struct program_field *field, uint64_t address)
{
    add_watch(aim,
              (struct ditto_watch){.kind = kind_of(watchpoint),
                                   .object = object,
                                   .class_name = field->owner->name,
                                   .field = field->name,
                                   .descriptor = field->descriptor},
              address, watchpoint);
}

static void add_object_watch(struct aim *aim, const struct breakpoint *watchpoint)
{
    struct client *client = aim->client;
    uint64_t object = view_object(watchpoint->address),
             end = watchpoint->address + watchpoint->length;
    const char *class_name = ditto_machine_class_ever(client->machine, object);
    const struct program_class *class =
        class_name ? program_shape(client->program, client->machine, class_name) : NULL;
    for (; class; class = class->super) {
        for (size_t i = 0; i < class->field_count; i++) {
            uint64_t at = HEAP_BASE + (object << OBJECT_SHIFT) + class->fields[i].offset;
            if (at < end && at + 8 > watchpoint->address)
                add_field_watch(aim, watchpoint, object, &class->fields[i], at);
        }
    }
}

static void add_element_watch(struct aim *aim, const struct breakpoint *watchpoint)
{
    enum { MOST = 4096 };
    struct ditto_machine *machine = aim->client->machine;
    uint64_t object = view_object(watchpoint->address);
    uint64_t first = ELEMENTS_BASE + (object << ELEMENTS_SHIFT) + ELEMENTS_POINT;
    const char *class_name = ditto_machine_class_ever(machine, object);
    int64_t length = ditto_machine_length(machine, object);
    if (!class_name || class_name[0] != '[' || watchpoint->address + watchpoint->length <= first)
        return;
    if (length < 0)
        length = INT64_MAX; /* it is not made yet: then there is no telling */
    unsigned size = program_element_size(class_name[1]);
    int64_t from =
        watchpoint->address < first ? 0 : (int64_t)((watchpoint->address - first) / size);
    for (int64_t i = from; i < length && i - from < MOST &&
                           first + (uint64_t)i * size < watchpoint->address + watchpoint->length;
         i++)
        add_watch(aim,
                  (struct ditto_watch){.kind = kind_of(watchpoint), .object = object, .index = i},
                  first + (uint64_t)i * size, watchpoint);
}

static void add_watchpoint(struct aim *aim, const struct breakpoint *watchpoint)
{
    uint64_t at = watchpoint->address, end = at + watchpoint->length;
    const struct program *program = aim->client->program;
    if (at >= STATICS_BASE && at < HUBS_BASE) {
        for (uint64_t i = (at - STATICS_BASE) / 8;
             i < program->static_count && STATICS_BASE + i * 8 < end; i++)
            add_field_watch(aim, watchpoint, 0, program->statics[i], STATICS_BASE + i * 8);
    } else if (at >= STACKS_BASE && at < HEAP_BASE) {
        add_local_watch(aim, watchpoint);
    } else if (at >= HEAP_BASE && at < HEAP_END) {
        add_object_watch(aim, watchpoint);
    } else if (at >= ELEMENTS_BASE && at < TEXTS_BASE) {
        add_element_watch(aim, watchpoint);
    }
    /* Nothing else ever changes. */
}

/* The first method of every thread, if gdb waits for a thread to come back to its root. */
static void add_root_traps(struct aim *aim)
{
    struct client *client = aim->client;
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(client->machine, &views);
    for (size_t i = 0; i < count; i++) {
        if (views[i].life != DITTO_ALIVE && views[i].life != DITTO_BLOCKED)
            continue;
        const struct view_stack *stack = view_stack(&client->view, views[i].replay_id);
        const struct program_method *method =
            stack->count > 1 ? stack->frames[stack->count - 2].method : NULL;
        struct ditto_insn insn;
        for (uint32_t bci = 0; method && bci < method->size &&
                               ditto_insn_decode(method->code, method->size, bci, &insn);
             bci += insn.size) {
            if (ditto_is_return(insn.opcode))
                add_trap(
                    aim,
                    (struct ditto_location){program_handle(client->machine, method), (int32_t)bci},
                    (struct trap){.kind = TRAP_ROOT});
        }
    }
}

/*
 * Whether one of gdb's breakpoints at the bytecode that the thread has come to is to stop it, or
 * something else is there.
 *
 * A breakpoint of gdb's own that is at the same address is not told to us: gdb has one there
 * already.  Forwards it has such ones where functions begin and where they return to, so there it
 * evaluates conditions itself; backwards it has them before the first bytecode of a function, when
 * it continues in the middle of a step, and then it is asked, too.
 */
static bool holds(const struct aim *aim, const struct ditto_halt *halt)
{
    const struct ditto_location *location = &aim->locations[halt->breakpoint];
    bool others = false, breakpoints = false;
    for (size_t i = 0; i < aim->trap_count; i++) {
        const struct trap *trap = &aim->traps[i];
        if (aim->locations[i].method != location->method || aim->locations[i].bci != location->bci)
            continue;
        if (trap->kind != TRAP_BREAKPOINT)
            others = true;
        else if (!trap->breakpoint ||
                 breakpoint_holds(trap->breakpoint, &aim->client->view, halt->thread))
            return true;
        else
            breakpoints = true;
    }
    return others || !breakpoints;
}

static bool wanted(void *context, const struct ditto_halt *halt)
{
    const struct aim *aim = context;
    view_changed(&aim->client->view);
    bool held = holds(aim, halt);
    view_changed(&aim->client->view);
    return held;
}

/* What makes the question: all conditions, in their order. */
static uint64_t hash_conditions(const struct client *client)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < client->breakpoint_count; i++)
        for (size_t c = 0; c < client->breakpoints[i].condition_count; c++) {
            const struct condition *condition = &client->breakpoints[i].conditions[c];
            hash = XXH3_64bits_withSeed(condition->code, condition->size,
                                        hash ^ client->breakpoints[i].address);
        }
    return hash;
}

void take_aim(struct aim *aim, struct client *client, bool with_removed)
{
    aim->client = client;
    for (size_t i = 0; i < client->breakpoint_count; i++) {
        if (client->breakpoints[i].type <= 1)
            add_breakpoint(aim, client->breakpoints[i].address, &client->breakpoints[i]);
        else
            add_watchpoint(aim, &client->breakpoints[i]);
    }
    for (size_t i = 0; with_removed && i < client->removed_count; i++)
        add_breakpoint(aim, client->removed[i].address, NULL);
    for (size_t i = 0; i < client->request_count; i++)
        add_watch(aim, client->requests[i].watch, 0, NULL);
    if (aim->root_wanted && !aim->go.back)
        add_root_traps(aim);
    aim->go.at_throw = aim->throw_wanted || aim->hook_wanted;
    aim->go.breakpoints = aim->locations;
    aim->go.breakpoint_count = aim->trap_count;
    aim->go.watches = aim->watches;
    aim->go.watch_count = aim->watch_count;
    aim->go.question = hash_conditions(client);
    if (aim->go.question && aim->go.back && aim->go.going == DITTO_GO_ON && !client->stepping) {
        aim->go.wanted = wanted;
        aim->go.context = aim;
    }
}

void drop_aim(struct aim *aim)
{
    free(aim->locations);
    free(aim->traps);
    free(aim->watches);
    free(aim->watch_addresses);
    free(aim->watchpoints);
}
