/* SPDX-License-Identifier: MIT */
/*
 * Real threads on real data races: each recording is replayed, and every loaded value, the final
 * memory and the clocks must be the same.  DITTO_STRESS_RUNS recordings, 1000 by default.
 */
#include "core/ditto.h"
#include "core/orders/orders.h"
#include "tests/micro.h"
#include "tests/support.h"
#include "tests/tap.h"

static unsigned among(uint64_t *state, unsigned low, unsigned high)
{
    return low + (unsigned)(random_next(state) % (high - low + 1));
}

static void choose(uint64_t *state, size_t order, struct micro_parameters *parameters,
                   struct ditto_record_options *options)
{
    *parameters = (struct micro_parameters){
        .threads = among(state, 2, 8),
        .operations = among(state, 50, 2000),
        .loads = among(state, 1, 9),
        .stores = among(state, 1, 3),
        .fields = among(state, 1, 4),
        .objects = among(state, 1, 32),
        .locked = among(state, 0, 1) ? among(state, 2, 20) : 0,
        /* On few or busy processors threads would hardly meet by themselves. */
        .yields = among(state, 0, 2) ? among(state, 2, 50) : 0,
        .pattern = among(state, 0, 3) ? MICRO_RANDOM : MICRO_OVERLAP,
        .seed = random_next(state),
    };
    *options = (struct ditto_record_options){
        .order = ditto_orders[order]->name,
        .pruning = (enum ditto_pruning)(random_next(state) % 8 < 2 ? among(state, 1, 2) : 0),
        .granularity = among(state, 0, 4) ? DITTO_FIELDS : DITTO_OBJECTS,
        .buffer_size = 4096,
    };
}

/* True if the replay of a recording is the recording. */
static bool try(const char *path, const struct micro_parameters *parameters,
                const struct ditto_record_options *options)
{
    struct ditto_error error;
    struct micro_result recorded, replayed;
    micro_result_make(&recorded, parameters, false);
    micro_result_make(&replayed, parameters, false);
    struct ditto_session *session = ditto_record(path, options, &error);
    bool good = session != NULL;
    if (good) {
        micro_run(parameters, session, &recorded);
        good = ditto_close(session, &error);
    }
    session = good ? ditto_replay(path, NULL, &error) : NULL;
    if (session) {
        micro_run(parameters, session, &replayed);
        good =
            ditto_close(session, &error) && micro_results_equal(&recorded, &replayed, parameters);
    } else {
        diag("%s", error.text);
        good = false;
    }
    micro_result_free(&recorded, parameters);
    micro_result_free(&replayed, parameters);
    return good;
}

static void test_order(size_t order, uint64_t runs)
{
    uint64_t seed = setting("DITTO_STRESS_SEED", 20121), state = seed;
    uint64_t differences = 0;
    const char *path = scratch("stress.dt");
    for (uint64_t i = 0; i < runs; i++) {
        struct micro_parameters parameters;
        struct ditto_record_options options;
        choose(&state, order, &parameters, &options);
        if (!try(path, &parameters, &options)) {
            differences++;
            diag("recording %" PRIu64 " of seed %" PRIu64 " replays differently: %u threads, %u "
                 "operations, %u fields, %u objects, pruning %d",
                 i, seed, parameters.threads, parameters.operations, parameters.fields,
                 parameters.objects, options.pruning);
        }
    }
    is(differences, 0, "%s: %" PRIu64 " recordings, 0 differences in replay",
       ditto_orders[order]->name, runs);
}

int main(void)
{
    uint64_t runs = setting("DITTO_STRESS_RUNS", 1000);
    /* The product's orders in full; the toy, which is last, needs to show less. */
    for (size_t order = 0; ditto_orders[order]; order++)
        test_order(order, ditto_orders[order + 1] ? runs : (runs + 4) / 5);
    done_testing();
    return exit_status();
}
