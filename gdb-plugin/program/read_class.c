/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/program/read_class.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "gdb-plugin/program/names.h"
#include "jvm-bridge/classfile/classfile.h"

struct reading {
    struct program *program;
    struct program_class *class;
    const struct ditto_cf *cf;
};

static const char *name_of(struct program *program, struct ditto_cf_text text)
{
    return names_add(program->names, text.data, text.size);
}

static const char *utf8_of(struct program *program, const struct ditto_cf *cf, uint32_t index)
{
    return name_of(program, ditto_cf_utf8(cf, index));
}

/* The length of the descriptor at the beginning of the text. */
static size_t descriptor_length(const char *text)
{
    size_t length = 0;
    while (text[length] == '[')
        length++;
    if (text[length] == 'L')
        length += strcspn(text + length, ";");
    return text[length] ? length + 1 : length;
}

/* Whether it is one that can be shown: a damaged class may hold anything. */
static bool good_descriptor(const char *text)
{
    const char *at = text + strspn(text, "[");
    if (*at == 'L')
        return at[1] && at[1] != ';' && at[strlen(at) - 1] == ';';
    return *at && strchr("ZBCSIJFD", *at) && !at[1];
}

static void read_fields(struct reading *r)
{
    struct program_class *class = r->class;
    class->fields = DITTO_NEW_ARRAY(&r->program->arena, struct program_field, r->cf->field_count);
    class->statics = DITTO_NEW_ARRAY(&r->program->arena, struct program_field, r->cf->field_count);
    for (uint32_t i = 0; i < r->cf->field_count; i++) {
        const struct ditto_cf_member *member = &r->cf->fields[i];
        const char *descriptor = utf8_of(r->program, r->cf, member->descriptor);
        if (!good_descriptor(descriptor))
            continue;
        struct program_field *field = member->access & DITTO_ACC_STATIC
                                          ? &class->statics[class->static_count++]
                                          : &class->fields[class->field_count++];
        field->owner = class;
        field->name = utf8_of(r->program, r->cf, member->name);
        field->descriptor = descriptor;
        field->access = member->access;
    }
}

/* A table of u2 columns: its rows, NULL if the attribute is missing or cut short. */
static const uint8_t *table_rows(const struct ditto_cf *cf, struct ditto_cf_attrs attrs,
                                 const char *name, unsigned columns, size_t *count)
{
    struct ditto_cf_attr attr;
    *count = 0;
    if (!ditto_cf_find_attr(cf, attrs, name, &attr) || attr.size < 2)
        return NULL;
    size_t rows = ditto_u2(cf->bytes + attr.at);
    if (attr.size < 2 + rows * columns * 2)
        return NULL;
    *count = rows;
    return cf->bytes + attr.at + 2;
}

static int by_bci(const void *a, const void *b)
{
    const struct program_line *x = a, *y = b;
    return x->bci != y->bci ? (x->bci > y->bci) - (x->bci < y->bci)
                            : (x->line > y->line) - (x->line < y->line);
}

/* A method may have several tables; javac writes one, and the first is enough. */
static void read_lines(struct reading *r, struct program_method *method,
                       const struct ditto_cf_code *code)
{
    size_t count;
    const uint8_t *row = table_rows(r->cf, code->attrs, "LineNumberTable", 2, &count);
    method->lines = DITTO_NEW_ARRAY(&r->program->arena, struct program_line, count);
    bool sorted = true;
    for (size_t i = 0; i < count; i++, row += 4) {
        struct program_line line = {ditto_u2(row), ditto_u2(row + 2)};
        if (line.bci >= method->size || line.line == 0)
            continue;
        size_t at = method->line_count++;
        method->lines[at] = line;
        sorted = sorted && (at == 0 || method->lines[at - 1].bci <= line.bci);
    }
    if (!sorted)
        qsort(method->lines, method->line_count, sizeof *method->lines, by_bci);
}

/* The arguments, from the descriptor: they are there with or without a LocalVariableTable. */
static size_t read_arguments(struct reading *r, struct program_method *method,
                             struct program_local *locals)
{
    struct program_names *names = r->program->names;
    size_t count = 0;
    unsigned slot = 0, number = 1;
    if (!(method->access & DITTO_ACC_STATIC)) {
        char type[1024];
        int length = snprintf(type, sizeof type, "L%s;", r->class->name);
        if (length < (int)sizeof type) {
            locals[count++] =
                (struct program_local){.name = names_add(names, "this", 4),
                                       .descriptor = names_add(names, type, (size_t)length),
                                       .end = method->size};
        }
        slot = 1;
    }
    const char *at = method->descriptor + (*method->descriptor == '(');
    while (*at && *at != ')') {
        size_t length = descriptor_length(at);
        const char *type = names_add(names, at, length);
        if (!good_descriptor(type))
            break;
        char name[16];
        int name_length = snprintf(name, sizeof name, "arg%u", number++);
        locals[count++] =
            (struct program_local){.name = names_add(names, name, (size_t)name_length),
                                   .descriptor = type,
                                   .end = method->size,
                                   .slot = (uint16_t)slot};
        slot += *at == 'J' || *at == 'D' ? 2 : 1;
        at += length;
    }
    for (size_t i = 0; i < count; i++)
        locals[i].argument = true;
    return count;
}

