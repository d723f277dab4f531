/* SPDX-License-Identifier: MIT */
#include "tests/gdb/toy_jvm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvm-bridge/bytecode.h"

/* ------------------------------------------------------------------------ values */

static struct ditto_value int_value(int64_t integer)
{
    return (struct ditto_value){.type = 'I', .integer = (int32_t)integer};
}

static struct ditto_value long_value(int64_t integer)
{
    return (struct ditto_value){.type = 'J', .integer = integer};
}

static struct ditto_value object_value(uint64_t object)
{
    return (struct ditto_value){.type = 'L', .object = object};
}

static struct ditto_value zero_value(char type)
{
    struct ditto_value value = {.type = type == '[' ? 'L' : type};
    if (type == 'F')
        value.f = 0;
    else if (type == 'D')
        value.d = 0;
    return value;
}

/* A value of the stack as a field or element of that type holds it. */
static struct ditto_value stored(struct ditto_value value, char type)
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

/* The other way round. */
static struct ditto_value loaded(struct ditto_value value)
{
    if (strchr("ZBCS", value.type))
        value.type = 'I';
    if (value.type == '[')
        value.type = 'L';
    return value;
}

/* ----------------------------------------------------------------------- objects */

static uint64_t new_object(struct toy_run *run, const char *class_name, int64_t length)
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

/* A string as the JDK keeps it: Latin-1 if that is enough, UTF-16 otherwise. */
static uint64_t new_string(struct toy_run *run, const char *text, size_t length)
{
    uint64_t string = new_object(run, "java/lang/String", -1);
    size_t count = 0;
    bool wide = false;
    for (const char *at = text; at < text + length; count++)
        wide = next_character(&at) > 0xff || wide;
    uint64_t array = new_object(run, "[B", (int64_t)(count << wide));
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

static bool is_a(const struct toy_program *program, const char *class_name, const char *wanted)
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

static bool is_initialized(const struct toy_run *run, const struct toy_class *class)
{
    for (size_t i = 0; i < run->initialized_count; i++)
        if (run->initialized[i] == class->name)
            return true;
    return false;
}

/* -------------------------------------------------------------------------- frames */

static struct toy_frame *top(struct toy_thread *thread)
{
    return &thread->frames[thread->frame_count - 1];
}

static void push(struct toy_frame *frame, struct ditto_value value)
{
    frame->stack[frame->depth++] = value;
}

static struct ditto_value pop(struct toy_frame *frame)
{
    return frame->depth ? frame->stack[--frame->depth] : (struct ditto_value){0};
}

static struct toy_frame *push_frame(struct toy_thread *thread, struct toy_method *method)
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

static void pop_frame(struct toy_thread *thread)
{
    struct toy_frame *frame = top(thread);
    free(frame->locals);
    free(frame->stack);
    thread->frame_count--;
}

/* Puts arguments, `this` first, into the locals of a new frame. */
static void call(struct toy_thread *thread, struct toy_method *method,
                 const struct ditto_value *arguments, size_t count)
{
    struct toy_frame *frame = push_frame(thread, method);
    unsigned slot = 0;
    for (size_t i = 0; i < count; i++) {
        frame->locals[slot] = arguments[i];
        slot += arguments[i].type == 'J' || arguments[i].type == 'D' ? 2 : 1;
    }
    if (method->access & DITTO_ACC_SYNCHRONIZED)
        frame->locked = method->access & DITTO_ACC_STATIC ? 0 : arguments[0].object;
}

/* -------------------------------------------------------------------------- monitors */

static bool can_acquire(const struct toy_run *run, int thread, uint64_t object)
{
    return run->objects[object].owner < 0 || run->objects[object].owner == thread;
}

static void acquire(struct toy_run *run, int thread, uint64_t object)
{
    run->objects[object].owner = thread;
    run->objects[object].held++;
}

static void release(struct toy_run *run, uint64_t object)
{
    if (object && run->objects[object].held && --run->objects[object].held == 0)
        run->objects[object].owner = -1;
}

/* ----------------------------------------------------------------------- exceptions */

static void end_thread(struct toy_thread *thread)
{
    while (thread->frame_count)
        pop_frame(thread);
    thread->life = DITTO_OVER;
}

static void raise(struct toy_run *run, struct toy_thread *thread, uint64_t exception)
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
                 !is_a(run->program, run->objects[exception].class_name, name)))
                continue;
            frame->bci = handler.handler;
            frame->depth = 0;
            push(frame, object_value(exception));
            return;
        }
        release(run, frame->locked);
        pop_frame(thread);
    }
    end_thread(thread);
}

