/* SPDX-License-Identifier: MIT */
/* States of objects and arrays, made when first needed. */
#include "core/engine/objects.h"

#include <assert.h>
#include <stdlib.h>

#include "core/base/list.h"

/*
 * How many places an object or array has, and how many elements share one: an element's place is
 * element / stride.  A division takes longer than all else that has to be done for an element, so
 * there is also `reciprocal`, 2^63 / stride rounded up: with it the place is the upper half of the
 * 128-bit product 2 * element * reciprocal.  That is exact for elements below 2^32: rounding adds
 * less than 2 * element / 2^64 to the quotient, and it would take 1 / stride to reach the next
 * whole number.  0: the stride is 1.
 */
struct layout {
    size_t places, stride;
    uint64_t reciprocal;
};

struct object_state {
    struct layout layout;
    _Alignas(16) unsigned char bytes[]; /* the monitor, then the places */
};

static size_t aligned(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

static size_t state_size(const struct ditto_session *session, struct layout layout)
{
    return sizeof(struct object_state) + aligned(session->order->monitor_size) +
           layout.places * aligned(session->order->place_size);
}

/*
 * Of several threads that come first, one installs its state and the others take that one.  The
 * release of the exchange, and the acquire of the load, make its contents visible with it.  The
 * layout must be the same each time, or which thread came first, which no trace knows, would
 * matter.
 */
static struct object_state *state_of_cell(struct ditto_session *session, ditto_cell *cell,
                                          struct layout layout)
{
    struct object_state *present = atomic_load_explicit(&cell->state, memory_order_acquire);
    if (!present) {
        struct object_state *state =
            ditto_alloc_zeroed(1, state_size(session, layout), "the state of an object");
        state->layout = layout;
        void *found = NULL;
        if (atomic_compare_exchange_strong_explicit(&cell->state, &found, state,
                                                    memory_order_acq_rel, memory_order_acquire)) {
            present = state;
        } else {
            free(state);
            present = found;
        }
    }
    assert(present->layout.places == layout.places && present->layout.stride == layout.stride);
    return present;
}

static ditto_place *place_at(const struct ditto_session *session, struct object_state *state,
                             size_t index)
{
    assert(index < state->layout.places);
    return (ditto_place *)(state->bytes + aligned(session->order->monitor_size) +
                           index * aligned(session->order->place_size));
}

static struct layout object_layout(const struct ditto_session *session, unsigned fields)
{
    return (struct layout){session->grain.kind == DITTO_GRAIN_OBJECT && fields ? 1 : fields, 1, 0};
}

static struct layout array_layout(const struct ditto_session *session, size_t length)
{
    size_t most = session->grain.kind == DITTO_GRAIN_OBJECT ? 1 : session->grain.array_places;
    size_t stride = length > most ? (length + most - 1) / most : 1;
    return (struct layout){(length + stride - 1) / stride, stride,
                           stride > 1 ? (UINT64_C(1) << 63) / stride + 1 : 0};
}

size_t ditto_object_size(const struct ditto_session *session, unsigned fields)
{
    return state_size(session, object_layout(session, fields));
}

void ditto_object_place(const struct ditto_session *session, ditto_cell *cell, void *memory,
                        unsigned fields)
{
    struct object_state *state = memory;
    state->layout = object_layout(session, fields);
    atomic_store_explicit(&cell->state, state, memory_order_release);
}

static ditto_monitor *monitor_of(struct object_state *state)
{
    return (ditto_monitor *)state->bytes;
}

ditto_place *ditto_field(struct ditto_session *session, ditto_cell *cell, unsigned fields,
                         unsigned index)
{
    assert(index < fields);
    struct object_state *state = state_of_cell(session, cell, object_layout(session, fields));
    return place_at(session, state, state->layout.places == 1 ? 0 : index);
}

ditto_place *ditto_element(struct ditto_session *session, ditto_cell *cell, size_t length,
                           size_t index)
{
    assert(index < length);
    struct object_state *state = state_of_cell(session, cell, array_layout(session, length));
    return place_at(session, state, index / state->layout.stride);
}

ditto_monitor *ditto_object_monitor(struct ditto_session *session, ditto_cell *cell,
                                    unsigned fields)
{
    return monitor_of(state_of_cell(session, cell, object_layout(session, fields)));
}

ditto_monitor *ditto_array_monitor(struct ditto_session *session, ditto_cell *cell, size_t length)
{
    return monitor_of(state_of_cell(session, cell, array_layout(session, length)));
}

void ditto_accesses_now(struct ditto_session *session, struct ditto_accesses *accesses)
{
    accesses->count = 0;
    pthread_mutex_lock(&session->threads_lock);
    for (struct ditto_thread *thread = session->threads; thread; thread = thread->next) {
        uintptr_t access = atomic_load_explicit(&thread->access, memory_order_relaxed);
        if (access)
            DITTO_PUSH(accesses->places, accesses->count, accesses->room, access);
    }
    pthread_mutex_unlock(&session->threads_lock);
}

bool ditto_cell_in_use(const struct ditto_session *session, const struct ditto_accesses *accesses,
                       const ditto_cell *cell)
{
    const struct object_state *state = atomic_load_explicit(&cell->state, memory_order_acquire);
    for (size_t i = 0; state && i < accesses->count; i++) {
        uintptr_t from = (uintptr_t)state, to = from + state_size(session, state->layout);
        if (accesses->places[i] >= from && accesses->places[i] < to)
            return true;
    }
    return false;
}

bool ditto_object_layout(const struct ditto_session *session, const char *name, int64_t *number)
{
    const size_t layout = offsetof(struct object_state, layout);
    const struct ditto_quick_number all[] = {
        {"object.reciprocal", layout + offsetof(struct layout, reciprocal)},
        {"object.stride", layout + offsetof(struct layout, stride)},
        {"object.first_place",
         offsetof(struct object_state, bytes) + aligned(session->order->monitor_size)},
        {"object.place_size", aligned(session->order->place_size)},
    };
    return ditto_quick_find(all, sizeof all / sizeof *all, name, number);
}

void ditto_cell_release(ditto_cell *cell)
{
    free(atomic_exchange_explicit(&cell->state, NULL, memory_order_acq_rel));
}
