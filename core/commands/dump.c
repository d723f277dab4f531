/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/commands/commands.h"
#include "core/reading/counts.h"
#include "core/reading/values.h"

/* Of long values the text shows the beginning; JSON has them whole. */
enum { VALUE_BYTES_SHOWN = 24 };

struct dump {
    const struct ditto_reader *reader;
    const struct ditto_order *order;
    struct ditto_json *json;          /* NULL: plain text */
    bool streams[DITTO_STREAM_KINDS]; /* which to show */
    uint64_t first, last;             /* events, counted from 1 in each stream */
    bool damaged;
    struct ditto_stream_counts memory, sync; /* of all threads */
    uint64_t values, value_bytes;
};

/* An element of the items of a stream. */
static void begin_item(struct ditto_json *json)
{
    ditto_json_fold(json);
    ditto_json_object(json, NULL, DITTO_JSON_INLINE);
}

static void damage(struct dump *dump, const struct ditto_error *error)
{
    complain("%s", error->text);
    dump->damaged = true;
}

/* The part of events [from, from + count) that is asked for; false if none is. */
static bool clip(const struct dump *dump, uint64_t *from, uint64_t *count)
{
    uint64_t end = *from + *count;
    if (*from < dump->first)
        *from = dump->first;
    if (dump->last != UINT64_MAX && end > dump->last + 1)
        end = dump->last + 1;
    if (*from >= end)
        return false;
    *count = end - *from;
    return true;
}

static void print_run(struct dump *dump, uint64_t from, uint64_t count)
{
    if (count == 0 || !clip(dump, &from, &count))
        return;
    if (dump->json) {
        begin_item(dump->json);
        ditto_json_number(dump->json, "event", from);
        ditto_json_number(dump->json, "free_run", count);
        ditto_json_end(dump->json);
    } else if (count == 1) {
        printf("    %20" PRIu64 "  free run of 1\n", from);
    } else {
        printf("    %9" PRIu64 "-%10" PRIu64 "  free run of %" PRIu64 "\n", from, from + count - 1,
               count);
    }
}

static void print_constraint(struct dump *dump, uint64_t event, const struct ditto_item *item)
{
    uint64_t one = 1;
    if (!clip(dump, &event, &one))
        return;
    if (dump->json) {
        const struct ditto_item_kind *kind = &dump->order->coding->kinds[item->kind];
        begin_item(dump->json);
        ditto_json_number(dump->json, "event", event);
        ditto_json_string(dump->json, "constraint", kind->name);
        for (int i = 0; i < DITTO_ITEM_VALUES && kind->value[i].name; i++)
            ditto_json_number(dump->json, kind->value[i].name, item->value[i]);
        ditto_json_end(dump->json);
        return;
    }
    char words[DITTO_SAID_MAX];
    dump->order->coding->say(item, words, sizeof words);
    printf("    %20" PRIu64 "  %s\n", event, words);
}

/* Prints a memory or sync stream; joins the pieces of free runs that chunks cut. */
static void print_items(struct dump *dump, enum ditto_stream_kind kind, uint32_t replay_id)
{
    struct ditto_items items;
    struct ditto_item item;
    struct ditto_error error;
    uint64_t event = 1, run = 0;
    int next;
    ditto_items_init(&items, dump->reader, dump->order, kind, replay_id);
    while ((next = ditto_items_next(&items, &item, &error)) > 0) {
        run += item.run;
        if (item.kind == DITTO_ITEM_RUN)
            continue;
        print_run(dump, event, run);
        event += run;
        run = 0;
        print_constraint(dump, event++, &item);
    }
    print_run(dump, event, run);
    ditto_items_destroy(&items);
    if (next < 0)
        damage(dump, &error);
}

static void print_value(struct dump *dump, uint64_t number, const struct ditto_input_record *value)
{
    uint64_t one = 1;
    if (!clip(dump, &number, &one))
        return;
    char property[32];
    snprintf(property, sizeof property, DITTO_INPUT_PROPERTY "%" PRIu32, value->kind);
    const char *name = ditto_reader_property(dump->reader, property);
    if (dump->json) {
        begin_item(dump->json);
        ditto_json_number(dump->json, "value", number);
        ditto_json_number(dump->json, "kind", value->kind);
        if (name)
            ditto_json_string(dump->json, "name", name);
        ditto_json_number(dump->json, "length", value->length);
        ditto_json_bool(dump->json, "more", value->more);
        ditto_json_hex(dump->json, "bytes", value->bytes, value->length);
        ditto_json_end(dump->json);
        return;
    }
    printf("    %20" PRIu64 "  kind %" PRIu32, number, value->kind);
    if (name) {
        printf(" (");
        ditto_print_text(stdout, name);
        printf(")");
    }
    printf(", %zu bytes:", value->length);
    size_t shown = value->length < VALUE_BYTES_SHOWN ? value->length : VALUE_BYTES_SHOWN;
    for (size_t i = 0; i < shown; i++)
        printf(" %02x", value->bytes[i]);
    printf("%s%s\n", shown < value->length ? " ..." : "", value->more ? " (goes on)" : "");
}

