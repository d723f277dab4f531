/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/rsp.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { INPUT_SIZE = 4 * WIRE_PACKET_SIZE, INTERRUPT_BYTE = 3 };

struct wire {
    int in, out, wake; /* `wake` ends the watching thread's poll */
    bool (*must_end)(void);
    bool acks, acks_end, closed;

    /*
     * Bytes that came and were not used yet.  While the watching thread runs, this and `closed`
     * are its own; it is created before and joined after, which orders the accesses.
     */
    char input[INPUT_SIZE];
    size_t begin, end;

    char packet[WIRE_PACKET_SIZE + 1];
    char *sent; /* the last packet with its frame, in case gdb wants it again */
    size_t sent_length, sent_capacity;

    pthread_t watcher;
    bool watching;
    enum wire_event seen; /* by the watching thread */
    void (*interrupt)(void *context);
    void *context;
};

struct wire *wire_make(int in, int out, bool (*must_end)(void))
{
    struct wire *wire = calloc(1, sizeof *wire);
    if (!wire)
        abort();
    wire->in = in;
    wire->out = out;
    wire->must_end = must_end;
    wire->acks = true;
    wire->wake = eventfd(0, EFD_CLOEXEC);
    return wire;
}

void wire_free(struct wire *wire)
{
    if (wire->wake >= 0)
        close(wire->wake);
    free(wire->sent);
    free(wire);
}

/* ------------------------------------------------------------------------ sending */

static void write_all(struct wire *wire, const char *bytes, size_t length)
{
    while (length > 0 && !wire->closed) {
        ssize_t count = write(wire->out, bytes, length);
        if (count < 0 && errno == EINTR && !wire->must_end())
            continue;
        if (count < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = wire->out, .events = POLLOUT};
            poll(&ready, 1, -1);
            continue;
        }
        if (count <= 0) {
            wire->closed = true;
            return;
        }
        bytes += count;
        length -= (size_t)count;
    }
}

static const char hex_digits[] = "0123456789abcdef";

void wire_send(struct wire *wire, const void *packet, size_t length)
{
    const uint8_t *bytes = packet;
    size_t needed = 2 * length + 4, at = 0;
    unsigned sum = 0;
    if (needed > wire->sent_capacity) {
        wire->sent_capacity = needed;
        wire->sent = realloc(wire->sent, needed);
        if (!wire->sent)
            abort();
    }
    wire->sent[at++] = '$';
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = bytes[i];
        if (byte == '$' || byte == '#' || byte == '}' || byte == '*') {
            wire->sent[at++] = '}';
            sum += '}';
            byte ^= 0x20;
        }
        wire->sent[at++] = (char)byte;
        sum += byte;
    }
    wire->sent[at++] = '#';
    wire->sent[at++] = hex_digits[sum >> 4 & 15];
    wire->sent[at++] = hex_digits[sum & 15];
    wire->sent_length = at;
    write_all(wire, wire->sent, at);
    if (wire->acks_end)
        wire->acks = false;
}

void wire_stop_acks(struct wire *wire)
{
    wire->acks_end = true;
}

/* ---------------------------------------------------------------------- receiving */

/* Waits for bytes; false when there will be none. */
static bool fill(struct wire *wire)
{
    if (wire->begin == wire->end)
        wire->begin = wire->end = 0;
    if (wire->end == INPUT_SIZE) {
        memmove(wire->input, wire->input + wire->begin, wire->end - wire->begin);
        wire->end -= wire->begin;
        wire->begin = 0;
    }
    while (!wire->closed && wire->end < INPUT_SIZE) {
        /* A signal may come just before we wait: so we look up now and then. */
        struct pollfd ready = {.fd = wire->in, .events = POLLIN};
        if (wire->must_end()) {
            wire->closed = true;
            break;
        }
        if (poll(&ready, 1, 500) <= 0)
            continue;
        ssize_t count = read(wire->in, wire->input + wire->end, INPUT_SIZE - wire->end);
        if (count > 0) {
            wire->end += (size_t)count;
            return true;
        }
        wire->closed = count == 0 || (errno != EINTR && errno != EAGAIN);
    }
    return !wire->closed;
}

static int next_byte(struct wire *wire)
{
    while (wire->begin == wire->end)
        if (!fill(wire))
            return -1;
    return (unsigned char)wire->input[wire->begin++];
}

