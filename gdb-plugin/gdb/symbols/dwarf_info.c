/* SPDX-License-Identifier: MIT */
/* The tree of entries: one unit a class. */
#include "gdb-plugin/gdb/symbols/dwarf_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/list.h"
#include "gdb-plugin/gdb/symbols/dwarf_pieces.h"
#include "gdb-plugin/gdb/symbols/dwarf_shapes.h"
#include "gdb-plugin/program/names.h"
#include "jvm-bridge/classfile/classfile.h"

enum { OP_ADDR = 0x03, OP_FBREG = 0x91, OP_CALL_FRAME_CFA = 0x9c };
enum { LANGUAGE_C_PLUS_PLUS = 0x04, VIRTUAL = 1 };
enum { ENCODING_BOOLEAN = 2, ENCODING_FLOAT = 4, ENCODING_SIGNED = 5, ENCODING_UTF = 0x10 };
enum { ENCODING_SIGNED_CHAR = 6 };
enum access { PUBLIC = 1, PROTECTED = 2, PRIVATE = 3 };

/* gdb takes a second row of the first line for the end of the prologue if clang made it. */
static const char producer[] = "clang (ditto)";

/* ----------------------------------------------------------------------- base types */

static const struct {
    char letter;
    const char *name;
    uint8_t encoding, size;
} base_types[] = {
    {'Z', "boolean", ENCODING_BOOLEAN, 1}, {'B', "signed char", ENCODING_SIGNED_CHAR, 1},
    {'C', "char16_t", ENCODING_UTF, 2},    {'S', "short", ENCODING_SIGNED, 2},
    {'I', "int", ENCODING_SIGNED, 4},      {'J', "long", ENCODING_SIGNED, 8},
    {'F', "float", ENCODING_FLOAT, 4},     {'D', "double", ENCODING_FLOAT, 8},
};
enum { BASE_TYPES = sizeof base_types / sizeof *base_types };

struct making {
    const struct program *program;
    const struct dwarf_sources *sources;
    struct dwarf *dwarf;
    struct ditto_buf *info;
    uint32_t base[128];  /* offsets of base types, by letter */
    uint32_t char_array; /* offset of the type of a string's text */
    uint32_t *class_at;  /* offsets of classes, by number of their hubs */
    uintptr_t unit;      /* the number of the unit; it marks names that have a type in it */
    size_t unit_begin;
    /* Classes that the unit names. */
    const char **wanted;
    size_t wanted_count, wanted_room;
    const char **simple; /* simple names of the program's classes, in order */
    size_t simple_count;
    size_t own_pointer; /* where to patch the class into the type of `this`, 0: nowhere */
};

static uint32_t at(const struct making *m)
{
    return (uint32_t)m->info->size;
}

static void begin(struct making *m, enum shape shape)
{
    put_uleb(m->info, shape);
}

static void end_children(struct making *m)
{
    put1(m->info, 0);
}

static void begin_unit(struct making *m)
{
    m->unit_begin = m->info->size;
    m->unit++;
    put4(m->info, 0);
    put2(m->info, 4);
    put4(m->info, 0);
    put1(m->info, 8);
}

static void end_unit(struct making *m)
{
    end_children(m);
    patch4(m->info, m->unit_begin, (uint32_t)(m->info->size - m->unit_begin - 4));
}

static void put_location(struct making *m, unsigned slot)
{
    size_t length = m->info->size;
    put1(m->info, 0);
    put1(m->info, OP_FBREG);
    put_sleb(m->info, -16 - 8 * ((int64_t)slot + 1));
    m->info->data[length] = (uint8_t)(m->info->size - length - 1);
}

/*
 * What C++'s runtime calls when it has found who catches an exception.  gdb stops there while it
 * steps over a call, and reads from the second argument where the program will go on.
 */
