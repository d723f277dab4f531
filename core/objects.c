/* SPDX-License-Identifier: MIT */
/* States of objects and arrays, made when first needed. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/session.h"

/* How many places an object or array has, and how many elements share one. */
struct layout {
    size_t places, stride;
};

struct object_state {
    struct layout layout;
    _Alignas(16) unsigned char bytes[]; /* the monitor, then the places */
};

static size_t aligned(size_t size)
{
    return (size + 15) & ~(size_t)15;
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
        const struct ditto_order *order = session->order;
        struct object_state *state = calloc(1, sizeof *state + aligned(order->monitor_size) +
                                                   layout.places * aligned(order->place_size));
        if (!state) {
            dprintf(STDERR_FILENO, "ditto: out of memory for the state of an object\n");
            abort();
        }
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
    return (struct layout){session->granularity == DITTO_OBJECTS && fields ? 1 : fields, 1};
}

static struct layout array_layout(const struct ditto_session *session, size_t length)
{
    size_t most = session->granularity == DITTO_OBJECTS ? 1 : session->array_states;
    size_t stride = length > most ? (length + most - 1) / most : 1;
    return (struct layout){(length + stride - 1) / stride, stride};
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

void ditto_cell_release(ditto_cell *cell)
{
    free(atomic_exchange_explicit(&cell->state, NULL, memory_order_acq_rel));
}
