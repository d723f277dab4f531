/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "core/base/text.h"
#include "gdb-plugin/program/built_in.h"
#include "gdb-plugin/program/names.h"
#include "gdb-plugin/program/read_class.h"
#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/classfile/classfile.h"

/* So many classes that are not in the trace are shown with their fields. */
enum { SHAPES_MOST = 2000 };

/* ------------------------------------------------------------------------- making */

static void add_class(struct program *program, struct program_class *class)
{
    *names_meaning(class->name) = class;
    DITTO_PUSH(program->classes, program->class_count, program->class_room, class);
}

static void complain_about(struct program *program, const char *name, const char *text)
{
    DITTO_PUSH(program->complaints, program->complaint_count, program->complaint_room,
               ditto_format("%s is shown without its fields and methods: %s", name, text));
}

static bool take_class(void *context, const char *name, const uint8_t *bytes, size_t length)
{
    struct program *program = context;
    struct ditto_error error;
    const char *known = names_find(program->names, name, strlen(name));
    if (known && *names_meaning(known))
        return true;
    struct program_class *class = read_class(program, bytes, length, &error);
    if (!class)
        complain_about(program, name, error.text);
    else if (strpbrk(class->name, "[;") || !*class->name)
        complain_about(program, name, "no class can have the name that its file gives it");
    else if (!*names_meaning(class->name))
        add_class(program, class);
    return true;
}

/* No program may have classes in packages of these names. */
static bool is_of_jdk(const struct program_class *class)
{
    static const char *const packages[] = {"java/", "jdk/", "sun/"};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++)
        if (ditto_begins(class->name, packages[i]))
            return true;
    return class->built_in;
}

/* A class of the JDK that is not in the trace, with its superclasses. */
static void find_shape(struct program *program, struct ditto_machine *machine, const char *name)
{
    while (name) {
        size_t length;
        const char *known = names_add(program->names, name, strlen(name));
        if (*names_meaning(known))
            return;
        uint8_t *bytes = ditto_machine_jdk_class(machine, name, &length);
        struct program_class *class = bytes ? read_shape(program, bytes, length) : NULL;
        free(bytes);
        if (!class || class->name != known)
            return;
        add_class(program, class);
        name = class->super_name;
    }
}

/* A type that is mentioned.  If nobody has the class, all that is known of it is its name. */
static void know_class(struct program *program, struct ditto_machine *machine,
                       const char *descriptor)
{
    descriptor += strspn(descriptor, "[");
    if (*descriptor != 'L' || strlen(descriptor) < 3)
        return;
    const char *name = names_add(program->names, descriptor + 1, strlen(descriptor) - 2);
    if (!*names_meaning(name) && program->class_count < program->read_count + SHAPES_MOST)
        find_shape(program, machine, name);
    if (*names_meaning(name))
        return;
    struct program_class *class = DITTO_NEW(&program->arena, struct program_class);
    class->name = name;
    class->super_name = names_add(program->names, "java/lang/Object", 16);
    class->built_in = true;
    add_class(program, class);
}

/* Types that classes mention become classes, too, so that gdb can tell what their objects are; and
 * so do those that these mention, as long as they are not too many. */
static void know_mentioned(struct program *program, struct ditto_machine *machine)
{
    for (size_t i = 0; i < program->class_count; i++) {
        const struct program_class *class = program->classes[i];
        for (size_t f = 0; f < class->field_count; f++)
            know_class(program, machine, class->fields[f].descriptor);
        for (size_t f = 0; f < class->static_count; f++)
            know_class(program, machine, class->statics[f].descriptor);
        for (size_t m = 0; m < class->method_count; m++) {
            const struct program_method *method = &class->methods[m];
            const char *result = strchr(method->descriptor, ')');
            if (result && result[strlen(result) - 1] == ';')
                know_class(program, machine, result + 1);
            for (size_t l = 0; l < method->local_count; l++)
                know_class(program, machine, method->locals[l].descriptor);
        }
        for (size_t m = 0; !is_of_jdk(class) && m < class->mention_count; m++)
            find_shape(program, machine, class->mentions[m]);
    }
}

