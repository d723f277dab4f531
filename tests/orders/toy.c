/* SPDX-License-Identifier: MIT */
/*
 * The smallest order that is right: all events of all threads in one row.  Recording, each gets the
 * next number; replaying, it waits until that number's turn has come.  It shows what an order has
 * to bring (core/orders/README.md), and that nothing else has to know it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "core/base/lightlock.h"
#include "core/engine/stop.h"
#include "core/engine/wait.h"
#include "trace/varint.h"

enum kind { TOY_LOAD = 1, TOY_STORE, TOY_ACQUIRE };

static const struct ditto_item_kind kinds[] = {
    [TOY_LOAD] = {"load", {{"number", DITTO_ROLE_POSITION}}},
    [TOY_STORE] = {"store", {{"number", DITTO_ROLE_POSITION}}},
    [TOY_ACQUIRE] = {"acquire", {{"number", DITTO_ROLE_POSITION}}},
};

struct toy {
    struct ditto_light_lock lock; /* recording: around each event; guards `number` */
    _Atomic uint64_t number;      /* of the last event */
    _Atomic uint32_t waiters;     /* replaying */
};

static struct toy *toy_of(struct ditto_thread *self)
{
    return self->session->order_state;
}

/* An item is its event's number and kind.  In the trace before anybody can depend on the event. */
static void note(struct ditto_thread *self, struct ditto_stream *stream, enum kind kind)
{
    struct toy *toy = toy_of(self);
    uint64_t number = atomic_load_explicit(&toy->number, memory_order_relaxed) + 1;
    atomic_store_explicit(&toy->number, number, memory_order_relaxed);
    uint8_t *from = stream->bytes + stream->used;
    stream->used += (uint32_t)(ditto_varint_put(from, number << 2 | kind) - from);
    ditto_stream_commit(stream);
}

static bool lock(struct ditto_thread *self, struct ditto_stream *stream)
{
    bool room = ditto_stream_room(stream, DITTO_VARINT_MAX);
    ditto_light_lock(&toy_of(self)->lock, self->replay_id + 1);
    if (room && !ditto_stop_flag_is_set(self->stop_flag))
        return true;
    ditto_light_unlock(&toy_of(self)->lock);
    atomic_store_explicit(&self->access, 0, memory_order_relaxed);
    return false;
}

static void record_access(struct ditto_thread *self, enum kind kind)
{
    if (!lock(self, &self->memory))
        return;
    note(self, &self->memory, kind);
    self->memory_events++;
}

static void record_load(struct ditto_thread *self, void *place)
{
    (void)place;
    record_access(self, TOY_LOAD);
}

static void record_store(struct ditto_thread *self, void *place)
{
    (void)place;
    record_access(self, TOY_STORE);
}

static void record_end(struct ditto_thread *self, void *place)
{
    (void)place;
    if (ditto_light_lock_is_held(&toy_of(self)->lock, self->replay_id + 1))
        ditto_light_unlock(&toy_of(self)->lock);
}

static bool record_update(struct ditto_thread *self, void *place)
{
    (void)place;
    return lock(self, &self->memory);
}

static void record_update_end(struct ditto_thread *self, void *place, bool stored)
{
    if (ditto_light_lock_is_held(&toy_of(self)->lock, self->replay_id + 1)) {
        note(self, &self->memory, stored ? TOY_STORE : TOY_LOAD);
        self->memory_events++;
    }
    record_end(self, place);
}

static void record_acquire(struct ditto_thread *self, void *monitor)
{
    if (!lock(self, &self->sync))
        return;
    note(self, &self->sync, TOY_ACQUIRE);
    self->sync_events++;
    record_end(self, monitor);
}

static const struct ditto_order_events toy_record = {
    .load_begin = record_load,
    .load_end = record_end,
    .store_begin = record_store,
    .store_end = record_end,
    .update_begin = record_update,
    .update_end = record_update_end,
    .acquire_end = record_acquire,
};

static enum ditto_ready ready(const void *key, const uint64_t need[3])
{
    uint64_t number = atomic_load_explicit((_Atomic uint64_t *)key, memory_order_seq_cst);
    return number + 1 == need[0] ? DITTO_READY : number < need[0] ? DITTO_NOT_YET : DITTO_PASSED;
}

static void describe(const struct ditto_waiter *waiter, char *text, size_t size)
{
    snprintf(text, size, "event %" PRIu64 " of all", waiter->need[0]);
}

