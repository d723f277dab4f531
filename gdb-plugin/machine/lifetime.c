/* SPDX-License-Identifier: MIT */
/* Opening the machine, and closing it. */
#include <stdlib.h>

#include "core/base/die.h"
#include "gdb-plugin/classpath/jdk_modules.h"
#include "gdb-plugin/machine/moving.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/spares.h"

enum { SPARES = 4 };
#define SPARE_BYTES (UINT64_C(2) << 30)

struct ditto_machine *ditto_machine_open(const char *trace,
                                         const struct ditto_machine_options *options,
                                         struct ditto_error *error)
{
    struct ditto_machine *machine = ditto_alloc_zeroed(1, sizeof *machine, "the machine");
    if (options)
        machine->options = *options;
    if (!machine->options.spares)
        machine->options.spares = SPARES;
    if (!machine->options.spare_bytes)
        machine->options.spare_bytes = SPARE_BYTES;
    machine->present = (struct position){.kind = DITTO_POSITION_STEP};
    if (recording_open(&machine->recording, trace, &machine->options, error)) {
        struct replica *jvm = bring_to_position(machine, &machine->present, error);
        if (jvm) {
            machine->jvm = jvm;
            machine->present = jvm->at;
            spares_replenish(machine);
            return machine;
        }
    }
    ditto_machine_close(machine);
    return NULL;
}

static void free_handed_out(struct ditto_machine *machine)
{
    for (size_t i = 0; i < machine->view_count; i++)
        free(machine->whats[i]);
    for (size_t i = 0; i < machine->source_count; i++)
        free(machine->sources[i]);
    char *text;
    for (size_t at = 0; (text = ditto_map_next(&machine->texts, &at));)
        free(text);
    free(machine->whats);
    free(machine->held);
    free(machine->views);
    free(machine->sources);
    ditto_map_free(&machine->texts);
    free(machine->frames);
    free(machine->locations);
    free(machine->code);
}

void ditto_machine_close(struct ditto_machine *machine)
{
    if (!machine)
        return;
    replica_end(machine->jvm);
    spares_end(machine);
    log_free(&machine->log);
    hits_forget(machine);
    shown_free(machine);
    numbers_free(&machine->numbers);
    jdk_close(machine->jdk);
    free_handed_out(machine);
    recording_close(&machine->recording);
    free(machine);
}