/* Fields after the superclass's.  A cycle of superclasses, which no JVM loads, is cut. */
static void place(struct program_class *class)
{
    class->placed = true;
    if (class->super_name)
        class->super = *names_meaning(class->super_name);
    if (class->super && !class->super->placed)
        place(class->super);
    uint64_t size = class->super && class->super->size ? class->super->size : HEADER_SIZE;
    if (class->super && !class->super->size)
        class->super = NULL;
    if (class->element)
        size = HEADER_SIZE + 8;
    if (strcmp(class->name, "java/lang/String") == 0)
        size += 8; /* the address of its text */
    for (size_t i = 0; i < class->field_count; i++) {
        if (size + 8 > UINT64_C(1) << OBJECT_SHIFT) {
            class->field_count = i;
            break;
        }
        class->fields[i].offset = (uint32_t)size;
        size += 8;
    }
    class->size = (uint32_t)size;
}

/* Puts supers before the classes that extend them. */
static void sort_class(struct program_class *class, struct program_class **sorted, size_t *count)
{
    if (class->low)
        return;
    class->low = 1;
    if (class->super)
        sort_class(class->super, sorted, count);
    sorted[(*count)++] = class;
}

static void sort_classes(struct program *program)
{
    struct program_class **sorted =
        ditto_alloc_zeroed(program->class_count, sizeof *program->classes, "the classes");
    size_t count = 0;
    for (size_t i = 0; i < program->class_count; i++)
        sort_class(program->classes[i], sorted, &count);
    free(program->classes);
    program->classes = sorted;
    program->class_room = program->class_count;
}

static void assign_class(struct program *program, struct program_class *class, uint64_t *text)
{
    class->low = *text;
    for (size_t m = 0; m < class->method_count; m++) {
        struct program_method *method = &class->methods[m];
        if (method->size == 0 && !(method->access & DITTO_ACC_NATIVE))
            continue;
        method->base = *text;
        /* One byte more than the code, so that a return address behind it is still inside. */
        *text += (1 + (uint64_t)method->size + 1 + 15) & ~UINT64_C(15);
        program->methods[program->method_count++] = method;
    }
    class->high = *text;
    for (size_t f = 0; f < class->static_count; f++) {
        class->statics[f].address = STATICS_BASE + program->static_count * 8;
        program->statics[program->static_count++] = &class->statics[f];
    }
}

/*
 * Gives methods and statics their addresses.  The program's come first: which classes of the JDK
 * there are, and how long their methods, differs from one JDK to the next.
 */
static void assign(struct program *program)
{
    size_t methods = 0, statics = 0;
    for (size_t i = 0; i < program->class_count; i++) {
        methods += program->classes[i]->method_count;
        statics += program->classes[i]->static_count;
        program->classes[i]->hub = HUBS_BASE + i * HUB_SIZE;
    }
    program->methods = ditto_alloc_zeroed(methods, sizeof *program->methods, "the methods");
    program->statics = ditto_alloc_zeroed(statics, sizeof *program->statics, "the statics");
    uint64_t text = CODE_BASE;
    for (int jdk = 0; jdk < 2; jdk++)
        for (size_t i = 0; i < program->class_count; i++)
            if (is_of_jdk(program->classes[i]) == jdk)
                assign_class(program, program->classes[i], &text);
    program->text_end = text;
}

/* The first frame of the first thread, at the beginning. */
static void find_main(struct program *program, struct ditto_machine *machine)
{
    const struct ditto_location *frames;
    size_t count = ditto_machine_frames(machine, 0, &frames);
    while (count > 0 && !program->main)
        program->main = program_method(program, frames[--count].method);
}

