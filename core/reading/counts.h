/* SPDX-License-Identifier: MIT */
/* Counting what a thread's part of a trace holds, by reading all of it. */
#ifndef DITTO_CORE_READING_COUNTS_H
#define DITTO_CORE_READING_COUNTS_H

#include "core/reading/items.h"
#include "trace/reader.h"

struct ditto_stream_counts {
    uint64_t events;      /* free ones and constrained ones */
    uint64_t constraints; /* constrained ones */
    uint64_t free_runs;   /* maximal runs of free ones */
    uint64_t longest_run;
    uint64_t last_clock; /* the highest clock in a constraint, if the order has clocks */
};

struct ditto_thread_counts {
    struct ditto_stream_counts memory;
    struct ditto_stream_counts sync;
    uint64_t values;
    uint64_t value_bytes;
};

/* Of one kind of input. */
struct ditto_value_counts {
    uint64_t values, bytes;
};

/* Adds a thread's inputs to counts[DITTO_NAMED_INPUTS], by kind; those above are not counted.
 * False, with the counts up to there, on damage. */
bool ditto_count_kinds(const struct ditto_reader *reader, uint32_t replay_id,
                       struct ditto_value_counts *counts, struct ditto_error *error);

/* Adds an item to the counts; *run is the free run that may go on, 0 at first. */
void ditto_count_item(struct ditto_stream_counts *counts, const struct ditto_order *order,
                      const struct ditto_item *item, uint64_t *run);

/* False, with the counts up to there, on damage. */
bool ditto_count_thread(const struct ditto_reader *reader, const struct ditto_order *order,
                        uint32_t replay_id, struct ditto_thread_counts *counts,
                        struct ditto_error *error);

#endif
