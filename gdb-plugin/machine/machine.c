/* SPDX-License-Identifier: MIT */
/* The machine: opening, closing, and what it knows without asking a JVM. */
#include "gdb-plugin/machine/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <xxhash.h>

#include "core/engine/timeline.h"
#include "gdb-plugin/classpath/archive.h"
#include "gdb-plugin/machine/state.h"

enum { SPARES = 4 };
#define SPARE_BYTES (UINT64_C(2) << 30)

/* ------------------------------------------------------------------ interrupts */

bool machine_is_interrupted(const struct ditto_machine *machine)
{
    return atomic_load_explicit(&machine->interrupted, memory_order_acquire);
}

double machine_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool machine_is_busy(struct ditto_machine *machine)
{
    const struct ditto_machine_options *options = &machine->options;
    if (!machine_is_interrupted(machine) && options->busy &&
        options->busy(options->context, machine->done))
        atomic_store_explicit(&machine->interrupted, true, memory_order_release);
    return machine_is_interrupted(machine);
}

void ditto_machine_interrupt(struct ditto_machine *machine)
{
    const uint64_t one = 1;
    int before = errno;
    atomic_store_explicit(&machine->interrupted, true, memory_order_release);
    if (write(machine->wake, &one, sizeof one) < 0)
        errno = before;
}

void machine_forget_interrupts(struct ditto_machine *machine)
{
    uint64_t count;
    atomic_store_explicit(&machine->interrupted, false, memory_order_release);
    while (read(machine->wake, &count, sizeof count) > 0)
        ;
}

/* -------------------------------------------------------------- coming and going */

static bool open_trace(struct ditto_machine *machine, const char *trace, struct ditto_error *error)
{
    machine->reader = ditto_reader_open(trace, error);
    if (!machine->reader)
        return false;
    machine->last_clock_known = true;
    for (size_t i = 0; i < ditto_reader_thread_count(machine->reader); i++) {
        const struct ditto_thread_info *info = ditto_reader_thread(machine->reader, i);
        machine->last_clock_known = machine->last_clock_known && info->ended;
        if (info->ended && info->end_clock > machine->last_clock)
            machine->last_clock = info->end_clock;
    }
    const char *damage = ditto_reader_info(machine->reader)->damage;
    if (damage)
        ditto_error_set(error, "%s: cannot be replayed: %s", trace, damage);
    else if (!ditto_reader_property(machine->reader, "java"))
        ditto_error_set(
            error, "%s: not a recording of a Java program; run the program that made it", trace);
    else
        return true;
    return false;
}

struct ditto_machine *ditto_machine_open(const char *trace,
                                         const struct ditto_machine_options *options,
                                         struct ditto_error *error)
{
    struct ditto_machine *machine = calloc(1, sizeof *machine);
    if (!machine) {
        ditto_error_system(error, trace, "open", ENOMEM);
        return NULL;
    }
    if (options)
        machine->options = *options;
    if (!machine->options.spares)
        machine->options.spares = SPARES;
    if (!machine->options.spare_bytes)
        machine->options.spare_bytes = SPARE_BYTES;
    machine->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    machine->path = strdup(trace);
    machine->java = options && options->java ? strdup(options->java) : NULL;
    machine->present = (struct spot){.kind = DITTO_SPOT_STEP};
    if (open_trace(machine, trace, error)) {
        struct replica *jvm = bring_to_spot(machine, &machine->present, error);
        if (jvm) {
            machine->jvm = jvm;
            machine->present = jvm->at;
            spares_replenish(machine);
            return machine;
        }
    }
    ditto_machine_close(machine);
    return NULL;
}

static void free_handed_out(struct ditto_machine *machine)
{
    for (size_t i = 0; i < machine->view_count; i++)
        free(machine->whats[i]);
    for (size_t i = 0; i < machine->source_count; i++)
        free(machine->sources[i]);
    for (size_t i = 0; i < machine->text_count; i++)
        free(machine->texts[i]);
    free(machine->whats);
    free(machine->held);
    free(machine->views);
    free(machine->sources);
    free(machine->texts);
    free(machine->frames);
    free(machine->places);
    free(machine->code);
}

void ditto_machine_close(struct ditto_machine *machine)
{
    if (!machine)
        return;
    replica_end(machine->jvm);
    spares_end(machine);
    log_free(&machine->log);
    hits_forget(machine);
    shown_free(machine);
    numbers_free(&machine->numbers);
    jdk_close(machine->jdk);
    free_handed_out(machine);
    for (size_t i = 0; i < METHOD_BUCKETS; i++)
        while (machine->methods[i]) {
            struct method_entry *entry = machine->methods[i];
            machine->methods[i] = entry->next;
            free((char *)entry->method.class_name);
            free((char *)entry->method.name);
            free((char *)entry->method.descriptor);
            free(entry);
        }
    ditto_reader_close(machine->reader);
    if (machine->wake >= 0)
        close(machine->wake);
    free(machine->java);
    free(machine->path);
    free(machine);
}