static void raise_new(struct toy_run *run, struct toy_thread *thread, const char *class_name)
{
    raise(run, thread, new_object(run, class_name, -1));
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
            call(thread, runnable->target, runnable->elements, (size_t)runnable->length);
            return;
        }
        method = find_method(toy_class(run->program, text(runnable->class_name)), text("run"),
                             text("()V"));
    } else {
        method = find_method(toy_class(run->program, text(run->objects[object].class_name)),
                             text("run"), text("()V"));
    }
    if (method)
        call(thread, method, &self, 1);
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

static int thread_of(const struct toy_run *run, uint64_t object)
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
    if (ditto_cf_is(ref->name, "<init>") && is_a(run->program, self_class, "java/lang/Thread") &&
        ditto_cf_is(ref->owner, "java/lang/Thread"))
        make_thread(run, arguments, count, descriptor);
    else if (ditto_cf_is(ref->name, "<init>") && count > 1 &&
             strstr(descriptor, "(Ljava/lang/String;"))
        toy_field(run, self, "java/lang/Throwable", "detailMessage", 'L')->value = arguments[1];
    else if (ditto_cf_is(ref->name, "start") && thread_of(run, self) >= 0)
        start_thread(run, self);
    else if (ditto_cf_is(ref->name, "valueOf") && ditto_cf_is(ref->owner, "java/lang/Integer")) {
        uint64_t box = new_object(run, "java/lang/Integer", -1);
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
        push(top(thread), loaded(result));
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

static void invoke(struct toy_run *run, struct toy_thread *thread, const struct ditto_insn *insn)
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
        raise_new(run, thread, "java/lang/NullPointerException");
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
            call(thread, self->target, all, captured + count - 1);
            return;
        }
        struct toy_class *own = toy_class(run->program, text(self->class_name));
        if (own)
            class = own;
    }
    struct toy_method *method = find_method(class, ref.name, ref.descriptor);
    frame->bci += (int32_t)insn->size;
    if (method && method->has_code)
        call(thread, method, arguments, count);
    else
        native_call(run, thread, &ref, arguments, count, descriptor);
}

