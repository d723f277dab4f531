/* SPDX-License-Identifier: MIT */
/* `record`'s options for the order: --order, and those that orders have themselves. */
#ifndef DITTO_JVM_BRIDGE_COMMANDS_ORDER_OPTIONS_H
#define DITTO_JVM_BRIDGE_COMMANDS_ORDER_OPTIONS_H

#include "core/commands/commands.h"

/* No more than this many, of all orders together. */
enum { ORDER_OPTIONS_MAX = 32 };

/* Fills in a slot for each option that some order has, and returns how many there are. */
size_t order_slots(struct option_slot slots[ORDER_OPTIONS_MAX]);

/* Whether there is an order of that name (NULL: the default), and the options that were given are
 * its own; says what is wrong. */
bool order_slots_fit(const struct command *command, const char *order,
                     const struct option_slot *slots, size_t count);

/* A value that is a number from 1 to `most`, if the option was given; says what is wrong. */
bool slot_is_number(const struct command *command, const struct option_slot *slot, uint64_t most,
                    uint64_t *number);

#endif
