/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/control/messages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/debug.h"
#include "core/base/die.h"

enum { HEAD = 5, LONGEST = 1 << 30 };

void ditto_message_free(struct ditto_message *message)
{
    free(message->bytes);
    *message = (struct ditto_message){0};
}

static void reserve(struct ditto_message *message, size_t more)
{
    if (message->size + more <= message->capacity)
        return;
    while (message->size + more > message->capacity)
        message->capacity = message->capacity ? 2 * message->capacity : 256;
    message->bytes = ditto_grow(message->bytes, message->capacity, 1, "a message");
}

static void put(struct ditto_message *message, const void *bytes, size_t size)
{
    reserve(message, size);
    if (size)
        memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

void ditto_message_begin(struct ditto_message *message, enum ditto_message_kind kind)
{
    message->size = message->at = 0;
    message->failed = false;
    ditto_message_put32(message, 0);
    ditto_message_put8(message, (uint8_t)kind);
}

void ditto_message_put8(struct ditto_message *message, uint8_t value)
{
    put(message, &value, sizeof value);
}

void ditto_message_put32(struct ditto_message *message, uint32_t value)
{
    put(message, &value, sizeof value);
}

void ditto_message_put64(struct ditto_message *message, uint64_t value)
{
    put(message, &value, sizeof value);
}

void ditto_message_put_bytes(struct ditto_message *message, const void *bytes, size_t size)
{
    ditto_message_put32(message, (uint32_t)size);
    put(message, bytes, size);
}

/* With its zero, so that it can be used where it lies. */
void ditto_message_put_text(struct ditto_message *message, const char *text)
{
    ditto_message_put_bytes(message, text ? text : "", strlen(text ? text : "") + 1);
}

void ditto_message_set32(struct ditto_message *message, size_t at, uint32_t value)
{
    memcpy(message->bytes + at, &value, sizeof value);
}

static void get(struct ditto_message *message, void *to, size_t size)
{
    if (message->failed || size > message->size - message->at) {
        message->failed = true;
        memset(to, 0, size);
        return;
    }
    memcpy(to, message->bytes + message->at, size);
    message->at += size;
}

uint8_t ditto_message_get8(struct ditto_message *message)
{
    uint8_t value;
    get(message, &value, sizeof value);
    return value;
}

uint32_t ditto_message_get32(struct ditto_message *message)
{
    uint32_t value;
    get(message, &value, sizeof value);
    return value;
}

uint64_t ditto_message_get64(struct ditto_message *message)
{
    uint64_t value;
    get(message, &value, sizeof value);
    return value;
}

const uint8_t *ditto_message_get_bytes(struct ditto_message *message, size_t *size)
{
    *size = ditto_message_get32(message);
    if (message->failed || *size > message->size - message->at) {
        message->failed = true;
        *size = 0;
        return (const uint8_t *)"";
    }
    const uint8_t *bytes = message->bytes + message->at;
    message->at += *size;
    return bytes;
}

const char *ditto_message_get_text(struct ditto_message *message)
{
    size_t size;
    const char *text = (const char *)ditto_message_get_bytes(message, &size);
    if (size == 0 || text[size - 1] != '\0') {
        message->failed = true;
        return "";
    }
    return text;
}

bool ditto_message_send(int fd, struct ditto_message *message)
{
    ditto_message_set32(message, 0, (uint32_t)(message->size - 4));
    DITTO_DEBUG(messages, 1, "to %d: kind %u, %zu bytes", fd, message->bytes[4], message->size);
    for (size_t sent = 0; sent < message->size;) {
        ssize_t now = send(fd, message->bytes + sent, message->size - sent, MSG_NOSIGNAL);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return false;
        sent += (size_t)now;
    }
    return true;
}

static bool receive(int fd, uint8_t *to, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t now = recv(fd, to + got, size - got, 0);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            return false;
        got += (size_t)now;
    }
    return true;
}

