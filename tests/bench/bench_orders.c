/* SPDX-License-Identifier: MIT */
/*
 * What recording and replaying cost in the thesis's microbenchmark, along each of its axes, with
 * pruning off, by program order only, and in full.
 *
 * All that is compared is run in turns, round by round, so that what else the machine does hits all
 * of it alike; each figure is the median of the rounds.  A time is that of the whole run: threads,
 * operations and, for a recording, closing the trace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/orders/orders.h"
#include "core/reading/counts.h"
#include "tests/micro.h"
#include "tests/support.h"

enum { MODES = 3, MOST_ROUNDS = 25 };

static const struct {
    enum ditto_pruning pruning;
    const char *name;
} modes[MODES] = {
    {DITTO_PRUNE_NONE, "none"},
    {DITTO_PRUNE_PROGRAM_ORDER, "program order"},
    {DITTO_PRUNE_FULL, "full"},
};

/* One figure for each round. */
struct series {
    double values[MOST_ROUNDS];
    unsigned count;
};

struct figures {
    struct series record, replay; /* seconds */
    struct series bytes;          /* of the memory and sync streams, as they are in the file */
    struct series unpacked;       /* the same before zstd */
    struct series constraints;
};

static unsigned rounds;
static uint64_t differences;

/* Over the rows of the thesis's axes and over those that go beyond it, for the closing lines. */
enum group { THESIS, BEYOND, GROUPS };
static struct {
    double bytes, constraints, slowest_replay;
} totals[GROUPS][MODES];
static enum group group;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void add(struct series *series, double value)
{
    series->values[series->count++] = value;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(const struct series *series)
{
    double sorted[MOST_ROUNDS];
    memcpy(sorted, series->values, sizeof sorted);
    qsort(sorted, series->count, sizeof *sorted, compare);
    return sorted[series->count / 2];
}

/* The median of a / b, each from the same round. */
static double ratio(const struct series *a, const struct series *b)
{
    struct series ratios = {.count = 0};
    for (unsigned i = 0; i < a->count; i++)
        add(&ratios, b->values[i] > 0 ? a->values[i] / b->values[i] : 0);
    return median(&ratios);
}

static void fail(const struct ditto_error *error)
{
    fprintf(stderr, "bench_orders: %s\n", error->text);
    exit(1);
}

static void measure_trace(const char *path, struct figures *figures)
{
    struct ditto_error error;
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    if (!reader)
        fail(&error);
    const struct ditto_trace_info *info = ditto_reader_info(reader);
    const struct ditto_order *order = ditto_trace_order(reader, &error);
    uint64_t constraints = 0;
    for (size_t i = 0; order && i < ditto_reader_thread_count(reader); i++) {
        struct ditto_thread_counts counts;
        if (!ditto_count_thread(reader, order, ditto_reader_thread(reader, i)->replay_id, &counts,
                                &error))
            fail(&error);
        constraints += counts.memory.constraints + counts.sync.constraints;
    }
    add(&figures->bytes,
        (double)(info->stored[DITTO_STREAM_MEMORY] + info->stored[DITTO_STREAM_SYNC]));
    add(&figures->unpacked,
        (double)(info->raw[DITTO_STREAM_MEMORY] + info->raw[DITTO_STREAM_SYNC]));
    add(&figures->constraints, (double)constraints);
    ditto_reader_close(reader);
}

static void run_mode(const struct micro_parameters *parameters, enum ditto_pruning pruning,
                     struct figures *figures, struct micro_result *recorded,
                     struct micro_result *replayed)
{
    const char *path = scratch("bench.dt");
    const struct ditto_record_options options = {.pruning = pruning};
    struct ditto_error error;
    double begin = now();
    struct ditto_session *session = ditto_record(path, &options, &error);
    if (!session)
        fail(&error);
    micro_run(parameters, session, recorded);
    if (!ditto_close(session, &error))
        fail(&error);
    add(&figures->record, now() - begin);
    begin = now();
    session = ditto_replay(path, NULL, &error);
    if (!session)
        fail(&error);
    micro_run(parameters, session, replayed);
    if (!ditto_close(session, &error))
        fail(&error);
    add(&figures->replay, now() - begin);
    differences += !micro_results_equal(recorded, replayed, parameters);
    measure_trace(path, figures);
}

static void print_row(const char *label, const struct micro_parameters *parameters,
                      const struct series *bare, const struct figures *figures)
{
    double events = (double)parameters->threads * parameters->operations;
    for (int m = 0; m < MODES; m++) {
        double bytes = median(&figures[m].bytes), constraints = median(&figures[m].constraints);
        double replay = ratio(&figures[m].replay, &figures[m].record);
        totals[group][m].bytes += bytes;
        totals[group][m].constraints += constraints;
        if (totals[group][m].slowest_replay < replay)
            totals[group][m].slowest_replay = replay;
        printf("%-18s %-14s %8.2f %8.1f %10.3f %% %9.4f %9.2f %9.2f", m ? "" : label, modes[m].name,
               ratio(&figures[m].record, bare), median(&figures[m].record) * 1e9 / events,
               100 * constraints / events, bytes / events,
               constraints > 0 ? bytes / constraints : 0.0, replay);
        if (m)
            printf(" %9.1f %%", 100 * (1 - ratio(&figures[m].unpacked, &figures[0].unpacked)));
        printf("\n");
    }
    fflush(stdout);
}

static void measure(const char *label, const struct micro_parameters *parameters)
{
    struct series bare = {.count = 0};
    struct figures figures[MODES];
    struct micro_result recorded, replayed;
    memset(figures, 0, sizeof figures);
    micro_result_make(&recorded, parameters, false);
    micro_result_make(&replayed, parameters, false);
    for (unsigned round = 0; round < rounds; round++) {
        double begin = now();
        micro_run(parameters, NULL, &recorded);
        add(&bare, now() - begin);
        for (int m = 0; m < MODES; m++)
            run_mode(parameters, modes[m].pruning, &figures[m], &recorded, &replayed);
    }
    print_row(label, parameters, &bare, figures);
    micro_result_free(&recorded, parameters);
    micro_result_free(&replayed, parameters);
}

static void heading(const char *text)
{
    printf("\n%s\n%-18s %-14s %8s %8s %12s %9s %9s %9s %11s\n", text, "", "pruning", "record/",
           "ns per", "events with", "bytes/", "bytes/", "replay/", "trace");
    printf("%-18s %-14s %8s %8s %12s %9s %9s %9s %11s\n", "", "", "bare", "event", "constraint",
           "event", "constr.", "record", "removed");
}

/* Measures with the parameter at `offset` set to each of the values, 0 ending the list. */
static void axis(const char *title, const char *unit, struct micro_parameters parameters,
                 size_t offset, const unsigned *values)
{
    char label[32];
    heading(title);
    for (; *values; values++) {
        memcpy((char *)&parameters + offset, values, sizeof *values);
        snprintf(label, sizeof label, "%u %s", *values, unit);
        measure(label, &parameters);
    }
}

static void print_totals(const char *title, enum group of)
{
    printf("\n%s\n", title);
    for (int m = 0; m < MODES; m++)
        printf(
            "%-14s %5.2f bytes a constraint; the slowest replay takes %.2f times the recording\n",
            modes[m].name, totals[of][m].bytes / totals[of][m].constraints,
            totals[of][m].slowest_replay);
}

#define PARAMETER(name) offsetof(struct micro_parameters, name)

int main(int argc, char **argv)
{
    rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 5;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: bench_orders [ROUNDS], 1 to %d\n", MOST_ROUNDS);
        return 2;
    }
    struct micro_parameters base = {.threads = 8,
                                    .operations = 50000,
                                    .loads = 1,
                                    .stores = 1,
                                    .fields = 1,
                                    .objects = 64,
                                    .seed = 1};
    printf("The microbenchmark: %u threads, %u operations each, loads : stores 1 : 1, 1 field,\n"
           "%u objects, unless a row says otherwise. %ld processors, medians of %u rounds. Bytes "
           "are those in\n"
           "the file; how much of the trace pruning removes is measured before it is packed.\n",
           base.threads, base.operations, base.objects, sysconf(_SC_NPROCESSORS_ONLN), rounds);
    axis("Threads", "threads", base, PARAMETER(threads), (unsigned[]){1, 2, 4, 8, 16, 32, 0});
    axis("Operations of each thread", "operations", base, PARAMETER(operations),
         (unsigned[]){12500, 50000, 200000, 0});
    axis("Loads for each store", "loads", base, PARAMETER(loads), (unsigned[]){1, 2, 4, 8, 16, 0});
    axis("Fields of each object", "fields", base, PARAMETER(fields), (unsigned[]){1, 2, 4, 8, 0});
    axis("Objects", "objects", base, PARAMETER(objects), (unsigned[]){1, 4, 16, 64, 256, 0});
    /* With two threads there are no two others: their shares are the same. */
    struct micro_parameters overlap = base;
    overlap.pattern = MICRO_OVERLAP;
    axis("Overlapping sequential pattern: each share of the objects overlaps two others'",
         "threads", overlap, PARAMETER(threads), (unsigned[]){4, 8, 16, 32, 0});
    group = BEYOND;
    base.yields = overlap.yields = 20;
    axis("Threads that meet often: each lets another run after 1 operation in 20", "threads", base,
         PARAMETER(threads), (unsigned[]){2, 4, 8, 16, 0});
    axis("The same in the overlapping sequential pattern", "threads", overlap, PARAMETER(threads),
         (unsigned[]){4, 8, 16, 32, 0});
    print_totals("Over all rows of the thesis's axes:", THESIS);
    print_totals("Over all rows with threads that meet often:", BEYOND);
    printf("\n%s\n", differences ? "SOME REPLAYS DIFFERED from their recording"
                                 : "Every replay was equal to its recording.");
    return differences != 0;
}
