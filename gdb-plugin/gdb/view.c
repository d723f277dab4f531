/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/view.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"

void view_init(struct view *view, struct ditto_machine *machine, struct program *program)
{
    memset(view, 0, sizeof *view);
    view->machine = machine;
    view->program = program;
    view->parked = view->throwing = view->catching = STACKS_MAX;
}

void view_destroy(struct view *view)
{
    for (size_t i = 0; i < sizeof view->stacks / sizeof *view->stacks; i++)
        free(view->stacks[i].frames);
    free(view->text.bytes);
}

void view_changed(struct view *view)
{
    for (size_t i = 0; i < sizeof view->stacks / sizeof *view->stacks; i++)
        view->stacks[i].valid = false;
    view->text.object = 0;
}

/* ------------------------------------------------------------------------- stacks */

static struct view_frame *add_frame(struct view_stack *stack)
{
    DITTO_PUSH(stack->frames, stack->count, stack->room, (struct view_frame){0});
    return &stack->frames[stack->count - 1];
}

/* Where a call from here returns to. */
static uint64_t return_address(const struct program_method *method, int32_t bci)
{
    if (bci < 0)
        return method->base + 1;
    return method->base + 1 + (uint64_t)bci + program_instruction_size(method, bci);
}

/*
 * gdb reads stacks in aligned blocks of this size.  The two words that lead to a frame's caller, at
 * fp, share their block with no local, so that a walk up the frames, which gdb does at each
 * intermediate stop of a step, asks for no values: those would need a JVM at that very place.
 */
enum { BLOCK = 64 };

static uint64_t locals_size(const struct program_method *method)
{
    return ((uint64_t)method->max_locals * 8 + BLOCK - 1) & ~(uint64_t)(BLOCK - 1);
}

static void take_frames(struct view *view, struct view_stack *stack)
{
    const struct ditto_location *locations;
    size_t count = ditto_machine_frames(view->machine, stack->thread, &locations);
    /* Only what runs called something; what has just caught goes on where it is. */
    bool catching = view->catching == stack->thread, caller = false;
    if (count && (catching || view->throwing == stack->thread)) {
        add_frame(stack)->pc = catching ? HOOK_BASE : THROW_BASE;
        caller = !catching;
    }
    for (size_t i = 0; i < count; i++) {
        const struct program_method *method = program_method(view->program, locations[i].method);
        if (!method)
            continue;
        struct view_frame *frame = add_frame(stack);
        frame->method = method;
        frame->bci = locations[i].bci;
        frame->depth = i;
        frame->pc = caller ? return_address(method, frame->bci)
                           : method->base + 1 + (uint64_t)(int64_t)frame->bci;
        caller = true;
    }
}

const struct view_stack *view_stack(struct view *view, uint32_t thread)
{
    enum { STACKS = sizeof view->stacks / sizeof *view->stacks };
    for (size_t i = 0; i < STACKS; i++)
        if (view->stacks[i].valid && view->stacks[i].thread == thread)
            return &view->stacks[i];
    struct view_stack *stack = &view->stacks[view->next_stack++ % STACKS];
    stack->valid = true;
    stack->thread = thread;
    stack->count = 0;
    if (view->parked != thread)
        take_frames(view, stack);
    /* One that is only shown there has moved, even if it is there. */
    add_frame(stack)->pc = ROOT_BASE + (view->parked == thread ? 2 : 1);
    uint64_t fp = STACKS_BASE + (((uint64_t)thread + 1) << STACK_SHIFT) - 256;
    for (size_t i = stack->count; i-- > 0;) {
        struct view_frame *frame = &stack->frames[i];
        frame->fp = fp;
        fp -= (frame->method ? locals_size(frame->method) : 0) + BLOCK;
    }
    return stack;
}

/* The local that a slot holds at a bytecode, or NULL. */
static const struct program_local *local_at(const struct view_frame *frame, unsigned slot)
{
    const struct program_method *method = frame->method;
    uint32_t bci = frame->bci < 0 ? 0 : (uint32_t)frame->bci;
    for (size_t i = method->local_count; i-- > 0;) {
        const struct program_local *local = &method->locals[i];
        if (local->slot == slot && local->start <= bci && bci < local->end)
            return local;
    }
    return NULL;
}

