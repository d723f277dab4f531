/* SPDX-License-Identifier: MIT */
/* The types of locals and stack at one point of a method: what an instruction changes (typestep.h),
 * and what the analysis of a whole method has before each of them (frames.h). */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_TYPE_STATE_H
#define DITTO_JVM_BRIDGE_CLASSFILE_TYPE_STATE_H

#include "jvm-bridge/classfile/types.h"

struct ditto_flow_state {
    bool reachable;   /* false in dead code of old classes; then nothing else here means anything */
    bool this_uninit; /* in a constructor before the call of super(...) or this(...) */
    ditto_type
        *locals; /* by slot, max_locals of them; the second slot of a long or double is TOP */
    uint32_t locals_used; /* from here on all are TOP */
    ditto_type *stack;    /* an entry a value, whatever its slots; the top is last */
    uint32_t stack_count;
    uint32_t stack_slots;
};

#endif