static int digit(int byte)
{
    const char *at = byte > 0 ? strchr(hex_digits, byte | 0x20) : NULL;
    return at ? (int)(at - hex_digits) : -1;
}

/* After the '$'.  The length, -1 for a packet that must come again, -2 when gdb has gone. */
static long read_packet(struct wire *wire)
{
    size_t length = 0;
    unsigned sum = 0;
    bool too_long = false;
    for (;;) {
        int byte = next_byte(wire);
        if (byte < 0)
            return -2;
        if (byte == '#')
            break;
        if (byte == '$') { /* the rest of the last one was lost */
            length = 0;
            sum = 0;
            too_long = false;
            continue;
        }
        sum += (unsigned)byte;
        if (byte == '}') {
            byte = next_byte(wire);
            if (byte < 0)
                return -2;
            sum += (unsigned)byte;
            byte ^= 0x20;
        }
        if (length < WIRE_PACKET_SIZE)
            wire->packet[length++] = (char)byte;
        else
            too_long = true;
    }
    int high = digit(next_byte(wire)), low = digit(next_byte(wire));
    if (wire->closed && wire->begin == wire->end && (high < 0 || low < 0))
        return -2;
    if (wire->acks &&
        (too_long || high < 0 || low < 0 || (unsigned)(high << 4 | low) != (sum & 255)))
        return -1;
    wire->packet[length] = '\0';
    return (long)length;
}

enum wire_event wire_next(struct wire *wire, char **packet, size_t *length)
{
    assert(!wire->watching);
    for (;;) {
        int byte = next_byte(wire);
        if (byte < 0)
            return WIRE_CLOSED;
        if (byte == INTERRUPT_BYTE)
            return WIRE_INTERRUPT;
        if (byte == '-' && wire->acks && wire->sent_length)
            write_all(wire, wire->sent, wire->sent_length);
        if (byte != '$')
            continue;
        long got = read_packet(wire);
        if (got == -2)
            return WIRE_CLOSED;
        if (wire->acks)
            write_all(wire, got < 0 ? "-" : "+", 1);
        if (got < 0)
            continue;
        *packet = wire->packet;
        *length = (size_t)got;
        return WIRE_PACKET;
    }
}

/* ----------------------------------------------------------------------- watching */

/* Outside packets only: gdb sends none while it waits for one, but a peer that is no gdb may. */
static bool has_interrupt(struct wire *wire)
{
    bool inside = false;
    for (size_t i = wire->begin; i < wire->end; i++) {
        if (wire->input[i] == '$' || wire->input[i] == '#')
            inside = wire->input[i] == '$';
        if (!inside && wire->input[i] == INTERRUPT_BYTE) {
            memmove(wire->input + i, wire->input + i + 1, wire->end - i - 1);
            wire->end--;
            return true;
        }
    }
    return false;
}

static void *watch(void *argument)
{
    struct wire *wire = argument;
    struct pollfd fds[] = {{.fd = wire->wake, .events = POLLIN},
                           {.fd = wire->in, .events = POLLIN}};
    while (wire->seen == WIRE_PACKET) {
        if (has_interrupt(wire)) {
            wire->seen = WIRE_INTERRUPT;
            break;
        }
        /* With a full buffer there is nothing to wait for but the end. */
        if (poll(fds, wire->end - wire->begin == INPUT_SIZE ? 1 : 2, -1) < 0)
            continue;
        if (fds[0].revents)
            return NULL;
        if (fds[1].revents && !fill(wire))
            wire->seen = WIRE_CLOSED;
    }
    /* What is to be interrupted may not have begun yet: so it is said until it is over. */
    do
        wire->interrupt(wire->context);
    while (poll(fds, 1, 50) == 0);
    return NULL;
}

void wire_watch(struct wire *wire, void (*interrupt)(void *context), void *context)
{
    sigset_t all, before;
    assert(!wire->watching);
    wire->interrupt = interrupt;
    wire->context = context;
    wire->seen = WIRE_PACKET;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    wire->watching = pthread_create(&wire->watcher, NULL, watch, wire) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum wire_event wire_unwatch(struct wire *wire)
{
    uint64_t one = 1;
    if (!wire->watching)
        return WIRE_PACKET;
    while (write(wire->wake, &one, sizeof one) < 0 && errno == EINTR)
        ;
    pthread_join(wire->watcher, NULL);
    wire->watching = false;
    while (read(wire->wake, &one, sizeof one) < 0 && errno == EINTR)
        ;
    return wire->seen;
}
