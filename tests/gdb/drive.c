/* SPDX-License-Identifier: MIT */
/*
 * Drives the machine of gdb-plugin/machine/machine.h by commands on stdin, one a line, and prints
 * what comes out: for the tests, which compare it, and for whoever wants to try the machine without
 * gdb.
 *
 *     drive TRACE [JAVA] < script
 */
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gdb-plugin/machine/machine.h"

enum { MOST = 64, SLOTS = 12 };

static struct ditto_machine *machine;
static struct ditto_location breaks[MOST];
static struct ditto_watch watches[MOST];
static size_t break_count, watch_count;
static bool at_throw;

static void print_value(struct ditto_value value)
{
    switch (value.type) {
    case 'F':
        printf("%g", (double)value.f);
        break;
    case 'D':
        printf("%g", value.d);
        break;
    case 'L':
    case '[':
        if (value.object == 0)
            printf("null");
        else
            printf("%s@%" PRIu64, ditto_machine_class_of(machine, value.object), value.object);
        break;
    default:
        printf("%" PRId64, value.integer);
    }
}

static void print_location(struct ditto_location location)
{
    if (location.method)
        printf("%s.%s:%d", location.method->class_name, location.method->name, location.bci);
    else
        printf("?");
}

static void print_position(void)
{
    struct ditto_position position;
    const struct ditto_location *frames;
    ditto_machine_position(machine, &position);
    printf("at %" PRIu64 " thread %" PRIu32 " event %" PRIu64, position.clock, position.thread,
           position.turn);
    if (position.step != DITTO_STEP_UNKNOWN)
        printf(" step %" PRIu64, position.step);
    (void)frames;
    printf("\n");
}

static void print_top(uint32_t thread)
{
    const struct ditto_location *frames;
    size_t count = ditto_machine_frames(machine, thread, &frames);
    printf("  [%" PRIu32 "] ", thread);
    if (count)
        print_location(frames[0]);
    else
        printf("no frames");
    printf("\n");
}

static void print_locals(uint32_t thread, size_t depth)
{
    static const char types[] = "LIJFD";
    for (unsigned slot = 0; slot < SLOTS; slot++)
        for (const char *type = types; *type; type++) {
            struct ditto_value value;
            if (!ditto_machine_local(machine, thread, depth, slot, *type, &value))
                continue;
            printf(" %u=", slot);
            print_value(value);
            break;
        }
}

static void backtrace(uint32_t thread, bool locals)
{
    const struct ditto_location *frames;
    size_t count = ditto_machine_frames(machine, thread, &frames);
    struct ditto_location *own = calloc(count + 1, sizeof *own);
    if (count)
        memcpy(own, frames, count * sizeof *own);
    for (size_t i = 0; i < count; i++) {
        printf("  #%zu ", i);
        print_location(own[i]);
        if (locals)
            print_locals(thread, i);
        printf("\n");
    }
    free(own);
}

static void print_threads(bool deep)
{
    static const char *const lives[] = {"not started", "alive", "blocked", "over"};
    static const char *const waitings[] = {"the monitor", "a notification", "an end", "something",
                                           "nothing"};
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(machine, &views);
    for (size_t i = 0; i < count; i++) {
        printf("thread %" PRIu32 " \"%s\" %s", views[i].replay_id, views[i].name,
               lives[views[i].life]);
        if (views[i].life == DITTO_BLOCKED) {
            const char *class_name =
                views[i].object ? ditto_machine_class_of(machine, views[i].object) : NULL;
            printf(": for %s", waitings[views[i].waiting]);
            if (class_name)
                printf(" of %s@%" PRIu64, class_name, views[i].object);
            if (views[i].on != DITTO_NOBODY)
                printf(" on thread %" PRIu32, views[i].on);
        }
        printf("\n");
        if (deep)
            backtrace(views[i].replay_id, true);
    }
}

/* How far long commands were, each time that it was another number. */
static double progress[64];
static size_t progress_count;

static bool on_busy(void *context, double done)
{
    (void)context;
    if (progress_count < 64 && (progress_count == 0 || progress[progress_count - 1] != done))
        progress[progress_count++] = done;
    return false;
}

