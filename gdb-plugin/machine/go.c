/* SPDX-License-Identifier: MIT */
/* Going: which way, and what is made ready for the next time. */
#include <inttypes.h>

#include "core/base/debug.h"
#include "gdb-plugin/machine/backward.h"
#include "gdb-plugin/machine/forward.h"
#include "gdb-plugin/machine/spares.h"

void ditto_machine_go(struct ditto_machine *machine, const struct ditto_go *go,
                      struct ditto_halt *halt)
{
    *halt = (struct ditto_halt){.why = DITTO_WHY_STEPPED, .thread = machine->present.thread};
    interrupts_forget(&machine->recording.interrupts);
    DITTO_DEBUG(machine, 1, "goes %s from clock %" PRIu64 ", thread %" PRIu32 ", turn %" PRIu64,
                go->going == DITTO_GO_TO_CLOCK ? "to a clock"
                : go->back                     ? "back"
                                               : "on",
                machine->present.clock, machine->present.thread, machine->present.turn);
    if (go->going == DITTO_GO_TO_CLOCK)
        go_to_clock(machine, go->clock, halt);
    else if (go->back)
        go_back(machine, go, halt);
    else
        go_forward(machine, go, halt);
    DITTO_DEBUG(machine, 1, "is at clock %" PRIu64 ", thread %" PRIu32 ", turn %" PRIu64,
                machine->present.clock, machine->present.thread, machine->present.turn);
    /* Where no JVM is nobody may look: gdb may only pass by. */
    if (machine->jvm)
        spares_replenish(machine);
}

void ditto_machine_interrupt(struct ditto_machine *machine)
{
    interrupt(&machine->recording.interrupts);
}
