/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/ending.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "jvm-bridge/vm/progress_line.h"

/*
 * Set when the end has come to where hooks stop.  A printing thread counts itself in before it
 * looks at `over`, and the end sets `over` before it looks at the count; all four sequentially
 * consistent, so either the thread sees the end or the end waits for the thread.
 */
static _Atomic bool over;
static _Atomic uint32_t printing;

void ditto_agent_park(void)
{
    for (;;)
        pause();
}

bool ditto_agent_answered(jvmtiError error)
{
    if (error == JVMTI_ERROR_WRONG_PHASE)
        ditto_agent_park();
    return error == JVMTI_ERROR_NONE;
}

bool ditto_agent_is_ending(void)
{
    return atomic_load_explicit(&over, memory_order_seq_cst);
}

void ditto_agent_output_begins(void)
{
    ditto_progress_hide();
    atomic_fetch_add_explicit(&printing, 1, memory_order_seq_cst);
    if (ditto_agent_is_ending()) {
        atomic_fetch_sub_explicit(&printing, 1, memory_order_seq_cst);
        ditto_agent_park();
    }
}

void ditto_agent_output_ends(void)
{
    ditto_progress_may_show();
    atomic_fetch_sub_explicit(&printing, 1, memory_order_seq_cst);
}

void ditto_agent_stop_hooks(void)
{
    enum { LOOK_MS = 1, PATIENCE_MS = 1000 };
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    atomic_store_explicit(&over, true, memory_order_seq_cst);
    for (int waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
        if (atomic_load_explicit(&printing, memory_order_seq_cst) == 0)
            break;
        nanosleep(&look, NULL);
    }
}