static void read_locals(struct reading *r, struct program_method *method,
                        const struct ditto_cf_code *code)
{
    size_t rows = 0;
    const uint8_t *row = NULL;
    if (code)
        row = table_rows(r->cf, code->attrs, "LocalVariableTable", 5, &rows);
    size_t most = rows + 2 + strlen(method->descriptor);
    method->locals = DITTO_NEW_ARRAY(&r->program->arena, struct program_local, most);
    size_t arguments = read_arguments(r, method, method->locals);
    method->local_count = arguments;
    for (size_t i = 0; i < rows; i++, row += 10) {
        struct program_local local = {
            .start = ditto_u2(row),
            .end = (uint32_t)ditto_u2(row) + ditto_u2(row + 2),
            .slot = ditto_u2(row + 8),
            .name = utf8_of(r->program, r->cf, ditto_u2(row + 4)),
            .descriptor = utf8_of(r->program, r->cf, ditto_u2(row + 6)),
        };
        if (local.end > method->size)
            local.end = method->size;
        if (local.start >= local.end || local.slot >= method->max_locals || !*local.name ||
            !good_descriptor(local.descriptor))
            continue;
        size_t same = 0;
        while (same < arguments && (method->locals[same].slot != local.slot || local.start > 0))
            same++;
        if (same < arguments) {
            local.argument = true;
            method->locals[same] = local;
        } else {
            method->locals[method->local_count++] = local;
        }
    }
}

static bool read_method(struct reading *r, const struct ditto_cf_member *member,
                        struct program_method *method, struct ditto_error *error)
{
    struct ditto_cf_code code;
    bool present;
    method->owner = r->class;
    method->name = utf8_of(r->program, r->cf, member->name);
    method->descriptor = utf8_of(r->program, r->cf, member->descriptor);
    method->access = member->access;
    if (!ditto_cf_code(r->cf, member, &present, &code, error))
        return false;
    if (present) {
        method->max_locals = code.max_locals;
        method->size = code.size;
        method->code = code.code;
        read_lines(r, method, &code);
    }
    read_locals(r, method, present ? &code : NULL);
    return true;
}

static void read_source(struct reading *r)
{
    struct ditto_cf_attr attr;
    if (!ditto_cf_find_attr(r->cf, r->cf->attrs, "SourceFile", &attr) || attr.size != 2)
        return;
    struct ditto_cf_text file = ditto_cf_utf8(r->cf, ditto_u2(r->cf->bytes + attr.at));
    const char *slash = strrchr(r->class->name, '/');
    int package = slash ? (int)(slash + 1 - r->class->name) : 0;
    if (file.size == 0)
        return;
    char *path = ditto_format("%.*s%.*s", package, r->class->name, (int)file.size, file.data);
    r->class->source = names_add(r->program->names, path, strlen(path));
    free(path);
}

/* The classes that the constants name. */
static void read_mentions(struct reading *r)
{
    const struct ditto_cf *cf = r->cf;
    struct program_class *class = r->class;
    size_t count = 0;
    for (uint32_t i = 1; i < cf->pool_count; i++)
        count += ditto_cf_tag(cf, i) == DITTO_TAG_CLASS;
    class->mentions = DITTO_NEW_ARRAY(&r->program->arena, const char *, count);
    for (uint32_t i = 1; i < cf->pool_count; i++) {
        if (ditto_cf_tag(cf, i) != DITTO_TAG_CLASS)
            continue;
        struct ditto_cf_text name = ditto_cf_class_name(cf, i);
        if (name.size && name.data[0] != '[')
            class->mentions[class->mention_count++] = name_of(r->program, name);
    }
}

struct program_class *read_shape(struct program *program, const uint8_t *bytes, size_t length)
{
    struct ditto_cf cf;
    if (!ditto_cf_open(&cf, bytes, length, NULL))
        return NULL;
    struct program_class *class = DITTO_NEW(&program->arena, struct program_class);
    struct reading reading = {program, class, &cf};
    class->built_in = true;
    class->access = cf.access;
    class->name = name_of(program, ditto_cf_class_name(&cf, cf.this_class));
    if (cf.super_class)
        class->super_name = name_of(program, ditto_cf_class_name(&cf, cf.super_class));
    read_fields(&reading);
    class->static_count = 0;
    ditto_cf_close(&cf);
    return class;
}

struct program_class *read_class(struct program *program, const uint8_t *bytes, size_t length,
                                 struct ditto_error *error)
{
    struct ditto_cf cf;
    uint8_t *copy = ditto_arena_array(&program->arena, length, 1);
    if (length)
        memcpy(copy, bytes, length);
    if (!ditto_cf_open(&cf, copy, length, error))
        return NULL;
    struct program_class *class = DITTO_NEW(&program->arena, struct program_class);
    struct reading reading = {program, class, &cf};
    class->bytes = copy;
    class->length = length;
    class->access = cf.access;
    class->name = name_of(program, ditto_cf_class_name(&cf, cf.this_class));
    if (cf.super_class)
        class->super_name = name_of(program, ditto_cf_class_name(&cf, cf.super_class));
    read_source(&reading);
    read_fields(&reading);
    read_mentions(&reading);
    class->methods = DITTO_NEW_ARRAY(&program->arena, struct program_method, cf.method_count);
    bool good = true;
    for (uint32_t i = 0; good && i < cf.method_count; i++)
        good = read_method(&reading, &cf.methods[i], &class->methods[class->method_count++], error);
    ditto_cf_close(&cf);
    return good ? class : NULL;
}
