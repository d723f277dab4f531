/* SPDX-License-Identifier: MIT */
/* Looking at the present: threads, frames, locals, objects. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb-plugin/machine_state.h"

struct replica *machine_jvm(struct ditto_machine *machine)
{
    struct ditto_error error;
    if (machine->jvm && machine->jvm->lost) {
        replica_end(machine->jvm);
        machine->jvm = NULL;
    }
    if (!machine->jvm)
        machine->jvm = bring_to_spot(machine, &machine->present, &error);
    return machine->jvm;
}

/* A value of the wire as the machine's. */
static struct ditto_value shown(struct ditto_machine *machine, struct replica *jvm,
                                struct ditto_wire_value wire, const struct way *way)
{
    struct ditto_value value = {.type = wire.type};
    switch (wire.type) {
    case 'F': {
        uint32_t bits = (uint32_t)wire.bits;
        memcpy(&value.f, &bits, sizeof value.f);
        break;
    }
    case 'D':
        memcpy(&value.d, &wire.bits, sizeof value.d);
        break;
    case 'L':
    case '[':
        value.object = number_of_key(&machine->numbers, jvm, wire.bits, way);
        break;
    default:
        value.integer = (int64_t)wire.bits;
    }
    return value;
}

struct ditto_value machine_value(struct ditto_machine *machine, struct replica *jvm,
                                 struct ditto_wire_value wire)
{
    const struct way none = {0};
    return shown(machine, jvm, wire, &none);
}

/* The answer to a question for one value, if it has one. */
static bool take_value(struct ditto_machine *machine, struct replica *jvm, const struct way *way,
                       struct ditto_value *value)
{
    if (!replica_ask(jvm) || !ditto_wire_get8(&jvm->in))
        return false;
    struct ditto_wire_value wire = ditto_wire_get_value(&jvm->in);
    *value = shown(machine, jvm, wire, way);
    return true;
}

/* --------------------------------------------------------------------- threads */

struct thread_answer {
    bool begun, waits, at_end, wants;
    const char *what;
    uint64_t key;
    uint32_t holder;
};

static void take_thread(struct ditto_wire *in, uint32_t *id, struct thread_answer *answer)
{
    *id = ditto_wire_get32(in);
    answer->begun = ditto_wire_get8(in);
    answer->waits = ditto_wire_get8(in);
    answer->at_end = ditto_wire_get8(in);
    answer->what = ditto_wire_get_text(in);
    answer->wants = ditto_wire_get8(in);
    answer->key = ditto_wire_get64(in);
    answer->holder = ditto_wire_get32(in);
    ditto_wire_get64(in);
    ditto_wire_get64(in);
}

static const char *name_of(struct ditto_machine *machine, uint32_t id)
{
    const struct ditto_thread_info *info = ditto_reader_find_thread(machine->reader, id);
    return info && info->name ? info->name : "";
}

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *text(const char *format, ...)
{
    char *made = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&made, format, arguments) < 0)
        made = NULL;
    va_end(arguments);
    return made;
}

/* "the monitor of com.acme.Account@3, held by "main"". */
static char *describe_monitor(struct ditto_machine *machine, struct replica *jvm,
                              const struct thread_answer *answer)
{
    const struct way none = {0};
    uint64_t number = number_of_key(&machine->numbers, jvm, answer->key, &none);
    const char *class_name = number ? ditto_machine_class_of(machine, number) : NULL;
    char *dotted = strdup(class_name ? class_name : "an object");
    for (char *at = dotted; at && *at; at++)
        if (*at == '/')
            *at = '.';
    char *made = answer->holder ? text("waits for the monitor of %s@%" PRIu64 ", held by \"%s\"",
                                       dotted, number, name_of(machine, answer->holder - 1))
                                : text("waits for the monitor of %s@%" PRIu64, dotted, number);
    free(dotted);
    return made;
}

static char *describe(struct ditto_machine *machine, struct replica *jvm,
                      const struct thread_answer *answer)
{
    if (answer->wants && (answer->waits || answer->at_end))
        return describe_monitor(machine, jvm, answer);
    if (answer->at_end)
        return text("at the end of its trace");
    if (answer->waits)
        return text("waits for %s", answer->what);
    return NULL;
}