/* A lambda: the second argument of its bootstrap method is what it calls. */
static void invoke_dynamic(struct toy_run *run, struct toy_thread *thread,
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
    uint64_t object = new_object(run, "java/lang/Object", (int64_t)count);
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

static void give_back(struct toy_run *run, struct toy_thread *thread, bool value)
{
    struct toy_frame *frame = top(thread);
    struct ditto_value result = value ? pop(frame) : (struct ditto_value){0};
    const char *type = strchr(frame->method->handle.descriptor, ')') + 1;
    bool initializer = frame->initializer;
    release(run, frame->locked);
    pop_frame(thread);
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
        .place = {&frame->method->handle, frame->bci},
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

static void access_field(struct toy_run *run, struct toy_thread *thread,
                         const struct ditto_insn *insn)
{
    struct toy_frame *frame = top(thread);
    struct ditto_cf_ref ref;
    ditto_cf_ref(&frame->method->owner->cf, insn->operand, &ref);
    bool write = insn->opcode == DITTO_OP_PUTFIELD || insn->opcode == DITTO_OP_PUTSTATIC;
    bool is_static = insn->opcode == DITTO_OP_GETSTATIC || insn->opcode == DITTO_OP_PUTSTATIC;
    struct ditto_value value = write ? pop(frame) : (struct ditto_value){0};
    uint64_t object = is_static ? 0 : pop(frame).object;
    if (!is_static && !object) {
        raise_new(run, thread, "java/lang/NullPointerException");
        return;
    }
    struct toy_field *field = resolve(run, object, &ref);
    struct ditto_value before = field ? field->value : zero_value(ref.descriptor.data[0]);
    if (field && write)
        field->value = stored(value, field->type);
    if (field)
        note(run, frame, write, object, field->class_name, field->name, 0, before, field->value);
    if (!write)
        push(frame, loaded(before));
    frame->bci += (int32_t)insn->size;
}

static void access_element(struct toy_run *run, struct toy_thread *thread,
                           const struct ditto_insn *insn, bool write)
{
    struct toy_frame *frame = top(thread);
    struct ditto_value value = write ? pop(frame) : (struct ditto_value){0};
    int64_t index = pop(frame).integer;
    uint64_t array = pop(frame).object;
    if (!array) {
        raise_new(run, thread, "java/lang/NullPointerException");
        return;
    }
    if (index < 0 || index >= run->objects[array].length) {
        raise_new(run, thread, "java/lang/ArrayIndexOutOfBoundsException");
        return;
    }
    struct ditto_value *element = &run->objects[array].elements[index], before = *element;
    if (write)
        *element = stored(value, run->objects[array].class_name[1]);
    else
        push(frame, loaded(before));
    note(run, frame, write, array, NULL, NULL, index, before, *element);
    frame->bci += (int32_t)insn->size;
}

/* ---------------------------------------------------------------------- instructions */

static bool arithmetic(struct toy_run *run, struct toy_thread *thread, uint8_t op)
{
    struct toy_frame *frame = top(thread);
    char type = "IJFD"[(op - 0x60) & 3];
    if (op >= 0x74 && op <= 0x77) { /* neg */
        struct ditto_value value = pop(frame);
        if (type == 'D')
            value.d = -value.d;
        else if (type == 'F')
            value.f = -value.f;
        else
            value.integer = type == 'I' ? (int32_t)-value.integer : -value.integer;
        push(frame, value);
        return true;
    }
    struct ditto_value b = pop(frame), a = pop(frame);
    if (op >= 0x78) { /* shifts and bits */
        bool wide = (op - 0x78) & 1;
        uint64_t x = (uint64_t)a.integer, y = (uint64_t)b.integer;
        unsigned by = (unsigned)b.integer & (wide ? 63 : 31);
        switch ((op - 0x78) >> 1) {
        case 0:
            x <<= by;
            break;
        case 1:
            x = (uint64_t)(a.integer >> by);
            break;
        case 2:
            x = (wide ? x : (uint32_t)x) >> by;
            break;
        case 3:
            x &= y;
            break;
        case 4:
            x |= y;
            break;
        default:
            x ^= y;
        }
        push(frame, wide ? long_value((int64_t)x) : int_value((int64_t)x));
        return true;
    }
    unsigned what = (op - 0x60u) >> 2; /* add, sub, mul, div, rem */
    if (type == 'D' || type == 'F') {
        double x = type == 'D' ? a.d : (double)a.f, y = type == 'D' ? b.d : (double)b.f;
        double z = what == 0   ? x + y
                   : what == 1 ? x - y
                   : what == 2 ? x * y
                   : what == 3 ? x / y
                               : fmod(x, y);
        struct ditto_value value = {.type = type};
        if (type == 'D')
            value.d = z;
        else
            value.f = (float)z;
        push(frame, value);
        return true;
    }
    if (what >= 3 && b.integer == 0) {
        raise_new(run, thread, "java/lang/ArithmeticException");
        return false;
    }
    uint64_t x = (uint64_t)a.integer, y = (uint64_t)b.integer;
    uint64_t z = what == 0         ? x + y
                 : what == 1       ? x - y
                 : what == 2       ? x * y
                 : b.integer == -1 ? (what == 3 ? 0 - x : 0)
                 : what == 3       ? (uint64_t)(a.integer / b.integer)
                                   : (uint64_t)(a.integer % b.integer);
    push(frame, type == 'I' ? int_value((int64_t)z) : long_value((int64_t)z));
    return true;
}

static double real_of(const struct ditto_value *value)
{
    return value->type == 'D'   ? value->d
           : value->type == 'F' ? (double)value->f
                                : (double)value->integer;
}

static void convert(struct toy_frame *frame, uint8_t op)
{
    static const char to[] = "JFDIFDIJDIJFBCS"; /* of i2l, ..., i2s */
    struct ditto_value value = pop(frame);
    char type = to[op - 0x85];
    double real = real_of(&value);
    bool from_real = value.type == 'F' || value.type == 'D';
    int64_t integer = from_real ? (int64_t)real : value.integer;
    struct ditto_value result = {.type = type};
    if (type == 'D')
        result.d = real;
    else if (type == 'F')
        result.f = (float)real;
    else if (type == 'J')
        result.integer = integer;
    else
        result = loaded(stored(int_value(integer), type));
    push(frame, result);
}

static bool jumps(struct toy_frame *frame, uint8_t op)
{
    struct ditto_value b = {0}, a;
    bool two = op >= 0x9f && op <= 0xa6;
    if (two)
        b = pop(frame);
    a = pop(frame);
    int64_t x = a.type == 'L' ? (int64_t)a.object : a.integer;
    int64_t y = !two ? 0 : b.type == 'L' ? (int64_t)b.object : b.integer;
    unsigned what = op >= 0xc6 ? op - 0xc6u : two ? (op - 0x9fu) % 6 : op - 0x99u;
    switch (what) {
    case 0:
        return x == y;
    case 1:
        return x != y;
    case 2:
        return x < y;
    case 3:
        return x >= y;
    case 4:
        return x > y;
    default:
        return x <= y;
    }
}

static void load_constant(struct toy_run *run, struct toy_frame *frame, uint32_t index)
{
    const struct ditto_cf *cf = &frame->method->owner->cf;
    const uint8_t *bytes = cf->bytes + cf->pool[index] + 1;
    uint64_t wide;
    uint32_t narrow;
    struct ditto_value value = int_value(0);
    switch (ditto_cf_tag(cf, index)) {
    case DITTO_TAG_INTEGER:
        value = int_value((int32_t)ditto_u4(bytes));
        break;
    case DITTO_TAG_FLOAT:
        value.type = 'F';
        narrow = ditto_u4(bytes);
        memcpy(&value.f, &narrow, 4);
        break;
    case DITTO_TAG_LONG:
    case DITTO_TAG_DOUBLE:
        wide = (uint64_t)ditto_u4(bytes) << 32 | ditto_u4(bytes + 4);
        value.type = bytes[-1] == DITTO_TAG_LONG ? 'J' : 'D';
        memcpy(&value.integer, &wide, 8);
        break;
    case DITTO_TAG_STRING: {
        struct ditto_cf_text literal = ditto_cf_utf8(cf, ditto_u2(bytes));
        size_t i = 0;
        while (i < run->string_count && run->strings[i].text != literal.data)
            i++;
        if (i == run->string_count) {
            run->strings = realloc(run->strings, (i + 1) * sizeof *run->strings);
            run->strings[i].text = literal.data;
            run->strings[i].object = new_string(run, literal.data, literal.size);
            run->string_count++;
        }
        value = object_value(run->strings[i].object);
        break;
    }
    default:
        value = object_value(0);
    }
    push(frame, value);
}

/* The array class of newarray's operand, or of an element class. */
static const char *array_class(const struct ditto_cf *cf, const struct ditto_insn *insn)
{
    static const char *const primitive[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
    if (insn->opcode == DITTO_OP_NEWARRAY)
        return primitive[(insn->operand - 4) & 7];
    struct ditto_cf_text name = ditto_cf_class_name(cf, insn->operand);
    static char names[64][300];
    char wanted[300];
    snprintf(wanted, sizeof wanted, name.size && name.data[0] == '[' ? "[%.*s" : "[L%.*s;",
             (int)name.size, name.data);
    size_t i = 0;
    while (i < 63 && names[i][0] && strcmp(names[i], wanted) != 0)
        i++;
    strcpy(names[i], wanted);
    return names[i];
}

static const char *kept_name(const struct toy_run *run, struct ditto_cf_text name)
{
    static char *names[256];
    struct toy_class *class = toy_class(run->program, name);
    size_t i = 0;
    if (class)
        return class->name;
    while (i < 255 && names[i] && !ditto_cf_is(name, names[i]))
        i++;
    if (!names[i])
        names[i] = strndup(name.data, name.size);
    return names[i];
}

/* Whether the class must be initialized first; then its initializer's frame is on top. */
static bool initialize(struct toy_run *run, struct toy_thread *thread, struct toy_class *class)
{
    if (!class || is_initialized(run, class))
        return false;
    if (class->super && initialize(run, thread, class->super))
        return true;
    run->initialized =
        realloc(run->initialized, (run->initialized_count + 1) * sizeof *run->initialized);
    run->initialized[run->initialized_count++] = class->name;
    for (size_t i = 0; i < class->method_count; i++) {
        if (strcmp(class->methods[i].handle.name, "<clinit>") == 0) {
            push_frame(thread, &class->methods[i])->initializer = true;
            return true;
        }
    }
    return false;
}

static struct toy_class *class_needed(const struct toy_run *run, const struct toy_frame *frame,
                                      const struct ditto_insn *insn)
{
    struct ditto_cf_ref ref;
    const struct ditto_cf *cf = &frame->method->owner->cf;
    switch (insn->opcode) {
    case DITTO_OP_NEW:
        return toy_class(run->program, ditto_cf_class_name(cf, insn->operand));
    case DITTO_OP_GETSTATIC:
    case DITTO_OP_PUTSTATIC:
    case DITTO_OP_INVOKESTATIC:
        ditto_cf_ref(cf, insn->operand, &ref);
        return toy_class(run->program, ref.owner);
    default:
        return NULL;
    }
}

static void shuffle(struct toy_frame *frame, uint8_t op)
{
    struct ditto_value a = pop(frame), b, c;
    bool wide = a.type == 'J' || a.type == 'D';
    switch (op) {
    case DITTO_OP_POP:
        return;
    case DITTO_OP_POP2:
        if (!wide)
            pop(frame);
        return;
    case DITTO_OP_DUP:
        push(frame, a);
        break;
    case DITTO_OP_DUP2:
        if (!wide) {
            b = pop(frame);
            push(frame, b);
            push(frame, a);
            push(frame, b);
        } else {
            push(frame, a);
        }
        break;
    case DITTO_OP_DUP_X1:
    case DITTO_OP_DUP2_X1:
        b = pop(frame);
        if (op == DITTO_OP_DUP2_X1 && !wide) {
            c = pop(frame);
            push(frame, b);
            push(frame, a);
            push(frame, c);
        } else {
            push(frame, a);
        }
        push(frame, b);
        break;
    case DITTO_OP_SWAP:
        b = pop(frame);
        push(frame, a);
        push(frame, b);
        return;
    default: /* dup_x2 and dup2_x2, of values that take one slot */
        b = pop(frame);
        c = pop(frame);
        push(frame, a);
        push(frame, c);
        push(frame, b);
    }
    push(frame, a);
}

static void compare(struct toy_frame *frame, uint8_t op)
{
    struct ditto_value b = pop(frame), a = pop(frame);
    if (op == 0x94) {
        push(frame, int_value((a.integer > b.integer) - (a.integer < b.integer)));
        return;
    }
    double x = real_of(&a), y = real_of(&b);
    push(frame, int_value(x > y ? 1 : x == y ? 0 : x < y ? -1 : (op & 1) ? -1 : 1));
}

static void load_local(struct toy_frame *frame, const struct ditto_insn *insn)
{
    uint8_t op = insn->opcode;
    unsigned slot = op <= 0x19 ? insn->operand : (unsigned)(op - 0x1a) & 3;
    push(frame, frame->locals[slot]);
}

static void store_local(struct toy_frame *frame, const struct ditto_insn *insn)
{
    uint8_t op = insn->opcode;
    unsigned slot = op <= 0x3a ? insn->operand : (unsigned)(op - 0x3b) & 3;
    frame->locals[slot] = pop(frame);
}

static void choose_case(struct toy_frame *frame, const struct ditto_insn *insn)
{
    int32_t key = (int32_t)pop(frame).integer;
    uint32_t target = insn->operand;
    for (uint32_t i = 0; i < insn->count; i++) {
        int32_t value = insn->opcode == DITTO_OP_TABLESWITCH
                            ? insn->low + (int32_t)i
                            : (int32_t)ditto_u4(insn->cases + 8 * (size_t)i);
        if (value == key)
            target = ditto_insn_case(insn, i);
    }
    frame->bci = (int32_t)target;
}

/* What leaves bci at the next instruction by itself. */
static bool simple(struct toy_run *run, struct toy_thread *thread, const struct ditto_insn *insn)
{
    struct toy_frame *frame = top(thread);
    uint8_t op = insn->opcode;
    const struct ditto_cf *cf = &frame->method->owner->cf;
    struct ditto_value value;
    if (op == 0x01)
        push(frame, object_value(0));
    else if (op >= 0x02 && op <= 0x08)
        push(frame, int_value(op - 0x03));
    else if (op == 0x09 || op == 0x0a)
        push(frame, long_value(op - 0x09));
    else if (op >= 0x0b && op <= 0x0d)
        push(frame, (struct ditto_value){.type = 'F', .f = (float)(op - 0x0b)});
    else if (op == 0x0e || op == 0x0f)
        push(frame, (struct ditto_value){.type = 'D', .d = op - 0x0e});
    else if (op == DITTO_OP_BIPUSH)
        push(frame, int_value((int8_t)insn->operand));
    else if (op == DITTO_OP_SIPUSH)
        push(frame, int_value((int16_t)insn->operand));
    else if (op >= DITTO_OP_LDC && op <= DITTO_OP_LDC2_W)
        load_constant(run, frame, insn->operand);
    else if (op >= 0x15 && op <= 0x2d)
        load_local(frame, insn);
    else if (op >= 0x36 && op <= 0x4e)
        store_local(frame, insn);
    else if (op >= DITTO_OP_POP && op <= DITTO_OP_SWAP)
        shuffle(frame, op);
    else if (op >= 0x60 && op <= 0x83)
        return arithmetic(run, thread, op);
    else if (op == DITTO_OP_IINC)
        frame->locals[insn->operand].integer =
            (int32_t)(frame->locals[insn->operand].integer + insn->increment);
    else if (op >= 0x85 && op <= 0x93)
        convert(frame, op);
    else if (op >= 0x94 && op <= 0x98)
        compare(frame, op);
    else if (op == DITTO_OP_NEW)
        push(frame, object_value(new_object(
                        run, kept_name(run, ditto_cf_class_name(cf, insn->operand)), -1)));
    else if (op == DITTO_OP_NEWARRAY || op == DITTO_OP_ANEWARRAY) {
        value = pop(frame);
        push(frame, object_value(new_object(run, array_class(cf, insn), value.integer)));
    } else if (op == 0xbe) { /* arraylength */
        value = pop(frame);
        push(frame, int_value(run->objects[value.object].length));
    } else if (op == 0xc1) { /* instanceof */
        struct ditto_cf_text name = ditto_cf_class_name(cf, insn->operand);
        value = pop(frame);
        push(frame,
             int_value(value.object && is_a(run->program, run->objects[value.object].class_name,
                                            kept_name(run, name))));
    } else if (op == DITTO_OP_MONITORENTER)
        acquire(run, (int)(thread - run->threads), pop(frame).object);
    else if (op == 0xc3)
        release(run, pop(frame).object);
    else if (op != 0 && op != DITTO_OP_CHECKCAST) {
        fprintf(stderr, "toy JVM: no instruction 0x%02x\n", op);
        abort();
    }
    return true;
}

static void execute(struct toy_run *run, struct toy_thread *thread)
{
    struct toy_frame *frame = top(thread);
    struct ditto_insn insn;
    if (frame->bci < 0) {
        if (frame->locked)
            acquire(run, (int)(thread - run->threads), frame->locked);
        frame->bci = 0;
        return;
    }
    if (!ditto_insn_decode(frame->method->code.code, frame->method->code.size, (uint32_t)frame->bci,
                           &insn))
        abort();
    uint8_t op = insn.opcode;
    if (initialize(run, thread, class_needed(run, frame, &insn)))
        return;
    if (op >= DITTO_OP_INVOKEVIRTUAL && op <= DITTO_OP_INVOKEINTERFACE)
        invoke(run, thread, &insn);
    else if (op == DITTO_OP_INVOKEDYNAMIC)
        invoke_dynamic(run, thread, &insn);
    else if (op >= DITTO_OP_IRETURN && op <= DITTO_OP_RETURN)
        give_back(run, thread, op != DITTO_OP_RETURN);
    else if (op == DITTO_OP_ATHROW)
        raise(run, thread, pop(frame).object);
    else if (op >= DITTO_OP_GETSTATIC && op <= DITTO_OP_PUTFIELD)
        access_field(run, thread, &insn);
    else if (op >= DITTO_OP_IALOAD && op <= DITTO_OP_SALOAD)
        access_element(run, thread, &insn, false);
    else if (op >= DITTO_OP_IASTORE && op <= DITTO_OP_SASTORE)
        access_element(run, thread, &insn, true);
    else if (op == DITTO_OP_TABLESWITCH || op == DITTO_OP_LOOKUPSWITCH)
        choose_case(frame, &insn);
    else if (op == DITTO_OP_GOTO || op == DITTO_OP_GOTO_W)
        frame->bci = (int32_t)insn.target;
    else if ((op >= DITTO_OP_IFEQ && op <= DITTO_OP_IF_ACMPNE) || op == DITTO_OP_IFNULL ||
             op == DITTO_OP_IFNONNULL)
        frame->bci = jumps(frame, op) ? (int32_t)insn.target : frame->bci + (int32_t)insn.size;
    else if (simple(run, thread, &insn))
        top(thread)->bci += (int32_t)insn.size;
}

/* -------------------------------------------------------------------------- the turn */

static uint8_t next_op(const struct toy_thread *thread)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    return frame->bci < 0 ? 0 : frame->method->code.code[frame->bci];
}

static bool is_event(const struct toy_thread *thread, bool *ticks)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    uint8_t op = next_op(thread);
    bool store = op == DITTO_OP_PUTFIELD || op == DITTO_OP_PUTSTATIC ||
                 (op >= DITTO_OP_IASTORE && op <= DITTO_OP_SASTORE);
    bool acquisition = op == DITTO_OP_MONITORENTER || (frame->bci < 0 && frame->locked);
    bool load = op == DITTO_OP_GETFIELD || op == DITTO_OP_GETSTATIC ||
                (op >= DITTO_OP_IALOAD && op <= DITTO_OP_SALOAD);
    *ticks = store || acquisition;
    return frame->method->owner->recorded && (store || acquisition || load);
}

/* The monitor that the thread's next step needs, 0: none. */
static uint64_t wants(const struct toy_thread *thread)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    if (frame->bci < 0)
        return frame->locked;
    return next_op(thread) == DITTO_OP_MONITORENTER && frame->depth
               ? frame->stack[frame->depth - 1].object
               : 0;
}

