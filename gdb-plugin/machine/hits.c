/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/hits.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "gdb-plugin/machine/replica.h"

enum { MOST_HITS = 1 << 18 };

void hit_free(struct hit *hit)
{
    free(hit->stack.frames);
    hit->stack = (struct stack){0};
}

void hits_free(struct hits *hits)
{
    for (size_t i = 0; i < hits->count; i++)
        hit_free(&hits->all[i]);
    free(hits->all);
    ditto_wire_free(&hits->asked);
    *hits = (struct hits){0};
}

/* While the JVM runs nothing can be asked, so methods are numbers until hits_name(). */
static void take_stack(struct stack *stack, struct ditto_wire *wire)
{
    uint32_t count = ditto_wire_get32(wire);
    stack->frames = count ? ditto_alloc_zeroed(count, sizeof *stack->frames, "a stack") : NULL;
    for (; stack->count < count && !wire->failed; stack->count++) {
        stack->frames[stack->count].method =
            (const struct ditto_method *)(uintptr_t)ditto_wire_get32(wire);
        stack->frames[stack->count].bci = (int32_t)ditto_wire_get32(wire);
    }
}

void hits_take(void *context, struct replica *replica, const struct ditto_wire_hit *wire,
               struct ditto_wire *frames)
{
    struct hits *hits = context;
    if (hits->count == MOST_HITS) {
        for (size_t i = 0; i < MOST_HITS / 2; i++) {
            hits->dropped += hits->all[i].wire.why == DITTO_HALT_BREAK;
            hit_free(&hits->all[i]);
        }
        memmove(hits->all, hits->all + MOST_HITS / 2, MOST_HITS / 2 * sizeof *hits->all);
        hits->count = MOST_HITS / 2;
    }
    DITTO_PUSH(hits->all, hits->count, hits->room, (struct hit){.wire = *wire});
    struct hit *hit = &hits->all[hits->count - 1];
    position_from_wire(&replica->recording->methods, &hit->at, &wire->at);
    position_from_wire(&replica->recording->methods, &hit->before, &wire->before);
    take_stack(&hit->stack, frames);
    hits->passing = hits->passing || wire->old.bits & DITTO_KEY_LOOKED_AT ||
                    wire->new.bits &DITTO_KEY_LOOKED_AT;
}

/* What is looked for, as bytes that can be compared. */
static void write_down(const struct ditto_wire_run *request, struct ditto_wire *wire)
{
    struct ditto_wire_run plain = *request;
    plain.target = (struct ditto_wire_spot){0};
    plain.limit = 0;
    ditto_wire_begin(wire, DITTO_ASK_RUN);
    ditto_wire_put_run(wire, &plain);
}

void hits_begin(struct hits *hits, const struct ditto_wire_run *request)
{
    hits_free(hits);
    write_down(request, &hits->asked);
}

bool hits_are_of(const struct hits *hits, const struct ditto_wire_run *request)
{
    struct ditto_wire asked = {0};
    if (!hits->asked.size)
        return false;
    write_down(request, &asked);
    bool same =
        asked.size == hits->asked.size && memcmp(asked.bytes, hits->asked.bytes, asked.size) == 0;
    ditto_wire_free(&asked);
    return same;
}

void hits_name(struct hits *hits, struct replica *jvm)
{
    for (size_t i = 0; i < hits->count; i++) {
        struct hit *hit = &hits->all[i];
        hit->method = replica_method(jvm, hit->wire.method);
        for (size_t f = 0; f < hit->stack.count; f++)
            hit->stack.frames[f].method =
                replica_method(jvm, (uint32_t)(uintptr_t)hit->stack.frames[f].method);
    }
}
