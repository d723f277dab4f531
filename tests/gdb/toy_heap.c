/* SPDX-License-Identifier: MIT */
#include "tests/gdb/toy_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ values */

static struct ditto_value zero_value(char type)
{
    struct ditto_value value = {.type = type == '[' ? 'L' : type};
    if (type == 'F')
        value.f = 0;
    else if (type == 'D')
        value.d = 0;
    return value;
}

struct ditto_value toy_stored(struct ditto_value value, char type)
{
    switch (type) {
    case 'Z':
        value.integer &= 1;
        break;
    case 'B':
        value.integer = (int8_t)value.integer;
        break;
    case 'C':
        value.integer = (uint16_t)value.integer;
        break;
    case 'S':
        value.integer = (int16_t)value.integer;
        break;
    default:
        break;
    }
    value.type = type;
    return value;
}

struct ditto_value toy_loaded(struct ditto_value value)
{
    if (strchr("ZBCS", value.type))
        value.type = 'I';
    if (value.type == '[')
        value.type = 'L';
    return value;
}

/* ----------------------------------------------------------------------- objects */

uint64_t toy_new_object(struct toy_run *run, const char *class_name, int64_t length)
{
    if ((run->object_count & (run->object_count - 1)) == 0)
        run->objects = realloc(run->objects, 2 * run->object_count * sizeof *run->objects);
    struct toy_object *object = &run->objects[run->object_count];
    *object = (struct toy_object){.class_name = class_name, .length = length, .owner = -1};
    if (length >= 0) {
        object->elements = calloc((size_t)length + 1, sizeof *object->elements);
        for (int64_t i = 0; i < length; i++) {
            object->elements[i] = zero_value(class_name[1]);
            object->elements[i].type = class_name[1];
        }
    }
    return run->object_count++;
}

struct toy_field *toy_field(struct toy_run *run, uint64_t object, const char *class_name,
                            const char *name, char type)
{
    struct toy_field **fields = object ? &run->objects[object].fields : &run->statics;
    size_t *count = object ? &run->objects[object].field_count : &run->static_count;
    for (size_t i = 0; i < *count; i++)
        if (strcmp((*fields)[i].name, name) == 0 &&
            strcmp((*fields)[i].class_name, class_name) == 0)
            return &(*fields)[i];
    if (!type)
        return NULL;
    *fields = realloc(*fields, (*count + 1) * sizeof **fields);
    struct toy_field *field = &(*fields)[(*count)++];
    *field = (struct toy_field){
        .class_name = class_name, .name = name, .type = type, .value = zero_value(type)};
    field->value.type = type;
    return field;
}