static void print_values(struct dump *dump, uint32_t replay_id)
{
    struct ditto_cursor cursor;
    struct ditto_error error;
    struct ditto_input_record value;
    uint64_t number = 1;
    int step;
    ditto_cursor_init(&cursor, dump->reader, DITTO_STREAM_VALUE, replay_id);
    while ((step = ditto_cursor_step(&cursor, &error)) > 0) {
        const uint8_t *at = cursor.bytes, *end = at + cursor.length;
        while (at < end && ditto_input_record_decode(&at, end, &value)) {
            print_value(dump, number, &value);
            number += !value.more;
        }
        if (at < end)
            break; /* counting the thread has said what is wrong */
    }
    ditto_cursor_destroy(&cursor);
}

static void add_stream(struct ditto_stream_counts *to, const struct ditto_stream_counts *from)
{
    to->events += from->events;
    to->constraints += from->constraints;
    to->free_runs += from->free_runs;
    if (from->longest_run > to->longest_run)
        to->longest_run = from->longest_run;
    if (from->last_clock > to->last_clock)
        to->last_clock = from->last_clock;
}

static void print_counts(const struct dump *dump, const char *label,
                         const struct ditto_stream_counts *counts)
{
    if (dump->json) {
        ditto_json_object(dump->json, label, DITTO_JSON_INLINE);
        ditto_json_number(dump->json, "events", counts->events);
        ditto_json_number(dump->json, "constraints", counts->constraints);
        if (dump->order->shows.free_runs) {
            ditto_json_number(dump->json, "free_runs", counts->free_runs);
            ditto_json_number(dump->json, "longest_free_run", counts->longest_run);
        }
        if (dump->order->clock)
            ditto_json_number(dump->json, "last_clock", counts->last_clock);
        ditto_json_end(dump->json);
        return;
    }
    printf("  %s: %" PRIu64 " events, %" PRIu64 " constraints", label, counts->events,
           counts->constraints);
    if (dump->order->clock)
        printf(" (clocks up to %" PRIu64 ")", counts->last_clock);
    if (dump->order->shows.free_runs)
        printf(", %" PRIu64 " free runs (the longest has %" PRIu64 ")", counts->free_runs,
               counts->longest_run);
    printf("\n");
}

static void print_stream(struct dump *dump, enum ditto_stream_kind kind, uint32_t replay_id,
                         const struct ditto_thread_counts *counts)
{
    const struct ditto_stream_counts *stream =
        kind == DITTO_STREAM_MEMORY ? &counts->memory : &counts->sync;
    if (!dump->streams[kind])
        return;
    if (dump->json) {
        ditto_json_fold(dump->json);
        ditto_json_object(dump->json, ditto_stream_name(kind), DITTO_JSON_INLINE);
        if (kind == DITTO_STREAM_VALUE) {
            ditto_json_object(dump->json, "counts", DITTO_JSON_INLINE);
            ditto_json_number(dump->json, "values", counts->values);
            ditto_json_number(dump->json, "bytes", counts->value_bytes);
            ditto_json_end(dump->json);
        } else {
            print_counts(dump, "counts", stream);
        }
        ditto_json_array(dump->json, "items", DITTO_JSON_FOLDED);
    } else if (kind == DITTO_STREAM_VALUE) {
        printf("  value: %" PRIu64 " values, %" PRIu64 " bytes\n", counts->values,
               counts->value_bytes);
    } else {
        print_counts(dump, ditto_stream_name(kind), stream);
    }
    if (kind == DITTO_STREAM_VALUE)
        print_values(dump, replay_id);
    else
        print_items(dump, kind, replay_id);
    if (dump->json) {
        ditto_json_end(dump->json);
        ditto_json_end(dump->json);
    }
}