static uint64_t stack_word(struct view *view, uint64_t address)
{
    uint32_t thread = (uint32_t)((address - STACKS_BASE) >> STACK_SHIFT);
    const struct view_stack *stack = view_stack(view, thread);
    size_t low = 0, high = stack->count; /* the first frame whose fp + 8 is not below */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (stack->frames[middle].fp + 8 < address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == stack->count)
        return 0;
    const struct view_frame *frame = &stack->frames[low];
    bool root = low + 1 == stack->count;
    if (address == frame->fp)
        return root ? 0 : frame[1].fp;
    if (address == frame->fp + 8)
        return root ? 0 : frame[1].pc;
    uint64_t slot = (frame->fp - address) / 8 - 1;
    if (!frame->method && !root && slot < 2) /* the arguments of _Unwind_DebugHook */
        return slot == 0 ? frame[1].fp + 16 : frame[1].pc;
    if (!frame->method || slot >= frame->method->max_locals)
        return 0;
    const struct program_local *local = local_at(frame, (unsigned)slot);
    struct ditto_value value;
    if (!local || !ditto_machine_local(view->machine, thread, frame->depth, (unsigned)slot,
                                       local->descriptor[0], &value))
        return 0;
    return view_word(local->descriptor, &value);
}

/* -------------------------------------------------------------------------- values */

uint64_t view_reference(const char *descriptor, uint64_t object)
{
    if (object == 0 || object >= OBJECTS_MAX)
        return 0;
    if (*descriptor == '[')
        return ELEMENTS_BASE + (object << ELEMENTS_SHIFT) + ELEMENTS_POINT;
    return HEAP_BASE + (object << OBJECT_SHIFT);
}

uint64_t view_object(uint64_t address)
{
    if (address >= HEAP_BASE && address < HEAP_END)
        return (address - HEAP_BASE) >> OBJECT_SHIFT;
    if (address >= ELEMENTS_BASE && address < TEXTS_BASE)
        return (address - ELEMENTS_BASE) >> ELEMENTS_SHIFT;
    return 0;
}

uint64_t view_word(const char *descriptor, const struct ditto_value *value)
{
    uint64_t word = 0;
    switch (*descriptor) {
    case 'L':
    case '[':
        return view_reference(descriptor, value->object);
    case 'F':
        memcpy(&word, &value->f, sizeof value->f);
        return word;
    case 'D':
        memcpy(&word, &value->d, sizeof value->d);
        return word;
    default:
        return (uint64_t)value->integer;
    }
}

static bool static_word(struct view *view, uint64_t address, uint64_t *word)
{
    uint64_t number = (address - STATICS_BASE) / 8;
    struct ditto_value value;
    if (number >= view->program->static_count)
        return false;
    const struct program_field *field = view->program->statics[number];
    *word = ditto_machine_static(view->machine, field->owner->name, field->name, field->descriptor,
                                 &value)
                ? view_word(field->descriptor, &value)
                : 0; /* of a class that is not initialized yet */
    return true;
}