size_t ditto_machine_threads(struct ditto_machine *machine, const struct ditto_thread_view **views)
{
    size_t count = ditto_reader_thread_count(machine->reader);
    struct replica *jvm = machine_jvm(machine);
    if (!machine->views) {
        machine->views = calloc(count + 1, sizeof *machine->views);
        machine->doings = calloc(count + 1, sizeof *machine->doings);
        machine->view_count = count;
    }
    if (!machine->views || !machine->doings)
        abort();
    struct thread_answer *answers = calloc(count + 1, sizeof *answers);
    char **whats = calloc(count + 1, sizeof *whats);
    bool *alive = calloc(count + 1, sizeof *alive);
    uint32_t next = 0;
    if (!answers || !whats || !alive)
        abort();
    if (jvm) {
        replica_begin(jvm, DITTO_ASK_THREADS);
        uint32_t living = replica_ask(jvm) ? ditto_wire_get32(&jvm->in) : 0;
        for (uint32_t i = 0; i < living && !jvm->in.failed; i++) {
            uint32_t id;
            struct thread_answer answer;
            take_thread(&jvm->in, &id, &answer);
            for (size_t k = 0; k < count; k++) {
                if (ditto_reader_thread(machine->reader, k)->replay_id != id)
                    continue;
                alive[k] = true;
                answers[k] = answer;
                whats[k] = strdup(answer.what);
                answers[k].what = whats[k];
            }
        }
        next = ditto_wire_get32(&jvm->in);
    }
    for (size_t k = 0; k < count; k++) {
        struct ditto_thread_view *view = &machine->views[k];
        view->replay_id = ditto_reader_thread(machine->reader, k)->replay_id;
        view->name = name_of(machine, view->replay_id);
        free(machine->doings[k]);
        machine->doings[k] = alive[k] ? describe(machine, jvm, &answers[k]) : NULL;
        view->doing = machine->doings[k];
        if (alive[k])
            view->life = answers[k].waits || answers[k].at_end ? DITTO_BLOCKED : DITTO_ALIVE;
        else
            view->life = view->replay_id < next ? DITTO_OVER : DITTO_NOT_STARTED;
        free(whats[k]);
    }
    free(answers);
    free(whats);
    free(alive);
    *views = machine->views;
    return count;
}

/* ---------------------------------------------------------------------- frames */

static size_t ask_frames(struct ditto_machine *machine, struct replica *jvm, uint32_t thread)
{
    replica_begin(jvm, DITTO_ASK_FRAMES);
    ditto_wire_put32(&jvm->out, thread);
    if (!replica_ask(jvm))
        return 0;
    uint32_t count = ditto_wire_get32(&jvm->in), got = 0;
    machine->frames = realloc(machine->frames, (count + 1) * sizeof *machine->frames);
    if (!machine->frames)
        abort();
    for (; got < count && !jvm->in.failed; got++) {
        uint32_t method = ditto_wire_get32(&jvm->in);
        machine->frames[got].bci = (int32_t)ditto_wire_get32(&jvm->in);
        machine->frames[got].method = replica_method(jvm, method);
    }
    return got;
}

size_t ditto_machine_frames(struct ditto_machine *machine, uint32_t thread,
                            const struct ditto_code **frames)
{
    size_t count = 0;
    if (!machine->jvm && machine->log.count &&
        log_frames(&machine->log, machine->log.at, thread, frames, &count, &machine->frames))
        return count;
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
    ditto_wire_put32(&jvm->out, thread);
    ditto_wire_put32(&jvm->out, (uint32_t)depth);
    ditto_wire_put32(&jvm->out, slot);
    ditto_wire_put8(&jvm->out, (uint8_t)type);
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
    ditto_wire_put32(&jvm->out, thread);
    return take_value(machine, jvm, &none, value);
}

/* --------------------------------------------------------------------- objects */

/* The same pointer for the same text, until the machine is closed. */
static const char *keep_text(struct ditto_machine *machine, const char *given)
{
    for (size_t i = 0; i < machine->text_count; i++)
        if (strcmp(machine->texts[i], given) == 0)
            return machine->texts[i];
    machine->texts = realloc(machine->texts, (machine->text_count + 1) * sizeof *machine->texts);
    char *own = strdup(given);
    if (!machine->texts || !own)
        abort();
    machine->texts[machine->text_count++] = own;
    return own;
}

