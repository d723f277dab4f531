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

#include "core/base/debug.h"
#include "core/base/die.h"

enum { INPUT_SIZE = 4 * RSP_PACKET_SIZE, INTERRUPT_BYTE = 3 };

struct rsp {
    int in, out, wake; /* `wake` ends the watching thread's poll */
    bool (*must_end)(void);
    bool acks, acks_end, closed;

    /*
     * Bytes that came and were not used yet.  While the watching thread runs, this and `closed`
     * are its own; it is created before and joined after, which orders the accesses.
     */
    char input[INPUT_SIZE];
    size_t begin, end;

    char packet[RSP_PACKET_SIZE + 1];
    char *sent; /* the last packet with its frame, in case gdb wants it again */
    size_t sent_length, sent_capacity;

    pthread_t watcher;
    bool watching;
    enum rsp_event seen; /* by the watching thread */
    void (*interrupt)(void *context);
    void *context;
};

struct rsp *rsp_make(int in, int out, bool (*must_end)(void))
{
    struct rsp *rsp = ditto_alloc_zeroed(1, sizeof *rsp, "a connection");
    rsp->in = in;
    rsp->out = out;
    rsp->must_end = must_end;
    rsp->acks = true;
    rsp->wake = eventfd(0, EFD_CLOEXEC);
    return rsp;
}

void rsp_free(struct rsp *rsp)
{
    if (rsp->wake >= 0)
        close(rsp->wake);
    free(rsp->sent);
    free(rsp);
}

/* ------------------------------------------------------------------------ sending */

static void write_all(struct rsp *rsp, const char *bytes, size_t length)
{
    while (length > 0 && !rsp->closed) {
        ssize_t count = write(rsp->out, bytes, length);
        if (count < 0 && errno == EINTR && !rsp->must_end())
            continue;
        if (count < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = rsp->out, .events = POLLOUT};
            poll(&ready, 1, -1);
            continue;
        }
        if (count <= 0) {
            rsp->closed = true;
            return;
        }
        bytes += count;
        length -= (size_t)count;
    }
}

static const char hex_digits[] = "0123456789abcdef";

void rsp_send(struct rsp *rsp, const void *packet, size_t length)
{
    const uint8_t *bytes = packet;
    size_t needed = 2 * length + 4, at = 0;
    unsigned sum = 0;
    if (needed > rsp->sent_capacity) {
        rsp->sent_capacity = needed;
        rsp->sent = ditto_grow(rsp->sent, needed, 1, "a packet");
    }
    rsp->sent[at++] = '$';
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = bytes[i];
        if (byte == '$' || byte == '#' || byte == '}' || byte == '*') {
            rsp->sent[at++] = '}';
            sum += '}';
            byte ^= 0x20;
        }
        rsp->sent[at++] = (char)byte;
        sum += byte;
    }
    rsp->sent[at++] = '#';
    rsp->sent[at++] = hex_digits[sum >> 4 & 15];
    rsp->sent[at++] = hex_digits[sum & 15];
    rsp->sent_length = at;
    DITTO_DEBUG(rsp, 1, "to gdb: %.*s", (int)at, rsp->sent);
    write_all(rsp, rsp->sent, at);
    if (rsp->acks_end)
        rsp->acks = false;
}

void rsp_stop_acks(struct rsp *rsp)
{
    rsp->acks_end = true;
}

/* ---------------------------------------------------------------------- receiving */

/* Waits for bytes; false when there will be none. */
static bool fill(struct rsp *rsp)
{
    if (rsp->begin == rsp->end)
        rsp->begin = rsp->end = 0;
    if (rsp->end == INPUT_SIZE) {
        memmove(rsp->input, rsp->input + rsp->begin, rsp->end - rsp->begin);
        rsp->end -= rsp->begin;
        rsp->begin = 0;
    }
    while (!rsp->closed && rsp->end < INPUT_SIZE) {
        /* A signal may come just before we wait: so we look up now and then. */
        struct pollfd ready = {.fd = rsp->in, .events = POLLIN};
        if (rsp->must_end()) {
            rsp->closed = true;
            break;
        }
        if (poll(&ready, 1, 500) <= 0)
            continue;
        ssize_t count = read(rsp->in, rsp->input + rsp->end, INPUT_SIZE - rsp->end);
        if (count > 0) {
            rsp->end += (size_t)count;
            return true;
        }
        rsp->closed = count == 0 || (errno != EINTR && errno != EAGAIN);
    }
    return !rsp->closed;
}

static int next_byte(struct rsp *rsp)
{
    while (rsp->begin == rsp->end)
        if (!fill(rsp))
            return -1;
    return (unsigned char)rsp->input[rsp->begin++];
}