uint8_t ditto_message_receive(int fd, struct ditto_message *message)
{
    uint32_t length;
    message->size = message->at = 0;
    message->failed = false;
    if (!receive(fd, (uint8_t *)&length, sizeof length) || length == 0 || length > LONGEST) {
        DITTO_DEBUG(messages, 1, "from %d: nobody is there any more", fd);
        return 0;
    }
    reserve(message, length);
    if (!receive(fd, message->bytes, length))
        return 0;
    message->size = length;
    DITTO_DEBUG(messages, 1, "from %d: kind %u, %u bytes", fd, message->bytes[0], length);
    return ditto_message_get8(message);
}

/* ----------------------------------------------------------------- structures */

void ditto_message_put_value(struct ditto_message *message, const struct ditto_message_value *value)
{
    ditto_message_put8(message, (uint8_t)value->type);
    ditto_message_put64(message, value->bits);
}

struct ditto_message_value ditto_message_get_value(struct ditto_message *message)
{
    struct ditto_message_value value;
    value.type = (char)ditto_message_get8(message);
    value.bits = ditto_message_get64(message);
    return value;
}

void ditto_message_put_position(struct ditto_message *message,
                                const struct ditto_message_position *position)
{
    ditto_message_put8(message, position->kind);
    ditto_message_put32(message, position->thread);
    ditto_message_put64(message, position->turn);
    ditto_message_put64(message, position->clock);
    ditto_message_put64(message, position->step);
    ditto_message_put64(message, position->nth);
    if (position->kind != DITTO_POSITION_MARK)
        return;
    ditto_message_put_text(message, position->class_name);
    ditto_message_put_text(message, position->method);
    ditto_message_put_text(message, position->descriptor);
    ditto_message_put32(message, (uint32_t)position->bci);
}

void ditto_message_get_position(struct ditto_message *message,
                                struct ditto_message_position *position)
{
    *position = (struct ditto_message_position){.kind = ditto_message_get8(message)};
    position->thread = ditto_message_get32(message);
    position->turn = ditto_message_get64(message);
    position->clock = ditto_message_get64(message);
    position->step = ditto_message_get64(message);
    position->nth = ditto_message_get64(message);
    if (position->kind != DITTO_POSITION_MARK)
        return;
    position->class_name = ditto_message_get_text(message);
    position->method = ditto_message_get_text(message);
    position->descriptor = ditto_message_get_text(message);
    position->bci = (int32_t)ditto_message_get32(message);
}

void ditto_message_put_go(struct ditto_message *message, const struct ditto_message_go *run)
{
    ditto_message_put8(message, run->pace);
    ditto_message_put64(message, run->limit);
    ditto_message_put_position(message, &run->target);
    ditto_message_put8(message, run->flags);
    ditto_message_put8(message, run->walk);
    ditto_message_put32(message, run->walker);
    ditto_message_put32(message, (uint32_t)run->from);
    ditto_message_put32(message, (uint32_t)run->to);
    ditto_message_put32(message, run->break_count);
    for (uint32_t i = 0; i < run->break_count; i++) {
        ditto_message_put_text(message, run->breaks[i].class_name);
        ditto_message_put_text(message, run->breaks[i].method);
        ditto_message_put_text(message, run->breaks[i].descriptor);
        ditto_message_put32(message, (uint32_t)run->breaks[i].bci);
    }
    ditto_message_put32(message, run->watch_count);
    for (uint32_t i = 0; i < run->watch_count; i++) {
        const struct ditto_message_watch *watch = &run->watches[i];
        ditto_message_put8(message, watch->kind);
        ditto_message_put64(message, watch->key);
        ditto_message_put_text(message, watch->class_name);
        ditto_message_put_text(message, watch->field);
        ditto_message_put_text(message, watch->descriptor);
        ditto_message_put64(message, (uint64_t)watch->index);
        ditto_message_put64(message, watch->nth);
    }
}

