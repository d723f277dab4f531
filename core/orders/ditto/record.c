/* SPDX-License-Identifier: MIT */
/*
 * Recording with the order `ditto`: the thesis's algorithms 3.1 to 3.3 with the design's clocks,
 * and the pruning of its section 3.5.
 *
 * A memory event is recorded inside the place's lock, before the access itself (an update: after
 * it), and the lock is held until the access is done.  So an event is in the trace before anybody
 * can depend on it, and a trace that ends at any instruction holds, with an event, everything that
 * event waited for.
 *
 * An event whose order already follows from the thread's own order, or from what earlier
 * constraints brought this thread to know (the interaction table), lengthens the free run instead
 * of being traced.  What has to be known:
 *
 *     for a load    the last store, a tick of `storer` at store_clock
 *     for a store   the last store, and the loads since: their clocks are at most load_clock, and
 *                   if one thread did them all, a tick of it above load_clock comes after them
 *     to acquire    the last acquisition, a tick of `last` at acquire_clock.  Not its release: a
 *                   replay opens the monitor's gate to nobody while it is held.
 */
#include "core/orders/ditto/code.h"
#include "core/orders/ditto/events.h"
#include "core/orders/ditto/quick.h"

#define RELAXED memory_order_relaxed

static uint64_t seen(const struct thread_state *self, uint32_t thread)
{
    uint32_t at = thread % SEEN_SIZE;
    return self->seen_thread[at] == thread ? self->seen_clock[at] : 0;
}

static void see(struct thread_state *self, uint32_t thread, uint64_t clock)
{
    uint32_t at = thread % SEEN_SIZE;
    if (self->seen_thread[at] != thread || self->seen_clock[at] < clock) {
        self->seen_thread[at] = thread;
        self->seen_clock[at] = clock;
    }
}

/* Whether a tick of `thread` at `clock` is known to come before. */
static bool tick_known(struct ditto_thread *self, uint32_t me, uint32_t thread, uint64_t clock)
{
    if (thread == NOBODY || thread == me)
        return true;
    return pruning_of(self->session) == DITTO_PRUNE_FULL && seen(state_of(self), thread) >= clock;
}

static bool loads_known(struct ditto_thread *self, uint32_t me, const ditto_place *place)
{
    if (place->loader == NOBODY || place->loader == me)
        return true;
    return pruning_of(self->session) == DITTO_PRUNE_FULL && place->loader != MANY &&
           seen(state_of(self), place->loader) > atomic_load_explicit(&place->load_clock, RELAXED);
}

static void trace_free(struct ditto_stream *stream)
{
    stream->tail++;
    ditto_stream_commit(stream);
}

static void trace_item(struct ditto_stream *stream, uint64_t *previous, enum item_kind kind,
                       uint64_t clock, uint64_t load_count)
{
    /* Each chunk can be read by itself: the first increment in it counts from 0. */
    if (stream->used == 0)
        *previous = 0;
    uint8_t *from = stream->bytes + stream->used;
    uint8_t *to = ditto_item_put(from, previous, stream->tail, kind, clock, load_count);
    stream->used += (uint32_t)(to - from);
    stream->tail = 0;
    ditto_stream_commit(stream);
}

/* Room for an event in the memory stream.  A new chunk has no tail: what that has counted moves. */
static bool has_room(struct ditto_thread *self)
{
    uint32_t tail = self->memory.tail;
    bool room = ditto_stream_room(&self->memory, ITEM_BYTES_MAX);
    if (self->memory.tail != tail)
        self->memory_events += tail;
    return room;
}

/* An event with a constraint ends the free run before it. */
static void trace_access(struct ditto_thread *self, enum item_kind kind, uint64_t clock,
                         uint64_t load_count)
{
    self->memory_events += (uint64_t)self->memory.tail + 1;
    trace_item(&self->memory, &state_of(self)->previous_memory, kind, clock, load_count);
}

/* Without pruning every event is traced. */
static bool may_be_quick(const struct ditto_thread *self)
{
    return pruning_of(self->session) != DITTO_PRUNE_NONE;
}