static int digit(int byte)
{
    const char *at = byte > 0 ? strchr(hex_digits, byte | 0x20) : NULL;
    return at ? (int)(at - hex_digits) : -1;
}

/* After the '$'.  The length, -1 for a packet that must come again, -2 when gdb has gone. */
static long read_packet(struct rsp *rsp)
{
    size_t length = 0;
    unsigned sum = 0;
    bool too_long = false;
    for (;;) {
        int byte = next_byte(rsp);
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
            byte = next_byte(rsp);
            if (byte < 0)
                return -2;
            sum += (unsigned)byte;
            byte ^= 0x20;
        }
        if (length < RSP_PACKET_SIZE)
            rsp->packet[length++] = (char)byte;
        else
            too_long = true;
    }
    int high = digit(next_byte(rsp)), low = digit(next_byte(rsp));
    if (rsp->closed && rsp->begin == rsp->end && (high < 0 || low < 0))
        return -2;
    if (rsp->acks &&
        (too_long || high < 0 || low < 0 || (unsigned)(high << 4 | low) != (sum & 255)))
        return -1;
    rsp->packet[length] = '\0';
    return (long)length;
}

enum rsp_event rsp_next(struct rsp *rsp, char **packet, size_t *length)
{
    assert(!rsp->watching);
    for (;;) {
        int byte = next_byte(rsp);
        if (byte < 0)
            return RSP_CLOSED;
        if (byte == INTERRUPT_BYTE) {
            DITTO_DEBUG(rsp, 1, "from gdb: an interrupt");
            return RSP_INTERRUPT;
        }
        if (byte == '-' && rsp->acks && rsp->sent_length)
            write_all(rsp, rsp->sent, rsp->sent_length);
        if (byte != '$')
            continue;
        long got = read_packet(rsp);
        if (got == -2)
            return RSP_CLOSED;
        if (rsp->acks)
            write_all(rsp, got < 0 ? "-" : "+", 1);
        if (got < 0)
            continue;
        DITTO_DEBUG(rsp, 1, "from gdb: %.*s", (int)got, rsp->packet);
        *packet = rsp->packet;
        *length = (size_t)got;
        return RSP_PACKET;
    }
}

/* ----------------------------------------------------------------------- watching */

/* Outside packets only: gdb sends none while it waits for one, but a peer that is no gdb may. */
static bool has_interrupt(struct rsp *rsp)
{
    bool inside = false;
    for (size_t i = rsp->begin; i < rsp->end; i++) {
        if (rsp->input[i] == '$' || rsp->input[i] == '#')
            inside = rsp->input[i] == '$';
        if (!inside && rsp->input[i] == INTERRUPT_BYTE) {
            memmove(rsp->input + i, rsp->input + i + 1, rsp->end - i - 1);
            rsp->end--;
            return true;
        }
    }
    return false;
}

static void *watch(void *argument)
{
    struct rsp *rsp = argument;
    struct pollfd fds[] = {{.fd = rsp->wake, .events = POLLIN}, {.fd = rsp->in, .events = POLLIN}};
    while (rsp->seen == RSP_PACKET) {
        if (has_interrupt(rsp)) {
            rsp->seen = RSP_INTERRUPT;
            break;
        }
        /* With a full buffer there is nothing to wait for but the end. */
        if (poll(fds, rsp->end - rsp->begin == INPUT_SIZE ? 1 : 2, -1) < 0)
            continue;
        if (fds[0].revents)
            return NULL;
        if (fds[1].revents && !fill(rsp))
            rsp->seen = RSP_CLOSED;
    }
    /* What is to be interrupted may not have begun yet: so it is said until it is over. */
    do
        rsp->interrupt(rsp->context);
    while (poll(fds, 1, 50) == 0);
    return NULL;
}

void rsp_watch(struct rsp *rsp, void (*interrupt)(void *context), void *context)
{
    sigset_t all, before;
    assert(!rsp->watching);
    rsp->interrupt = interrupt;
    rsp->context = context;
    rsp->seen = RSP_PACKET;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    rsp->watching = pthread_create(&rsp->watcher, NULL, watch, rsp) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

enum rsp_event rsp_unwatch(struct rsp *rsp)
{
    uint64_t one = 1;
    if (!rsp->watching)
        return RSP_PACKET;
    while (write(rsp->wake, &one, sizeof one) < 0 && errno == EINTR)
        ;
    pthread_join(rsp->watcher, NULL);
    rsp->watching = false;
    while (read(rsp->wake, &one, sizeof one) < 0 && errno == EINTR)
        ;
    return rsp->seen;
}
