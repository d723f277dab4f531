/* SPDX-License-Identifier: MIT */
/* Going: which way, and what is made ready for the next time. */
#include "gdb-plugin/machine/backward.h"
#include "gdb-plugin/machine/forward.h"
#include "gdb-plugin/machine/spares.h"

void ditto_machine_go(struct ditto_machine *machine, const struct ditto_go *go,
                      struct ditto_halt *halt)
{
    *halt = (struct ditto_halt){.why = DITTO_WHY_STEPPED, .thread = machine->present.thread};
    interrupts_forget(&machine->recording.interrupts);
    if (go->going == DITTO_GO_TO_CLOCK)
        go_to_clock(machine, go->clock, halt);
    else if (go->back)
        go_back(machine, go, halt);
    else
        go_forward(machine, go, halt);
    /* Where no JVM is nobody may look: gdb may only pass by. */
    if (machine->jvm)
        spares_replenish(machine);
}

void ditto_machine_interrupt(struct ditto_machine *machine)
{
    interrupt(&machine->recording.interrupts);
}
