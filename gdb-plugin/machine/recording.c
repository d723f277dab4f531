/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "core/base/text.h"
#include "core/orders/orders.h"

/* The machine goes to clocks: the order of the trace must have them. */
static bool has_cuts(const struct recording *recording, struct ditto_error *error)
{
    const struct ditto_order *order = ditto_trace_order(recording->reader, error);
    return order && ditto_order_has_cuts(order, recording->path, error);
}

bool recording_open(struct recording *recording, const char *trace,
                    const struct ditto_machine_options *options, struct ditto_error *error)
{
    interrupts_open(&recording->interrupts, options->busy, options->context);
    recording->path = ditto_copy_text(trace, "a path");
    recording->java = options->java ? ditto_copy_text(options->java, "a path") : NULL;
    recording->reader = ditto_reader_open(trace, error);
    if (!recording->reader)
        return false;
    recording->last_clock_known = true;
    for (size_t i = 0; i < ditto_reader_thread_count(recording->reader); i++) {
        const struct ditto_thread_info *info = ditto_reader_thread(recording->reader, i);
        recording->last_clock_known = recording->last_clock_known && info->ended;
        if (info->ended && info->end_clock > recording->last_clock)
            recording->last_clock = info->end_clock;
    }
    const char *damage = ditto_reader_info(recording->reader)->damage;
    if (damage)
        ditto_error_set(error, "%s: cannot be replayed: %s", trace, damage);
    else if (!ditto_reader_property(recording->reader, "java"))
        ditto_error_set(
            error, "%s: not a recording of a Java program; run the program that made it", trace);
    else
        return has_cuts(recording, error);
    return false;
}

void recording_close(struct recording *recording)
{
    methods_free(&recording->methods);
    ditto_reader_close(recording->reader);
    interrupts_close(&recording->interrupts);
    free(recording->java);
    free(recording->path);
}

const char *recording_class_path(const struct recording *recording)
{
    static const char *const names[] = {"-cp", "-classpath", "--class-path"};
    const char *value = NULL;
    char property[32];
    for (unsigned i = 1;; i++) {
        snprintf(property, sizeof property, "java.argument.%u", i);
        const char *word = ditto_reader_property(recording->reader, property);
        if (!word)
            return value ? value : ".";
        snprintf(property, sizeof property, "java.argument.%u", i + 1);
        const char *next = ditto_reader_property(recording->reader, property);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++)
            if (strcmp(word, names[n]) == 0 && next)
                value = next;
        if (ditto_begins(word, "--class-path="))
            value = word + 13;
        if (strcmp(word, "-jar") == 0 && next)
            value = next;
    }
}
