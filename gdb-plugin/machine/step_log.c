/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/step_log.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/list.h"
#include "gdb-plugin/machine/replica.h"

enum { ENTRIES_MOST = 1 << 19 };

void log_free(struct log *log)
{
    while (log->stacks) {
        struct log_stack *next = log->stacks->next;
        free(log->stacks);
        log->stacks = next;
    }
    for (size_t i = 0; i < log->begin_count; i++)
        free(log->begins[i].frames);
    free(log->begins);
    free(log->lasts);
    free(log->entries);
    *log = (struct log){0};
}

void log_begin(struct log *log, struct replica *replica, int64_t from)
{
    log_free(log);
    log->from = from;
    replica_begin(replica, DITTO_ASK_THREADS);
    if (!replica_ask(replica))
        return;
    /* Only the ids are wanted, so that further questions can be asked. */
    uint32_t ids[4096], count = ditto_message_get32(&replica->in), known = 0;
    for (uint32_t i = 0; i < count && known < 4096 && !replica->in.failed; i++) {
        struct ditto_message_thread thread;
        ditto_message_get_thread(&replica->in, &thread);
        ids[known++] = thread.id;
    }
    log->begins = ditto_alloc_zeroed(known, sizeof *log->begins, "the log of steps");
    for (uint32_t i = 0; i < known; i++) {
        struct log_begin *begin = &log->begins[log->begin_count];
        begin->thread = ids[i];
        replica_begin(replica, DITTO_ASK_FRAMES);
        ditto_message_put32(&replica->out, ids[i]);
        if (!replica_ask(replica))
            return;
        uint32_t frames = ditto_message_get32(&replica->in);
        begin->frames = ditto_alloc_zeroed(frames, sizeof *begin->frames, "a stack");
        log->begin_count++;
        for (uint32_t f = 0; f < frames && !replica->in.failed; f++) {
            uint32_t method = ditto_message_get32(&replica->in);
            begin->frames[f].bci = (int32_t)ditto_message_get32(&replica->in);
            begin->frames[f].method = replica_method(replica, method);
            begin->count++;
        }
    }
}

/* While the JVM runs nothing can be asked, so methods are numbers until log_finish(). */
static const struct ditto_method *numbered(uint32_t number)
{
    return (const struct ditto_method *)(uintptr_t)number;
}

static struct log_entry *add(struct log *log)
{
    DITTO_PUSH(log->entries, log->count, log->room, (struct log_entry){0});
    return &log->entries[log->count - 1];
}

/* The thread's last step. */
static struct log_last *last_of(struct log *log, uint32_t thread)
{
    if (thread >= log->last_count) {
        size_t count = 2 * (size_t)thread + 16;
        log->lasts = ditto_grow(log->lasts, count, sizeof *log->lasts, "the log of steps");
        memset(log->lasts + log->last_count, 0, (count - log->last_count) * sizeof *log->lasts);
        log->last_count = count;
    }
    return &log->lasts[thread];
}

/* Takes the older half of the entries off, and the stacks that nobody needs any more. */
static void cut(struct log *log)
{
    size_t gone = log->count / 2;
    log->count -= gone;
    log->cut = true;
    memmove(log->entries, log->entries + gone, log->count * sizeof *log->entries);
    for (size_t i = 0; i < log->count; i++)
        if (log->entries[i].callers)
            ((struct log_stack *)log->entries[i].callers)->used = true;
    for (size_t i = 0; i < log->last_count; i++)
        if (log->lasts[i].callers)
            ((struct log_stack *)log->lasts[i].callers)->used = true;
    for (struct log_stack **link = &log->stacks, *stack; (stack = *link);) {
        if (stack->used) {
            stack->used = false;
            link = &stack->next;
        } else {
            *link = stack->next;
            free(stack);
        }
    }
}

static const struct log_stack *take_stack(struct log *log, struct ditto_message *message,
                                          uint32_t count)
{
    struct log_stack *stack =
        ditto_alloc_zeroed(1, sizeof *stack + count * sizeof *stack->frames, "a stack");
    stack->next = log->stacks;
    log->stacks = stack;
    stack->count = count;
    for (uint32_t i = 0; i < count; i++) {
        stack->frames[i].method = numbered(ditto_message_get32(message));
        stack->frames[i].bci = (int32_t)ditto_message_get32(message);
    }
    return stack;
}