/* Begins a question about an object; NULL if it is not there. */
static struct replica *about(struct ditto_machine *machine, uint64_t object,
                             enum ditto_wire_kind kind)
{
    struct replica *jvm = machine_jvm(machine);
    uint64_t key = jvm ? key_of_number(&machine->numbers, jvm, object) : 0;
    if (!key)
        return NULL;
    replica_begin(jvm, kind);
    ditto_wire_put64(&jvm->out, key);
    return jvm;
}

const char *ditto_machine_class_of(struct ditto_machine *machine, uint64_t object)
{
    struct replica *jvm = about(machine, object, DITTO_ASK_CLASS_OF);
    if (!jvm || !replica_ask(jvm))
        return NULL;
    const char *name = ditto_wire_get_text(&jvm->in);
    return *name ? keep_text(machine, name) : NULL;
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
    ditto_wire_put_text(&jvm->out, class_name);
    ditto_wire_put_text(&jvm->out, field);
    ditto_wire_put_text(&jvm->out, descriptor);
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
    ditto_wire_put_text(&jvm->out, class_name);
    ditto_wire_put_text(&jvm->out, field);
    ditto_wire_put_text(&jvm->out, descriptor);
    return take_value(machine, jvm, &way, value);
}

int64_t ditto_machine_length(struct ditto_machine *machine, uint64_t array)
{
    struct replica *jvm = about(machine, array, DITTO_ASK_LENGTH);
    return jvm && replica_ask(jvm) ? (int64_t)ditto_wire_get64(&jvm->in) : -1;
}

size_t ditto_machine_elements(struct ditto_machine *machine, uint64_t array, int64_t first,
                              size_t count, struct ditto_value *values)
{
    struct replica *jvm = about(machine, array, DITTO_ASK_ELEMENTS);
    if (!jvm)
        return 0;
    ditto_wire_put64(&jvm->out, (uint64_t)first);
    ditto_wire_put32(&jvm->out, count > UINT32_MAX ? UINT32_MAX : (uint32_t)count);
    if (!replica_ask(jvm))
        return 0;
    size_t got = ditto_wire_get32(&jvm->in);
    struct ditto_wire_value *wires = calloc(got + 1, sizeof *wires);
    if (!wires)
        return 0;
    for (size_t i = 0; i < got; i++)
        wires[i] = ditto_wire_get_value(&jvm->in);
    for (size_t i = 0; i < got; i++) {
        const struct way way = {.kind = WAY_ELEMENT, .holder = array, .index = first + (int64_t)i};
        values[i] = shown(machine, jvm, wires[i], &way);
    }
    free(wires);
    return got;
}

/* -------------------------------------------------------------------- compiled */

bool ditto_machine_compiled(struct ditto_machine *machine, const struct ditto_method *method,
                            struct ditto_compiled *compiled, struct ditto_error *error)
{
    struct replica *jvm = machine_jvm(machine);
    if (!jvm) {
        ditto_error_set(error, "%s: there is no replay to look at", machine->path);
        return false;
    }
    replica_begin(jvm, DITTO_ASK_COMPILED);
    ditto_wire_put_text(&jvm->out, method->class_name);
    ditto_wire_put_text(&jvm->out, method->name);
    ditto_wire_put_text(&jvm->out, method->descriptor);
    *compiled = (struct ditto_compiled){0};
    if (!replica_ask(jvm)) {
        *error = jvm->error;
        return false;
    }
    if (!ditto_wire_get8(&jvm->in))
        return true;
    size_t size;
    compiled->address = ditto_wire_get64(&jvm->in);
    const uint8_t *bytes = ditto_wire_get_bytes(&jvm->in, &size);
    machine->code = realloc(machine->code, size + 1);
    if (!machine->code)
        abort();
    memcpy(machine->code, bytes, size);
    compiled->bytes = machine->code;
    compiled->length = size;
    uint32_t count = ditto_wire_get32(&jvm->in);
    machine->places = realloc(machine->places, (count + 1) * sizeof *machine->places);
    if (!machine->places)
        abort();
    for (uint32_t i = 0; i < count && !jvm->in.failed; i++) {
        struct ditto_compiled_place *place = &machine->places[compiled->place_count++];
        place->offset = ditto_wire_get32(&jvm->in);
        uint32_t number = ditto_wire_get32(&jvm->in);
        place->at.bci = (int32_t)ditto_wire_get32(&jvm->in);
        place->at.method = replica_method(jvm, number);
    }
    compiled->places = machine->places;
    return true;
}
