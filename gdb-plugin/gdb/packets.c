/* SPDX-License-Identifier: MIT */
/* The packets: a table, and a short handler for each. */
#include "gdb-plugin/gdb/packets.h"

#include <string.h>

#include "gdb-plugin/gdb/breakpoints.h"
#include "gdb-plugin/gdb/documents.h"
#include "gdb-plugin/gdb/monitor.h"
#include "gdb-plugin/gdb/registers.h"
#include "gdb-plugin/gdb/reply.h"
#include "gdb-plugin/gdb/resume.h"
#include "gdb-plugin/gdb/rsp.h"

static const char refusal[] = "E.this is a recording: what happened cannot be changed";

/* "1", "-1" for all, "0" for any, or "p1.1" as with several processes. */
static bool take_thread(const char **at, int64_t *thread)
{
    uint64_t number;
    if (packet_take(at, 'p')) {
        if (!packet_hex(at, &number) || !packet_take(at, '.'))
            return false;
    }
    if (packet_take(at, '-')) {
        *thread = -1;
        return packet_take(at, '1');
    }
    if (!packet_hex(at, &number) || number > STACKS_MAX)
        return false;
    *thread = (int64_t)number;
    return true;
}

/* -------------------------------------------------------------------------- handlers */

static void supported(struct client *client, const char *packet, struct reply *reply)
{
    client->swbreak = strstr(packet, "swbreak+") != NULL;
    reply_text(reply,
               "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;"
               "qXfer:exec-file:read+;ReverseStep+;ReverseContinue+;swbreak+;hwbreak+;"
               "vContSupported+;ConditionalBreakpoints+",
               RSP_PACKET_SIZE);
}

static void nothing(struct client *client, const char *packet, struct reply *reply)
{
    (void)client, (void)packet, (void)reply;
}

static void fine(struct client *client, const char *packet, struct reply *reply)
{
    (void)client, (void)packet;
    reply_text(reply, "OK");
}

static void refuse(struct client *client, const char *packet, struct reply *reply)
{
    (void)client, (void)packet;
    reply_text(reply, "%s", refusal);
}

static void no_acks(struct client *client, const char *packet, struct reply *reply)
{
    rsp_stop_acks(client->rsp);
    fine(client, packet, reply);
}

static void why(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    if (client->killed)
        reply_text(reply, "W00");
    else
        ditto_buf_bytes(&reply->bytes, client->stop.data, client->stop.size);
}

static void set_thread(struct client *client, const char *packet, struct reply *reply)
{
    char kind = packet[0];
    const char *at = packet + (kind != '\0');
    int64_t thread;
    if (!take_thread(&at, &thread) || (kind != 'g' && kind != 'c') ||
        (thread > 0 && !client_has_thread(client, (uint32_t)thread))) {
        reply_text(reply, "E01");
        return;
    }
    uint32_t *which = kind == 'g' ? &client->general : &client->moving;
    *which = thread > 0 ? (uint32_t)thread : 0;
    reply_text(reply, "OK");
}

static void is_alive(struct client *client, const char *packet, struct reply *reply)
{
    int64_t thread;
    bool there = take_thread(&packet, &thread) && thread > 0 && !client->killed &&
                 client_has_thread(client, (uint32_t)thread);
    reply_text(reply, there ? "OK" : "E01");
}

static void current_thread(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    reply_text(reply, "QC%x", to_gdb(client->current));
}

static void attached(struct client *client, const char *packet, struct reply *reply)
{
    (void)client, (void)packet;
    reply_text(reply, "1");
}

static void all_registers(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    uint8_t bytes[VIEW_REGISTERS_SIZE];
    bool known[VIEW_REGISTERS_SIZE];
    view_registers(&client->view, client_thread(client, client->general), bytes, known);
    for (size_t i = 0; i < sizeof bytes; i++) {
        if (known[i])
            reply_hex(reply, &bytes[i], 1);
        else
            ditto_buf_bytes(&reply->bytes, "xx", 2);
    }
}

static void one_register(struct client *client, const char *packet, struct reply *reply)
{
    uint8_t bytes[VIEW_REGISTERS_SIZE];
    bool known[VIEW_REGISTERS_SIZE];
    uint64_t number;
    size_t offset, size;
    if (!packet_hex(&packet, &number) || number > 255 ||
        !view_register((unsigned)number, &offset, &size)) {
        reply_text(reply, "E01");
        return;
    }
    view_registers(&client->view, client_thread(client, client->general), bytes, known);
    for (size_t i = offset; i < offset + size; i++) {
        if (known[i])
            reply_hex(reply, &bytes[i], 1);
        else
            ditto_buf_bytes(&reply->bytes, "xx", 2);
    }
}

static void read_memory(struct client *client, const char *packet, struct reply *reply)
{
    uint8_t bytes[RSP_PACKET_SIZE / 2];
    uint64_t address, length;
    if (!packet_hex(&packet, &address) || !packet_take(&packet, ',') ||
        !packet_hex(&packet, &length)) {
        reply_text(reply, "E01");
        return;
    }
    if (length > sizeof bytes)
        length = sizeof bytes;
    size_t got = view_read(&client->view, address, bytes, (size_t)length);
    if (got == 0 && length > 0)
        reply_text(reply, "E14");
    else
        reply_hex(reply, bytes, got);
}