void ditto_message_get_go(struct ditto_message *message, struct ditto_message_go *run)
{
    *run = (struct ditto_message_go){.pace = ditto_message_get8(message)};
    run->limit = ditto_message_get64(message);
    ditto_message_get_position(message, &run->target);
    run->flags = ditto_message_get8(message);
    run->walk = ditto_message_get8(message);
    run->walker = ditto_message_get32(message);
    run->from = (int32_t)ditto_message_get32(message);
    run->to = (int32_t)ditto_message_get32(message);
    uint32_t count = ditto_message_get32(message);
    run->breaks = ditto_alloc_zeroed((size_t)count + 1, sizeof *run->breaks, "breakpoints");
    for (; !message->failed && run->break_count < count; run->break_count++) {
        struct ditto_message_break *at = &run->breaks[run->break_count];
        at->class_name = ditto_message_get_text(message);
        at->method = ditto_message_get_text(message);
        at->descriptor = ditto_message_get_text(message);
        at->bci = (int32_t)ditto_message_get32(message);
    }
    count = ditto_message_get32(message);
    run->watches = ditto_alloc_zeroed((size_t)count + 1, sizeof *run->watches, "watches");
    for (; !message->failed && run->watch_count < count; run->watch_count++) {
        struct ditto_message_watch *watch = &run->watches[run->watch_count];
        watch->kind = ditto_message_get8(message);
        watch->key = ditto_message_get64(message);
        watch->class_name = ditto_message_get_text(message);
        watch->field = ditto_message_get_text(message);
        watch->descriptor = ditto_message_get_text(message);
        watch->index = (int64_t)ditto_message_get64(message);
        watch->nth = ditto_message_get64(message);
    }
}

void ditto_message_put_hit(struct ditto_message *message, const struct ditto_message_hit *hit)
{
    ditto_message_put8(message, hit->why);
    ditto_message_put32(message, hit->index);
    ditto_message_put_position(message, &hit->at);
    ditto_message_put_position(message, &hit->before);
    ditto_message_put64(message, hit->key);
    ditto_message_put64(message, hit->nth);
    ditto_message_put_value(message, &hit->old);
    ditto_message_put_value(message, &hit->new);
    ditto_message_put8(message, hit->written);
    ditto_message_put32(message, hit->method);
    ditto_message_put32(message, (uint32_t)hit->bci);
}

void ditto_message_get_hit(struct ditto_message *message, struct ditto_message_hit *hit)
{
    *hit = (struct ditto_message_hit){.why = ditto_message_get8(message)};
    hit->index = ditto_message_get32(message);
    ditto_message_get_position(message, &hit->at);
    ditto_message_get_position(message, &hit->before);
    hit->key = ditto_message_get64(message);
    hit->nth = ditto_message_get64(message);
    hit->old = ditto_message_get_value(message);
    hit->new = ditto_message_get_value(message);
    hit->written = ditto_message_get8(message);
    hit->method = ditto_message_get32(message);
    hit->bci = (int32_t)ditto_message_get32(message);
}

void ditto_message_put_halt(struct ditto_message *message, const struct ditto_message_halt *halt)
{
    ditto_message_put8(message, halt->why);
    ditto_message_put_position(message, &halt->present);
    ditto_message_put_hit(message, &halt->hit);
    ditto_message_put64(message, halt->accesses);
}

void ditto_message_get_halt(struct ditto_message *message, struct ditto_message_halt *halt)
{
    halt->why = ditto_message_get8(message);
    ditto_message_get_position(message, &halt->present);
    ditto_message_get_hit(message, &halt->hit);
    halt->accesses = ditto_message_get64(message);
}

void ditto_message_put_thread(struct ditto_message *message,
                              const struct ditto_message_thread *thread)
{
    ditto_message_put32(message, thread->id);
    ditto_message_put8(message, thread->waits);
    ditto_message_put8(message, thread->at_end);
    ditto_message_put_text(message, thread->what);
    ditto_message_put8(message, thread->wants);
    ditto_message_put8(message, thread->awaits);
    ditto_message_put64(message, thread->wanted);
    ditto_message_put64(message, thread->awaited);
    ditto_message_put32(message, thread->holder);
    ditto_message_put32(message, thread->joined);
}

void ditto_message_get_thread(struct ditto_message *message, struct ditto_message_thread *thread)
{
    thread->id = ditto_message_get32(message);
    thread->waits = ditto_message_get8(message);
    thread->at_end = ditto_message_get8(message);
    thread->what = ditto_message_get_text(message);
    thread->wants = ditto_message_get8(message);
    thread->awaits = ditto_message_get8(message);
    thread->wanted = ditto_message_get64(message);
    thread->awaited = ditto_message_get64(message);
    thread->holder = ditto_message_get32(message);
    thread->joined = ditto_message_get32(message);
}
