/* SPDX-License-Identifier: MIT */
/* Going: which way, and what is made ready for the next time. */
#include "gdb-plugin/machine/backward.h"
#include "gdb-plugin/machine/forward.h"
#include "gdb-plugin/machine/spares.h"

void ditto_machine_run(struct ditto_machine *machine, const struct ditto_run *run,
                       struct ditto_halt *halt)
{
    *halt = (struct ditto_halt){.why = DITTO_WHY_STEPPED, .thread = machine->present.thread};
    interrupts_forget(&machine->recording.interrupts);
    if (run->going == DITTO_GO_TO_CLOCK)
        go_to_clock(machine, run->clock, halt);
    else if (run->back)
        run_back(machine, run, halt);
    else
        run_forward(machine, run, halt);
    /* Where no JVM is nobody may look: gdb may only pass by. */
    if (machine->jvm)
        spares_replenish(machine);
}

void ditto_machine_interrupt(struct ditto_machine *machine)
{
    interrupt(&machine->recording.interrupts);
}
