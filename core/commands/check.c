/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "core/base/text.h"
#include "core/commands/commands.h"
#include "core/reading/counts.h"

struct findings {
    const char *path;
    uint64_t count;
};

static void finding(struct findings *findings, const char *text)
{
    findings->count++;
    complain("%s", text);
}

static void compare(struct findings *findings, const struct ditto_thread_info *thread,
                    const char *what, uint64_t expected, uint64_t found)
{
    if (expected == found)
        return;
    struct ditto_error error;
    ditto_error_set(&error,
                    "%s: thread %" PRIu32 " should have %" PRIu64 " %s and has %" PRIu64
                    "; get the file again",
                    findings->path, thread->replay_id, expected, what, found);
    finding(findings, error.text);
}

static void check_thread(struct findings *findings, const struct ditto_reader *reader,
                         const struct ditto_order *order, const struct ditto_thread_info *thread,
                         uint64_t *events, uint64_t *constraints)
{
    struct ditto_thread_counts counts;
    struct ditto_error error;
    if (!thread->started) {
        ditto_error_set(&error,
                        "%s: thread %" PRIu32 " has events but no beginning; get the "
                        "file again",
                        findings->path, thread->replay_id);
        finding(findings, error.text);
    }
    if (thread->parent != DITTO_NO_THREAD && !ditto_reader_find_thread(reader, thread->parent)) {
        ditto_error_set(&error,
                        "%s: thread %" PRIu32 "'s parent %" PRIu32 " is missing; get "
                        "the file again",
                        findings->path, thread->replay_id, thread->parent);
        finding(findings, error.text);
    }
    if (!ditto_count_thread(reader, order, thread->replay_id, &counts, &error)) {
        finding(findings, error.text);
        return;
    }
    if (thread->ended) {
        compare(findings, thread, "memory events", thread->memory_events, counts.memory.events);
        compare(findings, thread, "sync events", thread->sync_events, counts.sync.events);
        compare(findings, thread, "values", thread->values, counts.values);
    }
    *events += counts.memory.events + counts.sync.events;
    *constraints += counts.memory.constraints + counts.sync.constraints;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct findings findings = {.path = parse_options(self, argc, argv, NULL, 0)};
    struct ditto_reader *reader = findings.path ? open_trace(findings.path) : NULL;
    if (!reader)
        return EXIT_TROUBLE;
    const struct ditto_trace_info *info = ditto_reader_info(reader);
    struct ditto_error error;
    if (info->damage) {
        ditto_error_set(&error, "%s: damaged: %s", findings.path, info->damage);
        finding(&findings, error.text);
    }
    const struct ditto_order *order = find_order(reader);
    uint64_t events = 0, constraints = 0;
    findings.count += order == NULL;
    for (size_t i = 0; order && i < ditto_reader_thread_count(reader); i++)
        check_thread(&findings, reader, order, ditto_reader_thread(reader, i), &events,
                     &constraints);
    if (findings.count == 0) {
        ditto_print_text(stdout, findings.path);
        printf(": sound: %zu threads, %" PRIu64 " events, %" PRIu64 " constraints; ended %s\n",
               ditto_reader_thread_count(reader), events, constraints, ending_words(info));
    }
    ditto_reader_close(reader);
    return findings.count ? EXIT_TROUBLE : EXIT_GOOD;
}

const struct command check_command = {
    .name = "check",
    .summary = "TRACE  whether a trace is whole and sound",
    .manual = "ditto check TRACE\n"
              "\n"
              "Reads all of a trace: checksums, numbering, encoding, and that each thread that\n"
              "ended has as many events as it counted. Nothing of the recorded program is run.\n"
              "\n"
              "A trace whose process was killed is sound: it holds the run up to that moment.\n"
              "\n"
              "Exit status: 0 if it is sound, 2 if not; each thing that is wrong is a line on\n"
              "stderr.\n",
    .run = run,
};