/* ";X3,261027X2,2227": the length of each in bytes, and the bytes. */
static bool take_conditions(const char **at, struct breakpoint *breakpoint)
{
    uint8_t code[RSP_PACKET_SIZE / 2];
    while (packet_take(at, ';') || **at == 'X') {
        uint64_t length;
        if (!packet_take(at, 'X') || !packet_hex(at, &length) || !packet_take(at, ',') ||
            length > sizeof code)
            return false;
        for (uint64_t i = 0; i < length; i++) {
            char digits[] = {(*at)[0], (*at)[0] ? (*at)[1] : '\0', '\0'};
            const char *digit = digits;
            uint64_t byte;
            if (!packet_hex(&digit, &byte) || digit != digits + 2)
                return false;
            code[i] = (uint8_t)byte;
            *at += 2;
        }
        if (!breakpoint_add_condition(breakpoint, code, (size_t)length))
            return false;
    }
    return **at == '\0';
}

static void change_breakpoint(struct client *client, const char *packet, struct reply *reply,
                              bool insert)
{
    struct breakpoint breakpoint = {0};
    uint64_t type;
    if (!packet_hex(&packet, &type) || !packet_take(&packet, ',') ||
        !packet_hex(&packet, &breakpoint.address) || !packet_take(&packet, ',') ||
        !packet_hex(&packet, &breakpoint.length)) {
        reply_text(reply, "E01");
        return;
    }
    if (type > 4)
        return;
    breakpoint.type = (unsigned)type;
    /* Nothing that can be watched is longer than an array. */
    if (type >= 2 &&
        (breakpoint.length == 0 || breakpoint.length > UINT64_C(1) << ELEMENTS_SHIFT)) {
        reply_text(reply, "E22");
        return;
    }
    if (insert && type <= 1 && !take_conditions(&packet, &breakpoint)) {
        breakpoint_free(&breakpoint);
        reply_text(reply, "E01");
        return;
    }
    if (!insert)
        breakpoints_remove(client, &breakpoint);
    else if (!breakpoints_insert(client, &breakpoint)) {
        reply_text(reply, "E.too many breakpoints and watchpoints; delete some");
        return;
    }
    reply_text(reply, "OK");
}

static void insert_breakpoint(struct client *client, const char *packet, struct reply *reply)
{
    change_breakpoint(client, packet, reply, true);
}

static void remove_breakpoint(struct client *client, const char *packet, struct reply *reply)
{
    change_breakpoint(client, packet, reply, false);
}

/* --------------------------------------------------------------------------- resuming */

static void resume(struct client *client, const struct resumption *resumption, struct reply *reply)
{
    if (client->killed) {
        reply_text(reply, "E.the program is not being run; start it with `run`");
        return;
    }
    resume_machine(client, resumption);
    ditto_buf_bytes(&reply->bytes, client->stop.data, client->stop.size);
}

static void can_continue(struct client *client, const char *packet, struct reply *reply)
{
    (void)client, (void)packet;
    reply_text(reply, "vCont;c;C;s;S;r");
}

/* One action of vCont, with its thread: -1 for all that no other action names. */
static bool take_action(const char **at, struct resumption *action, int64_t *thread)
{
    uint64_t signal;
    char letter = **at;
    *thread = -1;
    memset(action, 0, sizeof *action);
    action->going = letter == 's' || letter == 'S' ? DITTO_GO_STEP
                    : letter == 'r'                ? DITTO_GO_RANGE
                                                   : DITTO_GO_ON;
    if (!letter || !strchr("cCsSr", letter))
        return false;
    ++*at;
    if ((letter == 'C' || letter == 'S') && !packet_hex(at, &signal))
        return false;
    if (letter == 'r' &&
        !(packet_hex(at, &action->from) && packet_take(at, ',') && packet_hex(at, &action->to)))
        return false;
    return !packet_take(at, ':') || take_thread(at, thread);
}

static void cont(struct client *client, const char *packet, struct reply *reply)
{
    struct resumption chosen = {.going = DITTO_GO_ON};
    bool found = false, others = false;
    while (packet_take(&packet, ';')) {
        struct resumption action;
        int64_t thread;
        if (!take_action(&packet, &action, &thread)) {
            reply_text(reply, "E01");
            return;
        }
        if (thread > 0 && !client_has_thread(client, (uint32_t)thread)) {
            reply_text(reply, "E01");
            return;
        }
        others = others || thread <= 0;
        /* The leftmost counts, but a step more than a continue. */
        if (!found || (chosen.going == DITTO_GO_ON && action.going != DITTO_GO_ON)) {
            chosen = action;
            chosen.thread = client_thread(client, thread > 0 ? (uint32_t)thread : 0);
            found = true;
        }
    }
    if (!found || *packet) {
        reply_text(reply, "E01");
        return;
    }
    chosen.alone = !others;
    resume(client, &chosen, reply);
}

