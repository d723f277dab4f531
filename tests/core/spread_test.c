/* SPDX-License-Identifier: MIT */
/*
 * Threads that take turns leave each other's processor: the one that meets another there moves, is
 * free to be anywhere afterwards, and gives up where moving does not last.
 */
#include <sched.h>

#include "core/engine/spread.h"
#include "tests/tap.h"

enum { MEETINGS = 4000 };

static struct ditto_spread spread;

/* `who` waits, and `last` was the last to wait there, wherever that is.  How often it moved. */
static unsigned wait_after(struct ditto_spread_self *self, uint32_t who, uint32_t last,
                           unsigned times)
{
    unsigned moves = 0;
    for (unsigned i = 0; i < times; i++) {
        uint32_t patience = self->patience;
        for (unsigned at = 0; at < DITTO_SPREAD_PROCESSORS; at++)
            atomic_store(&spread.last_on[at], last);
        ditto_spread_out(&spread, self, who);
        moves += self->patience > patience;
    }
    return moves;
}

int main(void)
{
    cpu_set_t before, after, one;
    struct ditto_spread_self low = {0}, high = {0};
    sched_getaffinity(0, sizeof before, &before);
    ditto_spread_prepare(&spread);
    is(spread.processors, CPU_COUNT(&before), "a replay may use the processors of its process");

    is(wait_after(&low, 1, 2, 3), 0, "to meet somebody a few times is nothing");
    is(wait_after(&low, 1, 2, 1), 1, "the next time the thread moves");
    unsigned moves = wait_after(&low, 1, 2, MEETINGS);
    ok(moves > 0 && moves < 20, "%u moves are enough to see that it does not help", moves);
    sched_getaffinity(0, sizeof after, &after);
    ok(CPU_EQUAL(&before, &after), "afterwards all processors are allowed that were before");
    is(wait_after(&low, 1, 1, MEETINGS), 0, "who is alone on its processor has no reason to move");
    is(low.patience, 0, "and forgets that it was no use");
    is(wait_after(&high, 2, 1, MEETINGS), 0, "of two that meet only one moves");

    CPU_ZERO(&one);
    for (unsigned at = 0; CPU_COUNT(&one) == 0; at++)
        if (CPU_ISSET(at, &before))
            CPU_SET(at, &one);
    sched_setaffinity(0, sizeof one, &one);
    wait_after(&low, 1, 2, MEETINGS);
    sched_getaffinity(0, sizeof after, &after);
    ok(CPU_EQUAL(&one, &after), "who has one processor stays there");
    done_testing();
    return exit_status();
}