static bool heap_word(struct view *view, uint64_t address, uint64_t *word)
{
    uint64_t object = (address - HEAP_BASE) >> OBJECT_SHIFT;
    uint64_t offset = (address - HEAP_BASE) & ((UINT64_C(1) << OBJECT_SHIFT) - 1);
    const char *class_name = object ? ditto_machine_class_of(view->machine, object) : NULL;
    if (!class_name)
        return false;
    const struct program_class *class = program_shape(view->program, view->machine, class_name);
    *word = 0;
    if (!class || offset >= class->size)
        return false;
    if (offset == 0) {
        *word = class->hub + HUB_POINT;
    } else if (class->element) {
        int64_t length = ditto_machine_length(view->machine, object);
        *word = offset == 8 ? (uint64_t)(length < 0 ? 0 : length) : view_reference("[", object);
    } else if (offset == 8) {
        *word =
            strcmp(class_name, "java/lang/String") ? TEXTS_BASE + (object << ELEMENTS_SHIFT) : 0;
    } else if (offset >= HEADER_SIZE) {
        const struct program_class *owner = class;
        while (owner->super && offset < owner->super->size)
            owner = owner->super;
        struct ditto_value value;
        for (size_t i = 0; i < owner->field_count; i++) {
            const struct program_field *field = &owner->fields[i];
            if (field->offset == offset &&
                ditto_machine_field(view->machine, object, owner->name, field->name,
                                    field->descriptor, &value))
                *word = view_word(field->descriptor, &value);
        }
        if (strcmp(owner->name, "java/lang/String") == 0 &&
            offset == (owner->super ? owner->super->size : HEADER_SIZE))
            *word = TEXTS_BASE + (object << ELEMENTS_SHIFT);
    }
    return true;
}

/* Bytes of an array's elements, with the length before them. */
static size_t read_elements(struct view *view, uint64_t address, uint8_t *bytes, size_t length)
{
    enum { MOST = 512 };
    uint64_t object = view_object(address);
    uint64_t offset = (address - ELEMENTS_BASE) & ((UINT64_C(1) << ELEMENTS_SHIFT) - 1);
    int64_t count = object ? ditto_machine_length(view->machine, object) : -1;
    const char *class_name = count >= 0 ? ditto_machine_class_of(view->machine, object) : NULL;
    if (!class_name || class_name[0] != '[')
        return 0;
    const char *element = class_name + 1;
    unsigned size = program_element_size(*element);
    size_t done = 0;
    for (; done < length && offset < ELEMENTS_POINT; done++, offset++)
        bytes[done] = offset < 8 ? 0 : (uint8_t)((uint64_t)count >> 8 * (offset - 8));
    while (done < length) {
        struct ditto_value values[MOST];
        int64_t first = (int64_t)((offset - ELEMENTS_POINT) / size);
        if (first >= count)
            break;
        size_t wanted = (length - done) / size + 2;
        if (wanted > MOST)
            wanted = MOST;
        if ((int64_t)wanted > count - first)
            wanted = (size_t)(count - first);
        size_t got = ditto_machine_elements(view->machine, object, first, wanted, values);
        if (got == 0)
            break;
        size_t skip = (offset - ELEMENTS_POINT) % size;
        for (size_t i = 0; i < got && done < length; i++, skip = 0) {
            uint64_t word = view_word(element, &values[i]);
            for (size_t b = skip; b < size && done < length; b++, done++, offset++)
                bytes[done] = (uint8_t)(word >> 8 * b);
        }
    }
    return done;
}

/* --------------------------------------------------------------------- texts */

