/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "core/commands/commands.h"
#include "core/ditto.h"
#include "core/reading/counts.h"
#include "core/reading/values.h"

struct totals {
    uint64_t events, constraints, values;
};

static void add(struct totals *totals, const struct ditto_thread_counts *counts)
{
    totals->events += counts->memory.events + counts->sync.events;
    totals->constraints += counts->memory.constraints + counts->sync.constraints;
    totals->values += counts->values;
}

static uint64_t stream_bytes(const struct ditto_trace_info *info)
{
    return info->stored[DITTO_STREAM_MEMORY] + info->stored[DITTO_STREAM_SYNC];
}

static void format_time(uint64_t nanoseconds, char *text, size_t size)
{
    time_t seconds = (time_t)(nanoseconds / 1000000000u);
    struct tm utc;
    if (!gmtime_r(&seconds, &utc) || strftime(text, size, "%Y-%m-%d %H:%M:%S UTC", &utc) == 0)
        snprintf(text, size, "unknown");
}

static void print_head(const struct ditto_trace_info *info)
{
    char created[64];
    format_time(info->created, created, sizeof created);
    printf("trace         ");
    print_text(stdout, info->path);
    printf("\nformat        %" PRIu32 "%s\n", info->version,
           info->sealed ? "" : ", not sealed: it still has the room of its buffers");
    printf("size          %" PRIu64 " bytes in %" PRIu64 " chunks\n", info->length, info->chunks);
    if (info->torn_chunks)
        printf("recovered     %" PRIu64 " chunks that were being written when the process died\n",
               info->torn_chunks);
    printf("recorded      %s\n", created);
    printf("ended         %s", ending_words(info));
    if (info->ending_text[0]) {
        printf(": ");
        print_text(stdout, info->ending_text);
    }
    printf("\n");
}

/* Properties of which a trace of a Java program has hundreds are counted; --json has them all. */
static const struct {
    const char *prefix, *label;
} families[] = {{"environment.", "environment"}, {"class.", "classes"},
                {"class-code.", "class-code"},   {"class-init.", "class-init"},
                {"system.", "system"},           {"process.", "processes"}};

enum { FAMILIES = sizeof families / sizeof *families };

static int family_of(const char *name)
{
    for (int i = 0; i < FAMILIES; i++)
        if (strncmp(name, families[i].prefix, strlen(families[i].prefix)) == 0)
            return i;
    return -1;
}

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* What the recording could not see of this program, as it noted it. */
static void print_limits(const struct ditto_reader *reader)
{
    for (size_t i = 0; i < ditto_reader_property_count(reader); i++) {
        const char *name, *value;
        ditto_reader_property_at(reader, i, &name, &value);
        if (!begins(name, DITTO_LIMIT_PROPERTY))
            continue;
        printf("limit         ");
        print_text(stdout, value);
        printf("\n");
    }
}

static void print_properties(const struct ditto_reader *reader)
{
    size_t counts[FAMILIES] = {0};
    for (size_t i = 0; i < ditto_reader_property_count(reader); i++) {
        const char *name, *value;
        ditto_reader_property_at(reader, i, &name, &value);
        if (begins(name, DITTO_INPUT_PROPERTY) || begins(name, DITTO_LIMIT_PROPERTY))
            continue;
        if (family_of(name) >= 0) {
            counts[family_of(name)]++;
            continue;
        }
        print_text(stdout, name);
        printf("%*s ", strlen(name) < 13 ? 13 - (int)strlen(name) : 0, "");
        print_text(stdout, value);
        printf("\n");
    }
    for (int i = 0; i < FAMILIES; i++)
        if (counts[i])
            printf("%-13s %zu, listed by --json\n", families[i].label, counts[i]);
    print_limits(reader);
}

static const char *input_name(const struct ditto_reader *reader, uint32_t kind)
{
    char property[32];
    snprintf(property, sizeof property, DITTO_INPUT_PROPERTY "%" PRIu32, kind);
    return ditto_reader_property(reader, property);
}