/*
 * Locks the place for an event.  False if nothing is recorded any more; then too the lock is taken
 * first: an access that was recorded and is under way must not see what comes after the end.
 */
static bool lock_place(struct ditto_thread *self, ditto_place *place, uintptr_t kind)
{
    quick_set_access(self, (uintptr_t)place | kind);
    bool room = has_room(self);
    ditto_light_lock(&place->lock, self->replay_id + 1);
    if (!room || ditto_stop_flag_is_set(self->stop_flag)) {
        ditto_light_unlock(&place->lock);
        quick_set_access(self, 0);
        return false;
    }
    return true;
}

/* The place is locked. */
static void note_load(struct ditto_thread *self, ditto_place *place, bool may_be_free)
{
    struct thread_state *mine = state_of(self);
    const uint32_t me = self->replay_id + 1;
    uint64_t store_clock = atomic_load_explicit(&place->store_clock, RELAXED);
    if (may_be_free && pruning_of(self->session) != DITTO_PRUNE_NONE &&
        tick_known(self, me, place->storer, store_clock)) {
        trace_free(&self->memory);
    } else {
        trace_access(self, ITEM_LOAD, store_clock, 0);
        if (place->storer != NOBODY && place->storer != me)
            see(mine, place->storer, store_clock);
    }
    if (place->loader == NOBODY)
        place->loader = me;
    else if (place->loader != me)
        place->loader = MANY;
    state_of(self)->clock = max_clock(state_of(self)->clock, store_clock);
    if (atomic_load_explicit(&place->load_clock, RELAXED) < state_of(self)->clock)
        atomic_store_explicit(&place->load_clock, state_of(self)->clock, RELAXED);
    atomic_store_explicit(&place->load_count, atomic_load_explicit(&place->load_count, RELAXED) + 1,
                          RELAXED);
}

/* The place is locked. */
static void note_store(struct ditto_thread *self, ditto_place *place)
{
    struct thread_state *mine = state_of(self);
    const uint32_t me = self->replay_id + 1;
    uint64_t store_clock = atomic_load_explicit(&place->store_clock, RELAXED);
    uint64_t load_clock = atomic_load_explicit(&place->load_clock, RELAXED);
    if (pruning_of(self->session) != DITTO_PRUNE_NONE &&
        tick_known(self, me, place->storer, store_clock) && loads_known(self, me, place)) {
        trace_free(&self->memory);
    } else {
        trace_access(self, ITEM_STORE, store_clock,
                     atomic_load_explicit(&place->load_count, RELAXED));
        if (place->storer != NOBODY && place->storer != me)
            see(mine, place->storer, store_clock);
        /* A loader's ticks up to its load come before the load, and so before this. */
        if (place->loader != NOBODY && place->loader != MANY && place->loader != me)
            see(mine, place->loader, load_clock);
    }
    state_of(self)->clock =
        max_clock(max_clock(state_of(self)->clock, store_clock), load_clock) + 1;
    atomic_store_explicit(&place->store_clock, state_of(self)->clock, RELAXED);
    atomic_store_explicit(&place->load_count, 0, RELAXED);
    place->storer = me;
    place->loader = NOBODY;
}

static void record_load_begin(struct ditto_thread *self, void *place)
{
    if (may_be_quick(self) && quick_record_load(self, place))
        return;
    if (lock_place(self, place, DITTO_LOADING))
        note_load(self, place, true);
}

static void record_store_begin(struct ditto_thread *self, void *place)
{
    if (may_be_quick(self) && quick_record_store(self, place))
        return;
    if (lock_place(self, place, DITTO_STORING))
        note_store(self, place);
}

static void record_access_end(struct ditto_thread *self, void *where)
{
    ditto_place *place = where;
    /* An access that was not recorded has no lock to let go; nor has one whose quick beginning, or
     * end, was broken off by an exception where it had none. */
    if (atomic_load_explicit(&self->access, RELAXED) != 0 &&
        ditto_light_lock_is_held(&place->lock, self->replay_id + 1))
        ditto_light_unlock(&place->lock);
}

