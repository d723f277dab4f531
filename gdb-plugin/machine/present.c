/* SPDX-License-Identifier: MIT */
/* Looking at the present: threads, frames, locals, objects. */
#include "gdb-plugin/machine/present.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/spares.h"

struct replica *machine_jvm(struct ditto_machine *machine)
{
    struct ditto_error error;
    if (machine->jvm && machine->jvm->lost) {
        replica_end(machine->jvm);
        machine->jvm = NULL;
    }
    if (!machine->jvm) {
        machine->jvm = bring_to_position(machine, &machine->present, &error);
        spares_replenish(machine);
    }
    return machine->jvm;
}

/* A value of the message as the machine's. */
static struct ditto_value shown(struct ditto_machine *machine, struct replica *jvm,
                                struct ditto_message_value message, const struct way *way)
{
    struct ditto_value value = {.type = message.type};
    switch (message.type) {
    case 'F': {
        uint32_t bits = (uint32_t)message.bits;
        memcpy(&value.f, &bits, sizeof value.f);
        break;
    }
    case 'D':
        memcpy(&value.d, &message.bits, sizeof value.d);
        break;
    case 'L':
    case '[':
        value.object = number_of_key(&machine->numbers, jvm, message.bits, way);
        break;
    default:
        value.integer = (int64_t)message.bits;
    }
    return value;
}

struct ditto_value machine_value(struct ditto_machine *machine, struct replica *jvm,
                                 struct ditto_message_value message)
{
    const struct way none = {0};
    return shown(machine, jvm, message, &none);
}

/* The answer to a question for one value, if it has one. */
static bool take_value(struct ditto_machine *machine, struct replica *jvm, const struct way *way,
                       struct ditto_value *value)
{
    if (!replica_ask(jvm) || !ditto_message_get8(&jvm->in))
        return false;
    struct ditto_message_value message = ditto_message_get_value(&jvm->in);
    *value = shown(machine, jvm, message, way);
    return true;
}

/* ------------------------------------------------------------------------ time */

void ditto_machine_position(struct ditto_machine *machine, struct ditto_position *position)
{
    const struct position *present = &machine->present;
    *position = (struct ditto_position){
        .clock = present->clock,
        .thread = present->thread,
        .turn = present->turn,
        .step = present->kind == DITTO_POSITION_STEP ? present->step : DITTO_STEP_UNKNOWN};
}

/* Of a trace whose threads all ended it is known; else a JVM is sent to the end. */
uint64_t ditto_machine_last_clock(struct ditto_machine *machine)
{
    if (machine->recording.last_clock_known)
        return machine->recording.last_clock;
    struct ditto_error error;
    struct replica *jvm = bring_to_cut(machine, UINT64_MAX, &error);
    if (jvm && jvm->at.clock > machine->recording.last_clock)
        machine->recording.last_clock = jvm->at.clock;
    machine->recording.last_clock_known = jvm;
    if (jvm)
        spare_keep(machine, jvm);
    return machine->recording.last_clock;
}

/* --------------------------------------------------------------------- threads */

static const char *name_of(struct ditto_machine *machine, uint32_t id)
{
    const struct ditto_thread_info *info = ditto_reader_find_thread(machine->recording.reader, id);
    return info && info->name ? info->name : "";
}

/* The view of a thread with that id; NULL: the trace has none. */
static struct ditto_thread_view *view_of(struct ditto_machine *machine, uint32_t id, size_t *index)
{
    for (*index = 0; *index < machine->view_count; ++*index)
        if (machine->views[*index].replay_id == id)
            return &machine->views[*index];
    return NULL;
}

static void take_thread(struct ditto_machine *machine, struct ditto_message *in,
                        struct ditto_message_thread *answers)
{
    struct ditto_message_thread answer;
    size_t index;
    ditto_message_get_thread(in, &answer);
    struct ditto_thread_view *view = view_of(machine, answer.id, &index);
    if (!view)
        return;
    answers[index] = answer;
    view->life = answer.waits || answer.at_end ? DITTO_BLOCKED : DITTO_ALIVE;
    free(machine->whats[index]);
    view->what = machine->whats[index] = ditto_copy_text(answer.what, "a text");
}

