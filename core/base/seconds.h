/* SPDX-License-Identifier: MIT */
/* Seconds that have passed.  (A clock, in this code, is an order's.) */
#ifndef DITTO_CORE_BASE_SECONDS_H
#define DITTO_CORE_BASE_SECONDS_H

#include <time.h>

static inline double ditto_seconds_of(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Since some moment in the past, the same for all processes; they never go back. */
static inline double ditto_seconds(void)
{
    return ditto_seconds_of(CLOCK_MONOTONIC);
}

/* Of the processors, used by the whole process. */
static inline double ditto_processor_seconds(void)
{
    return ditto_seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
