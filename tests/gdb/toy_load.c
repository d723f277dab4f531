/* SPDX-License-Identifier: MIT */
/* The toy JVM's program: class files from directories. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/gdb/toy_jvm.h"

/* nftw() has no argument for its caller: one load at a time. */
static struct toy_program *loading;
static bool failed;

static char *text_of(struct ditto_cf_text text)
{
    return strndup(text.data, text.size);
}

/* The slots of a method's arguments. */
static unsigned argument_slots(const char *descriptor)
{
    unsigned slots = 0;
    for (const char *at = descriptor + 1; *at && *at != ')'; at++) {
        slots += *at == 'J' || *at == 'D' ? 2 : 1;
        bool array = *at == '[';
        while (*at == '[')
            at++;
        if (*at == 'L')
            at += strcspn(at, ";");
        (void)array;
    }
    return slots;
}

static void take_methods(struct toy_class *class)
{
    struct ditto_error error;
    class->method_count = class->cf.method_count;
    class->methods = calloc(class->method_count + 1, sizeof *class->methods);
    for (size_t i = 0; i < class->method_count; i++) {
        const struct ditto_cf_member *member = &class->cf.methods[i];
        struct toy_method *method = &class->methods[i];
        method->owner = class;
        method->access = member->access;
        method->handle.class_name = class->name;
        method->handle.name = text_of(ditto_cf_utf8(&class->cf, member->name));
        method->handle.descriptor = text_of(ditto_cf_utf8(&class->cf, member->descriptor));
        method->arguments =
            argument_slots(method->handle.descriptor) + !(member->access & DITTO_ACC_STATIC);
        ditto_cf_code(&class->cf, member, &method->has_code, &method->code, &error);
    }
}

static int take_file(const char *path, const struct stat *status, int type, struct FTW *place)
{
    struct ditto_error error;
    size_t length = strlen(path);
    (void)place;
    if (type != FTW_F || length < 6 || strcmp(path + length - 6, ".class") != 0)
        return 0;
    struct toy_class *class = calloc(1, sizeof *class);
    uint8_t *bytes = malloc((size_t)status->st_size + 1);
    FILE *in = fopen(path, "rb");
    class->length = in ? fread(bytes, 1, (size_t)status->st_size, in) : 0;
    class->bytes = bytes;
    if (in)
        fclose(in);
    if (!ditto_cf_open(&class->cf, bytes, class->length, &error)) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        failed = true;
        return 0;
    }
    class->name = text_of(ditto_cf_class_name(&class->cf, class->cf.this_class));
    class->recorded = strncmp(class->name, "java/", 5) != 0;
    take_methods(class);
    loading->classes =
        realloc(loading->classes, (loading->class_count + 1) * sizeof *loading->classes);
    loading->classes[loading->class_count++] = class;
    return 0;
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(struct toy_class *const *)a)->name, (*(struct toy_class *const *)b)->name);
}

struct toy_class *toy_class(const struct toy_program *program, struct ditto_cf_text name)
{
    size_t low = 0, high = program->class_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct toy_class *class = program->classes[middle];
        int order = strncmp(name.data, class->name, name.size);
        if (order == 0 && !class->name[name.size])
            return class;
        if (order <= 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool toy_load(struct toy_program *program, const char *directory)
{
    loading = program;
    failed = false;
    if (nftw(directory, take_file, 20, FTW_PHYS) != 0) {
        fprintf(stderr, "ditto: %s: cannot be read\n", directory);
        return false;
    }
    if (program->class_count)
        qsort(program->classes, program->class_count, sizeof *program->classes, by_name);
    for (size_t i = 0; i < program->class_count; i++) {
        struct toy_class *class = program->classes[i];
        if (class->cf.super_class)
            class->super =
                toy_class(program, ditto_cf_class_name(&class->cf, class->cf.super_class));
    }
    return !failed;
}

bool toy_find_main(struct toy_program *program, const char *class_name)
{
    for (size_t i = 0; i < program->class_count; i++) {
        struct toy_class *class = program->classes[i];
        for (size_t m = 0; strcmp(class->name, class_name) == 0 && m < class->method_count; m++)
            if (strcmp(class->methods[m].handle.name, "main") == 0)
                program->main = &class->methods[m];
    }
    return program->main != NULL;
}

void toy_unload(struct toy_program *program)
{
    for (size_t i = 0; i < program->class_count; i++) {
        struct toy_class *class = program->classes[i];
        for (size_t m = 0; m < class->method_count; m++) {
            free((char *)class->methods[m].handle.name);
            free((char *)class->methods[m].handle.descriptor);
        }
        free(class->methods);
        ditto_cf_close(&class->cf);
        free((char *)class->name);
        free((uint8_t *)class->bytes);
        free(class);
    }
    free(program->classes);
}
