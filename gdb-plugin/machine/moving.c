/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/moving.h"

#include <stdlib.h>

#include "gdb-plugin/machine/present.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/spares.h"

void hits_forget(struct ditto_machine *machine)
{
    hits_free(&machine->hits);
    if (!machine->log.count)
        hits_free(&machine->watched);
}

void shown_free(struct ditto_machine *machine)
{
    free(machine->shown.frames);
    machine->shown = (struct stack){0};
}

void machine_move(struct ditto_machine *machine, struct replica *jvm)
{
    struct replica *old = machine->jvm;
    machine->jvm = jvm;
    machine->present = jvm->at;
    shown_free(machine);
    log_free(&machine->log);
    hits_forget(machine);
    if (old && old != jvm)
        spare_keep(machine, old);
}

void machine_leave(struct ditto_machine *machine)
{
    struct replica *old = machine->jvm;
    machine->jvm = NULL;
    spare_keep(machine, old);
}

void halt_from_hit(struct ditto_machine *machine, struct replica *replica,
                   const struct ditto_message_hit *hit, const struct position *at,
                   const struct ditto_method *method, struct ditto_halt *halt)
{
    halt->thread = at->thread;
    switch (hit->why) {
    case DITTO_HALT_BREAK:
        halt->why = DITTO_WHY_BREAKPOINT;
        halt->breakpoint = hit->index;
        break;
    case DITTO_HALT_WATCH:
        halt->why = DITTO_WHY_WATCH;
        halt->watch = hit->index;
        halt->before = machine_value(machine, replica, hit->old);
        halt->after = machine_value(machine, replica, hit->new);
        halt->nth = hit->nth;
        halt->location = (struct ditto_location){method, hit->bci};
        break;
    default:
        halt->why = DITTO_WHY_THROW;
    }
}

void halt_lost(struct ditto_halt *halt, const struct ditto_error *error)
{
    halt->why = DITTO_WHY_LOST;
    halt->error = *error;
}