/* What a blocked thread waits for; this may ask the JVM again. */
static void explain(struct ditto_machine *machine, struct replica *jvm,
                    const struct ditto_message_thread *answer, struct ditto_thread_view *view)
{
    const struct way none = {0};
    if (answer->awaits) {
        view->waiting = DITTO_WAITS_FOR_NOTIFICATION;
        view->object = number_of_key(&machine->numbers, jvm, answer->awaited, &none);
    } else if (answer->wants) {
        view->waiting = DITTO_WAITS_FOR_MONITOR;
        view->object = number_of_key(&machine->numbers, jvm, answer->wanted, &none);
        if (answer->holder && answer->holder != view->replay_id + 1)
            view->on = answer->holder - 1;
    } else if (answer->joined) {
        view->waiting = DITTO_WAITS_FOR_END;
        view->on = answer->joined - 1;
    } else if (answer->at_end) {
        view->waiting = DITTO_IS_AT_END;
    } else {
        view->waiting = DITTO_WAITS_FOR_ELSE;
    }
}

static void make_views(struct ditto_machine *machine)
{
    size_t count = ditto_reader_thread_count(machine->recording.reader);
    if (!machine->views) {
        machine->views = ditto_alloc_zeroed(count, sizeof *machine->views, "the threads");
        machine->whats = ditto_alloc_zeroed(count, sizeof *machine->whats, "the threads");
        machine->view_count = count;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t id = ditto_reader_thread(machine->recording.reader, i)->replay_id;
        machine->views[i] = (struct ditto_thread_view){.replay_id = id,
                                                       .name = name_of(machine, id),
                                                       .life = DITTO_NOT_STARTED,
                                                       .on = DITTO_NOBODY};
    }
}

