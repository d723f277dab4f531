/* SPDX-License-Identifier: MIT */
/*
 * Replaying with the order `ditto`: the thesis's algorithms 3.4 to 3.6.
 *
 * There are no locks around accesses.  A load waits for the store whose value it loaded; a store
 * waits for the store before it and for all loads of that one; an event in a free run waits for
 * nothing, because the order that it needs follows from waits that its thread, or one that its
 * thread has waited for, has already done.  So when a store runs nobody else is at the same place,
 * and loads of one value run together.
 *
 * Happens-before, for the program's data as for the state here: a store publishes its new
 * store_clock after the data is written, and a load looks at store_clock before it reads the data;
 * a load adds to load_count after it has read the data, and a store looks at load_count before it
 * writes.  Each of those is at least a release and an acquire.  A free event has no look of its
 * own, and needs none: the chain of looks that made it free carries the order.
 */
#include <inttypes.h>
#include <stdio.h>

#include "core/engine/detached.h"
#include "core/engine/stop.h"
#include "core/orders/ditto/code.h"
#include "core/orders/ditto/events.h"
#include "core/orders/ditto/quick.h"

#define SEQ_CST memory_order_seq_cst

/*
 * The next step of a stream: false for an event in a free run, true for one with a constraint of
 * the one or the other kind, which is then in stream->item and counts as used.
 */
static bool constrained(struct ditto_thread *self, struct ditto_replay_stream *stream,
                        const char *event, uint8_t kind, uint8_t other_kind)
{
    while (stream->run == 0) {
        if (stream->item.kind != DITTO_ITEM_RUN) {
            if (stream->item.kind != kind && stream->item.kind != other_kind)
                ditto_diverge(self, "expected a %s, found a %s",
                              self->session->order->coding->kinds[stream->item.kind].name, event);
            return true;
        }
        struct ditto_error error;
        int next = ditto_items_next(&stream->items, &stream->item, &error);
        if (next < 0)
            ditto_damaged(self, &error);
        if (next == 0) {
            ditto_thread_past_end(self, event);
            return false;
        }
        stream->run = stream->item.run;
    }
    stream->run--;
    return false;
}

/*
 * How far a clock that begins a place or a monitor is from the one that is needed, as far as this
 * thread can know.  It may come late to a place, or the place may have been left alone for long.
 */
_Static_assert(offsetof(ditto_place, store_clock) == 0, "a place begins with its store clock");
_Static_assert(offsetof(ditto_monitor, sync_clock) == 0, "a monitor begins with its sync clock");

static uint64_t ticks_away(const struct ditto_thread *self, const void *key, uint64_t needed)
{
    const _Atomic uint64_t *clock = key;
    uint64_t reached = max_clock(clock_of(self), atomic_load_explicit(clock, memory_order_relaxed));
    return needed > reached ? needed - reached : 0;
}

static void wait_for(struct ditto_thread *self, const void *key, _Atomic uint32_t *count,
                     ditto_ready_fn *ready, const uint64_t need[3],
                     void (*describe)(const struct ditto_waiter *, char *, size_t))
{
    enum ditto_ready now = ready(key, need);
    if (now == DITTO_NOT_YET) {
        struct ditto_waiter *waiter = &self->waiter;
        waiter->key = key;
        waiter->count = count;
        waiter->ready = ready;
        for (int i = 0; i < 3; i++)
            waiter->need[i] = need[i];
        waiter->thread = self;
        waiter->away = ticks_away(self, key, need[0]);
        waiter->describe = describe;
        waiter->is_flag = false;
        now = ditto_wait(&self->session->waits, waiter);
    }
    if (now == DITTO_PASSED) {
        char text[160];
        const struct ditto_waiter wait = {.key = key, .need = {need[0], need[1], need[2]}};
        describe(&wait, text, sizeof text);
        ditto_diverge(self, "expected %s, found that it was too late", text);
    }
}

/* ------------------------------------------------------------------ loads */

static enum ditto_ready load_ready(const void *key, const uint64_t need[3])
{
    const ditto_place *place = key;
    uint64_t store_clock = atomic_load_explicit(&place->store_clock, SEQ_CST);
    if (store_clock == need[0])
        return DITTO_READY;
    return store_clock < need[0] ? DITTO_NOT_YET : DITTO_PASSED;
}

static void describe_load(const struct ditto_waiter *waiter, char *text, size_t size)
{
    const ditto_place *place = waiter->key;
    snprintf(text, size, "a load after store clock %" PRIu64 " (its store clock is %" PRIu64 ")",
             waiter->need[0], atomic_load_explicit(&place->store_clock, SEQ_CST));
}

