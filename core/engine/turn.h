/* SPDX-License-Identifier: MIT */
/* When something happened in a debugged replay; core/engine/timeline.h says what a turn is. */
#ifndef DITTO_CORE_ENGINE_TURN_H
#define DITTO_CORE_ENGINE_TURN_H

#include <stdbool.h>
#include <stdint.h>

/* The latest turn of a thread, or of all. */
struct ditto_turn {
    uint64_t clock;
    bool tick;
    uint32_t thread;
    uint64_t turn;
};

#endif
