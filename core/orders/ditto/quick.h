/* SPDX-License-Identifier: MIT */
/*
 * The quick half of the order `ditto`: what record.c and replay.c do for an event in a free run.
 *
 * They try it first, so every event of a native program that can be quick is.  The agent's hooks do
 * the same in Java: jvm-bridge/hooks/java/lang/DittoQuickFields.java is a translation of this file,
 * line by line and with the same names, on the memory that core/engine/layout.def and layout.def
 * describe.  Change both, and tests/orders/quick tells whether they still agree.
 *
 * Recording, the stream has room for one more free event if it has a word and its tail is not full.
 *
 * A function here says true, and the event, or that half of it, is done as the slow path would have
 * done it; or false, and nothing has changed, except that the place may have been locked meanwhile.
 * Ends that cannot fail say nothing.
 *
 * An access is written down as under way before its lock is taken, and as ended after the lock is
 * let go: whoever abandons it in between, because the stack ended, finds in the lock who has it.
 */
#ifndef DITTO_CORE_ORDERS_DITTO_QUICK_H
#define DITTO_CORE_ORDERS_DITTO_QUICK_H

#include "core/engine/wait.h"
#include "core/orders/ditto/options.h"
#include "core/orders/ditto/state.h"

#define LARGEST_TAIL UINT32_MAX

static inline void quick_set_access(struct ditto_thread *self, uintptr_t access)
{
    atomic_store_explicit(&self->access, access, memory_order_relaxed);
}

/* ------------------------------------------------------------------ recording */

/* Whether a tick of the thread at that clock is known to come before. */
static inline bool quick_is_known(struct ditto_thread *self, uint32_t me, uint32_t thread,
                                  uint64_t clock)
{
    const struct thread_state *mine = state_of(self);
    if (thread == NOBODY || thread == me)
        return true;
    if (pruning_of(self->session) != DITTO_PRUNE_FULL)
        return false;
    uint32_t at = thread % SEEN_SIZE;
    return mine->seen_thread[at] == thread && mine->seen_clock[at] >= clock;
}

/* First says so: whoever ends an access that was broken off looks whether it has the lock. */
static inline bool quick_lock(struct ditto_thread *self, uint32_t me, ditto_place *place,
                              uintptr_t access)
{
    quick_set_access(self, access);
    if (ditto_light_lock_try(&place->lock, me))
        return true;
    quick_set_access(self, 0);
    return false;
}

/*
 * One more free event; inside the place's lock.  The tail is all that counts it for the thread, and
 * comes last: if the stack ends in between, the access is abandoned, and the next event takes its
 * place in the trace.
 */
static inline void quick_count(struct ditto_thread *self, _Atomic uint64_t *word, uint32_t tail)
{
    atomic_store_explicit(word, (uint64_t)(tail + 1) << 32 | self->memory.used,
                          memory_order_release);
    self->memory.tail = tail + 1;
}

static inline bool quick_record_load(struct ditto_thread *self, ditto_place *place)
{
    _Atomic uint64_t *word = self->memory.word;
    uint32_t tail = self->memory.tail;
    const uint32_t me = self->replay_id + 1;
    if (!word || tail == LARGEST_TAIL || !quick_lock(self, me, place, (uintptr_t)place))
        return false;
    uint64_t store_clock = atomic_load_explicit(&place->store_clock, memory_order_relaxed);
    if (!quick_is_known(self, me, place->storer, store_clock) ||
        ditto_stop_flag_is_set(self->stop_flag)) {
        ditto_light_unlock(&place->lock);
        quick_set_access(self, 0);
        return false;
    }
    quick_count(self, word, tail);
    if (place->loader != me)
        place->loader = place->loader == NOBODY ? me : MANY;
    uint64_t clock = state_of(self)->clock;
    if (clock < store_clock)
        state_of(self)->clock = clock = store_clock;
    if (atomic_load_explicit(&place->load_clock, memory_order_relaxed) < clock)
        atomic_store_explicit(&place->load_clock, clock, memory_order_relaxed);
    uint64_t load_count = atomic_load_explicit(&place->load_count, memory_order_relaxed);
    atomic_store_explicit(&place->load_count, load_count + 1, memory_order_relaxed);
    return true;
}