struct program *program_make(struct ditto_machine *machine, struct ditto_error *error)
{
    struct program *program = ditto_alloc_zeroed(1, sizeof *program, "the program");
    program->names = names_make();
    if (!ditto_machine_classes(machine, take_class, program, error)) {
        program_free(program);
        return NULL;
    }
    program->read_count = program->class_count;
    built_in_classes(program, machine, find_shape, add_class);
    know_mentioned(program, machine);
    for (size_t i = 0; i < program->class_count; i++)
        if (!program->classes[i]->placed)
            place(program->classes[i]);
    sort_classes(program);
    assign(program);
    find_main(program, machine);
    return program;
}

void program_free(struct program *program)
{
    if (!program)
        return;
    for (size_t i = 0; i < program->complaint_count; i++)
        free(program->complaints[i]);
    free(program->complaints);
    free(program->classes);
    free(program->methods);
    free(program->statics);
    ditto_map_free(&program->handles);
    names_free(program->names);
    ditto_arena_free(&program->arena);
    free(program);
}

/* ------------------------------------------------------------------------ finding */

const struct program_class *program_class(const struct program *program, const char *name)
{
    const char *known = names_find(program->names, name, strlen(name));
    /* What a descriptor stands for is the debug information's business. */
    return known && name[0] != '[' && !strchr(name, ';') ? *names_meaning(known) : NULL;
}

const struct program_class *program_array(const struct program *program, char element)
{
    for (size_t i = 0; i < program->class_count; i++) {
        const struct program_class *class = program->classes[i];
        if (class->element && (class->element == element ||
                               (class->element == 'L' && (element == '[' || element == 'L'))))
            return class;
    }
    return NULL;
}

const struct program_class *program_shape(struct program *program, struct ditto_machine *machine,
                                          const char *class_name)
{
    if (class_name[0] == '[')
        return program_array(program, class_name[1]);
    const struct program_class *class = program_class(program, class_name);
    if (class)
        return class;
    /* Kept by a name that no class can have. */
    char *key = ditto_format(".%s", class_name);
    void **kept = names_meaning(names_add(program->names, key, strlen(key)));
    free(key);
    if (*kept)
        return *kept;
    size_t size;
    uint8_t *bytes = ditto_machine_jdk_class(machine, class_name, &size);
    const struct program_class *own = bytes ? read_shape(program, bytes, size) : NULL;
    free(bytes);
    if (own && own->super_name)
        class = program_shape(program, machine, own->super_name);
    *kept = (void *)(class ? class : program_class(program, "java/lang/Object"));
    return *kept;
}

/* Whether `name`, with / and $ or . between its parts, ends with what the user wrote. */
static bool user_means(const char *name, const char *written)
{
    size_t length = strlen(name), wanted = strlen(written);
    if (wanted > length)
        return false;
    const char *tail = name + length - wanted;
    if (tail != name && tail[-1] != '/' && tail[-1] != '$')
        return false;
    for (size_t i = 0; i < wanted; i++)
        if (tail[i] != written[i] &&
            !(written[i] == '.' && (tail[i] == '/' || (tail[i] == '$' && i > 0))))
            return false;
    return true;
}

/* C++'s spelling, which gdb prints, is as good as Java's. */
static size_t as_written(const char *name, char *written, size_t size)
{
    size_t length = 0;
    for (; *name && length < size - 1; name++) {
        bool colons = name[0] == ':' && name[1] == ':';
        written[length++] = colons || *name == '/' ? '.' : *name;
        name += colons;
    }
    written[length] = '\0';
    return length;
}

/* What a name may mean: how many classes of the program and of the JDK, and the first of each. */
struct meant {
    const struct program_class *first[2];
    size_t count[2];
};