static size_t put_utf8(char *out, uint32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    unsigned more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    out[0] = (char)((0xff00 >> (more + 1) & 0xff) | code >> 6 * more);
    for (unsigned i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
    return more + 1;
}

/* The bytes of a string's array, in UTF-16 if `wide`, as UTF-8.  A text has no zero byte inside. */
static size_t convert(const struct ditto_value *values, size_t count, bool wide, char *out)
{
    size_t length = 0;
    for (size_t i = 0; i < count;) {
        uint32_t code = (uint8_t)values[i++].integer;
        if (wide && i < count)
            code |= (uint32_t)(uint8_t)values[i++].integer << 8;
        if (wide && code >= 0xd800 && code < 0xdc00 && i + 1 < count) {
            uint32_t low = (uint8_t)values[i].integer | (uint32_t)(uint8_t)values[i + 1].integer
                                                            << 8;
            if (low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                i += 2;
            }
        }
        if (code >= 0xd800 && code < 0xe000)
            code = 0xfffd; /* half a pair */
        length += put_utf8(out + length, code ? code : 0xfffd);
    }
    return length;
}

/* The text of an object that is no string is the name of its class.  What the JVM adds to that of a
 * lambda is another in each replay. */
static bool load_class_name(struct view *view, uint64_t object, const char *class_name)
{
    char *name = ditto_alloc(strlen(class_name) + 1, "the name of a class");
    program_dotted(class_name, name, strlen(class_name) + 1);
    char *lambda = strstr(name, "$$Lambda");
    if (lambda)
        lambda[8] = '\0';
    free(view->text.bytes);
    view->text.bytes = name;
    view->text.length = strlen(name);
    view->text.object = object;
    return true;
}

static bool load_text(struct view *view, uint64_t object)
{
    enum { LONGEST = 1 << 24 };
    static const char string[] = "java/lang/String";
    const char *class_name = ditto_machine_class_of(view->machine, object);
    struct ditto_value array, coder;
    if (class_name && class_name[0] != '[' && strcmp(class_name, string) != 0)
        return load_class_name(view, object, class_name);
    if (!class_name || strcmp(class_name, string) != 0 ||
        !ditto_machine_field(view->machine, object, string, "value", "[B", &array))
        return false;
    if (!ditto_machine_field(view->machine, object, string, "coder", "B", &coder))
        coder.integer = 0;
    int64_t count = array.object ? ditto_machine_length(view->machine, array.object) : 0;
    if (count < 0 || count > LONGEST)
        count = count < 0 ? 0 : LONGEST;
    struct ditto_value *values = ditto_alloc((size_t)count * sizeof *values, "a string");
    char *bytes = ditto_alloc((size_t)count * 3 + 1, "a string");
    size_t got = 0, more = 1;
    while (got < (size_t)count && more) {
        more = ditto_machine_elements(view->machine, array.object, (int64_t)got,
                                      (size_t)count - got, values + got);
        got += more;
    }
    free(view->text.bytes);
    view->text.bytes = bytes;
    view->text.length = convert(values, got, coder.integer == 1, bytes);
    view->text.object = object;
    free(values);
    return true;
}

static size_t read_text(struct view *view, uint64_t address, uint8_t *bytes, size_t length)
{
    uint64_t object = (address - TEXTS_BASE) >> ELEMENTS_SHIFT;
    uint64_t offset = (address - TEXTS_BASE) & ((UINT64_C(1) << ELEMENTS_SHIFT) - 1);
    if (object == 0 || (view->text.object != object && !load_text(view, object)))
        return 0;
    size_t done = 0;
    /* A page of zeroes behind it: gdb reads strings in blocks. */
    for (; done < length && offset < view->text.length + 4096; done++, offset++)
        bytes[done] = offset < view->text.length ? (uint8_t)view->text.bytes[offset] : 0;
    return done;
}

/* -------------------------------------------------------------------------- memory */

/* One word of a window that is made of words. */
static bool word_at(struct view *view, uint64_t address, uint64_t *word)
{
    *word = 0;
    if (address >= TEXT_BASE && address < STATICS_BASE) {
        /* x86's nop: gdb must not take a bytecode for a return, or a breakpoint. */
        *word = UINT64_C(0x9090909090909090);
        return address < view->program->text_end + 64;
    }
    if (address >= STATICS_BASE && address < HUBS_BASE)
        return static_word(view, address, word);
    if (address >= HUBS_BASE && address < STACKS_BASE)
        return address - HUBS_BASE < view->program->class_count * HUB_SIZE;
    if (address >= STACKS_BASE && address < HEAP_BASE) {
        *word = stack_word(view, address);
        return true;
    }
    if (address >= HEAP_BASE && address < HEAP_END)
        return heap_word(view, address, word);
    return false;
}

size_t view_read(struct view *view, uint64_t address, uint8_t *bytes, size_t length)
{
    if (address >= ELEMENTS_BASE && address < TEXTS_BASE)
        return read_elements(view, address, bytes, length);
    if (address >= TEXTS_BASE && address < TEXTS_END)
        return read_text(view, address, bytes, length);
    size_t done = 0;
    while (done < length) {
        uint64_t word, at = address + done;
        if (!word_at(view, at & ~UINT64_C(7), &word))
            break;
        for (unsigned b = at & 7; b < 8 && done < length; b++, done++)
            bytes[done] = (uint8_t)(word >> 8 * b);
    }
    return done;
}
