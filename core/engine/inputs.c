/* SPDX-License-Identifier: MIT */
#include "core/engine/inputs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/debug.h"
#include "core/engine/detached.h"
#include "core/engine/state.h"
#include "core/engine/stop.h"
#include "core/reading/values.h"
#include "trace/varint.h"

/* Inputs up to this length are encoded without allocating. */
enum { SHORT_INPUT = 256 };
enum { HEADER_MAX = 2 * DITTO_VARINT_MAX };
/* Of one record.  A record must be shorter than DITTO_RECORD_MAX; more only costs memory. */
enum { PIECE_MAX = 1024 * 1024 };

/* One record: returns false when the recording has stopped, or memory is out. */
static bool record_piece(struct ditto_thread *thread, uint32_t kind, bool more,
                         const uint8_t *bytes, size_t length)
{
    uint8_t small[HEADER_MAX + SHORT_INPUT];
    uint8_t *record = length <= SHORT_INPUT ? small : malloc(HEADER_MAX + length);
    if (!record) {
        struct ditto_error error;
        ditto_error_set(&error, "out of memory for an input of %zu bytes; free some", length);
        ditto_writer_stop(thread->session->writer, &error);
        return false;
    }
    uint8_t *to = ditto_varint_put(record, (uint64_t)kind << 1 | more);
    to = ditto_varint_put(to, length);
    if (length)
        memcpy(to, bytes, length);
    bool recorded = ditto_stream_append(&thread->value, record, (size_t)(to - record) + length);
    if (record != small)
        free(record);
    return recorded;
}

void ditto_name_input(struct ditto_session *session, uint32_t kind, const char *name)
{
    if (kind < DITTO_NAMED_INPUTS)
        session->input_names[kind] = name;
}

/* The name of a kind goes into the trace with its first input. */
static void note_name(struct ditto_session *session, uint32_t kind)
{
    char property[32];
    if (kind >= DITTO_NAMED_INPUTS || !session->input_names[kind] ||
        atomic_load_explicit(&session->input_named[kind], memory_order_relaxed) ||
        atomic_exchange_explicit(&session->input_named[kind], true, memory_order_relaxed))
        return;
    snprintf(property, sizeof property, DITTO_INPUT_PROPERTY "%" PRIu32, kind);
    ditto_set_property(session, property, session->input_names[kind]);
}

static void record_input(struct ditto_thread *thread, uint32_t kind, const uint8_t *bytes,
                         size_t length)
{
    if (ditto_stop_flag_is_set(thread->stop_flag))
        return;
    note_name(thread->session, kind);
    for (;;) {
        size_t piece = length < PIECE_MAX ? length : PIECE_MAX;
        bool more = piece < length;
        if (!record_piece(thread, kind, more, bytes, piece))
            return;
        if (!more)
            break;
        bytes += piece;
        length -= piece;
    }
    thread->values++;
}

/* The next record of the thread's value stream; false at its end. */
static bool next_record(struct ditto_thread *thread, struct ditto_input_record *value)
{
    struct ditto_error error;
    while (thread->value_at == thread->value_end) {
        int step = ditto_cursor_step(&thread->value_trace, &error);
        if (step == 0)
            return false;
        if (step < 0)
            ditto_damaged(thread, &error);
        thread->value_at = thread->value_trace.bytes;
        thread->value_end = thread->value_at + thread->value_trace.length;
    }
    if (!ditto_input_record_decode(&thread->value_at, thread->value_end, value)) {
        ditto_error_set(
            &error, "%s: input %" PRIu64 " of thread %" PRIu32 " is damaged; get the file again",
            ditto_reader_info(thread->session->reader)->path, thread->values + 1,
            thread->replay_id);
        ditto_damaged(thread, &error);
    }
    return true;
}

static _Noreturn void other_kind(struct ditto_thread *thread, uint32_t expected, uint32_t found)
{
    char property[32];
    snprintf(property, sizeof property, DITTO_INPUT_PROPERTY "%" PRIu32, expected);
    const char *recorded = ditto_property(thread->session, property);
    const char *asked = found < DITTO_NAMED_INPUTS ? thread->session->input_names[found] : NULL;
    ditto_diverge(
        thread, "expected an input of kind %" PRIu32 "%s%s%s, found one of kind %" PRIu32 "%s%s%s",
        expected, recorded ? " (" : "", recorded ? recorded : "", recorded ? ")" : "", found,
        asked ? " (" : "", asked ? asked : "", asked ? ")" : "");
}

static void replay_input(struct ditto_thread *thread, uint32_t kind, uint8_t *bytes, size_t *length,
                         size_t capacity)
{
    size_t total = 0;
    struct ditto_input_record value;
    do {
        if (!next_record(thread, &value)) {
            ditto_thread_past_end(thread, "input");
            return;
        }
        if (value.kind != kind)
            other_kind(thread, value.kind, kind);
        if (value.length > capacity - total)
            ditto_diverge(thread, "expected an input of more than %zu bytes, found room for %zu",
                          total + value.length - 1, capacity);
        if (value.length)
            memcpy(bytes + total, value.bytes, value.length);
        total += value.length;
    } while (value.more);
    thread->values++;
    *length = total;
}

void ditto_input(struct ditto_thread *thread, uint32_t kind, void *bytes, size_t *length,
                 size_t capacity)
{
    if (thread->events == &ditto_detached_events)
        return;
    if (thread->session->replaying)
        replay_input(thread, kind, bytes, length, capacity);
    else
        record_input(thread, kind, bytes, *length);
    DITTO_DEBUG(inputs, 1, "thread %" PRIu32 ": input %" PRIu64 ", kind %" PRIu32 ", %zu bytes",
                thread->replay_id, thread->values, kind, *length);
}

uint64_t ditto_input_number(struct ditto_thread *thread, uint32_t kind, uint64_t value)
{
    uint8_t bytes[DITTO_VARINT_MAX];
    size_t length = (size_t)(ditto_varint_put(bytes, value) - bytes);
    ditto_input(thread, kind, bytes, &length, sizeof bytes);
    const uint8_t *from = bytes;
    if (!ditto_varint_get(&from, bytes + length, &value))
        ditto_diverge(thread, "input %" PRIu64 " in the trace is not a number", thread->values);
    return value;
}

void ditto_inputs_check_end(struct ditto_thread *thread)
{
    struct ditto_input_record value;
    if (next_record(thread, &value))
        ditto_diverge(thread, "expected another input, found the end of the thread");
}