size_t ditto_machine_threads(struct ditto_machine *machine, const struct ditto_thread_view **views)
{
    struct replica *jvm = machine_jvm(machine);
    make_views(machine);
    struct ditto_message_thread *answers =
        ditto_alloc_zeroed(machine->view_count, sizeof *answers, "the threads");
    uint32_t next = 0;
    if (jvm) {
        replica_begin(jvm, DITTO_ASK_THREADS);
        uint32_t living = replica_ask(jvm) ? ditto_message_get32(&jvm->in) : 0;
        for (uint32_t i = 0; i < living && !jvm->in.failed; i++)
            take_thread(machine, &jvm->in, answers);
        next = ditto_message_get32(&jvm->in);
    }
    for (size_t i = 0; i < machine->view_count; i++) {
        struct ditto_thread_view *view = &machine->views[i];
        if (view->life == DITTO_BLOCKED)
            explain(machine, jvm, &answers[i], view);
        else if (view->life == DITTO_NOT_STARTED && view->replay_id < next)
            view->life = DITTO_OVER;
    }
    free(answers);
    *views = machine->views;
    return machine->view_count;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

size_t ditto_machine_held(struct ditto_machine *machine, uint32_t thread, const uint64_t **objects)
{
    const struct way none = {0};
    struct replica *jvm = machine_jvm(machine);
    uint32_t count = 0;
    if (jvm) {
        replica_begin(jvm, DITTO_ASK_HELD);
        ditto_message_put32(&jvm->out, thread);
        count = replica_ask(jvm) ? ditto_message_get32(&jvm->in) : 0;
    }
    machine->held = ditto_grow(machine->held, count, sizeof *machine->held, "held monitors");
    for (uint32_t i = 0; i < count; i++)
        machine->held[i] = ditto_message_get64(&jvm->in);
    for (uint32_t i = 0; i < count; i++)
        machine->held[i] = number_of_key(&machine->numbers, jvm, machine->held[i], &none);
    qsort(machine->held, count, sizeof *machine->held, by_number);
    *objects = machine->held;
    return count;
}

/* ---------------------------------------------------------------------- frames */

static size_t ask_frames(struct ditto_machine *machine, struct replica *jvm, uint32_t thread)
{
    replica_begin(jvm, DITTO_ASK_FRAMES);
    ditto_message_put32(&jvm->out, thread);
    if (!replica_ask(jvm))
        return 0;
    uint32_t count = ditto_message_get32(&jvm->in), got = 0;
    machine->frames = ditto_grow(machine->frames, count, sizeof *machine->frames, "a stack");
    for (; got < count && !jvm->in.failed; got++) {
        uint32_t method = ditto_message_get32(&jvm->in);
        machine->frames[got].bci = (int32_t)ditto_message_get32(&jvm->in);
        machine->frames[got].method = replica_method(jvm, method);
    }
    return got;
}

size_t ditto_machine_frames(struct ditto_machine *machine, uint32_t thread,
                            const struct ditto_location **frames)
{
    size_t count = 0;
    if (!machine->jvm && machine->log.count &&
        log_frames(&machine->log, machine->log.at, thread, frames, &count, &machine->frames))
        return count;
    if (!machine->jvm && machine->shown.count && machine->present.thread == thread) {
        *frames = machine->shown.frames;
        return machine->shown.count;
    }
    struct replica *jvm = machine_jvm(machine);
    count = jvm ? ask_frames(machine, jvm, thread) : 0;
    *frames = machine->frames;
    return count;
}

bool ditto_machine_local(struct ditto_machine *machine, uint32_t thread, size_t depth,
                         unsigned slot, char type, struct ditto_value *value)
{
    struct replica *jvm = machine_jvm(machine);
    if (!jvm)
        return false;
    const struct way way = {
        .kind = WAY_LOCAL, .thread = thread, .depth = (uint32_t)depth, .index = slot};
    replica_begin(jvm, DITTO_ASK_LOCAL);
    ditto_message_put32(&jvm->out, thread);
    ditto_message_put32(&jvm->out, (uint32_t)depth);
    ditto_message_put32(&jvm->out, slot);
    ditto_message_put8(&jvm->out, (uint8_t)type);
    return take_value(machine, jvm, &way, value);
}

bool ditto_machine_returned(struct ditto_machine *machine, uint32_t thread,
                            struct ditto_value *value)
{
    const struct way none = {0};
    struct replica *jvm = machine_jvm(machine);
    if (!jvm)
        return false;
    replica_begin(jvm, DITTO_ASK_RETURNED);
    ditto_message_put32(&jvm->out, thread);
    return take_value(machine, jvm, &none, value);
}

/* --------------------------------------------------------------------- objects */

/* The same pointer for the same text, until the machine is closed. */
static const char *keep_text(struct ditto_machine *machine, const char *given)
{
    size_t length = strlen(given);
    char *own = ditto_map_get(&machine->texts, given, length);
    if (own)
        return own;
    own = ditto_copy_text(given, "the name of a class");
    ditto_map_add(&machine->texts, own, length, own);
    return own;
}

/* Begins a question about an object; NULL if it is not there. */
static struct replica *about(struct ditto_machine *machine, uint64_t object,
                             enum ditto_message_kind kind)
{
    struct replica *jvm = machine_jvm(machine);
    uint64_t key = jvm ? key_of_number(&machine->numbers, jvm, object) : 0;
    if (!key)
        return NULL;
    replica_begin(jvm, kind);
    ditto_message_put64(&jvm->out, key);
    return jvm;
}

const char *ditto_machine_class_of(struct ditto_machine *machine, uint64_t object)
{
    struct replica *jvm = about(machine, object, DITTO_ASK_CLASS_OF);
    if (!jvm || !replica_ask(jvm))
        return NULL;
    const char *name = ditto_message_get_text(&jvm->in);
    if (!*name)
        return NULL;
    name = keep_text(machine, name);
    note_class(&machine->numbers, object, name);
    return name;
}

const char *ditto_machine_class_ever(struct ditto_machine *machine, uint64_t object)
{
    const char *noted = class_of_number(&machine->numbers, object);
    return noted ? noted : ditto_machine_class_of(machine, object);
}

bool ditto_machine_field(struct ditto_machine *machine, uint64_t object, const char *class_name,
                         const char *field, const char *descriptor, struct ditto_value *value)
{
    const struct way way = {.kind = WAY_FIELD,
                            .holder = object,
                            .class_name = class_name,
                            .field = field,
                            .descriptor = descriptor};
    struct replica *jvm = about(machine, object, DITTO_ASK_FIELD);
    if (!jvm)
        return false;
    ditto_message_put_text(&jvm->out, class_name);
    ditto_message_put_text(&jvm->out, field);
    ditto_message_put_text(&jvm->out, descriptor);
    return take_value(machine, jvm, &way, value);
}

bool ditto_machine_static(struct ditto_machine *machine, const char *class_name, const char *field,
                          const char *descriptor, struct ditto_value *value)
{
    const struct way way = {
        .kind = WAY_STATIC, .class_name = class_name, .field = field, .descriptor = descriptor};
    struct replica *jvm = machine_jvm(machine);
    if (!jvm)
        return false;
    replica_begin(jvm, DITTO_ASK_STATIC);
    ditto_message_put_text(&jvm->out, class_name);
    ditto_message_put_text(&jvm->out, field);
    ditto_message_put_text(&jvm->out, descriptor);
    return take_value(machine, jvm, &way, value);
}

int64_t ditto_machine_length(struct ditto_machine *machine, uint64_t array)
{
    struct replica *jvm = about(machine, array, DITTO_ASK_LENGTH);
    return jvm && replica_ask(jvm) ? (int64_t)ditto_message_get64(&jvm->in) : -1;
}

size_t ditto_machine_elements(struct ditto_machine *machine, uint64_t array, int64_t first,
                              size_t count, struct ditto_value *values)
{
    struct replica *jvm = about(machine, array, DITTO_ASK_ELEMENTS);
    if (!jvm)
        return 0;
    ditto_message_put64(&jvm->out, (uint64_t)first);
    ditto_message_put32(&jvm->out, count > UINT32_MAX ? UINT32_MAX : (uint32_t)count);
    if (!replica_ask(jvm))
        return 0;
    size_t got = ditto_message_get32(&jvm->in);
    struct ditto_message_value *messages =
        ditto_alloc_zeroed(got, sizeof *messages, "an array's elements");
    for (size_t i = 0; i < got; i++)
        messages[i] = ditto_message_get_value(&jvm->in);
    for (size_t i = 0; i < got; i++) {
        const struct way way = {.kind = WAY_ELEMENT, .holder = array, .index = first + (int64_t)i};
        values[i] = shown(machine, jvm, messages[i], &way);
    }
    free(messages);
    return got;
}

/* -------------------------------------------------------------------- compiled */

bool ditto_machine_compiled(struct ditto_machine *machine, const struct ditto_method *method,
                            struct ditto_compiled *compiled, struct ditto_error *error)
{
    struct replica *jvm = machine_jvm(machine);
    if (!jvm) {
        ditto_error_set(error, "%s: there is no replay to look at", machine->recording.path);
        return false;
    }
    replica_begin(jvm, DITTO_ASK_COMPILED);
    ditto_message_put_text(&jvm->out, method->class_name);
    ditto_message_put_text(&jvm->out, method->name);
    ditto_message_put_text(&jvm->out, method->descriptor);
    *compiled = (struct ditto_compiled){0};
    if (!replica_ask(jvm)) {
        *error = jvm->error;
        return false;
    }
    if (!ditto_message_get8(&jvm->in))
        return true;
    size_t size;
    compiled->address = ditto_message_get64(&jvm->in);
    const uint8_t *bytes = ditto_message_get_bytes(&jvm->in, &size);
    machine->code = ditto_grow(machine->code, size, 1, "a method's machine code");
    memcpy(machine->code, bytes, size);
    compiled->bytes = machine->code;
    compiled->length = size;
    uint32_t count = ditto_message_get32(&jvm->in);
    machine->locations =
        ditto_grow(machine->locations, count, sizeof *machine->locations, "a method's locations");
    for (uint32_t i = 0; i < count && !jvm->in.failed; i++) {
        struct ditto_compiled_location *location = &machine->locations[compiled->location_count++];
        location->offset = ditto_message_get32(&jvm->in);
        uint32_t number = ditto_message_get32(&jvm->in);
        location->at.bci = (int32_t)ditto_message_get32(&jvm->in);
        location->at.method = replica_method(jvm, number);
    }
    compiled->locations = machine->locations;
    return true;
}