static void print_thread_head(const struct dump *dump, const struct ditto_thread_info *thread)
{
    if (dump->json) {
        ditto_json_object(dump->json, NULL, DITTO_JSON_FOLDED);
        ditto_json_number(dump->json, "replay_id", thread->replay_id);
        ditto_json_string(dump->json, "name", thread->name ? thread->name : "");
        if (thread->parent != DITTO_NO_THREAD)
            ditto_json_number(dump->json, "parent", thread->parent);
        if (dump->order->clock)
            ditto_json_number(dump->json, "start_clock", thread->start_clock);
        if (dump->order->clock && thread->ended)
            ditto_json_number(dump->json, "end_clock", thread->end_clock);
        return;
    }
    printf("thread %" PRIu32 " (", thread->replay_id);
    ditto_print_text(stdout, thread->name ? thread->name : "?");
    printf("), ");
    if (thread->parent != DITTO_NO_THREAD)
        printf("started by thread %" PRIu32 "%s", thread->parent, dump->order->clock ? " " : ", ");
    if (dump->order->clock)
        printf("at clock %" PRIu64 ", ", thread->start_clock);
    if (!thread->ended)
        printf("alive at the end\n");
    else if (dump->order->clock)
        printf("ended at clock %" PRIu64 "\n", thread->end_clock);
    else
        printf("ended\n");
}

static void print_thread(struct dump *dump, const struct ditto_thread_info *thread)
{
    struct ditto_thread_counts counts;
    struct ditto_error error;
    uint32_t id = thread->replay_id;
    bool sound = ditto_count_thread(dump->reader, dump->order, id, &counts, &error);
    print_thread_head(dump, thread);
    print_stream(dump, DITTO_STREAM_MEMORY, id, &counts);
    print_stream(dump, DITTO_STREAM_SYNC, id, &counts);
    print_stream(dump, DITTO_STREAM_VALUE, id, &counts);
    if (!sound && !dump->damaged)
        damage(dump, &error);
    dump->damaged = dump->damaged || !sound;
    if (dump->json)
        ditto_json_end(dump->json);
    else
        printf("\n");
    add_stream(&dump->memory, &counts.memory);
    add_stream(&dump->sync, &counts.sync);
    dump->values += counts.values;
    dump->value_bytes += counts.value_bytes;
}

static void print_totals(const struct dump *dump, size_t threads)
{
    if (dump->json) {
        ditto_json_object(dump->json, "totals", DITTO_JSON_INLINE);
        ditto_json_number(dump->json, "threads", threads);
        print_counts(dump, "memory", &dump->memory);
        print_counts(dump, "sync", &dump->sync);
        ditto_json_number(dump->json, "values", dump->values);
        ditto_json_number(dump->json, "value_bytes", dump->value_bytes);
        ditto_json_end(dump->json);
        return;
    }
    printf("total, %zu threads\n", threads);
    print_counts(dump, "memory", &dump->memory);
    print_counts(dump, "sync", &dump->sync);
    printf("  value: %" PRIu64 " values, %" PRIu64 " bytes\n", dump->values, dump->value_bytes);
}

static bool choose_stream(struct dump *dump, const struct command *self, const char *name)
{
    for (int kind = DITTO_STREAM_MEMORY; kind < DITTO_STREAM_KINDS; kind++)
        dump->streams[kind] = !name || strcmp(name, ditto_stream_name(kind)) == 0;
    if (dump->streams[DITTO_STREAM_MEMORY] || dump->streams[DITTO_STREAM_SYNC] ||
        dump->streams[DITTO_STREAM_VALUE])
        return true;
    complain("%s: there is no stream '%s'; use memory, sync or value", self->name, name);
    return false;
}

/* "N", "N-", or "N-M". */
static bool choose_events(struct dump *dump, const struct command *self, const char *range)
{
    dump->first = 1;
    dump->last = UINT64_MAX;
    if (!range)
        return true;
    char from[32];
    size_t length = strcspn(range, "-");
    bool good = length < sizeof from;
    if (good) {
        memcpy(from, range, length);
        from[length] = '\0';
        good = parse_number(from, &dump->first) && dump->first > 0;
    }
    if (good && range[length] == '\0')
        dump->last = dump->first;
    else if (good && range[length + 1] != '\0')
        good = parse_number(range + length + 1, &dump->last) && dump->last >= dump->first &&
               dump->last != UINT64_MAX;
    if (!good)
        complain("%s: '%s' is no range of events; use N, N- or N-M, counted from 1", self->name,
                 range);
    return good;
}

