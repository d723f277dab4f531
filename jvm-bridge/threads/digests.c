/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/threads/digests.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvm-bridge/classes/sites.h"
#include "jvm-bridge/vm/input_kinds.h"

/* Events of threads that have ended. */
static _Atomic uint64_t compared;

static void leave_trace(struct ditto_java_thread *thread, const char *expected, const char *found)
{
    char text[480];
    snprintf(text, sizeof text, "--verify: expected %s, found %s", expected, found);
    ditto_left_trace(ditto_handle_of(thread), text);
}

void ditto_digest(struct ditto_java_thread *thread, uint32_t digest)
{
    if (!ditto_agent.verify)
        return;
    uint32_t recorded = digest;
    size_t length = sizeof recorded;
    ditto_input(ditto_handle_of(thread), DITTO_INPUT_DIGEST, &recorded, &length, sizeof recorded);
    thread->last_digest = digest;
    if (recorded != digest) {
        char *expected = ditto_digest_words(recorded), *found = ditto_digest_words(digest);
        leave_trace(thread, expected ? expected : "an event of code that has not been loaded",
                    found ? found : "another event");
    }
    uint64_t verified = atomic_load_explicit(&thread->verified, memory_order_relaxed);
    atomic_store_explicit(&thread->verified, verified + 1, memory_order_relaxed);
}

/* The bits of a value as its type has them; of a reference, what DittoHooks.digest made of it. */
static void value_words(uint64_t value, char type, char *text, size_t size)
{
    double wide;
    float narrow;
    uint32_t low = (uint32_t)value;
    memcpy(&wide, &value, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    if (type == 'D')
        snprintf(text, size, "%.17g", wide);
    else if (type == 'F')
        snprintf(text, size, "%.9g", (double)narrow);
    else if (type == 'L' && value)
        snprintf(text, size, "an object with the digest %" PRIx64, value);
    else if (type == 'L')
        snprintf(text, size, "null");
    else
        snprintf(text, size, "%" PRId64, (int64_t)value);
}

void ditto_digest_value(struct ditto_java_thread *thread, uint64_t value, bool store, char type)
{
    uint64_t recorded = value;
    size_t length = sizeof recorded;
    ditto_input(ditto_handle_of(thread), DITTO_INPUT_VALUE, &recorded, &length, sizeof recorded);
    if (recorded == value)
        return;
    char expected[400], wanted[80], found[80];
    char *place = ditto_digest_words(thread->last_digest);
    value_words(recorded, type, wanted, sizeof wanted);
    value_words(value, type, found, sizeof found);
    snprintf(expected, sizeof expected, "the value %s %s %s", wanted,
             store ? "for a store after" : "from", place ? place : "its last event");
    leave_trace(thread, expected, found);
}

void ditto_digests_end(const struct ditto_java_thread *thread)
{
    atomic_fetch_add_explicit(&compared,
                              atomic_load_explicit(&thread->verified, memory_order_relaxed),
                              memory_order_relaxed);
}

uint64_t ditto_digests_compared(void)
{
    uint64_t sum = atomic_load_explicit(&compared, memory_order_relaxed);
    for (const struct ditto_java_thread *thread = ditto_java_threads_lock(); thread;
         thread = thread->next)
        sum += atomic_load_explicit(&thread->verified, memory_order_relaxed);
    ditto_java_threads_unlock();
    return sum;
}
