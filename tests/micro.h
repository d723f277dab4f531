/* SPDX-License-Identifier: MIT */
/*
 * The thesis's microbenchmark: threads that load and store fields of shared objects without any
 * synchronization.  What a thread stores depends on what it loaded, so two runs that differ in one
 * race soon differ everywhere.
 */
#ifndef DITTO_TESTS_MICRO_H
#define DITTO_TESTS_MICRO_H

#include <stdbool.h>
#include <stdint.h>

#include "core/ditto.h"

enum micro_pattern {
    MICRO_RANDOM,  /* a random field of a random object each time */
    MICRO_OVERLAP, /* each thread walks its share of the objects, which overlaps two others' */
};

struct micro_parameters {
    unsigned threads;
    unsigned operations;    /* of each thread */
    unsigned loads, stores; /* their ratio, as in 3 : 1 */
    unsigned fields;
    unsigned objects;
    unsigned locked; /* one operation in this many is done under the object's lock; 0: none */
    unsigned yields; /* after one operation in this many another thread gets its turn; 0: none */
    bool unordered;  /* the recording will stop, and then the program's races are its own */
    enum micro_pattern pattern;
    uint64_t seed; /* of the threads' choices */
};

/* What a run leaves behind.  Made by micro_result_make(), which the same parameters fit. */
struct micro_result {
    uint64_t *memory; /* objects * fields values */
    uint64_t *loaded; /* threads * operations values: what each thread loaded, 0 where it stored */
    uint64_t *clocks; /* of each thread at its end */
    _Atomic uint64_t *done; /* operations that each thread has finished */
};

/* `shared` makes it visible to forked children and their parent. */
void micro_result_make(struct micro_result *result, const struct micro_parameters *parameters,
                       bool shared);
void micro_result_free(struct micro_result *result, const struct micro_parameters *parameters);
bool micro_results_equal(const struct micro_result *a, const struct micro_result *b,
                         const struct micro_parameters *parameters);

/* Runs in the session, or without Ditto if it is NULL.  The calling thread only starts and joins.
 */
void micro_run(const struct micro_parameters *parameters, struct ditto_session *session,
               struct micro_result *result);

#endif