/* A store, or an update that has stored: the place is locked, and the stream has room. */
static inline bool quick_note_store(struct ditto_thread *self, ditto_place *place, uint32_t me,
                                    _Atomic uint64_t *word, uint32_t tail)
{
    uint64_t store_clock = atomic_load_explicit(&place->store_clock, memory_order_relaxed);
    uint64_t load_clock = atomic_load_explicit(&place->load_clock, memory_order_relaxed);
    /* Loads are known if a later tick of the one thread that did them is. */
    if (!quick_is_known(self, me, place->storer, store_clock) || place->loader == MANY ||
        !quick_is_known(self, me, place->loader, load_clock + 1) ||
        ditto_stop_flag_is_set(self->stop_flag))
        return false;
    quick_count(self, word, tail);
    uint64_t clock = max_clock(max_clock(state_of(self)->clock, store_clock), load_clock) + 1;
    state_of(self)->clock = clock;
    atomic_store_explicit(&place->store_clock, clock, memory_order_relaxed);
    atomic_store_explicit(&place->load_count, 0, memory_order_relaxed);
    place->storer = me;
    place->loader = NOBODY;
    return true;
}

static inline bool quick_record_store(struct ditto_thread *self, ditto_place *place)
{
    _Atomic uint64_t *word = self->memory.word;
    uint32_t tail = self->memory.tail;
    const uint32_t me = self->replay_id + 1;
    if (!word || tail == LARGEST_TAIL ||
        !quick_lock(self, me, place, (uintptr_t)place | DITTO_STORING))
        return false;
    if (quick_note_store(self, place, me, word, tail))
        return true;
    ditto_light_unlock(&place->lock);
    quick_set_access(self, 0);
    return false;
}

/* What the update was is seen at its end; whether it is recorded, now: once the recording has
 * stopped, what it finds may come from an event that is not in the trace. */
static inline bool quick_record_update_begin(struct ditto_thread *self, ditto_place *place)
{
    const uint32_t me = self->replay_id + 1;
    if (!self->memory.word || self->memory.tail == LARGEST_TAIL ||
        !quick_lock(self, me, place, (uintptr_t)place | DITTO_UPDATING | DITTO_STORING))
        return false;
    if (!ditto_stop_flag_is_set(self->stop_flag))
        return true;
    ditto_light_unlock(&place->lock);
    quick_set_access(self, 0);
    return false;
}

/* Of an update that has stored, and was begun here.  Other accesses end by letting the lock go; all
 * of them then are no longer under way. */
static inline bool quick_record_update_end(struct ditto_thread *self, ditto_place *place)
{
    if (!quick_note_store(self, place, self->replay_id + 1, self->memory.word, self->memory.tail))
        return false;
    ditto_light_unlock(&place->lock);
    return true;
}

/* ------------------------------------------------------------------ replaying */

static inline bool quick_begin_free(struct ditto_thread *self, uintptr_t access)
{
    uint64_t run = self->memory_trace.run;
    if (run == 0)
        return false;
    self->memory_trace.run = run - 1;
    self->memory_events++;
    quick_set_access(self, access);
    return true;
}

/* Ends a load, whatever began it.  The next store waits for it to be counted, so the store clock is
 * still the one. */
static inline void quick_replay_load(struct ditto_thread *self, ditto_place *place)
{
    uint64_t clock = max_clock(state_of(self)->clock,
                               atomic_load_explicit(&place->store_clock, memory_order_acquire));
    state_of(self)->clock = clock;
    uint64_t load_clock = atomic_load_explicit(&place->load_clock, memory_order_relaxed);
    while (load_clock < clock &&
           !atomic_compare_exchange_weak_explicit(&place->load_clock, &load_clock, clock,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
    atomic_fetch_add_explicit(&place->load_count, 1, memory_order_seq_cst);
    ditto_wake(&self->session->waits, place, &place->waiters);
}

/* Ends a store, whatever began it. */
static inline void quick_replay_store(struct ditto_thread *self, ditto_place *place)
{
    uint64_t clock =
        max_clock(max_clock(state_of(self)->clock,
                            atomic_load_explicit(&place->store_clock, memory_order_relaxed)),
                  atomic_load_explicit(&place->load_clock, memory_order_relaxed)) +
        1;
    state_of(self)->clock = clock;
    atomic_store_explicit(&place->load_count, 0, memory_order_relaxed);
    atomic_store_explicit(&place->store_clock, clock, memory_order_seq_cst);
    ditto_wake(&self->session->waits, place, &place->waiters);
}

/* ------------------------------------------------------------- who else does them */

extern const struct ditto_order_quick ditto_quick;

#endif
