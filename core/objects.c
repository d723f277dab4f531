/* SPDX-License-Identifier: MIT */
/*
 * States of objects and arrays, made when first needed.  An object has either; a cell's first use
 * decides how many places it gets.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/session.h"

struct object_state {
    size_t places;
    size_t stride;                      /* elements that share a place */
    _Alignas(16) unsigned char bytes[]; /* the monitor, then the places */
};

static size_t aligned(size_t size)
{
    return (size + 15) & ~(size_t)15;
}

/*
 * Of several threads that come first, one installs its state and the others take that one.  The
 * release of the exchange, and the acquire of the load, make its contents visible with it.
 */
static struct object_state *state_of_cell(struct ditto_session *session, ditto_cell *cell,
                                          size_t places, size_t stride)
{
    void *present = atomic_load_explicit(&cell->state, memory_order_acquire);
    if (present)
        return present;
    const struct ditto_order *order = session->order;
    struct object_state *state = calloc(1, sizeof *state + aligned(order->monitor_size) +
                                               places * aligned(order->place_size));
    if (!state) {
        dprintf(STDERR_FILENO, "ditto: out of memory for the state of an object\n");
        abort();
    }
    state->places = places;
    state->stride = stride;
    if (atomic_compare_exchange_strong_explicit(&cell->state, &present, state, memory_order_acq_rel,
                                                memory_order_acquire))
        return state;
    free(state);
    return present;
}

static ditto_place *place_at(const struct ditto_session *session, struct object_state *state,
                             size_t index)
{
    assert(index < state->places);
    return (ditto_place *)(state->bytes + aligned(session->order->monitor_size) +
                           index * aligned(session->order->place_size));
}

static size_t field_places(const struct ditto_session *session, unsigned fields)
{
    return session->granularity == DITTO_OBJECTS && fields ? 1 : fields;
}

ditto_place *ditto_field(struct ditto_session *session, ditto_cell *cell, unsigned fields,
                         unsigned index)
{
    assert(index < fields);
    struct object_state *state = state_of_cell(session, cell, field_places(session, fields), 1);
    return place_at(session, state, state->places == 1 ? 0 : index);
}

ditto_place *ditto_element(struct ditto_session *session, ditto_cell *cell, size_t length,
                           size_t index)
{
    assert(index < length);
    size_t most = session->granularity == DITTO_OBJECTS ? 1 : session->array_states;
    size_t stride = (length + most - 1) / most;
    struct object_state *state =
        state_of_cell(session, cell, (length + stride - 1) / stride, stride);
    return place_at(session, state, index / state->stride);
}

ditto_monitor *ditto_object_monitor(struct ditto_session *session, ditto_cell *cell,
                                    unsigned fields)
{
    return (ditto_monitor *)state_of_cell(session, cell, field_places(session, fields), 1)->bytes;
}

void ditto_cell_release(ditto_cell *cell)
{
    free(atomic_exchange_explicit(&cell->state, NULL, memory_order_acq_rel));
}
