/* SPDX-License-Identifier: MIT */
/* Where a replay is: as in jvm-bridge/control/messages.h, with the machine's method. */
#ifndef DITTO_GDB_PLUGIN_MACHINE_POSITIONS_H
#define DITTO_GDB_PLUGIN_MACHINE_POSITIONS_H

#include "gdb-plugin/machine/methods.h"
#include "jvm-bridge/control/messages.h"

struct position {
    enum ditto_spot_kind kind;
    uint32_t thread;
    uint64_t turn, clock, step, nth;
    const struct ditto_method *mark;
    int32_t bci;
};

void position_from_message(struct methods *methods, struct position *position,
                           const struct ditto_message_position *message);
void position_to_message(const struct position *position, struct ditto_message_position *message);

#endif