static struct meant classes_meant(const struct program *program, const char *name)
{
    char written[512];
    struct meant meant = {0};
    size_t length = as_written(name, written, sizeof written);
    for (size_t i = 0; length && i < program->class_count; i++) {
        const struct program_class *class = program->classes[i];
        if (class->element || !user_means(class->name, written))
            continue;
        if (strlen(class->name) == length) /* the whole name goes before tails */
            return (struct meant){.first = {class}, .count = {1}};
        bool jdk = is_of_jdk(class);
        if (meant.count[jdk]++ == 0)
            meant.first[jdk] = class;
    }
    return meant;
}

const struct program_class *program_class_by_user(const struct program *program, const char *name,
                                                  size_t *count)
{
    struct meant meant = classes_meant(program, name);
    bool jdk = meant.count[0] == 0;
    *count = meant.count[jdk];
    return meant.first[jdk];
}

bool program_user_means(const struct program *program, const struct program_class *class,
                        const char *name)
{
    char written[512];
    as_written(name, written, sizeof written);
    return !class->element && user_means(class->name, written) &&
           (!is_of_jdk(class) || classes_meant(program, name).count[0] == 0);
}

const struct program_field *program_field(const struct program_class *class, const char *name,
                                          bool *is_static)
{
    for (; class; class = class->super) {
        for (size_t i = 0; i < class->field_count; i++) {
            if (strcmp(class->fields[i].name, name) == 0) {
                *is_static = false;
                return &class->fields[i];
            }
        }
        for (size_t i = 0; i < class->static_count; i++) {
            if (strcmp(class->statics[i].name, name) == 0) {
                *is_static = true;
                return &class->statics[i];
            }
        }
    }
    return NULL;
}

const struct program_method *program_method(struct program *program,
                                            const struct ditto_method *handle)
{
    static const struct program_method none; /* stands for those that are not in the program */
    const struct program_method *known = ditto_map_get_number(&program->handles, (uintptr_t)handle);
    if (known)
        return known == &none ? NULL : known;
    const struct program_class *class = program_class(program, handle->class_name);
    const struct program_method *found = NULL;
    for (size_t i = 0; class && i < class->method_count && !found; i++) {
        const struct program_method *method = &class->methods[i];
        if (method->base && strcmp(method->name, handle->name) == 0 &&
            strcmp(method->descriptor, handle->descriptor) == 0)
            found = method;
    }
    ditto_map_add_number(&program->handles, (uintptr_t)handle, (void *)(found ? found : &none));
    return found;
}

const struct ditto_method *program_handle(struct ditto_machine *machine,
                                          const struct program_method *method)
{
    if (!method->handle)
        ((struct program_method *)method)->handle =
            ditto_machine_method(machine, method->owner->name, method->name, method->descriptor);
    return method->handle;
}

const struct program_method *program_method_at(const struct program *program, uint64_t address,
                                               int32_t *bci)
{
    size_t low = 0, high = program->method_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (program->methods[middle]->base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const struct program_method *method = program->methods[low - 1];
    if (address - method->base > (uint64_t)method->size + 1)
        return NULL;
    *bci = (int32_t)(address - method->base) - 1;
    return method;
}

unsigned program_line(const struct program_method *method, int32_t bci)
{
    unsigned line = 0;
    for (size_t i = 0; i < method->line_count && (i == 0 || method->lines[i].bci <= bci); i++)
        line = method->lines[i].line;
    return line;
}

unsigned program_instruction_size(const struct program_method *method, int32_t bci)
{
    struct ditto_insn insn;
    if (bci < 0 || (uint32_t)bci >= method->size ||
        !ditto_insn_decode(method->code, method->size, (uint32_t)bci, &insn))
        return 1;
    return insn.size;
}

unsigned program_element_size(char type)
{
    unsigned size = ditto_cf_value_size(type);
    return size ? size : 8; /* an address */
}

const char *program_dotted(const char *name, char *text, size_t size)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++)
        text[i] = name[i] == '/' ? '.' : name[i];
    text[i] = '\0';
    return text;
}