static void put_hook(struct making *m)
{
    static const char *const parameters[] = {"cfa", "handler"};
    begin(m, SHAPE_FUNCTION);
    put_text(m->info, "_Unwind_DebugHook");
    put8(m->info, HOOK_BASE);
    put4(m->info, 16);
    put1(m->info, 1);
    put1(m->info, OP_CALL_FRAME_CFA);
    for (unsigned i = 0; i < 2; i++) {
        begin(m, SHAPE_PARAMETER);
        put_text(m->info, parameters[i]);
        put4(m->info, m->base['J']);
        put_location(m, i);
    }
    end_children(m);
}

static void put_base_unit(struct making *m)
{
    begin_unit(m);
    begin(m, SHAPE_UNIT);
    put_text(m->info, producer);
    put1(m->info, LANGUAGE_C_PLUS_PLUS);
    put_text(m->info, "java");
    put_text(m->info, "/");
    put8(m->info, HOOK_BASE);
    put8(m->info, 16);
    put4(m->info, dwarf_hook_lines(&m->dwarf->line));
    for (size_t i = 0; i < BASE_TYPES; i++) {
        m->base[(unsigned)base_types[i].letter] = at(m);
        begin(m, SHAPE_BASE_TYPE);
        put_text(m->info, base_types[i].name);
        put1(m->info, base_types[i].encoding);
        put1(m->info, base_types[i].size);
    }
    /* gdb prints characters of two bytes by this name alone; Java's is an alias. */
    uint32_t utf16 = m->base['C'];
    m->base['C'] = at(m);
    begin(m, SHAPE_TYPEDEF);
    put_text(m->info, "char");
    put4(m->info, utf16);
    /* gdb prints any number of one byte as a character, but not a range of them. */
    uint32_t byte = m->base['B'];
    m->base['B'] = at(m);
    begin(m, SHAPE_SUBRANGE);
    put_text(m->info, "byte");
    put4(m->info, byte);
    put1(m->info, 1);
    put_sleb(m->info, -128);
    put_sleb(m->info, 127);
    uint32_t utf8 = at(m);
    begin(m, SHAPE_BASE_TYPE);
    put_text(m->info, "utf8");
    put1(m->info, ENCODING_SIGNED_CHAR);
    put1(m->info, 1);
    m->char_array = at(m);
    begin(m, SHAPE_POINTER);
    put4(m->info, utf8);
    put1(m->info, 8);
    put_hook(m);
    end_unit(m);
}

/* ---------------------------------------------------------------------- named types */

/* The offset of a type in this unit is kept with its name, next to the unit's number. */
static void set_type(struct making *m, const char *descriptor, uint32_t offset)
{
    *names_meaning(descriptor) = (void *)(m->unit << 32 | offset);
}

static bool has_type(const struct making *m, const char *descriptor)
{
    return (uintptr_t)*names_meaning(descriptor) >> 32 == m->unit;
}

static const char *name(const struct making *m, const char *text, size_t length)
{
    return names_add(m->program->names, text, length);
}