static void print_halt(const struct ditto_halt *halt)
{
    static const char *const whys[] = {"stepped", "breakpoint", "watch",       "throw",
                                       "begin",   "end",        "interrupted", "lost"};
    printf("%s", whys[halt->why]);
    if (halt->why == DITTO_WHY_BREAKPOINT)
        printf(" %zu", halt->breakpoint);
    if (halt->why == DITTO_WHY_WATCH) {
        printf(" %zu write %" PRIu64 ": ", halt->watch, halt->nth);
        print_value(halt->before);
        printf(" -> ");
        print_value(halt->after);
        printf(" at ");
        print_location(halt->location);
    }
    if (halt->why == DITTO_WHY_LOST)
        printf(": %s", halt->error.text);
    printf(" in thread %" PRIu32 "; ", halt->thread);
    print_position();
    if (halt->why != DITTO_WHY_LOST)
        print_top(halt->thread);
}

static void move(struct ditto_go go, uint64_t times)
{
    struct ditto_halt halt;
    go.breakpoints = breaks;
    go.breakpoint_count = break_count;
    go.watches = watches;
    go.watch_count = watch_count;
    go.at_throw = at_throw;
    do
        ditto_machine_go(machine, &go, &halt);
    while (halt.why == DITTO_WHY_STEPPED && times-- > 1);
    print_halt(&halt);
}

static bool print_write(void *context, const struct ditto_write *write)
{
    (void)context;
    printf("write %" PRIu64 " at %" PRIu64 " thread %" PRIu32 " event %" PRIu64 ": ", write->nth,
           write->position.clock, write->position.thread, write->position.turn);
    print_value(write->before);
    printf(" -> ");
    print_value(write->after);
    printf(" at ");
    print_location(write->location);
    printf("\n");
    return true;
}

static bool count_class(void *context, const char *name, const uint8_t *bytes, size_t length)
{
    size_t *count = context;
    if (length < 4 || memcmp(bytes, "\xca\xfe\xba\xbe", 4))
        printf("%s has no class file\n", name);
    ++*count;
    return true;
}

static char *keep(const char *text)
{
    return strdup(text);
}