/* Inputs by kind, of all threads. Damage has been reported by who counted before. */
static void print_inputs(const struct ditto_reader *reader, bool json)
{
    struct ditto_value_counts kinds[DITTO_NAMED_INPUTS] = {0};
    struct ditto_error error;
    const char *separator = "";
    for (size_t i = 0; i < ditto_reader_thread_count(reader); i++)
        ditto_count_kinds(reader, ditto_reader_thread(reader, i)->replay_id, kinds, &error);
    for (uint32_t kind = 0; kind < DITTO_NAMED_INPUTS; kind++) {
        const char *name = input_name(reader, kind);
        if (!kinds[kind].values)
            continue;
        if (json) {
            printf("%s\n    {\"kind\": %" PRIu32 ", \"name\": ", separator, kind);
            print_json_string(stdout, name ? name : "");
            printf(", \"values\": %" PRIu64 ", \"bytes\": %" PRIu64 "}", kinds[kind].values,
                   kinds[kind].bytes);
        } else {
            printf("%s  %8" PRIu64 " values, %10" PRIu64 " bytes  ", *separator ? "" : "inputs\n",
                   kinds[kind].values, kinds[kind].bytes);
            print_text(stdout, name ? name : "?");
            printf("\n");
        }
        separator = ",";
    }
}

static void print_thread(const struct ditto_thread_info *thread,
                         const struct ditto_thread_counts *counts)
{
    char parent[16] = "-", end[24] = "alive";
    if (thread->parent != DITTO_NO_THREAD)
        snprintf(parent, sizeof parent, "%" PRIu32, thread->parent);
    if (thread->ended)
        snprintf(end, sizeof end, "%" PRIu64, thread->end_clock);
    printf("%6" PRIu32 " %6s %11" PRIu64 " %11s %13" PRIu64 " %11" PRIu64 " %11" PRIu64
           " %11" PRIu64 " %8" PRIu64 "  ",
           thread->replay_id, parent, thread->start_clock, end, counts->memory.events,
           counts->memory.constraints, counts->sync.events, counts->sync.constraints,
           counts->values);
    print_text(stdout, thread->name ? thread->name : "?");
    printf("\n");
}

static void print_totals(const struct ditto_trace_info *info, const struct totals *totals)
{
    printf("\ntotal         %" PRIu64 " events, %" PRIu64
           " of them with a constraint (%.2f %%), %" PRIu64 " values\n",
           totals->events, totals->constraints,
           totals->events ? 100.0 * (double)totals->constraints / (double)totals->events : 0.0,
           totals->values);
    for (int kind = DITTO_STREAM_META; kind < DITTO_STREAM_KINDS; kind++)
        printf("%-13s %" PRIu64 " bytes, %" PRIu64 " unpacked\n",
               ditto_stream_name((enum ditto_stream_kind)kind), info->stored[kind],
               info->raw[kind]);
    if (totals->events && totals->constraints)
        printf("density       %.4f bytes an event, %.2f bytes a constraint\n",
               (double)stream_bytes(info) / (double)totals->events,
               (double)stream_bytes(info) / (double)totals->constraints);
}

/* Reads every thread; false if one was damaged, which has been said. */
static bool each_thread(const struct ditto_reader *reader, struct totals *totals,
                        void (*print)(const struct ditto_thread_info *,
                                      const struct ditto_thread_counts *))
{
    struct ditto_error error;
    const struct ditto_order *order = find_order(reader);
    if (!order)
        return false;
    bool sound = true;
    for (size_t i = 0; i < ditto_reader_thread_count(reader); i++) {
        const struct ditto_thread_info *thread = ditto_reader_thread(reader, i);
        struct ditto_thread_counts counts;
        if (!ditto_count_thread(reader, order, thread->replay_id, &counts, &error)) {
            complain("%s", error.text);
            sound = false;
        }
        add(totals, &counts);
        print(thread, &counts);
    }
    return sound;
}

static bool print_plain(const struct ditto_reader *reader)
{
    const struct ditto_trace_info *info = ditto_reader_info(reader);
    struct totals totals = {0};
    print_head(info);
    print_properties(reader);
    printf("\n%6s %6s %11s %11s %13s %11s %11s %11s %8s  %s\n", "thread", "parent", "start clock",
           "end clock", "memory events", "constraints", "sync events", "constraints", "values",
           "name");
    bool sound = each_thread(reader, &totals, print_thread);
    print_totals(info, &totals);
    print_inputs(reader, false);
    return sound;
}

static bool first_thread;