/* The next character of UTF-8 with up to three bytes each. */
static unsigned next_character(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    unsigned bytes = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : 3;
    *text += bytes;
    return bytes == 1   ? at[0]
           : bytes == 2 ? (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu)
                        : (at[0] & 0x0fu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
}

uint64_t toy_new_string(struct toy_run *run, const char *text, size_t length)
{
    uint64_t string = toy_new_object(run, "java/lang/String", -1);
    size_t count = 0;
    bool wide = false;
    for (const char *at = text; at < text + length; count++)
        wide = next_character(&at) > 0xff || wide;
    uint64_t array = toy_new_object(run, "[B", (int64_t)(count << wide));
    struct ditto_value *element = run->objects[array].elements;
    for (const char *at = text; at < text + length;) {
        unsigned character = next_character(&at);
        (element++)->integer = (int8_t)character;
        if (wide)
            (element++)->integer = (int8_t)(character >> 8);
    }
    toy_field(run, string, "java/lang/String", "value", '[')->value.object = array;
    toy_field(run, string, "java/lang/String", "coder", 'B')->value.integer = wide;
    return string;
}

static void string_text(struct toy_run *run, uint64_t string, char *text, size_t size)
{
    uint64_t array = toy_field(run, string, "java/lang/String", "value", '[')->value.object;
    size_t at = 0;
    for (; at + 1 < size && (int64_t)at < run->objects[array].length; at++)
        text[at] = (char)run->objects[array].elements[at].integer;
    text[at] = '\0';
}

/* ----------------------------------------------------------------------- classes */

bool toy_is_a(const struct toy_program *program, const char *class_name, const char *wanted)
{
    static const char *const supers[][2] = {
        {"java/lang/ArithmeticException", "java/lang/RuntimeException"},
        {"java/lang/NullPointerException", "java/lang/RuntimeException"},
        {"java/lang/ArrayIndexOutOfBoundsException", "java/lang/RuntimeException"},
        {"java/lang/IllegalStateException", "java/lang/RuntimeException"},
        {"java/lang/IllegalArgumentException", "java/lang/RuntimeException"},
        {"java/lang/RuntimeException", "java/lang/Exception"},
        {"java/lang/Exception", "java/lang/Throwable"},
        {"java/lang/InterruptedException", "java/lang/Exception"},
    };
    while (class_name) {
        if (strcmp(class_name, wanted) == 0 || strcmp(wanted, "java/lang/Object") == 0)
            return true;
        struct toy_class *class =
            toy_class(program, (struct ditto_cf_text){class_name, (uint32_t)strlen(class_name)});
        const char *super = NULL;
        if (class && class->super)
            super = class->super->name;
        else if (class && class->cf.super_class) {
            struct ditto_cf_text name = ditto_cf_class_name(&class->cf, class->cf.super_class);
            for (size_t i = 0; i < sizeof supers / sizeof *supers; i++)
                if (ditto_cf_is(name, supers[i][0]))
                    super = supers[i][0];
            if (!super && ditto_cf_is(name, wanted))
                return true;
        } else {
            for (size_t i = 0; i < sizeof supers / sizeof *supers; i++)
                if (strcmp(class_name, supers[i][0]) == 0)
                    super = supers[i][1];
        }
        class_name = super;
    }
    return false;
}

static struct toy_method *find_method(struct toy_class *class, struct ditto_cf_text name,
                                      struct ditto_cf_text descriptor)
{
    for (; class; class = class->super)
        for (size_t i = 0; i < class->method_count; i++)
            if (ditto_cf_is(name, class->methods[i].handle.name) &&
                ditto_cf_is(descriptor, class->methods[i].handle.descriptor))
                return &class->methods[i];
    return NULL;
}

static struct ditto_cf_text text(const char *string)
{
    return (struct ditto_cf_text){string, (uint32_t)strlen(string)};
}

bool toy_is_initialized(const struct toy_run *run, const struct toy_class *class)
{
    for (size_t i = 0; i < run->initialized_count; i++)
        if (run->initialized[i] == class->name)
            return true;
    return false;
}

/* -------------------------------------------------------------------------- frames */

struct toy_frame *toy_push_frame(struct toy_thread *thread, struct toy_method *method)
{
    if (thread->frame_count == TOY_FRAMES) {
        fputs("toy JVM: a stack overflows\n", stderr);
        abort();
    }
    struct toy_frame *frame = &thread->frames[thread->frame_count++];
    *frame = (struct toy_frame){.method = method, .bci = -1};
    frame->locals = calloc((size_t)method->code.max_locals + 2, sizeof *frame->locals);
    frame->stack = calloc((size_t)method->code.max_stack + 4, sizeof *frame->stack);
    return frame;
}

void toy_pop_frame(struct toy_thread *thread)
{
    struct toy_frame *frame = top(thread);
    free(frame->locals);
    free(frame->stack);
    thread->frame_count--;
}

void toy_call(struct toy_thread *thread, struct toy_method *method,
              const struct ditto_value *arguments, size_t count)
{
    struct toy_frame *frame = toy_push_frame(thread, method);
    unsigned slot = 0;
    for (size_t i = 0; i < count; i++) {
        frame->locals[slot] = arguments[i];
        slot += arguments[i].type == 'J' || arguments[i].type == 'D' ? 2 : 1;
    }
    if (method->access & DITTO_ACC_SYNCHRONIZED)
        frame->locked = method->access & DITTO_ACC_STATIC ? 0 : arguments[0].object;
}

/* -------------------------------------------------------------------------- monitors */

bool toy_can_acquire(const struct toy_run *run, int thread, uint64_t object)
{
    return run->objects[object].owner < 0 || run->objects[object].owner == thread;
}

void toy_acquire(struct toy_run *run, int thread, uint64_t object)
{
    run->objects[object].owner = thread;
    run->objects[object].held++;
}

void toy_release(struct toy_run *run, uint64_t object)
{
    if (object && run->objects[object].held && --run->objects[object].held == 0)
        run->objects[object].owner = -1;
}

/* ----------------------------------------------------------------------- exceptions */

static void end_thread(struct toy_thread *thread)
{
    while (thread->frame_count)
        toy_pop_frame(thread);
    thread->life = DITTO_OVER;
}

void toy_raise(struct toy_run *run, struct toy_thread *thread, uint64_t exception)
{
    while (thread->frame_count) {
        struct toy_frame *frame = top(thread);
        const struct ditto_cf *cf = &frame->method->owner->cf;
        for (uint32_t i = 0; i < frame->method->code.handler_count; i++) {
            struct ditto_cf_handler handler = ditto_cf_handler(&frame->method->code, i);
            struct ditto_cf_text type = ditto_cf_class_name(cf, handler.catch_type);
            char name[256];
            snprintf(name, sizeof name, "%.*s", (int)type.size, type.data ? type.data : "");
            if (frame->bci < handler.start || frame->bci >= handler.end ||
                (handler.catch_type &&
                 !toy_is_a(run->program, run->objects[exception].class_name, name)))
                continue;
            frame->bci = handler.handler;
            frame->depth = 0;
            push(frame, object_value(exception));
            return;
        }
        toy_release(run, frame->locked);
        toy_pop_frame(thread);
    }
    end_thread(thread);
}

void toy_raise_new(struct toy_run *run, struct toy_thread *thread, const char *class_name)
{
    toy_raise(run, thread, toy_new_object(run, class_name, -1));
}

/* --------------------------------------------------------------------------- calls */

static void start_thread(struct toy_run *run, uint64_t object)
{
    struct toy_thread *thread = NULL;
    for (size_t i = 0; i < run->thread_count; i++)
        if (run->threads[i].object == object)
            thread = &run->threads[i];
    struct ditto_value self = object_value(object);
    struct toy_field *target = toy_field(run, object, "java/lang/Thread", "target", 'L');
    struct toy_method *method = NULL;
    thread->life = DITTO_ALIVE;
    if (target->value.object) {
        struct toy_object *runnable = &run->objects[target->value.object];
        self = target->value;
        if (runnable->target) {
            toy_call(thread, runnable->target, runnable->elements, (size_t)runnable->length);
            return;
        }
        method = find_method(toy_class(run->program, text(runnable->class_name)), text("run"),
                             text("()V"));
    } else {
        method = find_method(toy_class(run->program, text(run->objects[object].class_name)),
                             text("run"), text("()V"));
    }
    if (method)
        toy_call(thread, method, &self, 1);
    else
        thread->life = DITTO_OVER;
}

/* A thread exists, for those who list them, from its constructor on. */
static void make_thread(struct toy_run *run, const struct ditto_value *arguments, size_t count,
                        const char *descriptor)
{
    struct toy_thread *thread = &run->threads[run->thread_count];
    if (run->thread_count == TOY_THREADS) {
        fputs("toy JVM: too many threads\n", stderr);
        abort();
    }
    thread->object = arguments[0].object;
    thread->life = DITTO_NOT_STARTED;
    thread->joins = -1;
    thread->frames = calloc(TOY_FRAMES, sizeof *thread->frames);
    snprintf(thread->name, sizeof thread->name, "Thread-%zu", run->thread_count - 1);
    run->thread_count++;
    if (count > 1 && strstr(descriptor, "Runnable"))
        toy_field(run, thread->object, "java/lang/Thread", "target", 'L')->value.object =
            arguments[1].object;
    if (count > 1 && strstr(descriptor, "String")) {
        uint64_t name = arguments[count - 1].object;
        string_text(run, name, thread->name, sizeof thread->name);
        toy_field(run, thread->object, "java/lang/Thread", "name", 'L')->value.object = name;
    }
}

int toy_thread_of(const struct toy_run *run, uint64_t object)
{
    for (size_t i = 0; i < run->thread_count; i++)
        if (run->threads[i].object == object)
            return (int)i;
    return -1;
}

/* A method that is in no class file.  What is not known does nothing and returns 0. */
static void native_call(struct toy_run *run, struct toy_thread *thread,
                        const struct ditto_cf_ref *ref, const struct ditto_value *arguments,
                        size_t count, const char *descriptor)
{
    char type = strchr(descriptor, ')')[1];
    struct ditto_value result = zero_value(type);
    uint64_t self = count ? arguments[0].object : 0;
    const char *self_class = self && self < run->object_count ? run->objects[self].class_name : "";
    if (ditto_cf_is(ref->name, "<init>") &&
        toy_is_a(run->program, self_class, "java/lang/Thread") &&
        ditto_cf_is(ref->owner, "java/lang/Thread"))
        make_thread(run, arguments, count, descriptor);
    else if (ditto_cf_is(ref->name, "<init>") && count > 1 &&
             strstr(descriptor, "(Ljava/lang/String;"))
        toy_field(run, self, "java/lang/Throwable", "detailMessage", 'L')->value = arguments[1];
    else if (ditto_cf_is(ref->name, "start") && toy_thread_of(run, self) >= 0)
        start_thread(run, self);
    else if (ditto_cf_is(ref->name, "valueOf") && ditto_cf_is(ref->owner, "java/lang/Integer")) {
        uint64_t box = toy_new_object(run, "java/lang/Integer", -1);
        toy_field(run, box, "java/lang/Integer", "value", 'I')->value.integer =
            arguments[0].integer;
        result.object = box;
    } else if (ditto_cf_is(ref->name, "intValue"))
        result.integer = toy_field(run, self, "java/lang/Integer", "value", 'I')->value.integer;
    else if (ditto_cf_is(ref->name, "length") && strcmp(self_class, "java/lang/String") == 0)
        result.integer =
            run->objects[toy_field(run, self, "java/lang/String", "value", '[')->value.object]
                .length;
    else if (ditto_cf_is(ref->name, "hashCode"))
        result.integer = (int64_t)self * 7;
    if (type != 'V')
        push(top(thread), toy_loaded(result));
}

static size_t pop_arguments(struct toy_frame *frame, const char *descriptor, bool with_this,
                            struct ditto_value *arguments)
{
    size_t count = with_this;
    for (const char *at = descriptor + 1; *at != ')'; at++, count++) {
        while (*at == '[')
            at++;
        if (*at == 'L')
            at += strcspn(at, ";");
    }
    for (size_t i = count; i-- > 0;)
        arguments[i] = pop(frame);
    return count;
}

void toy_invoke(struct toy_run *run, struct toy_thread *thread, const struct ditto_insn *insn)
{
    struct toy_frame *frame = top(thread);
    struct ditto_cf_ref ref;
    struct ditto_value arguments[64] = {0};
    char descriptor[512];
    ditto_cf_ref(&frame->method->owner->cf, insn->operand, &ref);
    snprintf(descriptor, sizeof descriptor, "%.*s", (int)ref.descriptor.size, ref.descriptor.data);
    bool with_this = insn->opcode != DITTO_OP_INVOKESTATIC;
    size_t count = pop_arguments(frame, descriptor, with_this, arguments);
    if (with_this && !arguments[0].object) {
        toy_raise_new(run, thread, "java/lang/NullPointerException");
        return;
    }
    struct toy_class *class = toy_class(run->program, ref.owner);
    if (with_this && insn->opcode != DITTO_OP_INVOKESPECIAL) {
        struct toy_object *self = &run->objects[arguments[0].object];
        if (self->target) {
            struct ditto_value all[64];
            size_t captured = (size_t)self->length;
            memcpy(all, self->elements, captured * sizeof *all);
            memcpy(all + captured, arguments + 1, (count - 1) * sizeof *all);
            frame->bci += (int32_t)insn->size;
            toy_call(thread, self->target, all, captured + count - 1);
            return;
        }
        struct toy_class *own = toy_class(run->program, text(self->class_name));
        if (own)
            class = own;
    }
    struct toy_method *method = find_method(class, ref.name, ref.descriptor);
    frame->bci += (int32_t)insn->size;
    if (method && method->has_code)
        toy_call(thread, method, arguments, count);
    else
        native_call(run, thread, &ref, arguments, count, descriptor);
}

void toy_invoke_dynamic(struct toy_run *run, struct toy_thread *thread,
                        const struct ditto_insn *insn)
{
    struct toy_frame *frame = top(thread);
    const struct ditto_cf *cf = &frame->method->owner->cf;
    struct ditto_cf_ref ref, target;
    struct ditto_cf_attr attr;
    struct ditto_value arguments[64] = {0};
    char descriptor[512];
    ditto_cf_ref(cf, insn->operand, &ref);
    snprintf(descriptor, sizeof descriptor, "%.*s", (int)ref.descriptor.size, ref.descriptor.data);
    size_t count = pop_arguments(frame, descriptor, false, arguments);
    uint32_t number = ditto_u2(cf->bytes + cf->pool[insn->operand] + 1);
    uint64_t object = toy_new_object(run, "java/lang/Object", (int64_t)count);
    memcpy(run->objects[object].elements, arguments, count * sizeof *arguments);
    if (ditto_cf_find_attr(cf, cf->attrs, "BootstrapMethods", &attr)) {
        const uint8_t *at = cf->bytes + attr.at + 2;
        while (number--)
            at += 4 + 2 * ditto_u2(at + 2);
        uint32_t handle = ditto_u2(at + 2) > 1 ? ditto_u2(at + 6) : 0;
        if (ditto_cf_tag(cf, handle) == DITTO_TAG_METHOD_HANDLE &&
            ditto_cf_ref(cf, ditto_u2(cf->bytes + cf->pool[handle] + 2), &target))
            run->objects[object].target =
                find_method(toy_class(run->program, target.owner), target.name, target.descriptor);
    }
    frame->bci += (int32_t)insn->size;
    push(frame, object_value(object));
}

void toy_give_back(struct toy_run *run, struct toy_thread *thread, bool value)
{
    struct toy_frame *frame = top(thread);
    struct ditto_value result = value ? pop(frame) : (struct ditto_value){0};
    const char *type = strchr(frame->method->handle.descriptor, ')') + 1;
    bool initializer = frame->initializer;
    toy_release(run, frame->locked);
    toy_pop_frame(thread);
    run->returned = (struct ditto_value){0};
    if (value) {
        run->returned = result;
        run->returned.type = *type;
    }
    if (thread->frame_count == 0)
        end_thread(thread);
    else if (value && !initializer)
        push(top(thread), result);
}

/* ------------------------------------------------------------------------- accesses */

static void note(struct toy_run *run, const struct toy_frame *frame, bool write, uint64_t object,
                 const char *class_name, const char *field, int64_t index,
                 struct ditto_value before, struct ditto_value after)
{
    run->access = (struct toy_access){
        .happened = true,
        .write = write,
        .object = object,
        .class_name = class_name,
        .field = field,
        .index = index,
        .before = before,
        .after = after,
        .location = {&frame->method->handle, frame->bci},
    };
}

/* The class that declares the field, and the name as it is there, for ever. */
static struct toy_field *resolve(struct toy_run *run, uint64_t object,
                                 const struct ditto_cf_ref *ref)
{
    for (struct toy_class *class = toy_class(run->program, ref->owner); class;
         class = class->super) {
        const struct ditto_cf_member *member =
            ditto_cf_own_field(&class->cf, ref->name, ref->descriptor);
        if (!member)
            continue;
        struct ditto_cf_text name = ditto_cf_utf8(&class->cf, member->name);
        char copy[256];
        snprintf(copy, sizeof copy, "%.*s", (int)name.size, name.data);
        struct toy_field *field = toy_field(run, object, class->name, copy, 0);
        if (field)
            return field;
        /* Names of fields are few: they stay until the process ends. */
        static char *names[256];
        size_t i = 0;
        while (i < 255 && names[i] && strcmp(names[i], copy) != 0)
            i++;
        if (!names[i])
            names[i] = strdup(copy);
        return toy_field(run, object, class->name, names[i], ref->descriptor.data[0]);
    }
    return NULL;
}

void toy_access_field(struct toy_run *run, struct toy_thread *thread, const struct ditto_insn *insn)
{
    struct toy_frame *frame = top(thread);
    struct ditto_cf_ref ref;
    ditto_cf_ref(&frame->method->owner->cf, insn->operand, &ref);
    bool write = insn->opcode == DITTO_OP_PUTFIELD || insn->opcode == DITTO_OP_PUTSTATIC;
    bool is_static = insn->opcode == DITTO_OP_GETSTATIC || insn->opcode == DITTO_OP_PUTSTATIC;
    struct ditto_value value = write ? pop(frame) : (struct ditto_value){0};
    uint64_t object = is_static ? 0 : pop(frame).object;
    if (!is_static && !object) {
        toy_raise_new(run, thread, "java/lang/NullPointerException");
        return;
    }
    struct toy_field *field = resolve(run, object, &ref);
    struct ditto_value before = field ? field->value : zero_value(ref.descriptor.data[0]);
    if (field && write)
        field->value = toy_stored(value, field->type);
    if (field)
        note(run, frame, write, object, field->class_name, field->name, 0, before, field->value);
    if (!write)
        push(frame, toy_loaded(before));
    frame->bci += (int32_t)insn->size;
}

void toy_access_element(struct toy_run *run, struct toy_thread *thread,
                        const struct ditto_insn *insn, bool write)
{
    struct toy_frame *frame = top(thread);
    struct ditto_value value = write ? pop(frame) : (struct ditto_value){0};
    int64_t index = pop(frame).integer;
    uint64_t array = pop(frame).object;
    if (!array) {
        toy_raise_new(run, thread, "java/lang/NullPointerException");
        return;
    }
    if (index < 0 || index >= run->objects[array].length) {
        toy_raise_new(run, thread, "java/lang/ArrayIndexOutOfBoundsException");
        return;
    }
    struct ditto_value *element = &run->objects[array].elements[index], before = *element;
    if (write)
        *element = toy_stored(value, run->objects[array].class_name[1]);
    else
        push(frame, toy_loaded(before));
    note(run, frame, write, array, NULL, NULL, index, before, *element);
    frame->bci += (int32_t)insn->size;
}
