/* SPDX-License-Identifier: MIT */
#include "core/orders/order.h"

#include <string.h>

bool ditto_quick_find(const struct ditto_quick_number *numbers, size_t count, const char *name,
                      int64_t *number)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(numbers[i].name, name) != 0)
            continue;
        *number = (int64_t)numbers[i].number;
        return true;
    }
    return false;
}