/* Thread.join, seen before it is called. */
static int joins(const struct toy_run *run, const struct toy_thread *thread)
{
    const struct toy_frame *frame = &thread->frames[thread->frame_count - 1];
    struct ditto_cf_ref ref;
    if (next_op(thread) != DITTO_OP_INVOKEVIRTUAL || !frame->depth)
        return -1;
    ditto_cf_ref(&frame->method->owner->cf, ditto_u2(frame->method->code.code + frame->bci + 1),
                 &ref);
    return ditto_cf_is(ref.name, "join") && ditto_cf_is(ref.descriptor, "()V")
               ? thread_of(run, frame->stack[frame->depth - 1].object)
               : -1;
}

static bool is_ready(struct toy_run *run, int number)
{
    struct toy_thread *thread = &run->threads[number];
    if (thread->life == DITTO_NOT_STARTED || thread->life == DITTO_OVER)
        return false;
    uint64_t monitor = wants(thread);
    thread->joins = joins(run, thread);
    bool joined = thread->joins < 0 || run->threads[thread->joins].life == DITTO_OVER;
    bool free = !monitor || can_acquire(run, number, monitor);
    thread->life = joined && free ? DITTO_ALIVE : DITTO_BLOCKED;
    thread->doing[0] = '\0';
    char name[100] = "";
    for (size_t i = 0; !free && run->objects[monitor].class_name[i] && i < sizeof name - 1; i++)
        name[i] =
            run->objects[monitor].class_name[i] == '/' ? '.' : run->objects[monitor].class_name[i];
    if (!free)
        snprintf(thread->doing, sizeof thread->doing,
                 "waits for the monitor of %s@%u, held by \"%s\"", run->objects[monitor].class_name,
                 (unsigned)monitor, run->threads[run->objects[monitor].owner].name);
    else if (!joined)
        snprintf(thread->doing, sizeof thread->doing, "waits for the end of \"%s\"",
                 run->threads[thread->joins].name);
    return thread->life == DITTO_ALIVE;
}