/* --------------------------------------------------------------------- methods */

const struct ditto_method *ditto_machine_method(struct ditto_machine *machine,
                                                const char *class_name, const char *name,
                                                const char *descriptor)
{
    uint64_t hash = XXH3_64bits(class_name, strlen(class_name));
    hash = XXH3_64bits_withSeed(name, strlen(name), hash);
    struct method_entry **bucket =
        &machine
             ->methods[XXH3_64bits_withSeed(descriptor, strlen(descriptor), hash) % METHOD_BUCKETS];
    for (struct method_entry *entry = *bucket; entry; entry = entry->next)
        if (strcmp(entry->method.class_name, class_name) == 0 &&
            strcmp(entry->method.name, name) == 0 &&
            strcmp(entry->method.descriptor, descriptor) == 0)
            return &entry->method;
    struct method_entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        abort();
    entry->method = (struct ditto_method){strdup(class_name), strdup(name), strdup(descriptor)};
    if (!entry->method.class_name || !entry->method.name || !entry->method.descriptor)
        abort();
    entry->next = *bucket;
    *bucket = entry;
    return &entry->method;
}

/* -------------------------------------------------------------------- position */

void ditto_machine_position(struct ditto_machine *machine, struct ditto_position *position)
{
    const struct spot *present = &machine->present;
    *position = (struct ditto_position){
        .clock = present->clock,
        .thread = present->thread,
        .event = present->turn,
        .step = present->kind == DITTO_SPOT_STEP ? present->step : DITTO_STEP_UNKNOWN};
}

/* Of a trace whose threads all ended it is known; else a JVM is sent to the end. */
uint64_t ditto_machine_last_clock(struct ditto_machine *machine)
{
    if (machine->last_clock_known)
        return machine->last_clock;
    struct ditto_error error;
    struct replica *jvm = bring_to_cut(machine, UINT64_MAX, &error);
    if (jvm && jvm->at.clock > machine->last_clock)
        machine->last_clock = jvm->at.clock;
    machine->last_clock_known = jvm;
    if (jvm)
        spare_keep(machine, jvm);
    return machine->last_clock;
}

/* ----------------------------------------------------------------- the program */

static void add_source(struct ditto_machine *machine, const char *directory, const char *path)
{
    char *whole = NULL;
    if (path[0] == '/' || !directory)
        whole = strdup(path);
    else if (asprintf(&whole, "%s/%s", directory, path) < 0)
        whole = NULL;
    char **larger =
        realloc(machine->sources, (machine->source_count + 1) * sizeof *machine->sources);
    if (!whole || !larger)
        abort();
    machine->sources = larger;
    machine->sources[machine->source_count++] = whole;
}

/* Of an archive: its directory, itself, since sources may be in it, and what build tools call its
 * sources. */
static void add_archive(struct ditto_machine *machine, const char *directory, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *other = NULL;
    if (asprintf(&other, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".") < 0)
        abort();
    add_source(machine, directory, *other ? other : "/");
    free(other);
    add_source(machine, directory, path);
    if (asprintf(&other, "%.*s-sources.jar", (int)(strlen(path) - strlen(".jar")), path) < 0)
        abort();
    add_source(machine, directory, other);
    free(other);
}

/* Of a class path: its directories, and where the sources of its archives may be. */
static void add_class_path(struct ditto_machine *machine, const char *directory, const char *path)
{
    char *all = strdup(path), *rest = all, *one;
    while (all && (one = strsep(&rest, ":"))) {
        size_t length = strlen(one);
        if (length > 4 && strcmp(one + length - 4, ".jar") == 0)
            add_archive(machine, directory, one);
        else
            add_source(machine, directory, *one ? one : ".");
    }
    free(all);
}

const char *machine_class_path(struct ditto_machine *machine)
{
    static const char *const names[] = {"-cp", "-classpath", "--class-path"};
    const char *value = NULL;
    char property[32];
    for (unsigned i = 1;; i++) {
        snprintf(property, sizeof property, "java.argument.%u", i);
        const char *word = ditto_reader_property(machine->reader, property);
        if (!word)
            return value ? value : ".";
        snprintf(property, sizeof property, "java.argument.%u", i + 1);
        const char *next = ditto_reader_property(machine->reader, property);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (strcmp(word, names[n]) == 0 && next)
                value = next;
        if (strncmp(word, "--class-path=", 13) == 0)
            value = word + 13;
        if (strcmp(word, "-jar") == 0 && next)
            value = next;
    }
}

size_t ditto_machine_source_paths(struct ditto_machine *machine, const char *const **paths)
{
    const char *directory = ditto_reader_property(machine->reader, "directory");
    if (machine->source_count == 0) {
        if (directory)
            add_source(machine, NULL, directory);
        add_class_path(machine, directory, machine_class_path(machine));
    }
    *paths = (const char *const *)machine->sources;
    return machine->source_count;
}
