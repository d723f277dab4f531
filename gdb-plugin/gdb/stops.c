/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/stops.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gdb-plugin/gdb/breakpoints.h"
#include "gdb-plugin/gdb/registers.h"
#include "gdb-plugin/gdb/value_text.h"

void describe_thread(struct client *client, int signal, uint32_t thread, const char *reason)
{
    uint8_t bytes[VIEW_REGISTERS_SIZE];
    bool known[VIEW_REGISTERS_SIZE];
    static const unsigned expedited[] = {6, 7, 16, 57}; /* rbp, rsp, rip, the clock */
    client->stop.size = 0;
    client->shown = false;
    client->current = thread;
    client->general = to_gdb(thread);
    ditto_put_format(&client->stop, "T%02xthread:%x;%s", (unsigned)signal, to_gdb(thread), reason);
    view_pointers(&client->view, thread, bytes, known);
    for (size_t i = 0; i < sizeof expedited / sizeof *expedited; i++) {
        size_t offset, size;
        view_register(expedited[i], &offset, &size);
        ditto_put_format(&client->stop, "%x:", expedited[i]);
        for (size_t b = 0; b < size; b++)
            ditto_put_format(&client->stop, "%02x", bytes[offset + b]);
        ditto_put_format(&client->stop, ";");
    }
}

/* break-write's own words; gdb prints them before it shows where it is. */
static void say_write(struct client *client, const struct write_request *request,
                      const struct ditto_halt *halt, bool back)
{
    struct ditto_buf text = {0};
    struct ditto_position position;
    ditto_machine_position(client->machine, &position);
    ditto_put_format(&text,
                     "\n%s write %" PRIu64 " of %s, at clock %" PRIu64 ", by thread %u \"%s\": ",
                     back ? "Before" : "After", halt->nth, request->text, position.clock,
                     to_gdb(halt->thread), thread_name(client, halt->thread));
    put_value(client, &text, request->watch.descriptor, &halt->before);
    ditto_put_format(&text, " -> ");
    put_value(client, &text, request->watch.descriptor, &halt->after);
    ditto_put_format(&text, ", in ");
    put_location(client, &text, &halt->location);
    client_say(client, "%.*s\n", (int)text.size, (char *)text.data);
    ditto_buf_free(&text);
}

static void describe_watch(struct client *client, const struct aim *aim,
                           const struct ditto_halt *halt)
{
    static const char *const names[] = {"watch", "rwatch", "awatch"};
    char reason[64];
    if (halt->watch >= aim->watch_count || !aim->watchpoints[halt->watch]) {
        size_t own = aim->watch_count - client->request_count;
        if (halt->watch >= own && halt->watch < aim->watch_count)
            say_write(client, &client->requests[halt->watch - own], halt, aim->go.back);
        describe_thread(client, 0, halt->thread, "");
        return;
    }
    snprintf(reason, sizeof reason, "%s:%" PRIx64 ";",
             names[aim->watchpoints[halt->watch]->type - 2], aim->watch_addresses[halt->watch]);
    describe_thread(client, 5, halt->thread, reason);
}

static void describe_breakpoint(struct client *client, const struct trap *trap,
                                const struct ditto_halt *halt)
{
    char reason[64] = "";
    if (trap && trap->kind == TRAP_LOCAL)
        snprintf(reason, sizeof reason, "%s:%" PRIx64 ";",
                 trap->breakpoint->type == 3   ? "rwatch"
                 : trap->breakpoint->type == 4 ? "awatch"
                                               : "watch",
                 trap->address);
    else if (client->swbreak)
        strcpy(reason, "swbreak:;");
    describe_thread(client, 5, halt->thread, reason);
}

void describe_stop(struct client *client, const struct aim *aim, const struct outcome *outcome)
{
    const struct ditto_halt *halt = &outcome->halt;
    struct ditto_position position;
    ditto_machine_position(client->machine, &position);
    if (aim->only < STACKS_MAX)
        position.thread = aim->only;
    switch (halt->why) {
    case DITTO_WHY_STEPPED:
        describe_thread(client, 5, halt->thread, "");
        break;
    case DITTO_WHY_BREAKPOINT:
        describe_breakpoint(client, outcome->trap, halt);
        break;
    case DITTO_WHY_WATCH:
        describe_watch(client, aim, halt);
        break;
    case DITTO_WHY_THROW:
        if (outcome->caught)
            client->view.catching = halt->thread;
        else
            client->view.throwing = client->before_throw = halt->thread;
        view_changed(&client->view);
        describe_thread(client, 5, halt->thread, client->swbreak ? "swbreak:;" : "");
        break;
    case DITTO_WHY_BEGIN:
        describe_thread(client, 5, position.thread, "replaylog:begin;");
        break;
    case DITTO_WHY_END:
        describe_thread(client, 5, position.thread, "replaylog:end;");
        break;
    case DITTO_WHY_INTERRUPTED:
        describe_thread(client, 2, position.thread, "");
        break;
    case DITTO_WHY_LOST:
        client_say(client,
                   "ditto: the replay is lost: %s\nStart again with `run`, or with `target`.\n",
                   halt->error.text);
        describe_thread(client, 6, position.thread, "");
        break;
    }
}