void log_take(struct log *log, struct replica *replica, struct ditto_message *message)
{
    (void)replica;
    uint32_t count = ditto_message_get32(message);
    for (uint32_t i = 0; i < count && !message->failed; i++) {
        if (log->count == ENTRIES_MOST)
            cut(log);
        struct log_entry *entry = add(log);
        entry->thread = ditto_message_get32(message);
        entry->turn = ditto_message_get64(message);
        entry->clock = ditto_message_get64(message);
        uint8_t kind = ditto_message_get8(message);
        entry->is_step = kind != DITTO_LOG_TURN;
        entry->is_end = kind == DITTO_LOG_END;
        if (kind != DITTO_LOG_STEP)
            continue;
        entry->location.method = numbered(ditto_message_get32(message));
        entry->location.bci = (int32_t)ditto_message_get32(message);
        uint32_t callers = ditto_message_get32(message);
        struct log_last *last = last_of(log, entry->thread);
        entry->callers = callers == UINT32_MAX ? last->callers : take_stack(log, message, callers);
        if (last->any && last->turn == entry->turn)
            entry->step = last->step + 1;
        *last = (struct log_last){true, entry->turn, entry->step, entry->callers};
    }
}

void log_finish(struct log *log, struct replica *replica)
{
    for (size_t i = 0; i < log->count; i++)
        if (log->entries[i].is_step && !log->entries[i].is_end)
            log->entries[i].location.method =
                replica_method(replica, (uint32_t)(uintptr_t)log->entries[i].location.method);
    for (struct log_stack *stack = log->stacks; stack; stack = stack->next)
        for (size_t i = 0; i < stack->count; i++)
            stack->frames[i].method =
                replica_method(replica, (uint32_t)(uintptr_t)stack->frames[i].method);
    log->at = log->count;
    log->whole = true;
}

bool log_step_back(const struct log *log, uint32_t thread, size_t *at)
{
    size_t last = log->at;
    while (last > 0 && (log->entries[last - 1].thread != thread || !log->entries[last - 1].is_step))
        last--;
    *at = last;
    if (last == 0)
        return false;
    /* The step is entry last - 1, and the turns of this thread since its step before. */
    size_t first = last - 1;
    for (size_t i = last - 1; i-- > 0;) {
        if (log->entries[i].thread != thread)
            continue;
        if (log->entries[i].is_step)
            break;
        first = i;
    }
    if (first == 0 && (log->from >= 0 || log->cut))
        return false;
    *at = first;
    return true;
}

void log_position(const struct log *log, size_t at, struct position *position)
{
    const struct log_entry *entry = &log->entries[at - 1];
    bool stands = entry->is_step && !entry->is_end;
    *position = (struct position){.kind = stands ? DITTO_POSITION_STEP : DITTO_POSITION_ALL,
                                  .thread = entry->thread,
                                  .turn = entry->turn,
                                  .clock = entry->clock,
                                  .step = entry->step};
}

bool log_frames(const struct log *log, size_t at, uint32_t thread,
                const struct ditto_location **frames, size_t *count, struct ditto_location **buffer)
{
    for (size_t i = at; i-- > 0;) {
        const struct log_entry *entry = &log->entries[i];
        if (entry->thread != thread)
            continue;
        *count = 0;
        if (entry->is_end)
            return true;
        if (!entry->is_step || !entry->callers)
            return false; /* it is somewhere inside a call */
        *count = entry->callers->count + 1;
        *buffer = ditto_grow(*buffer, *count, sizeof **buffer, "a stack");
        (*buffer)[0] = entry->location;
        if (entry->callers->count)
            memcpy(*buffer + 1, entry->callers->frames, entry->callers->count * sizeof **buffer);
        *frames = *buffer;
        return true;
    }
    for (size_t i = 0; !log->cut && i < log->begin_count; i++)
        if (log->begins[i].thread == thread) {
            *frames = log->begins[i].frames;
            *count = log->begins[i].count;
            return true;
        }
    return false;
}