static bool record_update_begin(struct ditto_thread *self, void *place)
{
    if (!may_be_quick(self) || !quick_record_update_begin(self, place))
        lock_place(self, place, DITTO_UPDATING);
    return true;
}

/*
 * An update is recorded when it is done, but still inside the lock: nobody has seen what it stored.
 * A quick one has made no room beforehand.  One that failed is always traced, so that a free one is
 * known to store before it does.
 */
static void record_update_end(struct ditto_thread *self, void *where, bool stored)
{
    ditto_place *place = where;
    const uintptr_t quick = (uintptr_t)place | DITTO_UPDATING | DITTO_STORING;
    if (stored && atomic_load_explicit(&self->access, RELAXED) == quick &&
        quick_record_update_end(self, place))
        return;
    if (atomic_load_explicit(&self->access, RELAXED) != 0 &&
        ditto_light_lock_is_held(&place->lock, self->replay_id + 1) && has_room(self)) {
        if (stored)
            note_store(self, place);
        else
            note_load(self, place, false);
    }
    record_access_end(self, place);
}

/* Makes room now: what that takes must not be done while holding the program's monitor. */
static void record_acquire_begin(struct ditto_thread *self, void *monitor)
{
    (void)monitor;
    ditto_stream_room(&self->sync, ITEM_BYTES_MAX);
}

static void record_acquire_end(struct ditto_thread *self, void *where)
{
    ditto_monitor *monitor = where;
    struct thread_state *mine = state_of(self);
    const uint32_t me = self->replay_id + 1;
    if (!ditto_stream_room(&self->sync, ITEM_BYTES_MAX) || ditto_stop_flag_is_set(self->stop_flag))
        return;
    self->sync_events++;
    uint64_t sync_clock = atomic_load_explicit(&monitor->sync_clock, RELAXED);
    if (pruning_of(self->session) != DITTO_PRUNE_NONE &&
        tick_known(self, me, monitor->last, monitor->acquire_clock)) {
        trace_free(&self->sync);
    } else {
        trace_item(&self->sync, &mine->previous_sync, ITEM_SYNC, sync_clock, 0);
    }
    /* Traced or not, the release at sync_clock comes before this, and the ticks before it. */
    if (monitor->last != NOBODY && monitor->last != me)
        see(mine, monitor->last, sync_clock);
    state_of(self)->clock = max_clock(state_of(self)->clock, sync_clock) + 1;
    atomic_store_explicit(&monitor->sync_clock, state_of(self)->clock, RELAXED);
    monitor->acquire_clock = state_of(self)->clock;
    monitor->last = me;
}

static void record_release(struct ditto_thread *self, void *where)
{
    ditto_monitor *monitor = where;
    if (ditto_stop_flag_is_set(self->stop_flag))
        return;
    uint64_t sync_clock = atomic_load_explicit(&monitor->sync_clock, RELAXED);
    atomic_store_explicit(&monitor->sync_clock, max_clock(sync_clock, state_of(self)->clock),
                          RELAXED);
}

static void record_start(struct ditto_thread *parent, struct ditto_thread *child)
{
    struct thread_state *from = state_of(parent), *to = state_of(child);
    for (uint32_t i = 0; i < SEEN_SIZE; i++) {
        to->seen_thread[i] = from->seen_thread[i];
        to->seen_clock[i] = from->seen_clock[i];
    }
    see(to, parent->replay_id + 1, state_of(parent)->clock);
    state_of(child)->clock = state_of(parent)->clock;
}

static void record_join(struct ditto_thread *self, struct ditto_thread *other)
{
    see(state_of(self), other->replay_id + 1, UINT64_MAX);
    state_of(self)->clock = max_clock(state_of(self)->clock, state_of(other)->clock);
}

const struct ditto_order_events ditto_record_events = {
    .load_begin = record_load_begin,
    .load_end = record_access_end,
    .store_begin = record_store_begin,
    .store_end = record_access_end,
    .update_begin = record_update_begin,
    .update_end = record_update_end,
    .acquire_begin = record_acquire_begin,
    .acquire_end = record_acquire_end,
    .release = record_release,
    .start = record_start,
    .join = record_join,
};