static void print_thread_json(const struct ditto_thread_info *thread,
                              const struct ditto_thread_counts *counts)
{
    printf("%s\n    {\"replay_id\": %" PRIu32 ", ", first_thread ? "" : ",", thread->replay_id);
    first_thread = false;
    if (thread->parent != DITTO_NO_THREAD)
        printf("\"parent\": %" PRIu32 ", ", thread->parent);
    printf("\"name\": ");
    print_json_string(stdout, thread->name ? thread->name : "");
    printf(", \"start_clock\": %" PRIu64 ", \"ended\": %s, ", thread->start_clock,
           thread->ended ? "true" : "false");
    if (thread->ended)
        printf("\"end_clock\": %" PRIu64 ", ", thread->end_clock);
    printf("\"memory_events\": %" PRIu64 ", \"memory_constraints\": %" PRIu64
           ", \"sync_events\": %" PRIu64 ", \"sync_constraints\": %" PRIu64 ", \"values\": %" PRIu64
           "}",
           counts->memory.events, counts->memory.constraints, counts->sync.events,
           counts->sync.constraints, counts->values);
}

static bool print_json(const struct ditto_reader *reader)
{
    const struct ditto_trace_info *info = ditto_reader_info(reader);
    static const char *const endings[] = {"cut", "closed", "stopped"};
    struct totals totals = {0};
    printf("{\n  \"trace\": ");
    print_json_string(stdout, info->path);
    printf(",\n  \"format\": %" PRIu32 ",\n  \"sealed\": %s,\n  \"length\": %" PRIu64
           ",\n  \"created_ns\": %" PRIu64 ",\n  \"ending\": \"%s\",\n  \"ending_text\": ",
           info->version, info->sealed ? "true" : "false", info->length, info->created,
           endings[info->ending]);
    print_json_string(stdout, info->ending_text);
    if (info->damage) {
        printf(",\n  \"damage\": ");
        print_json_string(stdout, info->damage);
    }
    printf(",\n  \"properties\": {");
    const char *separator = "";
    for (size_t i = 0; i < ditto_reader_property_count(reader); i++) {
        const char *name, *value;
        ditto_reader_property_at(reader, i, &name, &value);
        printf("%s\n    ", separator);
        print_json_string(stdout, name);
        printf(": ");
        print_json_string(stdout, value);
        separator = ",";
    }
    printf("\n  },\n  \"threads\": [");
    first_thread = true;
    bool sound = each_thread(reader, &totals, print_thread_json);
    printf("\n  ],\n  \"events\": %" PRIu64 ",\n  \"constraints\": %" PRIu64
           ",\n  \"values\": %" PRIu64 ",\n  \"stored_bytes\": {",
           totals.events, totals.constraints, totals.values);
    for (int kind = DITTO_STREAM_META; kind < DITTO_STREAM_KINDS; kind++)
        printf("%s\"%s\": %" PRIu64, kind ? ", " : "",
               ditto_stream_name((enum ditto_stream_kind)kind), info->stored[kind]);
    printf("},\n  \"inputs\": [");
    print_inputs(reader, true);
    printf("\n  ]\n}\n");
    return sound;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct option_slot json = {.name = "--json"};
    const char *path = parse_options(self, argc, argv, &json, 1);
    struct ditto_reader *reader = path ? open_trace(path) : NULL;
    if (!reader)
        return EXIT_TROUBLE;
    bool sound = json.given ? print_json(reader) : print_plain(reader);
    const char *damage = ditto_reader_info(reader)->damage;
    if (damage)
        complain("%s: damaged: %s", path, damage);
    ditto_reader_close(reader);
    return sound && !damage ? EXIT_GOOD : EXIT_TROUBLE;
}

const struct command info_command = {
    .name = "info",
    .summary = "[--json] TRACE  what a trace holds, in short",
    .manual =
        "ditto info [--json] TRACE\n"
        "\n"
        "Says what was recorded and how, how it ended, and for each thread its replay id, name,\n"
        "clocks, events and constraints; how many inputs of each kind there are; and, as limits,\n"
        "what of this program the recording could not see. Nothing of the program is run.\n"
        "\n"
        "    --json    the same for programs\n"
        "\n"
        "A thread without an end clock was alive when the recording ended. An event without a\n"
        "constraint is part of a free run: its order follows from the others.\n"
        "\n"
        "Exit status: 0, or 2 if the trace cannot be read or is damaged; of a damaged one, what\n"
        "can be read is shown.\n",
    .run = run,
};