int toy_next(struct toy_run *run)
{
    bool ticks;
    int count = (int)run->thread_count, turn = run->turn;
    bool ready[TOY_THREADS] = {0};
    for (int i = 0; i < count; i++)
        ready[i] = is_ready(run, i);
    if (ready[turn] &&
        !(run->turn_events >= run->program->switch_after && is_event(&run->threads[turn], &ticks)))
        return turn;
    for (int i = 1; i <= count; i++)
        if (ready[(turn + i) % count])
            return (turn + i) % count;
    return -1;
}

bool toy_next_ticks(struct toy_run *run)
{
    bool ticks;
    int next = toy_next(run);
    return next >= 0 && is_event(&run->threads[next], &ticks) && ticks;
}

bool toy_next_throws(struct toy_run *run)
{
    int next = toy_next(run);
    return next >= 0 && next_op(&run->threads[next]) == DITTO_OP_ATHROW &&
           top(&run->threads[next])->bci >= 0;
}

void toy_step(struct toy_run *run)
{
    int next = toy_next(run);
    bool ticks;
    if (next < 0)
        return;
    struct toy_thread *thread = &run->threads[next];
    if (next != run->turn) {
        run->turn = next;
        run->turn_events = 0;
    }
    bool event = is_event(thread, &ticks);
    if (event) {
        thread->events++;
        thread->step = 0;
        run->turn_events++;
        run->clock += ticks;
    } else {
        thread->step++;
    }
    run->access.happened = false;
    run->returned.type = 0;
    run->last = next;
    run->time++;
    execute(run, thread);
    /* What the JDK does is part of the step that called it. */
    while (thread->frame_count && !top(thread)->method->owner->recorded) {
        struct toy_access access = run->access;
        execute(run, thread);
        run->access = access;
    }
    toy_next(run); /* who waits for what */
}

void toy_start(struct toy_run *run, const struct toy_program *program)
{
    memset(run, 0, sizeof *run);
    run->program = program;
    run->objects = calloc(1, sizeof *run->objects);
    run->object_count = 1;
    struct toy_thread *main = &run->threads[run->thread_count++];
    main->frames = calloc(TOY_FRAMES, sizeof *main->frames);
    main->joins = -1;
    main->life = DITTO_ALIVE;
    strcpy(main->name, "main");
    uint64_t arguments = new_object(run, "[Ljava/lang/String;", 0);
    struct ditto_value argument = object_value(arguments);
    call(main, program->main, &argument, 1);
    initialize(run, main, program->main->owner);
}

void toy_free(struct toy_run *run)
{
    for (size_t i = 0; i < run->thread_count; i++) {
        while (run->threads[i].frame_count)
            pop_frame(&run->threads[i]);
        free(run->threads[i].frames);
    }
    for (size_t i = 1; i < run->object_count; i++) {
        free(run->objects[i].fields);
        free(run->objects[i].elements);
    }
    free(run->objects);
    free(run->statics);
    free(run->initialized);
    free(run->strings);
}
