/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/interrupts.h"

#include <errno.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

void interrupts_open(struct interrupts *interrupts, bool (*busy)(void *context, double done),
                     void *context)
{
    interrupts->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    interrupts->busy = busy;
    interrupts->context = context;
}

void interrupts_close(struct interrupts *interrupts)
{
    if (interrupts->wake >= 0)
        close(interrupts->wake);
}

bool is_interrupted(const struct interrupts *interrupts)
{
    return atomic_load_explicit(&interrupts->interrupted, memory_order_acquire);
}

bool must_stop(struct interrupts *interrupts)
{
    if (!is_interrupted(interrupts) && interrupts->busy &&
        interrupts->busy(interrupts->context, interrupts->done))
        atomic_store_explicit(&interrupts->interrupted, true, memory_order_release);
    return is_interrupted(interrupts);
}

void interrupt(struct interrupts *interrupts)
{
    const uint64_t one = 1;
    int before = errno;
    atomic_store_explicit(&interrupts->interrupted, true, memory_order_release);
    if (write(interrupts->wake, &one, sizeof one) < 0)
        errno = before;
}

void interrupts_forget(struct interrupts *interrupts)
{
    uint64_t count;
    atomic_store_explicit(&interrupts->interrupted, false, memory_order_release);
    while (read(interrupts->wake, &count, sizeof count) > 0)
        ;
}
