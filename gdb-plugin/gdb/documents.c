/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/documents.h"

#include <inttypes.h>
#include <string.h>

#include "gdb-plugin/gdb/registers.h"
#include "gdb-plugin/gdb/rsp.h"
#include "gdb-plugin/gdb/value_text.h"

/* The program's symbols have no file that others could open; gdb reads them through vFile. */
static const char program_path[] = "/ditto/program.elf";
enum { PROGRAM_FD = 5 };

/* More threads than these are listed only while they live. */
enum { THREADS_LISTED = 2000 };

/* ------------------------------------------------------------------------- documents */

/* "ANNEX:OFFSET,LENGTH"; the annex must be the one given. */
static void send_part(const char *packet, const char *annex, const uint8_t *bytes, size_t size,
                      struct reply *reply)
{
    uint64_t offset, length;
    size_t annex_length = strcspn(packet, ":");
    const char *at = packet + annex_length;
    if (strlen(annex) != annex_length || strncmp(packet, annex, annex_length) != 0 ||
        !packet_take(&at, ':') || !packet_hex(&at, &offset) || !packet_take(&at, ',') ||
        !packet_hex(&at, &length)) {
        reply_text(reply, "E00");
        return;
    }
    if (length > RSP_PACKET_SIZE / 2)
        length = RSP_PACKET_SIZE / 2;
    size_t left = offset < size ? size - (size_t)offset : 0;
    reply_text(reply, left > length ? "m" : "l");
    if (left)
        ditto_buf_bytes(&reply->bytes, bytes + offset, left > length ? (size_t)length : left);
}

void files_features(struct client *client, const char *packet, struct reply *reply)
{
    (void)client;
    send_part(packet, "target.xml", (const uint8_t *)view_target_xml, strlen(view_target_xml),
              reply);
}

void files_exec_file(struct client *client, const char *packet, struct reply *reply)
{
    (void)client;
    packet += strcspn(packet, ":"); /* the annex is a process */
    send_part(packet, "", (const uint8_t *)program_path, strlen(program_path), reply);
}

/* ----------------------------------------------------------------------------- threads */

/* XML's special characters as entities; what is no character of a name becomes a question mark. */
static void put_xml(struct ditto_buf *out, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        if (*at == '<' || *at == '>' || *at == '&' || *at == '"')
            ditto_put_format(out, "&#%u;", *at);
        else if (*at < 0x20 || *at >= 0x7f)
            ditto_buf_bytes(out, "?", 1);
        else
            ditto_buf_bytes(out, at, 1);
    }
}

static bool is_listed(const struct client *client, const struct ditto_thread_view *view,
                      size_t count)
{
    bool lives = view->life == DITTO_ALIVE || view->life == DITTO_BLOCKED;
    return !client->killed && view->replay_id < STACKS_MAX - 1 &&
           (count <= THREADS_LISTED || lives || view->replay_id == client->current);
}

void files_threads(struct client *client, const char *packet, struct reply *reply)
{
    struct ditto_buf out = {0};
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(client->machine, &views);
    ditto_put_format(&out, "<?xml version=\"1.0\"?><threads>");
    for (size_t i = 0; i < count; i++) {
        if (!is_listed(client, &views[i], count))
            continue;
        ditto_put_format(&out, "<thread id=\"%x\" name=\"", to_gdb(views[i].replay_id));
        put_xml(&out, views[i].name ? views[i].name : "?");
        ditto_put_format(&out, "\">");
        struct ditto_buf words = {0};
        put_doing(client, &words, &views[i]);
        ditto_buf_bytes(&words, "", 1);
        put_xml(&out, (const char *)words.data);
        ditto_buf_free(&words);
        ditto_put_format(&out, "</thread>");
    }
    ditto_put_format(&out, "</threads>");
    client->shown = true;
    send_part(packet, "", out.data, out.size, reply);
    ditto_buf_free(&out);
}

void files_first_threads(struct client *client, const char *packet, struct reply *reply)
{
    (void)packet;
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(client->machine, &views);
    const char *separator = "m";
    for (size_t i = 0; i < count && reply->bytes.size < RSP_PACKET_SIZE / 2; i++) {
        if (!is_listed(client, &views[i], count))
            continue;
        reply_text(reply, "%s%x", separator, to_gdb(views[i].replay_id));
        separator = ",";
    }
    if (*separator == 'm')
        reply_text(reply, "l");
}