static void wait_to_load(struct ditto_thread *self, ditto_place *place)
{
    const uint64_t need[3] = {self->memory_trace.item.value[0]};
    self->memory_trace.item.kind = DITTO_ITEM_RUN;
    wait_for(self, place, &place->waiters, load_ready, need, describe_load);
}

static void replay_load_begin(struct ditto_thread *self, void *place)
{
    if (quick_begin_free(self, (uintptr_t)place))
        return;
    self->memory_events++;
    if (constrained(self, &self->memory_trace, "load", ITEM_LOAD, ITEM_LOAD))
        wait_to_load(self, place);
}

static void replay_load_end(struct ditto_thread *self, void *place)
{
    quick_replay_load(self, place);
}

/* ----------------------------------------------------------------- stores */

static enum ditto_ready store_ready(const void *key, const uint64_t need[3])
{
    const ditto_place *place = key;
    /* In this order: a store resets the count before it publishes its clock. */
    uint64_t store_clock = atomic_load_explicit(&place->store_clock, SEQ_CST);
    uint64_t load_count = atomic_load_explicit(&place->load_count, SEQ_CST);
    if (store_clock == need[0] && load_count == need[1])
        return DITTO_READY;
    if (store_clock > need[0] || (store_clock == need[0] && load_count > need[1]))
        return DITTO_PASSED;
    return DITTO_NOT_YET;
}

static void describe_store(const struct ditto_waiter *waiter, char *text, size_t size)
{
    const ditto_place *place = waiter->key;
    snprintf(text, size,
             "a store after store clock %" PRIu64 " and %" PRIu64
             " loads (its store clock is %" PRIu64 ", its load count %" PRIu64 ")",
             waiter->need[0], waiter->need[1], atomic_load_explicit(&place->store_clock, SEQ_CST),
             atomic_load_explicit(&place->load_count, SEQ_CST));
}

static void wait_to_store(struct ditto_thread *self, ditto_place *place)
{
    const uint64_t need[3] = {self->memory_trace.item.value[0], self->memory_trace.item.value[1]};
    self->memory_trace.item.kind = DITTO_ITEM_RUN;
    wait_for(self, place, &place->waiters, store_ready, need, describe_store);
}

static void replay_store_begin(struct ditto_thread *self, void *place)
{
    if (quick_begin_free(self, (uintptr_t)place | DITTO_STORING))
        return;
    self->memory_events++;
    if (constrained(self, &self->memory_trace, "store", ITEM_STORE, ITEM_STORE))
        wait_to_store(self, place);
}

static void replay_store_end(struct ditto_thread *self, void *place)
{
    quick_replay_store(self, place);
}

/* ---------------------------------------------------------------- updates */

/* The kind of a constraint says whether the recorded update stored; a free one did. */
static bool replay_update_begin(struct ditto_thread *self, void *place)
{
    struct thread_state *mine = state_of(self);
    mine->update_stores = true;
    if (quick_begin_free(self, (uintptr_t)place | DITTO_UPDATING | DITTO_STORING))
        return true;
    self->memory_events++;
    if (!constrained(self, &self->memory_trace, "compare-and-set", ITEM_LOAD, ITEM_STORE))
        return true;
    mine->update_stores = self->memory_trace.item.kind == ITEM_STORE;
    if (mine->update_stores)
        wait_to_store(self, place);
    else
        wait_to_load(self, place);
    return mine->update_stores;
}

static void replay_update_end(struct ditto_thread *self, void *place, bool stored)
{
    if (stored != state_of(self)->update_stores)
        ditto_diverge(self, "expected a compare-and-set that %s, found one that %s",
                      stored ? "fails" : "stores", stored ? "stores" : "fails");
    if (stored)
        replay_store_end(self, place);
    else
        replay_load_end(self, place);
}

/* ----------------------------------------------------------- acquisitions */

/* need: the sync clock, the thread, and whether the sync clock matters. */
static enum ditto_ready acquire_ready(const void *key, const uint64_t need[3])
{
    const ditto_monitor *monitor = key;
    /* In this order: an acquisition closes the gate before it publishes its clock. */
    uint64_t sync_clock = atomic_load_explicit(&monitor->sync_clock, SEQ_CST);
    uint32_t holder = atomic_load_explicit(&monitor->holder, SEQ_CST);
    if (holder != NOBODY && holder != need[1])
        return DITTO_NOT_YET;
    if (!need[2] || sync_clock == need[0])
        return DITTO_READY;
    return sync_clock < need[0] ? DITTO_NOT_YET : DITTO_PASSED;
}