static void command(char *line)
{
    char word[32] = "", a[256] = "", b[256] = "", c[256] = "", d[256] = "", e[256] = "";
    int words = sscanf(line, "%31s %255s %255s %255s %255s %255s", word, a, b, c, d, e);
    struct ditto_error error;
    if (words < 1 || word[0] == '#')
        return;
    if (strcmp(word, "pos") == 0) {
        print_position();
    } else if (strcmp(word, "threads") == 0) {
        print_threads(false);
    } else if (strcmp(word, "state") == 0) {
        print_position();
        print_threads(true);
    } else if (strcmp(word, "bt") == 0) {
        backtrace((uint32_t)atoi(a), words > 2);
    } else if (strcmp(word, "step") == 0 || strcmp(word, "back") == 0) {
        move((struct ditto_go){.going = DITTO_GO_STEP,
                               .back = word[0] == 'b',
                               .thread = (uint32_t)atoi(a)},
             words > 2 ? strtoull(b, NULL, 10) : 1);
    } else if (strcmp(word, "range") == 0) {
        move((struct ditto_go){.going = DITTO_GO_RANGE,
                               .thread = (uint32_t)atoi(a),
                               .from = atoi(b),
                               .to = atoi(c)},
             1);
    } else if (strcmp(word, "cont") == 0 || strcmp(word, "rcont") == 0) {
        move((struct ditto_go){.going = DITTO_GO_ON, .back = word[0] == 'r'}, 1);
    } else if (strcmp(word, "goto") == 0) {
        move((struct ditto_go){.going = DITTO_GO_TO_CLOCK,
                               .clock = strcmp(a, "end") ? strtoull(a, NULL, 10) : UINT64_MAX},
             1);
    } else if (strcmp(word, "break") == 0 && break_count < MOST) {
        breaks[break_count++] =
            (struct ditto_location){ditto_machine_method(machine, a, b, c), atoi(d)};
    } else if (strcmp(word, "watch") == 0 && watch_count < MOST) {
        watches[watch_count++] = (struct ditto_watch){.kind = DITTO_WATCH_WRITE,
                                                      .class_name = keep(a),
                                                      .field = keep(b),
                                                      .descriptor = keep(c),
                                                      .object = strtoull(d, NULL, 10),
                                                      .nth = strtoull(e, NULL, 10)};
    } else if (strcmp(word, "throws") == 0) {
        at_throw = true;
    } else if (strcmp(word, "delete") == 0) {
        break_count = watch_count = 0;
        at_throw = false;
    } else if (strcmp(word, "returned") == 0) {
        struct ditto_value value;
        bool there = ditto_machine_returned(machine, (uint32_t)atoi(a), &value);
        printf("returned ");
        if (there)
            print_value(value);
        printf("%s\n", there ? "" : "nothing");
    } else if (strcmp(word, "sleep") == 0) {
        usleep((unsigned)atoi(a) * 1000u);
    } else if (strcmp(word, "static") == 0 || strcmp(word, "field") == 0) {
        struct ditto_value value = {0};
        bool there = word[0] == 's'
                         ? ditto_machine_static(machine, a, b, c, &value)
                         : ditto_machine_field(machine, strtoull(a, NULL, 10), b, c, d, &value);
        printf("%s.%s = ", word[0] == 's' ? a : b, word[0] == 's' ? b : c);
        if (there)
            print_value(value);
        printf("%s\n", there ? "" : "nothing");
    } else if (strcmp(word, "array") == 0) {
        struct ditto_value values[32];
        uint64_t array = strtoull(a, NULL, 10);
        size_t count = ditto_machine_elements(machine, array, 0, 32, values);
        printf("length %" PRId64 ":", ditto_machine_length(machine, array));
        for (size_t i = 0; i < count; i++) {
            printf(" ");
            print_value(values[i]);
        }
        printf("\n");
    } else if (strcmp(word, "writes") == 0) {
        const struct ditto_watch watch = {.kind = DITTO_WATCH_WRITE,
                                          .class_name = a,
                                          .field = b,
                                          .descriptor = c,
                                          .object = strtoull(d, NULL, 10)};
        double done;
        struct ditto_writes *writes = ditto_writes_begin(machine, &watch, &error);
        if (writes && ditto_writes_look(writes, INFINITY, &done, &error) > 0)
            ditto_writes_each(writes, print_write, NULL);
        else
            printf("no writes: %s\n", error.text);
        ditto_writes_end(writes);
    } else if (strcmp(word, "classes") == 0) {
        size_t count = 0;
        if (!ditto_machine_classes(machine, count_class, &count, &error))
            printf("no classes: %s\n", error.text);
        printf("%zu classes\n", count);
    } else if (strcmp(word, "last") == 0) {
        printf("last clock %" PRIu64 "\n", ditto_machine_last_clock(machine));
    } else if (strcmp(word, "progress") == 0) {
        printf("progress");
        for (size_t i = 0; i < progress_count; i++)
            printf(" %.4f", progress[i] * 100);
        printf("\n");
        progress_count = 0;
    } else if (strcmp(word, "echo") == 0) {
        printf("%s\n", a);
    } else if (strcmp(word, "time") == 0) {
        static struct timespec before;
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (before.tv_sec)
            printf("%.0f ms\n", (double)(now.tv_sec - before.tv_sec) * 1e3 +
                                    (double)(now.tv_nsec - before.tv_nsec) / 1e6);
        before = now;
    } else {
        printf("what is '%s'?\n", word);
    }
}

static void on_interrupt(int number)
{
    (void)number;
    ditto_machine_interrupt(machine);
}

int main(int argc, char **argv)
{
    struct ditto_error error;
    struct ditto_machine_options options = {.java = argc > 2 ? argv[2] : NULL, .busy = on_busy};
    char line[2048];
    if (argc < 2) {
        fprintf(stderr, "drive TRACE [JAVA] < script\n");
        return 2;
    }
    machine = ditto_machine_open(argv[1], &options, &error);
    if (!machine) {
        fprintf(stderr, "ditto: %s\n", error.text);
        return 2;
    }
    signal(SIGINT, on_interrupt);
    while (fgets(line, sizeof line, stdin)) {
        command(line);
        fflush(stdout);
    }
    ditto_machine_close(machine);
    return 0;
}