/* Notes that the unit needs the type. */
static void want(struct making *m, const char *descriptor)
{
    while (*descriptor == '[')
        descriptor++;
    if (*descriptor != 'L')
        return;
    descriptor = name(m, descriptor, strlen(descriptor));
    if (has_type(m, descriptor))
        return;
    set_type(m, descriptor, 0);
    DITTO_PUSH(m->wanted, m->wanted_count, m->wanted_room, descriptor);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The length of the part of a class's name up to its simple name. */
static size_t package_length(const char *class_name)
{
    const char *slash = strrchr(class_name, '/');
    return slash ? (size_t)(slash + 1 - class_name) : 0;
}

/* Opens a namespace for each part of "java/util/". */
static unsigned open_package(struct making *m, const char *package, size_t length)
{
    unsigned depth = 0;
    for (const char *part = package; part < package + length; depth++) {
        size_t size = strcspn(part, "/");
        begin(m, SHAPE_NAMESPACE);
        ditto_buf_bytes(m->info, part, size);
        put1(m->info, 0);
        part += size + 1;
    }
    return depth;
}

static void close_package(struct making *m, unsigned depth)
{
    while (depth--)
        end_children(m);
}

/* Declares the classes that are wanted, one package after the other, and then points to them. */
static void put_wanted(struct making *m, const struct program_class *own)
{
    uint32_t *declared =
        ditto_alloc_zeroed(m->wanted_count, sizeof *declared, "declarations of classes");
    const char *package = "";
    size_t package_size = 0;
    unsigned depth = 0;
    if (m->wanted_count)
        qsort(m->wanted, m->wanted_count, sizeof *m->wanted, by_text);
    for (size_t i = 0; i < m->wanted_count; i++) {
        const char *class_name = m->wanted[i] + 1;
        size_t size = package_length(class_name), length = strlen(class_name) - 1;
        if (strlen(own->name) == length && strncmp(own->name, class_name, length) == 0)
            continue; /* its own unit holds it */
        if (size != package_size || strncmp(package, class_name, size) != 0) {
            close_package(m, depth);
            depth = open_package(m, class_name, size);
            package = class_name;
            package_size = size;
        }
        declared[i] = at(m);
        begin(m, SHAPE_CLASS_DECLARATION);
        ditto_buf_bytes(m->info, class_name + size, length - size);
        put1(m->info, 0);
    }
    close_package(m, depth);
    for (size_t i = 0; i < m->wanted_count; i++) {
        set_type(m, m->wanted[i], at(m));
        begin(m, SHAPE_POINTER);
        if (!declared[i])
            m->own_pointer = m->info->size;
        put4(m->info, declared[i]);
        put1(m->info, 8);
    }
    free(declared);
    m->wanted_count = 0;
}

/* The name of an array's type: Java's, but for what C++ puts between the parts of a name. */
static void put_array_name(struct making *m, const char *descriptor)
{
    const char *element = descriptor + strspn(descriptor, "[");
    if (*element == 'L') {
        size_t length = strlen(element) - 2;
        for (size_t i = 0; i < length; i++) {
            if (element[1 + i] == '/')
                ditto_buf_bytes(m->info, "::", 2);
            else
                put1(m->info, (unsigned char)element[1 + i]);
        }
    } else {
        const char *java = *element == 'C' ? "char" : *element == 'B' ? "byte" : NULL;
        for (size_t i = 0; i < BASE_TYPES && !java; i++)
            if (base_types[i].letter == *element)
                java = base_types[i].name;
        ditto_buf_bytes(m->info, java, strlen(java));
    }
    for (; descriptor < element; descriptor++)
        ditto_buf_bytes(m->info, "[]", 2);
    put1(m->info, 0);
}

/*
 * Makes the types of arrays: each is a pointer to the elements with a name of its own, so that
 * gdb indexes it like one of C, and the plugin knows it from a pointer to one object.
 */
static void put_array(struct making *m, const char *descriptor)
{
    if (*descriptor != '[' || has_type(m, descriptor))
        return;
    const char *element = name(m, descriptor + 1, strlen(descriptor + 1));
    put_array(m, element);
    uint32_t to = *element == 'L' || *element == '[' ? (uint32_t)(uintptr_t)*names_meaning(element)
                                                     : m->base[(unsigned char)*element & 127];
    uint32_t pointer = at(m);
    begin(m, SHAPE_POINTER);
    put4(m->info, to);
    put1(m->info, 8);
    set_type(m, descriptor, at(m));
    begin(m, SHAPE_TYPEDEF);
    put_array_name(m, descriptor);
    put4(m->info, pointer);
}

static uint32_t type_of(const struct making *m, const char *descriptor)
{
    if (*descriptor == 'L' || *descriptor == '[')
        return (uint32_t)(uintptr_t)*names_meaning(descriptor);
    return m->base[(unsigned char)*descriptor & 127];
}

static const char *result_of(const struct making *m, const struct program_method *method)
{
    const char *close = strchr(method->descriptor, ')');
    return close ? name(m, close + 1, strlen(close + 1)) : "V";
}

static bool sound_type(const char *descriptor)
{
    const char *element = descriptor + strspn(descriptor, "[");
    if (*element == 'L')
        return element[1] && element[strlen(element) - 1] == ';';
    return *element && !element[1] && strchr("ZBCSIJFD", *element);
}

/* Calls `each` for every type that a class's entries name. */
static void each_type(struct making *m, const struct program_class *class,
                      void (*each)(struct making *, const char *))
{
    for (size_t i = 0; i < class->field_count; i++)
        each(m, class->fields[i].descriptor);
    for (size_t i = 0; i < class->static_count; i++)
        each(m, class->statics[i].descriptor);
    for (size_t i = 0; i < class->method_count; i++) {
        const struct program_method *method = &class->methods[i];
        const char *result = result_of(m, method);
        if (sound_type(result))
            each(m, result);
        for (size_t l = 0; l < method->local_count; l++)
            each(m, method->locals[l].descriptor);
    }
    if (class->element) {
        char type[] = {'[', class->element, '\0'};
        const char *array = class->element == 'L' ? "[Ljava/lang/Object;" : type;
        each(m, name(m, array, strlen(array)));
    }
}

/* ------------------------------------------------------------------------- a class */

static enum access access_of(uint16_t access)
{
    if (access & DITTO_ACC_PRIVATE)
        return PRIVATE;
    return access & 0x0004 ? PROTECTED : PUBLIC; /* a package's own is public to a debugger */
}

static void put_member(struct making *m, const char *name, uint32_t type, enum access access,
                       uint32_t offset)
{
    begin(m, SHAPE_MEMBER);
    put_text(m->info, name);
    put4(m->info, type);
    put1(m->info, access);
    put_uleb(m->info, offset);
}

static int by_range(const void *a, const void *b)
{
    const struct program_local *x = *(const struct program_local *const *)a,
                               *y = *(const struct program_local *const *)b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->slot < y->slot ? -1 : x->slot > y->slot;
}

/*
 * A block for each local, inside the block of every local that lives longer.  Ranges that overlap
 * without nesting are cut at the end of the outer one: gdb wants a tree.
 */
static void put_blocks(struct making *m, const struct program_method *method)
{
    enum { DEEPEST = 256 };
    size_t count = 0;
    const struct program_local *locals[DEEPEST];
    uint32_t ends[DEEPEST + 1];
    for (size_t i = 0; i < method->local_count && count < DEEPEST; i++)
        if (!method->locals[i].argument)
            locals[count++] = &method->locals[i];
    if (count)
        qsort(locals, count, sizeof *locals, by_range);
    size_t depth = 0;
    ends[0] = method->size;
    for (size_t i = 0; i < count; i++) {
        const struct program_local *local = locals[i];
        bool joined = i > 0 && locals[i - 1]->start == local->start &&
                      locals[i - 1]->end == local->end && depth;
        if (!joined) {
            while (depth && ends[depth] <= local->start) {
                end_children(m);
                depth--;
            }
            uint32_t end = local->end < ends[depth] ? local->end : ends[depth];
            begin(m, SHAPE_BLOCK);
            put8(m->info, method->base + 1 + local->start);
            put4(m->info, end - local->start);
            ends[++depth] = end;
        }
        begin(m, SHAPE_VARIABLE);
        put_text(m->info, local->name);
        put4(m->info, type_of(m, local->descriptor));
        put_location(m, local->slot);
    }
    while (depth--)
        end_children(m);
}

static bool is_this(const struct program_method *method, const struct program_local *local)
{
    return !(method->access & DITTO_ACC_STATIC) && local->slot == 0;
}

/* gdb's parser of C++ does not take <init>; constructors have the names that C++ gives them. */
static void put_method_name(struct making *m, const struct program_method *method)
{
    const char *class_name = method->owner->name;
    if (strcmp(method->name, "<init>") == 0)
        put_text(m->info, class_name + package_length(class_name));
    else if (strcmp(method->name, "<clinit>") == 0)
        put_text(m->info, "clinit");
    else
        put_text(m->info, method->name);
}

static void put_method(struct making *m, const struct program_method *method)
{
    const char *result = result_of(m, method);
    bool value = sound_type(result);
    bool is_static = method->access & DITTO_ACC_STATIC;
    /* A function without lines makes gdb's `until` hang; a symbol is all that such a one gets. */
    bool whole = method->base && method->line_count;
    if (whole && is_static)
        begin(m, value ? SHAPE_STATIC_METHOD : SHAPE_STATIC_VOID_METHOD);
    else if (whole)
        begin(m, value ? SHAPE_METHOD : SHAPE_VOID_METHOD);
    else
        begin(m, value ? SHAPE_METHOD_DECLARATION : SHAPE_VOID_METHOD_DECLARATION);
    size_t sibling = m->info->size;
    put4(m->info, 0);
    put_method_name(m, method);
    put1(m->info, access_of(method->access));
    if (whole) {
        put8(m->info, method->base);
        put4(m->info, method->size + 1);
        put1(m->info, 1);
        put1(m->info, OP_CALL_FRAME_CFA);
    }
    if (value)
        put4(m->info, type_of(m, result));
    size_t object = m->info->size;
    if (whole && !is_static)
        put4(m->info, 0);
    for (size_t i = 0; i < method->local_count; i++) {
        const struct program_local *local = &method->locals[i];
        if (!local->argument)
            continue;
        bool this = is_this(method, local);
        if (this && whole)
            patch4(m->info, object, (uint32_t)(m->info->size - m->unit_begin));
        if (whole)
            begin(m, this ? SHAPE_THIS : SHAPE_PARAMETER);
        else
            begin(m, this ? SHAPE_THIS_DECLARATION : SHAPE_PARAMETER_DECLARATION);
        if (whole)
            put_text(m->info, local->name);
        put4(m->info, type_of(m, local->descriptor));
        if (whole)
            put_location(m, local->slot);
    }
    if (whole)
        put_blocks(m, method);
    end_children(m);
    patch4(m->info, sibling, (uint32_t)(m->info->size - m->unit_begin));
}

static void put_class_body(struct making *m, const struct program_class *class, uint32_t *statics)
{
    if (class->super) {
        begin(m, SHAPE_INHERITANCE);
        put4(m->info, m->class_at[(class->super->hub - HUBS_BASE) / HUB_SIZE]);
        put1(m->info, 0);
        put1(m->info, PUBLIC);
    } else {
        /* One virtual function makes gdb look for the class of an object in its first word. */
        begin(m, SHAPE_VIRTUAL);
        put_text(m->info, "hub");
        put1(m->info, VIRTUAL);
        put1(m->info, PUBLIC);
    }
    if (class->element) {
        char type[] = {'[', class->element, '\0'};
        const char *array = class->element == 'L' ? "[Ljava/lang/Object;" : type;
        put_member(m, "length", m->base['I'], PUBLIC, 8);
        put_member(m, "data", type_of(m, name(m, array, strlen(array))), PUBLIC, HEADER_SIZE);
    }
    if (strcmp(class->name, "java/lang/String") == 0)
        put_member(m, "text", m->char_array, PUBLIC,
                   class->super ? class->super->size : HEADER_SIZE);
    for (size_t i = 0; i < class->field_count; i++) {
        const struct program_field *field = &class->fields[i];
        put_member(m, field->name, type_of(m, field->descriptor), access_of(field->access),
                   field->offset);
    }
    for (size_t i = 0; i < class->static_count; i++) {
        const struct program_field *field = &class->statics[i];
        statics[i] = at(m) - (uint32_t)m->unit_begin;
        begin(m, SHAPE_STATIC);
        put_text(m->info, field->name);
        put4(m->info, type_of(m, field->descriptor));
        put1(m->info, access_of(field->access));
    }
    for (size_t i = 0; i < class->method_count; i++)
        put_method(m, &class->methods[i]);
}

/* The simple names of the classes in the trace, in order. */
static void list_simple_names(struct making *m)
{
    m->simple = ditto_alloc_zeroed(m->program->class_count, sizeof *m->simple, "names of classes");
    for (size_t i = 0; i < m->program->class_count; i++) {
        const struct program_class *class = m->program->classes[i];
        if (!class->built_in)
            m->simple[m->simple_count++] = class->name + package_length(class->name);
    }
    if (m->simple_count)
        qsort(m->simple, m->simple_count, sizeof *m->simple, by_text);
}

static bool is_simple_name(const struct making *m, const char *name)
{
    return m->simple_count &&
           bsearch(&name, m->simple, m->simple_count, sizeof *m->simple, by_text);
}

/* The first of the places for sources that has this one. */
static const char *directory_of(const struct making *m, const char *source)
{
    char path[4096];
    for (size_t i = 0; i < m->sources->count; i++) {
        snprintf(path, sizeof path, "%s/%s", m->sources->paths[i], source);
        if (access(path, R_OK) == 0)
            return m->sources->paths[i];
    }
    return m->sources->count ? m->sources->paths[0] : "/";
}

static bool has_lines(const struct program_class *class)
{
    if (!class->source || class->low == class->high)
        return false;
    for (size_t i = 0; i < class->method_count; i++)
        if (class->methods[i].base && class->methods[i].line_count)
            return true;
    return false;
}

static void put_class(struct making *m, const struct program_class *class)
{
    bool lines = has_lines(class);
    uint32_t *statics = ditto_alloc_zeroed(class->static_count, sizeof *statics, "statics");
    begin_unit(m);
    begin(m, lines ? SHAPE_UNIT : SHAPE_BARE_UNIT);
    put_text(m->info, producer);
    put1(m->info, LANGUAGE_C_PLUS_PLUS);
    put_text(m->info, class->source ? class->source : class->name);
    if (lines) {
        put_text(m->info, directory_of(m, class->source));
        put8(m->info, class->low);
        put8(m->info, class->high - class->low);
        put4(m->info, dwarf_lines(&m->dwarf->line, class));
    }
    m->own_pointer = 0;
    each_type(m, class, want);
    put_wanted(m, class);
    each_type(m, class, put_array);
    size_t package = package_length(class->name);
    unsigned depth = open_package(m, class->name, package);
    m->class_at[(class->hub - HUBS_BASE) / HUB_SIZE] = at(m);
    if (m->own_pointer)
        patch4(m->info, m->own_pointer, at(m));
    begin(m, SHAPE_CLASS);
    put_text(m->info, class->name + package);
    put_uleb(m->info, class->size);
    put_class_body(m, class, statics);
    end_children(m);
    close_package(m, depth);
    /* The simple name alone is known everywhere, too, and means the program's class. */
    if (package && !(class->built_in && is_simple_name(m, class->name + package))) {
        begin(m, SHAPE_TYPEDEF);
        put_text(m->info, class->name + package);
        put4(m->info, m->class_at[(class->hub - HUBS_BASE) / HUB_SIZE]);
    }
    for (size_t i = 0; i < class->static_count; i++) {
        begin(m, SHAPE_STATIC_PLACE);
        put4(m->info, statics[i]);
        put1(m->info, 9);
        put1(m->info, OP_ADDR);
        put8(m->info, class->statics[i].address);
    }
    end_unit(m);
    free(statics);
}

void dwarf_make(const struct program *program, const struct dwarf_sources *sources,
                struct dwarf *dwarf)
{
    struct making m = {
        .program = program, .sources = sources, .dwarf = dwarf, .info = &dwarf->info};
    memset(dwarf, 0, sizeof *dwarf);
    m.class_at = ditto_alloc_zeroed(program->class_count, sizeof *m.class_at, "the classes");
    dwarf_shapes(&dwarf->abbrev);
    list_simple_names(&m);
    put_base_unit(&m);
    for (size_t i = 0; i < program->class_count; i++)
        put_class(&m, program->classes[i]);
    dwarf_frames(&dwarf->frame, program);
    free(m.class_at);
    free(m.wanted);
    free(m.simple);
}

void dwarf_free(struct dwarf *dwarf)
{
    ditto_buf_free(&dwarf->info);
    ditto_buf_free(&dwarf->abbrev);
    ditto_buf_free(&dwarf->line);
    ditto_buf_free(&dwarf->frame);
}
