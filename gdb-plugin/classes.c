/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine_state.h"

bool ditto_machine_classes(struct ditto_machine *machine,
                           bool (*each)(void *context, const char *name, const uint8_t *bytes,
                                        size_t length),
                           void *context, struct ditto_error *error)
{
    (void)machine;
    (void)each;
    (void)context;
    ditto_error_set(error, "not yet");
    return false;
}
