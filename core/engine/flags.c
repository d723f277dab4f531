/* SPDX-License-Identifier: MIT */
/* Order that a replay enforces without an event: ditto_flag_raise(), ditto_flag_wait(). */
#include <stdio.h>

#include "core/engine/timeline.h"
#include "core/engine/wait.h"

static enum ditto_ready flag_ready(const void *key, const uint64_t need[3])
{
    const ditto_flag *flag = key;
    (void)need;
    return atomic_load_explicit(&flag->raised, memory_order_seq_cst) ? DITTO_READY : DITTO_NOT_YET;
}

static void describe_flag(const struct ditto_waiter *waiter, char *text, size_t size)
{
    snprintf(text, size, "%s", (const char *)(uintptr_t)waiter->need[0]);
}

void ditto_flag_wait(struct ditto_thread *thread, ditto_flag *flag, const char *what)
{
    struct ditto_waiter *waiter = &thread->waiter;
    if (flag_ready(flag, NULL) == DITTO_READY)
        return;
    waiter->key = flag;
    waiter->count = &flag->waiters;
    waiter->ready = flag_ready;
    waiter->need[0] = (uintptr_t)what;
    waiter->thread = thread;
    waiter->away = 0;
    waiter->describe = describe_flag;
    waiter->is_flag = true;
    ditto_wait(&thread->session->waits, waiter);
    /* Who raised the flag runs on, so in a debugged replay this thread must not yet. */
    if (thread->session->timeline)
        ditto_gate_uncounted(thread);
}

void ditto_flag_raise(struct ditto_session *session, ditto_flag *flag)
{
    atomic_store_explicit(&flag->raised, 1, memory_order_seq_cst);
    ditto_wake(&session->waits, flag, &flag->waiters);
}