static void describe_acquire(const struct ditto_waiter *waiter, char *text, size_t size)
{
    const ditto_monitor *monitor = waiter->key;
    uint32_t holder = atomic_load_explicit(&monitor->holder, SEQ_CST);
    int length = waiter->need[2]
                     ? snprintf(text, size, "a monitor after sync clock %" PRIu64, waiter->need[0])
                     : snprintf(text, size, "a monitor");
    text += length;
    size -= (size_t)length;
    length = snprintf(text, size, " (its sync clock is %" PRIu64,
                      atomic_load_explicit(&monitor->sync_clock, SEQ_CST));
    text += length;
    size -= (size_t)length;
    if (holder == NOBODY)
        snprintf(text, size, ", nobody holds it)");
    else
        snprintf(text, size, ", thread %" PRIu32 " holds it)", holder - 1);
}

static void replay_acquire_begin(struct ditto_thread *self, void *where)
{
    ditto_monitor *monitor = where;
    self->sync_events++;
    bool ordered = constrained(self, &self->sync_trace, "acquire", ITEM_SYNC, ITEM_SYNC);
    if (self->events == &ditto_detached_events)
        return; /* past the end of its trace, and on its own now */
    const uint64_t need[3] = {ordered ? self->sync_trace.item.value[0] : 0, self->replay_id + 1,
                              ordered};
    if (ordered)
        self->sync_trace.item.kind = DITTO_ITEM_RUN;
    wait_for(self, monitor, &monitor->waiters, acquire_ready, need, describe_acquire);
}

static void replay_acquire_end(struct ditto_thread *self, void *where)
{
    ditto_monitor *monitor = where;
    uint64_t sync_clock = atomic_load_explicit(&monitor->sync_clock, memory_order_relaxed);
    state_of(self)->clock = max_clock(state_of(self)->clock, sync_clock) + 1;
    monitor->depth++;
    atomic_store_explicit(&monitor->holder, self->replay_id + 1, SEQ_CST);
    atomic_store_explicit(&monitor->sync_clock, state_of(self)->clock, SEQ_CST);
}

static void replay_release(struct ditto_thread *self, void *where)
{
    ditto_monitor *monitor = where;
    uint64_t sync_clock = atomic_load_explicit(&monitor->sync_clock, memory_order_relaxed);
    atomic_store_explicit(&monitor->sync_clock, max_clock(sync_clock, state_of(self)->clock),
                          SEQ_CST);
    if (--monitor->depth == 0) {
        atomic_store_explicit(&monitor->holder, NOBODY, SEQ_CST);
        ditto_wake(&self->session->waits, monitor, &monitor->waiters);
    }
}

/* ---------------------------------------------------------------- threads */

static void replay_start(struct ditto_thread *parent, struct ditto_thread *child)
{
    state_of(child)->clock = state_of(parent)->clock;
}

static void replay_join(struct ditto_thread *self, struct ditto_thread *other)
{
    state_of(self)->clock = max_clock(state_of(self)->clock, state_of(other)->clock);
}

/*
 * The event's turn has come, so the states that count for it are final: nobody stores before it,
 * and whoever loads beside it does not change the store clock.
 */
uint64_t ditto_replay_clock_after(const struct ditto_thread *self, enum ditto_event_kind kind,
                                  const void *where)
{
    const ditto_monitor *monitor = where;
    const ditto_place *place = where;
    if (kind == DITTO_EVENT_ACQUIRE)
        return max_clock(clock_of(self),
                         atomic_load_explicit(&monitor->sync_clock, memory_order_acquire)) +
               1;
    uint64_t clock =
        max_clock(clock_of(self), atomic_load_explicit(&place->store_clock, memory_order_acquire));
    if (kind == DITTO_EVENT_LOAD)
        return clock;
    return max_clock(clock, atomic_load_explicit(&place->load_clock, memory_order_acquire)) + 1;
}

const struct ditto_order_events ditto_replay_events = {
    .load_begin = replay_load_begin,
    .load_end = replay_load_end,
    .store_begin = replay_store_begin,
    .store_end = replay_store_end,
    .update_begin = replay_update_begin,
    .update_end = replay_update_end,
    .acquire_begin = replay_acquire_begin,
    .acquire_end = replay_acquire_end,
    .release = replay_release,
    .start = replay_start,
    .join = replay_join,
};