void files_more_threads(struct client *client, const char *packet, struct reply *reply)
{
    (void)client, (void)packet;
    reply_text(reply, "l");
}

void files_thread_extra(struct client *client, const char *packet, struct reply *reply)
{
    uint64_t thread;
    const struct ditto_thread_view *views;
    size_t count = ditto_machine_threads(client->machine, &views);
    if (packet_hex(&packet, &thread)) {
        for (size_t i = 0; i < count; i++) {
            if (to_gdb(views[i].replay_id) == thread) {
                struct ditto_buf out = {0};
                ditto_put_format(&out, "%s: ", views[i].name ? views[i].name : "?");
                put_doing(client, &out, &views[i]);
                reply_hex(reply, out.data, out.size);
                ditto_buf_free(&out);
                return;
            }
        }
    }
    reply_text(reply, "E01");
}

/* ------------------------------------------------------------------------------- vFile */

static bool take_path(const char **at, char *path, size_t size)
{
    size_t length = 0;
    while (**at && **at != ',') {
        char pair[3] = {(*at)[0], (*at)[1], '\0'};
        const char *digits = pair;
        uint64_t byte;
        if (!packet_hex(&digits, &byte) || *digits || length + 1 >= size)
            return false;
        path[length++] = (char)byte;
        *at += 2;
    }
    path[length] = '\0';
    return true;
}

static void put_big(struct reply *reply, uint64_t value, unsigned size)
{
    while (size--) {
        uint8_t byte = size < 8 ? (uint8_t)(value >> 8 * size) : 0;
        ditto_buf_bytes(&reply->bytes, &byte, 1);
    }
}

static void file_status(struct client *client, struct reply *reply)
{
    uint64_t size = client->symbols_size;
    reply_text(reply, "F40;");
    put_big(reply, 0, 4);       /* device */
    put_big(reply, 1, 4);       /* inode */
    put_big(reply, 0100444, 4); /* a file that all may read */
    put_big(reply, 1, 4);       /* links */
    put_big(reply, 0, 12);      /* owner, group, special device */
    put_big(reply, size, 8);
    put_big(reply, 4096, 8);
    put_big(reply, (size + 511) / 512, 8);
    put_big(reply, 0, 12); /* times */
}

static void file_read(struct client *client, const char *at, struct reply *reply)
{
    uint64_t fd, count, offset;
    if (!packet_hex(&at, &fd) || fd != PROGRAM_FD || !packet_take(&at, ',') ||
        !packet_hex(&at, &count) || !packet_take(&at, ',') || !packet_hex(&at, &offset)) {
        reply_text(reply, "F-1,16"); /* EINVAL */
        return;
    }
    size_t left = offset < client->symbols_size ? client->symbols_size - (size_t)offset : 0;
    if (count > left)
        count = left;
    if (count > RSP_PACKET_SIZE / 2)
        count = RSP_PACKET_SIZE / 2;
    reply_text(reply, "F%" PRIx64 ";", count);
    if (count)
        ditto_buf_bytes(&reply->bytes, client->symbols + offset, (size_t)count);
}

void files_vfile(struct client *client, const char *packet, struct reply *reply)
{
    char path[256];
    const char *at = packet + strcspn(packet, ":");
    size_t length = (size_t)(at - packet);
    packet_take(&at, ':');
    if (length == 4 && strncmp(packet, "open", 4) == 0) {
        bool ours = take_path(&at, path, sizeof path) && strcmp(path, program_path) == 0;
        if (ours)
            reply_text(reply, "F%x", PROGRAM_FD);
        else
            reply_text(reply, "F-1,2"); /* ENOENT */
    } else if (length == 5 && strncmp(packet, "pread", 5) == 0) {
        file_read(client, at, reply);
    } else if (length == 5 && strncmp(packet, "fstat", 5) == 0) {
        file_status(client, reply);
    } else if (length == 5 &&
               (strncmp(packet, "close", 5) == 0 || strncmp(packet, "setfs", 5) == 0)) {
        reply_text(reply, "F0");
    }
}
