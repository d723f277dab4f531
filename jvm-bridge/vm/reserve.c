/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/reserve.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "jvm-bridge/vm/say.h"

/* Most programs need a few steps.  One that needs MANY will need all memory that it is given. */
enum { STEP = 1 << 20, MANY = 1 << 24 };

void ditto_reserve_open(struct ditto_reserve *reserve, size_t size, const char *for_what)
{
    void *base = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        ditto_agent_refuse("no %zu MiB of addresses for %s: %s; raise the limit on virtual memory "
                           "(ulimit -v)",
                           size >> 20, for_what, strerror(errno));
    *reserve = (struct ditto_reserve){base, size, 0, for_what};
}

void ditto_reserve_use(struct ditto_reserve *reserve, size_t size)
{
    if (size <= reserve->usable)
        return;
    size_t usable = (size + STEP - 1) / STEP * STEP;
    if (usable > reserve->size)
        ditto_agent_refuse(
            "the program has too many %s; record less of it, with --include or --exclude",
            reserve->for_what);
    if (mprotect(reserve->base + reserve->usable, usable - reserve->usable,
                 PROT_READ | PROT_WRITE) != 0)
        ditto_agent_refuse("no memory for %s: %s; free some", reserve->for_what, strerror(errno));
    /* All pages of it at once: a program that makes objects in a loop would spend a third of its
     * time in faults.  A kernel before 5.14 refuses, and then it does. */
    if (reserve->usable >= MANY)
        madvise(reserve->base + reserve->usable, usable - reserve->usable, MADV_POPULATE_WRITE);
    reserve->usable = usable;
}