/* The packets from before vCont, and those for going back: their thread is that of Hc. */
static void simple(struct client *client, struct reply *reply, enum ditto_going going, bool back)
{
    struct resumption resumption = {
        .going = going,
        .back = back,
        .alone = client->moving != 0,
        .thread = client_thread(client, client->moving ? client->moving : client->general),
    };
    resume(client, &resumption, reply);
}

static void step(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    simple(client, reply, DITTO_GO_STEP, false);
}

static void continue_(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    simple(client, reply, DITTO_GO_ON, false);
}

static void step_back(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    simple(client, reply, DITTO_GO_STEP, true);
}

static void continue_back(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    simple(client, reply, DITTO_GO_ON, true);
}

/* ---------------------------------------------------------------------- coming and going */

static void end_run(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    client->killed = true;
    breakpoints_free(client);
    client->removed_count = 0;
    client->pending = false;
    reply_text(reply, "OK");
}

static void kill_old(struct client *client, const char *packet, struct reply *reply)
{
    end_run(client, packet, reply);
    reply->none = true;
}

static void start_over(struct client *client, const char *packet, struct reply *reply)
{
    client->killed = false;
    restart_machine(client);
    why(client, packet, reply);
}

static void start_over_old(struct client *client, const char *packet, struct reply *reply)
{
    start_over(client, packet, reply);
    reply->none = true;
}

/* ---------------------------------------------------------------------------- monitor */

static void monitor(struct client *client, const char *packet, struct reply *reply)
{
    char line[RSP_PACKET_SIZE / 2 + 1];
    struct ditto_buf out = {0};
    size_t length = 0;
    for (; packet[0] && packet[1]; packet += 2) {
        char pair[3] = {packet[0], packet[1], '\0'};
        const char *at = pair;
        uint64_t byte;
        if (!packet_hex(&at, &byte) || *at) {
            reply_text(reply, "E01");
            return;
        }
        line[length++] = (char)byte;
    }
    line[length] = '\0';
    /* gdb shows an error's number only, and drops what was printed before it. */
    struct ditto_buf text = {0};
    if (!monitor_command(client, line, &text))
        ditto_put_format(&out, "ditto: ");
    ditto_buf_bytes(&out, text.data, text.size);
    ditto_buf_free(&text);
    /*
     * One packet, however long: gdb makes room for it.  Between packets that it prints as they come
     * a Ctrl-C would make it give up, and take the rest for the answers to its next questions.
     */
    if (out.size)
        reply_hex(reply, out.data, out.size);
    else
        reply_text(reply, "OK");
    ditto_buf_free(&out);
}

/* ------------------------------------------------------------------------------ table */

/* The first row whose text begins the packet counts; the handler sees what follows it. */
static const struct {
    const char *text;
    bool whole; /* nothing may follow */
    void (*handle)(struct client *client, const char *packet, struct reply *reply);
} rows[] = {
    {"qSupported", false, supported},
    {"QStartNoAckMode", true, no_acks},
    {"vMustReplyEmpty", true, nothing},
    {"!", true, fine},
    {"?", true, why},
    {"H", false, set_thread},
    {"T", false, is_alive},
    {"qC", true, current_thread},
    {"qAttached", false, attached},
    {"qSymbol", false, fine},
    {"qXfer:features:read:", false, files_features},
    {"qXfer:threads:read:", false, files_threads},
    {"qXfer:exec-file:read:", false, files_exec_file},
    {"qfThreadInfo", true, files_first_threads},
    {"qsThreadInfo", true, files_more_threads},
    {"qThreadExtraInfo,", false, files_thread_extra},
    {"vFile:", false, files_vfile},
    {"g", true, all_registers},
    {"p", false, one_register},
    {"m", false, read_memory},
    {"G", false, refuse},
    {"P", false, refuse},
    {"M", false, refuse},
    {"X", false, refuse},
    {"Z", false, insert_breakpoint},
    {"z", false, remove_breakpoint},
    {"vCont?", true, can_continue},
    {"vCont", false, cont},
    {"bs", true, step_back},
    {"bc", true, continue_back},
    {"s", false, step},
    {"S", false, step},
    {"c", false, continue_},
    {"C", false, continue_},
    {"vRun", false, start_over},
    {"R", false, start_over_old},
    {"vKill", false, end_run},
    {"k", true, kill_old},
    {"D", false, end_run},
    {"qRcmd,", false, monitor},
};

void packets_handle(struct client *client, char *packet, size_t length)
{
    struct reply reply = {0};
    (void)length; /* only what is refused anyway has zero bytes inside */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t size = strlen(rows[i].text);
        if (ditto_begins(packet, rows[i].text) && (!rows[i].whole || !packet[size])) {
            rows[i].handle(client, packet + size, &reply);
            break;
        }
    }
    if (!reply.none)
        rsp_send(client->rsp, reply.bytes.data, reply.bytes.size);
    ditto_buf_free(&reply.bytes);
}
