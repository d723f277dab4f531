/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/client.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "gdb-plugin/gdb/reply.h"
#include "gdb-plugin/gdb/rsp.h"

uint32_t session_thread(const struct session *session, uint32_t gdb_thread)
{
    return gdb_thread ? gdb_thread - 1 : session->current;
}

bool session_has_thread(struct session *session, uint32_t gdb_thread)
{
    return gdb_thread > 0 && gdb_thread < STACKS_MAX && thread_exists(session, gdb_thread - 1);
}

/* The threads of the trace and their names do not change: the machine is asked once. */
static void know_threads(struct session *session)
{
    const struct ditto_thread_view *views;
    if (session->name_count)
        return;
    size_t count = ditto_machine_threads(session->machine, &views), needed = 0;
    for (size_t i = 0; i < count; i++)
        needed = views[i].replay_id >= needed ? views[i].replay_id + 1 : needed;
    session->names = calloc(needed + 1, sizeof *session->names);
    if (!session->names)
        abort();
    session->name_count = needed;
    for (size_t i = 0; i < count; i++)
        session->names[views[i].replay_id] = views[i].name ? views[i].name : "?";
}

bool thread_exists(struct session *session, uint32_t replay_id)
{
    know_threads(session);
    return replay_id < session->name_count && session->names[replay_id];
}

const char *thread_name(struct session *session, uint32_t replay_id)
{
    return thread_exists(session, replay_id) ? session->names[replay_id] : "?";
}

void session_say(struct session *session, const char *format, ...)
{
    struct reply reply = {0};
    struct ditto_buf text = {0};
    va_list arguments;
    va_start(arguments, format);
    put_arguments(&text, format, arguments);
    va_end(arguments);
    reply_text(&reply, "O");
    reply_hex(&reply, text.data, text.size);
    wire_send(session->wire, reply.bytes.data, reply.bytes.size);
    ditto_buf_free(&reply.bytes);
    ditto_buf_free(&text);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void interrupt(void *context)
{
    ditto_machine_interrupt(context);
}

void session_busy_begin(struct session *session)
{
    session->busy_since = session->busy_said = seconds();
    wire_watch(session->wire, interrupt, session->machine);
}

bool session_busy_end(struct session *session)
{
    enum wire_event event = wire_unwatch(session->wire);
    session->busy_since = 0;
    if (event == WIRE_CLOSED)
        session->over = true;
    return event == WIRE_INTERRUPT;
}

bool session_is_busy(void *context, double done)
{
    struct session *session = context;
    double at = seconds();
    if (session->progress && session->busy_since > 0 && at - session->busy_said > 0.5) {
        session->busy_said = at;
        session_say(session, "ditto: %3.0f%% after %.1f s; Ctrl-C stops it\n", done * 100,
                    at - session->busy_since);
    }
    return false;
}