/* The kind of the event that is next in the stream, once its turn has come. */
static enum kind await(struct ditto_thread *self, struct ditto_replay_stream *stream,
                       const char *event, enum kind kind, enum kind other_kind)
{
    struct toy *toy = toy_of(self);
    struct ditto_error error;
    int next = ditto_items_next(&stream->items, &stream->item, &error);
    if (next < 0)
        ditto_damaged(self, &error);
    if (next == 0) {
        ditto_thread_past_end(self, event);
        return kind;
    }
    enum kind found = stream->item.kind;
    stream->item.kind = DITTO_ITEM_RUN;
    if (found != kind && found != other_kind)
        ditto_diverge(self, "expected a %s, found a %s", kinds[found].name, event);
    struct ditto_waiter *waiter = &self->waiter;
    waiter->key = &toy->number;
    waiter->count = &toy->waiters;
    waiter->ready = ready;
    waiter->need[0] = stream->item.value[0];
    waiter->thread = self;
    waiter->away = 0;
    waiter->describe = describe;
    waiter->is_flag = false;
    if (ditto_wait(&self->session->waits, waiter) == DITTO_PASSED)
        ditto_diverge(self, "expected event %" PRIu64 " of all, found that it was too late",
                      stream->item.value[0]);
    return found;
}

static void replay_load(struct ditto_thread *self, void *place)
{
    (void)place;
    self->memory_events++;
    await(self, &self->memory_trace, "load", TOY_LOAD, TOY_LOAD);
}

static void replay_store(struct ditto_thread *self, void *place)
{
    (void)place;
    self->memory_events++;
    await(self, &self->memory_trace, "store", TOY_STORE, TOY_STORE);
}

static bool replay_update(struct ditto_thread *self, void *place)
{
    (void)place;
    self->memory_events++;
    return await(self, &self->memory_trace, "compare-and-set", TOY_STORE, TOY_LOAD) == TOY_STORE;
}

static void replay_acquire(struct ditto_thread *self, void *monitor)
{
    (void)monitor;
    self->sync_events++;
    await(self, &self->sync_trace, "acquire", TOY_ACQUIRE, TOY_ACQUIRE);
}

static void replay_end(struct ditto_thread *self, void *where)
{
    (void)where;
    struct toy *toy = toy_of(self);
    atomic_fetch_add_explicit(&toy->number, 1, memory_order_seq_cst);
    ditto_wake(&self->session->waits, &toy->number, &toy->waiters);
}

static void replay_update_end(struct ditto_thread *self, void *place, bool stored)
{
    (void)stored;
    replay_end(self, place);
}

static const struct ditto_order_events toy_replay = {
    .load_begin = replay_load,
    .load_end = replay_end,
    .store_begin = replay_store,
    .store_end = replay_end,
    .update_begin = replay_update,
    .update_end = replay_update_end,
    .acquire_begin = replay_acquire,
    .acquire_end = replay_end,
};

static bool decode(enum ditto_stream_kind stream, const uint8_t **from, const uint8_t *end,
                   struct ditto_decoder *decoder, struct ditto_item *item)
{
    uint64_t code;
    (void)decoder;
    if (!ditto_varint_get(from, end, &code) || !(code & 3) ||
        ((code & 3) == TOY_ACQUIRE) != (stream == DITTO_STREAM_SYNC))
        return false;
    *item = (struct ditto_item){.kind = code & 3, .value = {code >> 2}};
    return true;
}

static void say(const struct ditto_item *item, char *text, size_t size)
{
    snprintf(text, size, "%s as number %" PRIu64, kinds[item->kind].name, item->value[0]);
}

static const struct ditto_order_coding coding = {
    .kinds = kinds, .kind_count = 4, .decode = decode, .say = say};

static struct ditto_grain grain(const struct ditto_session *session)
{
    (void)session;
    return (struct ditto_grain){.kind = DITTO_GRAIN_OBJECT};
}

const struct ditto_order ditto_order_toy = {
    .name = "toy",
    .wants = DITTO_WANTS_LOADS | DITTO_WANTS_STORES | DITTO_WANTS_ACQUIRES | DITTO_WANTS_ENDS,
    .session_size = sizeof(struct toy),
    .grain = grain,
    .record = &toy_record,
    .replay = &toy_replay,
    .coding = &coding,
};
