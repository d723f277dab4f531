/* SPDX-License-Identifier: MIT */
/* Ending what takes long: somebody interrupts it, or is asked now and then and says so. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_INTERRUPTS_H
#define DITTO_GDB_PLUGIN_MACHINE_INTERRUPTS_H

#include <stdatomic.h>
#include <stdbool.h>

struct interrupts {
    int wake; /* an eventfd: somebody interrupts */
    _Atomic bool interrupted;
    bool (*busy)(void *context, double done); /* as in machine.h; may be NULL */
    void *context;
    double done; /* how far what takes long at present is, of 1 */
};

void interrupts_open(struct interrupts *interrupts, bool (*busy)(void *context, double done),
                     void *context);
void interrupts_close(struct interrupts *interrupts);

/* May be called from a signal handler or another thread. */
void interrupt(struct interrupts *interrupts);
bool is_interrupted(const struct interrupts *interrupts);
/* Whether what takes long must stop; asks `busy`. */
bool must_stop(struct interrupts *interrupts);
/* Interrupts from before are not meant for what follows. */
void interrupts_forget(struct interrupts *interrupts);

#endif
