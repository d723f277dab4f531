/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/client.h"

#include <stdarg.h>
#include <stdlib.h>

#include "core/base/die.h"
#include "core/base/seconds.h"
#include "gdb-plugin/gdb/reply.h"
#include "gdb-plugin/gdb/rsp.h"

uint32_t client_thread(const struct client *client, uint32_t gdb_thread)
{
    return gdb_thread ? gdb_thread - 1 : client->current;
}

bool client_has_thread(struct client *client, uint32_t gdb_thread)
{
    return gdb_thread > 0 && gdb_thread < STACKS_MAX && thread_exists(client, gdb_thread - 1);
}

/* The threads of the trace and their names do not change: the machine is asked once. */
static void know_threads(struct client *client)
{
    const struct ditto_thread_view *views;
    if (client->name_count)
        return;
    size_t count = ditto_machine_threads(client->machine, &views), needed = 0;
    for (size_t i = 0; i < count; i++)
        needed = views[i].replay_id >= needed ? views[i].replay_id + 1 : needed;
    client->names = ditto_alloc_zeroed(needed, sizeof *client->names, "the threads");
    client->name_count = needed;
    for (size_t i = 0; i < count; i++)
        client->names[views[i].replay_id] = views[i].name ? views[i].name : "?";
}

bool thread_exists(struct client *client, uint32_t replay_id)
{
    know_threads(client);
    return replay_id < client->name_count && client->names[replay_id];
}

const char *thread_name(struct client *client, uint32_t replay_id)
{
    return thread_exists(client, replay_id) ? client->names[replay_id] : "?";
}

void client_say(struct client *client, const char *format, ...)
{
    struct reply reply = {0};
    struct ditto_buf text = {0};
    va_list arguments;
    va_start(arguments, format);
    ditto_put_arguments(&text, format, arguments);
    va_end(arguments);
    reply_text(&reply, "O");
    reply_hex(&reply, text.data, text.size);
    rsp_send(client->rsp, reply.bytes.data, reply.bytes.size);
    ditto_buf_free(&reply.bytes);
    ditto_buf_free(&text);
}

static void interrupt(void *context)
{
    ditto_machine_interrupt(context);
}

void client_busy_begin(struct client *client)
{
    client->busy_since = client->busy_said = ditto_seconds();
    rsp_watch(client->rsp, interrupt, client->machine);
}

bool client_busy_end(struct client *client)
{
    enum rsp_event event = rsp_unwatch(client->rsp);
    client->busy_since = 0;
    if (event == RSP_CLOSED)
        client->over = true;
    return event == RSP_INTERRUPT;
}

bool client_is_busy(void *context, double done)
{
    struct client *client = context;
    double at = ditto_seconds();
    if (client->progress && client->busy_since > 0 && at - client->busy_said > 0.5) {
        client->busy_said = at;
        client_say(client, "ditto: %3.0f%% after %.1f s; Ctrl-C stops it\n", done * 100,
                   at - client->busy_since);
    }
    return false;
}
