/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/commands/order_options.h"

#include <string.h>

#include "core/base/die.h"
#include "core/orders/orders.h"

/* The option of that slot in a list, or NULL. */
static const struct ditto_order_option *option_of(const struct ditto_order_option *options,
                                                  const struct option_slot *slot)
{
    for (; options && options->name; options++)
        if (strcmp(options->name, slot->name + strlen("--")) == 0)
            return options;
    return NULL;
}

size_t order_slots(struct option_slot slots[ORDER_OPTIONS_MAX])
{
    static char names[ORDER_OPTIONS_MAX][32];
    size_t count = 0;
    for (size_t i = 0; ditto_orders[i]; i++) {
        const struct ditto_order_option *option = ditto_orders[i]->options;
        for (; option && option->name; option++) {
            size_t at = 0;
            while (at < count && option_of(option, &slots[at]) != option)
                at++;
            if (at < count)
                continue;
            DITTO_CHECK(count < ORDER_OPTIONS_MAX, "the orders have too many options");
            snprintf(names[count], sizeof names[count], "--%s", option->name);
            slots[count] = (struct option_slot){.name = names[count], .has_value = true};
            count++;
        }
    }
    return count;
}

bool slot_is_number(const struct command *command, const struct option_slot *slot, uint64_t most,
                    uint64_t *number)
{
    if (slot->given && (!parse_number(slot->value, number) || *number == 0 || *number > most)) {
        complain("%s: option '%s' needs a number from 1 to %llu, not '%s'", command->name,
                 slot->name, (unsigned long long)most, slot->value);
        return false;
    }
    return true;
}

static bool is_one_of(const struct command *command, const struct option_slot *slot,
                      const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (strcmp(slot->value, words[i]) == 0)
            return true;
    complain("%s: option '%s' cannot be '%s'; see 'ditto help record'", command->name, slot->name,
             slot->value);
    return false;
}

bool order_slots_fit(const struct command *command, const char *name,
                     const struct option_slot *slots, size_t count)
{
    const struct ditto_order *order = name ? ditto_order_find(name) : ditto_orders[0];
    if (!order) {
        complain("%s: there is no order '%s'; see 'ditto help record'", command->name, name);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t number;
        if (!slots[i].given)
            continue;
        const struct ditto_order_option *option = option_of(order->options, &slots[i]);
        if (!option) {
            complain("%s: the order '%s' has no option '%s'; see 'ditto help record'",
                     command->name, order->name, slots[i].name);
            return false;
        }
        if (option->words ? !is_one_of(command, &slots[i], option->words)
                          : !slot_is_number(command, &slots[i], 1u << 30, &number))
            return false;
    }
    return true;
}