static const struct ditto_thread_info *choose_thread(const struct dump *dump,
                                                     const struct command *self, const char *word)
{
    uint64_t id;
    size_t count = ditto_reader_thread_count(dump->reader);
    const struct ditto_thread_info *thread = NULL;
    if (parse_number(word, &id) && id < DITTO_NO_THREAD)
        thread = ditto_reader_find_thread(dump->reader, (uint32_t)id);
    if (!thread)
        complain("%s: the trace has no thread '%s'; it has %zu, the last is %" PRIu32, self->name,
                 word, count, count ? ditto_reader_thread(dump->reader, count - 1)->replay_id : 0);
    return thread;
}

static void print_all(struct dump *dump, const struct ditto_thread_info *only)
{
    size_t count = ditto_reader_thread_count(dump->reader);
    struct ditto_json *json = dump->json;
    if (json) {
        ditto_json_object(json, NULL, DITTO_JSON_LINES);
        ditto_json_string(json, "trace", ditto_reader_info(dump->reader)->path);
        ditto_json_string(json, "order", dump->order->name);
        ditto_json_array(json, "threads", DITTO_JSON_LINES);
    }
    for (size_t i = 0; i < (only ? 1 : count); i++)
        print_thread(dump, only ? only : ditto_reader_thread(dump->reader, i));
    if (json)
        ditto_json_end(json);
    print_totals(dump, only ? 1 : count);
    if (json)
        ditto_json_end(json);
}

static int run(const struct command *self, int argc, char **argv)
{
    enum { JSON, THREAD, STREAM, EVENTS, OPTIONS };
    struct option_slot options[OPTIONS] = {
        [JSON] = {.name = "--json"},
        [THREAD] = {.name = "--thread", .has_value = true},
        [STREAM] = {.name = "--stream", .has_value = true},
        [EVENTS] = {.name = "--events", .has_value = true},
    };
    struct dump dump = {0};
    const char *path = parse_options(self, argc, argv, options, OPTIONS);
    if (!path || !choose_stream(&dump, self, options[STREAM].value) ||
        !choose_events(&dump, self, options[EVENTS].value))
        return EXIT_TROUBLE;
    struct ditto_reader *reader = open_trace(path);
    if (!reader)
        return EXIT_TROUBLE;
    dump.reader = reader;
    struct ditto_json json = {.out = stdout};
    dump.json = options[JSON].given ? &json : NULL;
    dump.order = find_order(reader);
    const struct ditto_thread_info *only = NULL;
    bool ready = dump.order != NULL;
    if (ready && options[THREAD].given) {
        only = choose_thread(&dump, self, options[THREAD].value);
        ready = only != NULL;
    }
    if (ready)
        print_all(&dump, only);
    const char *trace_damage = ditto_reader_info(reader)->damage;
    if (trace_damage)
        complain("%s: damaged: %s", path, trace_damage);
    ditto_reader_close(reader);
    return ready && !trace_damage && !dump.damaged ? EXIT_GOOD : EXIT_TROUBLE;
}

const struct command dump_command = {
    .name = "dump",
    .summary = "[OPTION]... TRACE  constraints, free runs and values, thread by thread",
    .manual =
        "ditto dump [--thread N] [--stream NAME] [--events RANGE] [--json] TRACE\n"
        "\n"
        "Prints each thread's part of the trace, event by event, and totals at the end. Nothing\n"
        "of the recorded program is run.\n"
        "\n"
        "    --thread N       only the thread with replay id N\n"
        "    --stream NAME    only one stream: memory, sync or value\n"
        "    --events RANGE   only these events of each stream: N, N- or N-M, counted from 1\n"
        "    --json           the same as one JSON document\n"
        "\n"
        "A free run is a row of events whose order follows from the others. A constraint says\n"
        "what had happened before its event:\n"
        "\n"
        "    load after store_clock C                  the store with clock C, whose value it "
        "loads\n"
        "    store after store_clock C, load_count N   that store, and N loads of its value\n"
        "    acquire after sync_clock C                the monitor's last acquisition or release\n"
        "\n"
        "Memory and sync events are counted apart, each from 1.\n"
        "\n"
        "Exit status: 0, or 2 if the trace cannot be read or is damaged; of a damaged one, what\n"
        "can be read is shown.\n",
    .run = run,
};
