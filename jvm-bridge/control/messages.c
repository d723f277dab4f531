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

void ditto_wire_free(struct ditto_wire *wire)
{
    free(wire->bytes);
    *wire = (struct ditto_wire){0};
}

static void reserve(struct ditto_wire *wire, size_t more)
{
    if (wire->size + more <= wire->capacity)
        return;
    while (wire->size + more > wire->capacity)
        wire->capacity = wire->capacity ? 2 * wire->capacity : 256;
    wire->bytes = ditto_grow(wire->bytes, wire->capacity, 1, "a message");
}

static void put(struct ditto_wire *wire, const void *bytes, size_t size)
{
    reserve(wire, size);
    if (size)
        memcpy(wire->bytes + wire->size, bytes, size);
    wire->size += size;
}

void ditto_wire_begin(struct ditto_wire *wire, enum ditto_wire_kind kind)
{
    wire->size = wire->at = 0;
    wire->failed = false;
    ditto_wire_put32(wire, 0);
    ditto_wire_put8(wire, (uint8_t)kind);
}

void ditto_wire_put8(struct ditto_wire *wire, uint8_t value)
{
    put(wire, &value, sizeof value);
}

void ditto_wire_put32(struct ditto_wire *wire, uint32_t value)
{
    put(wire, &value, sizeof value);
}

void ditto_wire_put64(struct ditto_wire *wire, uint64_t value)
{
    put(wire, &value, sizeof value);
}

void ditto_wire_put_bytes(struct ditto_wire *wire, const void *bytes, size_t size)
{
    ditto_wire_put32(wire, (uint32_t)size);
    put(wire, bytes, size);
}

/* With its zero, so that it can be used where it lies. */
void ditto_wire_put_text(struct ditto_wire *wire, const char *text)
{
    ditto_wire_put_bytes(wire, text ? text : "", strlen(text ? text : "") + 1);
}

void ditto_wire_set32(struct ditto_wire *wire, size_t at, uint32_t value)
{
    memcpy(wire->bytes + at, &value, sizeof value);
}

static void get(struct ditto_wire *wire, void *to, size_t size)
{
    if (wire->failed || size > wire->size - wire->at) {
        wire->failed = true;
        memset(to, 0, size);
        return;
    }
    memcpy(to, wire->bytes + wire->at, size);
    wire->at += size;
}

uint8_t ditto_wire_get8(struct ditto_wire *wire)
{
    uint8_t value;
    get(wire, &value, sizeof value);
    return value;
}

uint32_t ditto_wire_get32(struct ditto_wire *wire)
{
    uint32_t value;
    get(wire, &value, sizeof value);
    return value;
}

uint64_t ditto_wire_get64(struct ditto_wire *wire)
{
    uint64_t value;
    get(wire, &value, sizeof value);
    return value;
}

const uint8_t *ditto_wire_get_bytes(struct ditto_wire *wire, size_t *size)
{
    *size = ditto_wire_get32(wire);
    if (wire->failed || *size > wire->size - wire->at) {
        wire->failed = true;
        *size = 0;
        return (const uint8_t *)"";
    }
    const uint8_t *bytes = wire->bytes + wire->at;
    wire->at += *size;
    return bytes;
}

const char *ditto_wire_get_text(struct ditto_wire *wire)
{
    size_t size;
    const char *text = (const char *)ditto_wire_get_bytes(wire, &size);
    if (size == 0 || text[size - 1] != '\0') {
        wire->failed = true;
        return "";
    }
    return text;
}

