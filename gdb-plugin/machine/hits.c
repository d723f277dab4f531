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
    ditto_message_free(&hits->asked);
    *hits = (struct hits){0};
}

/* While the JVM runs nothing can be asked, so methods are numbers until hits_name(). */
static void take_stack(struct stack *stack, struct ditto_message *message)
{
    uint32_t count = ditto_message_get32(message);
    stack->frames = count ? ditto_alloc_zeroed(count, sizeof *stack->frames, "a stack") : NULL;
    for (; stack->count < count && !message->failed; stack->count++) {
        stack->frames[stack->count].method =
            (const struct ditto_method *)(uintptr_t)ditto_message_get32(message);
        stack->frames[stack->count].bci = (int32_t)ditto_message_get32(message);
    }
}

void hits_take(void *context, struct replica *replica, const struct ditto_message_hit *message,
               struct ditto_message *frames)
{
    struct hits *hits = context;
    if (hits->count == MOST_HITS) {
        for (size_t i = 0; i < MOST_HITS / 2; i++) {
            hits->dropped += hits->all[i].message.why == DITTO_HALT_BREAK;
            hit_free(&hits->all[i]);
        }
        memmove(hits->all, hits->all + MOST_HITS / 2, MOST_HITS / 2 * sizeof *hits->all);
        hits->count = MOST_HITS / 2;
    }
    DITTO_PUSH(hits->all, hits->count, hits->room, (struct hit){.message = *message});
    struct hit *hit = &hits->all[hits->count - 1];
    position_from_message(&replica->recording->methods, &hit->at, &message->at);
    position_from_message(&replica->recording->methods, &hit->before, &message->before);
    take_stack(&hit->stack, frames);
    hits->passing = hits->passing || message->old.bits & DITTO_KEY_LOOKED_AT ||
                    message->new.bits &DITTO_KEY_LOOKED_AT;
}

/* What is looked for, as bytes that can be compared. */
static void write_down(const struct ditto_message_go *request, struct ditto_message *message)
{
    struct ditto_message_go plain = *request;
    plain.target = (struct ditto_message_position){0};
    plain.limit = 0;
    ditto_message_begin(message, DITTO_ASK_GO);
    ditto_message_put_go(message, &plain);
}

void hits_begin(struct hits *hits, const struct ditto_message_go *request)
{
    hits_free(hits);
    write_down(request, &hits->asked);
}

bool hits_are_of(const struct hits *hits, const struct ditto_message_go *request)
{
    struct ditto_message asked = {0};
    if (!hits->asked.size)
        return false;
    write_down(request, &asked);
    bool same =
        asked.size == hits->asked.size && memcmp(asked.bytes, hits->asked.bytes, asked.size) == 0;
    ditto_message_free(&asked);
    return same;
}

void hits_name(struct hits *hits, struct replica *jvm)
{
    for (size_t i = 0; i < hits->count; i++) {
        struct hit *hit = &hits->all[i];
        hit->method = replica_method(jvm, hit->message.method);
        for (size_t f = 0; f < hit->stack.count; f++)
            hit->stack.frames[f].method =
                replica_method(jvm, (uint32_t)(uintptr_t)hit->stack.frames[f].method);
    }
}
