/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/stops.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gdb-plugin/gdb/breakpoints.h"
#include "gdb-plugin/gdb/registers.h"
#include "gdb-plugin/gdb/value_text.h"

void run_describe(struct session *session, int signal, uint32_t thread, const char *reason)
{
    uint8_t bytes[VIEW_REGISTERS_SIZE];
    bool known[VIEW_REGISTERS_SIZE];
    static const unsigned expedited[] = {6, 7, 16, 57}; /* rbp, rsp, rip, the clock */
    session->stop.size = 0;
    session->shown = false;
    session->current = thread;
    session->general = to_gdb(thread);
    put_format(&session->stop, "T%02xthread:%x;%s", (unsigned)signal, to_gdb(thread), reason);
    view_pointers(&session->view, thread, bytes, known);
    for (size_t i = 0; i < sizeof expedited / sizeof *expedited; i++) {
        size_t offset, size;
        view_register(expedited[i], &offset, &size);
        put_format(&session->stop, "%x:", expedited[i]);
        for (size_t b = 0; b < size; b++)
            put_format(&session->stop, "%02x", bytes[offset + b]);
        put_format(&session->stop, ";");
    }
}

/* break-write's own words; gdb prints them before it shows where it is. */
static void say_write(struct session *session, const struct write_request *request,
                      const struct ditto_halt *halt, bool back)
{
    struct ditto_buf text = {0};
    struct ditto_position position;
    ditto_machine_position(session->machine, &position);
    put_format(&text, "\n%s write %" PRIu64 " of %s, at clock %" PRIu64 ", by thread %u \"%s\": ",
               back ? "Before" : "After", halt->nth, request->text, position.clock,
               to_gdb(halt->thread), thread_name(session, halt->thread));
    put_value(session, &text, request->watch.descriptor, &halt->before);
    put_format(&text, " -> ");
    put_value(session, &text, request->watch.descriptor, &halt->after);
    put_format(&text, ", in ");
    put_place(session, &text, &halt->place);
    session_say(session, "%.*s\n", (int)text.size, (char *)text.data);
    ditto_buf_free(&text);
}

static void describe_watch(struct session *session, const struct aim *aim,
                           const struct ditto_halt *halt)
{
    static const char *const names[] = {"watch", "rwatch", "awatch"};
    char reason[64];
    if (halt->watch >= aim->watch_count || !aim->watch_points[halt->watch]) {
        size_t own = aim->watch_count - session->request_count;
        if (halt->watch >= own && halt->watch < aim->watch_count)
            say_write(session, &session->requests[halt->watch - own], halt, aim->run.back);
        run_describe(session, 0, halt->thread, "");
        return;
    }
    snprintf(reason, sizeof reason, "%s:%" PRIx64 ";",
             names[aim->watch_points[halt->watch]->type - 2], aim->watch_addresses[halt->watch]);
    run_describe(session, 5, halt->thread, reason);
}

static void describe_breakpoint(struct session *session, const struct trap *trap,
                                const struct ditto_halt *halt)
{
    char reason[64] = "";
    if (trap && trap->kind == TRAP_LOCAL)
        snprintf(reason, sizeof reason, "%s:%" PRIx64 ";",
                 trap->point->type == 3   ? "rwatch"
                 : trap->point->type == 4 ? "awatch"
                                          : "watch",
                 trap->address);
    else if (session->swbreak)
        strcpy(reason, "swbreak:;");
    run_describe(session, 5, halt->thread, reason);
}

void describe_stop(struct session *session, const struct aim *aim, const struct outcome *outcome)
{
    const struct ditto_halt *halt = &outcome->halt;
    struct ditto_position position;
    ditto_machine_position(session->machine, &position);
    if (aim->only < STACKS_MAX)
        position.thread = aim->only;
    switch (halt->why) {
    case DITTO_WHY_STEPPED:
        run_describe(session, 5, halt->thread, "");
        break;
    case DITTO_WHY_BREAKPOINT:
        describe_breakpoint(session, outcome->trap, halt);
        break;
    case DITTO_WHY_WATCH:
        describe_watch(session, aim, halt);
        break;
    case DITTO_WHY_THROW:
        if (outcome->caught)
            session->view.catching = halt->thread;
        else
            session->view.throwing = session->before_throw = halt->thread;
        view_changed(&session->view);
        run_describe(session, 5, halt->thread, session->swbreak ? "swbreak:;" : "");
        break;
    case DITTO_WHY_BEGIN:
        run_describe(session, 5, position.thread, "replaylog:begin;");
        break;
    case DITTO_WHY_END:
        run_describe(session, 5, position.thread, "replaylog:end;");
        break;
    case DITTO_WHY_INTERRUPTED:
        run_describe(session, 2, position.thread, "");
        break;
    case DITTO_WHY_LOST:
        session_say(session,
                    "ditto: the replay is lost: %s\nStart again with `run`, or with `target`.\n",
                    halt->error.text);
        run_describe(session, 6, position.thread, "");
        break;
    }
}