bool ditto_wire_send(int fd, struct ditto_wire *wire)
{
    ditto_wire_set32(wire, 0, (uint32_t)(wire->size - 4));
    DITTO_DEBUG(messages, 1, "to %d: kind %u, %zu bytes", fd, wire->bytes[4], wire->size);
    for (size_t sent = 0; sent < wire->size;) {
        ssize_t now = send(fd, wire->bytes + sent, wire->size - sent, MSG_NOSIGNAL);
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

uint8_t ditto_wire_receive(int fd, struct ditto_wire *wire)
{
    uint32_t length;
    wire->size = wire->at = 0;
    wire->failed = false;
    if (!receive(fd, (uint8_t *)&length, sizeof length) || length == 0 || length > LONGEST) {
        DITTO_DEBUG(messages, 1, "from %d: nobody is there any more", fd);
        return 0;
    }
    reserve(wire, length);
    if (!receive(fd, wire->bytes, length))
        return 0;
    wire->size = length;
    DITTO_DEBUG(messages, 1, "from %d: kind %u, %u bytes", fd, wire->bytes[0], length);
    return ditto_wire_get8(wire);
}

/* ----------------------------------------------------------------- structures */

void ditto_wire_put_value(struct ditto_wire *wire, const struct ditto_wire_value *value)
{
    ditto_wire_put8(wire, (uint8_t)value->type);
    ditto_wire_put64(wire, value->bits);
}

struct ditto_wire_value ditto_wire_get_value(struct ditto_wire *wire)
{
    struct ditto_wire_value value;
    value.type = (char)ditto_wire_get8(wire);
    value.bits = ditto_wire_get64(wire);
    return value;
}

void ditto_wire_put_spot(struct ditto_wire *wire, const struct ditto_wire_spot *spot)
{
    ditto_wire_put8(wire, spot->kind);
    ditto_wire_put32(wire, spot->thread);
    ditto_wire_put64(wire, spot->turn);
    ditto_wire_put64(wire, spot->clock);
    ditto_wire_put64(wire, spot->step);
    ditto_wire_put64(wire, spot->nth);
    if (spot->kind != DITTO_SPOT_MARK)
        return;
    ditto_wire_put_text(wire, spot->class_name);
    ditto_wire_put_text(wire, spot->method);
    ditto_wire_put_text(wire, spot->descriptor);
    ditto_wire_put32(wire, (uint32_t)spot->bci);
}

void ditto_wire_get_spot(struct ditto_wire *wire, struct ditto_wire_spot *spot)
{
    *spot = (struct ditto_wire_spot){.kind = ditto_wire_get8(wire)};
    spot->thread = ditto_wire_get32(wire);
    spot->turn = ditto_wire_get64(wire);
    spot->clock = ditto_wire_get64(wire);
    spot->step = ditto_wire_get64(wire);
    spot->nth = ditto_wire_get64(wire);
    if (spot->kind != DITTO_SPOT_MARK)
        return;
    spot->class_name = ditto_wire_get_text(wire);
    spot->method = ditto_wire_get_text(wire);
    spot->descriptor = ditto_wire_get_text(wire);
    spot->bci = (int32_t)ditto_wire_get32(wire);
}

void ditto_wire_put_run(struct ditto_wire *wire, const struct ditto_wire_run *run)
{
    ditto_wire_put8(wire, run->pace);
    ditto_wire_put64(wire, run->limit);
    ditto_wire_put_spot(wire, &run->target);
    ditto_wire_put8(wire, run->flags);
    ditto_wire_put8(wire, run->walk);
    ditto_wire_put32(wire, run->walker);
    ditto_wire_put32(wire, (uint32_t)run->from);
    ditto_wire_put32(wire, (uint32_t)run->to);
    ditto_wire_put32(wire, run->break_count);
    for (uint32_t i = 0; i < run->break_count; i++) {
        ditto_wire_put_text(wire, run->breaks[i].class_name);
        ditto_wire_put_text(wire, run->breaks[i].method);
        ditto_wire_put_text(wire, run->breaks[i].descriptor);
        ditto_wire_put32(wire, (uint32_t)run->breaks[i].bci);
    }
    ditto_wire_put32(wire, run->watch_count);
    for (uint32_t i = 0; i < run->watch_count; i++) {
        const struct ditto_wire_watch *watch = &run->watches[i];
        ditto_wire_put8(wire, watch->kind);
        ditto_wire_put64(wire, watch->key);
        ditto_wire_put_text(wire, watch->class_name);
        ditto_wire_put_text(wire, watch->field);
        ditto_wire_put_text(wire, watch->descriptor);
        ditto_wire_put64(wire, (uint64_t)watch->index);
        ditto_wire_put64(wire, watch->nth);
    }
}

void ditto_wire_get_run(struct ditto_wire *wire, struct ditto_wire_run *run)
{
    *run = (struct ditto_wire_run){.pace = ditto_wire_get8(wire)};
    run->limit = ditto_wire_get64(wire);
    ditto_wire_get_spot(wire, &run->target);
    run->flags = ditto_wire_get8(wire);
    run->walk = ditto_wire_get8(wire);
    run->walker = ditto_wire_get32(wire);
    run->from = (int32_t)ditto_wire_get32(wire);
    run->to = (int32_t)ditto_wire_get32(wire);
    uint32_t count = ditto_wire_get32(wire);
    run->breaks = ditto_alloc_zeroed((size_t)count + 1, sizeof *run->breaks, "breakpoints");
    for (; !wire->failed && run->break_count < count; run->break_count++) {
        struct ditto_wire_break *at = &run->breaks[run->break_count];
        at->class_name = ditto_wire_get_text(wire);
        at->method = ditto_wire_get_text(wire);
        at->descriptor = ditto_wire_get_text(wire);
        at->bci = (int32_t)ditto_wire_get32(wire);
    }
    count = ditto_wire_get32(wire);
    run->watches = ditto_alloc_zeroed((size_t)count + 1, sizeof *run->watches, "watches");
    for (; !wire->failed && run->watch_count < count; run->watch_count++) {
        struct ditto_wire_watch *watch = &run->watches[run->watch_count];
        watch->kind = ditto_wire_get8(wire);
        watch->key = ditto_wire_get64(wire);
        watch->class_name = ditto_wire_get_text(wire);
        watch->field = ditto_wire_get_text(wire);
        watch->descriptor = ditto_wire_get_text(wire);
        watch->index = (int64_t)ditto_wire_get64(wire);
        watch->nth = ditto_wire_get64(wire);
    }
}

void ditto_wire_put_hit(struct ditto_wire *wire, const struct ditto_wire_hit *hit)
{
    ditto_wire_put8(wire, hit->why);
    ditto_wire_put32(wire, hit->index);
    ditto_wire_put_spot(wire, &hit->at);
    ditto_wire_put_spot(wire, &hit->before);
    ditto_wire_put64(wire, hit->key);
    ditto_wire_put64(wire, hit->nth);
    ditto_wire_put_value(wire, &hit->old);
    ditto_wire_put_value(wire, &hit->new);
    ditto_wire_put8(wire, hit->written);
    ditto_wire_put32(wire, hit->method);
    ditto_wire_put32(wire, (uint32_t)hit->bci);
}

void ditto_wire_get_hit(struct ditto_wire *wire, struct ditto_wire_hit *hit)
{
    *hit = (struct ditto_wire_hit){.why = ditto_wire_get8(wire)};
    hit->index = ditto_wire_get32(wire);
    ditto_wire_get_spot(wire, &hit->at);
    ditto_wire_get_spot(wire, &hit->before);
    hit->key = ditto_wire_get64(wire);
    hit->nth = ditto_wire_get64(wire);
    hit->old = ditto_wire_get_value(wire);
    hit->new = ditto_wire_get_value(wire);
    hit->written = ditto_wire_get8(wire);
    hit->method = ditto_wire_get32(wire);
    hit->bci = (int32_t)ditto_wire_get32(wire);
}

void ditto_wire_put_halt(struct ditto_wire *wire, const struct ditto_wire_halt *halt)
{
    ditto_wire_put8(wire, halt->why);
    ditto_wire_put_spot(wire, &halt->present);
    ditto_wire_put_hit(wire, &halt->hit);
    ditto_wire_put64(wire, halt->accesses);
}

void ditto_wire_get_halt(struct ditto_wire *wire, struct ditto_wire_halt *halt)
{
    halt->why = ditto_wire_get8(wire);
    ditto_wire_get_spot(wire, &halt->present);
    ditto_wire_get_hit(wire, &halt->hit);
    halt->accesses = ditto_wire_get64(wire);
}

void ditto_wire_put_thread(struct ditto_wire *wire, const struct ditto_wire_thread *thread)
{
    ditto_wire_put32(wire, thread->id);
    ditto_wire_put8(wire, thread->waits);
    ditto_wire_put8(wire, thread->at_end);
    ditto_wire_put_text(wire, thread->what);
    ditto_wire_put8(wire, thread->wants);
    ditto_wire_put8(wire, thread->awaits);
    ditto_wire_put64(wire, thread->wanted);
    ditto_wire_put64(wire, thread->awaited);
    ditto_wire_put32(wire, thread->holder);
    ditto_wire_put32(wire, thread->joined);
}

void ditto_wire_get_thread(struct ditto_wire *wire, struct ditto_wire_thread *thread)
{
    thread->id = ditto_wire_get32(wire);
    thread->waits = ditto_wire_get8(wire);
    thread->at_end = ditto_wire_get8(wire);
    thread->what = ditto_wire_get_text(wire);
    thread->wants = ditto_wire_get8(wire);
    thread->awaits = ditto_wire_get8(wire);
    thread->wanted = ditto_wire_get64(wire);
    thread->awaited = ditto_wire_get64(wire);
    thread->holder = ditto_wire_get32(wire);
    thread->joined = ditto_wire_get32(wire);
}
