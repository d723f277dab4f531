/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "core/base/json.h"
#include "core/base/text.h"
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
    ditto_print_text(stdout, info->path);
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
        ditto_print_text(stdout, info->ending_text);
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
        if (ditto_begins(name, families[i].prefix))
            return i;
    return -1;
}

/* What the recording could not see of this program, as it noted it. */
static void print_limits(const struct ditto_reader *reader)
{
    for (size_t i = 0; i < ditto_reader_property_count(reader); i++) {
        const char *name, *value;
        ditto_reader_property_at(reader, i, &name, &value);
        if (!ditto_begins(name, DITTO_LIMIT_PROPERTY))
            continue;
        printf("limit         ");
        ditto_print_text(stdout, value);
        printf("\n");
    }
}

static void print_properties(const struct ditto_reader *reader)
{
    size_t counts[FAMILIES] = {0};
    for (size_t i = 0; i < ditto_reader_property_count(reader); i++) {
        const char *name, *value;
        ditto_reader_property_at(reader, i, &name, &value);
        if (ditto_begins(name, DITTO_INPUT_PROPERTY) || ditto_begins(name, DITTO_LIMIT_PROPERTY))
            continue;
        if (family_of(name) >= 0) {
            counts[family_of(name)]++;
            continue;
        }
        ditto_print_text(stdout, name);
        printf("%*s ", strlen(name) < 13 ? 13 - (int)strlen(name) : 0, "");
        ditto_print_text(stdout, value);
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

/* Inputs by kind, of all threads; to `json`, if there is one. Damage has been reported by who
 * counted before. */
static void print_inputs(const struct ditto_reader *reader, struct ditto_json *json)
{
    struct ditto_value_counts kinds[DITTO_NAMED_INPUTS] = {0};
    struct ditto_error error;
    const char *headline = "inputs\n";
    for (size_t i = 0; i < ditto_reader_thread_count(reader); i++)
        ditto_count_kinds(reader, ditto_reader_thread(reader, i)->replay_id, kinds, &error);
    for (uint32_t kind = 0; kind < DITTO_NAMED_INPUTS; kind++) {
        const char *name = input_name(reader, kind);
        if (!kinds[kind].values)
            continue;
        if (json) {
            ditto_json_object(json, NULL, DITTO_JSON_INLINE);
            ditto_json_number(json, "kind", kind);
            ditto_json_string(json, "name", name ? name : "");
            ditto_json_number(json, "values", kinds[kind].values);
            ditto_json_number(json, "bytes", kinds[kind].bytes);
            ditto_json_end(json);
        } else {
            printf("%s  %8" PRIu64 " values, %10" PRIu64 " bytes  ", headline, kinds[kind].values,
                   kinds[kind].bytes);
            ditto_print_text(stdout, name ? name : "?");
            printf("\n");
            headline = "";
        }
    }
}

static void print_thread_json(const struct ditto_thread_info *thread,
                              const struct ditto_thread_counts *counts, bool clocks,
                              struct ditto_json *json)
{
    ditto_json_object(json, NULL, DITTO_JSON_INLINE);
    ditto_json_number(json, "replay_id", thread->replay_id);
    if (thread->parent != DITTO_NO_THREAD)
        ditto_json_number(json, "parent", thread->parent);
    ditto_json_string(json, "name", thread->name ? thread->name : "");
    if (clocks)
        ditto_json_number(json, "start_clock", thread->start_clock);
    ditto_json_bool(json, "ended", thread->ended);
    if (clocks && thread->ended)
        ditto_json_number(json, "end_clock", thread->end_clock);
    ditto_json_number(json, "memory_events", counts->memory.events);
    ditto_json_number(json, "memory_constraints", counts->memory.constraints);
    ditto_json_number(json, "sync_events", counts->sync.events);
    ditto_json_number(json, "sync_constraints", counts->sync.constraints);
    ditto_json_number(json, "values", counts->values);
    ditto_json_end(json);
}

/* `clocks`: the trace's order has them. */
static void print_thread(const struct ditto_thread_info *thread,
                         const struct ditto_thread_counts *counts, bool clocks,
                         struct ditto_json *json)
{
    if (json) {
        print_thread_json(thread, counts, clocks, json);
        return;
    }
    char parent[16] = "-", start[24] = "-", end[24] = "alive";
    if (clocks)
        snprintf(start, sizeof start, "%" PRIu64, thread->start_clock);
    if (thread->parent != DITTO_NO_THREAD)
        snprintf(parent, sizeof parent, "%" PRIu32, thread->parent);
    if (thread->ended && clocks)
        snprintf(end, sizeof end, "%" PRIu64, thread->end_clock);
    else if (thread->ended)
        snprintf(end, sizeof end, "ended");
    printf("%6" PRIu32 " %6s %11s %11s %13" PRIu64 " %11" PRIu64 " %11" PRIu64 " %11" PRIu64
           " %8" PRIu64 "  ",
           thread->replay_id, parent, start, end, counts->memory.events, counts->memory.constraints,
           counts->sync.events, counts->sync.constraints, counts->values);
    ditto_print_text(stdout, thread->name ? thread->name : "?");
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

/* Reads every thread and prints it; false if one was damaged, which has been said. */
static bool print_threads(const struct ditto_reader *reader, struct totals *totals,
                          struct ditto_json *json)
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
        print_thread(thread, &counts, order->clock != NULL, json);
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
    bool sound = print_threads(reader, &totals, NULL);
    print_totals(info, &totals);
    print_inputs(reader, NULL);
    return sound;
}

static bool print_json(const struct ditto_reader *reader)
{
    const struct ditto_trace_info *info = ditto_reader_info(reader);
    static const char *const endings[] = {"cut", "closed", "stopped"};
    struct totals totals = {0};
    struct ditto_json json = {.out = stdout};
    ditto_json_object(&json, NULL, DITTO_JSON_LINES);
    ditto_json_string(&json, "trace", info->path);
    ditto_json_number(&json, "format", info->version);
    ditto_json_bool(&json, "sealed", info->sealed);
    ditto_json_number(&json, "length", info->length);
    ditto_json_number(&json, "created_ns", info->created);
    ditto_json_string(&json, "ending", endings[info->ending]);
    ditto_json_string(&json, "ending_text", info->ending_text);
    if (info->damage)
        ditto_json_string(&json, "damage", info->damage);
    ditto_json_object(&json, "properties", DITTO_JSON_LINES);
    for (size_t i = 0; i < ditto_reader_property_count(reader); i++) {
        const char *name, *value;
        ditto_reader_property_at(reader, i, &name, &value);
        ditto_json_string(&json, name, value);
    }
    ditto_json_end(&json);
    ditto_json_array(&json, "threads", DITTO_JSON_LINES);
    bool sound = print_threads(reader, &totals, &json);
    ditto_json_end(&json);
    ditto_json_number(&json, "events", totals.events);
    ditto_json_number(&json, "constraints", totals.constraints);
    ditto_json_number(&json, "values", totals.values);
    ditto_json_object(&json, "stored_bytes", DITTO_JSON_INLINE);
    for (int kind = DITTO_STREAM_META; kind < DITTO_STREAM_KINDS; kind++)
        ditto_json_number(&json, ditto_stream_name((enum ditto_stream_kind)kind),
                          info->stored[kind]);
    ditto_json_end(&json);
    ditto_json_array(&json, "inputs", DITTO_JSON_LINES);
    print_inputs(reader, &json);
    ditto_json_end(&json);
    ditto_json_end(&json);
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
