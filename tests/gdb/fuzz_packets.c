/* SPDX-License-Identifier: MIT */
/*
 * Sends random packets to a stub: proper ones with random numbers, damaged ones, noise.  The stub
 * must answer a proper question afterwards, and end by itself when we go.
 *
 *     fuzz_packets COUNT SEED STUB ARGUMENT...
 */
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state;

static uint32_t chance(uint32_t below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % below;
}

/* # stands for a number, @ for an address, t for a thread. */
static const char *const shapes[] = {
    "qSupported:swbreak+;hwbreak+",
    "?",
    "Hg#t",
    "Hc#t",
    "Hc-1",
    "Hc0",
    "T#t",
    "qC",
    "qAttached",
    "qSymbol::",
    "qXfer:features:read:target.xml:##,##",
    "qXfer:threads:read::##,##",
    "qXfer:exec-file:read::##,##",
    "qfThreadInfo",
    "qsThreadInfo",
    "qThreadExtraInfo,#t",
    "vFile:setfs:0",
    "vFile:open:2f646974746f2f70726f6772616d2e656c66,0,0",
    "vFile:open:##,0,0",
    "vFile:pread:5,##,##",
    "vFile:fstat:5",
    "vFile:close:5",
    "g",
    "p##",
    "m@,##",
    "m@,##",
    "m@,8",
    "G##",
    "P10=##",
    "M@,1:00",
    "X@,1:}",
    "Z0,@,1",
    "Z0,@,1",
    "Z0,@,1;X4,26000627",
    "Z0,@,1;X6,260006190e27X3,22##27",
    "Z0,@,1;X##,21000027",
    "z0,@,1",
    "Z1,@,1",
    "Z2,@,8",
    "Z3,@,8",
    "Z4,@,##",
    "z2,@,8",
    "vCont?",
    "vCont;c",
    "vCont;s:#t;c",
    "vCont;s:#t",
    "vCont;r@,@:#t;c",
    "vCont;r@,@",
    "vCont;C05:#t",
    "vCont;c:#t",
    "bs",
    "bc",
    "s",
    "c",
    "vRun;",
    "vKill;a410",
    "D",
    "R00",
    "k",
    "qRcmd,676f746f203130",                                         /* goto 10 */
    "qRcmd,676f746f20656e64",                                       /* goto end */
    "qRcmd,696e666f",                                               /* info */
    "qRcmd,7761697473",                                             /* waits */
    "qRcmd,636c6173736573",                                         /* classes */
    "qRcmd,627265616b2d7772697465204163636f756e742e62616c616e6365", /* break-write Account.balance
                                                                     */
    "qRcmd,627265616b2d77726974652064656c657465",                   /* break-write delete */
    "qRcmd,777269746573204163636f756e742e62616c616e6365",           /* writes Account.balance */
    "qRcmd,62797465636f646520307831303030303030303030363120",       /* bytecode 0x100000000061 */
    "qRcmd,##",
};

static uint64_t address(void)
{
    static const uint64_t bases[] = {
        0x100000000000,     0x100000000060,     0x110000000000,     0x120000000000,
        0x200010000000,     0x20001ffffe00,     0x300000200000,     0x300000a00000,
        0x4000001000000000, 0x4000002800000010, 0x6000001800000000, 0,
    };
    uint64_t base = bases[chance(sizeof bases / sizeof *bases)];
    switch (chance(4)) {
    case 0:
        return base + chance(4096);
    case 1:
        return base + 8 * chance(64);
    case 2:
        return base - chance(256);
    default:
        return chance(20) ? base + chance(64) : (uint64_t)chance(1u << 31) << chance(34);
    }
}

static size_t fill_in(const char *shape, char *out)
{
    size_t length = 0;
    for (; *shape; shape++) {
        if (shape[0] == '#' && shape[1] == 't') {
            length += (size_t)sprintf(out + length, "%x", chance(6));
            shape++;
        } else if (shape[0] == '#' && shape[1] == '#') {
            static const uint32_t sizes[] = {1, 16, 256, 0x4000, 0x7fffffff};
            length += (size_t)sprintf(out + length, "%x", chance(sizes[chance(5)]));
            shape++;
        } else if (*shape == '@') {
            length += (size_t)sprintf(out + length, "%llx", (unsigned long long)address());
        } else {
            out[length++] = *shape;
        }
    }
    return length;
}

/* Appends a packet, with its frame, to the bytes to be sent. */
static size_t frame(const char *packet, size_t length, char *out)
{
    unsigned sum = 0;
    size_t at = 0;
    out[at++] = '$';
    for (size_t i = 0; i < length; i++) {
        sum += (unsigned char)packet[i];
        out[at++] = packet[i];
    }
    if (chance(200) == 0)
        sum++;
    at += (size_t)sprintf(out + at, "#%02x", sum & 255);
    return at;
}

static size_t make_bytes(char *out)
{
    char packet[4096];
    const char *shape = shapes[chance(sizeof shapes / sizeof *shapes)];
    /* A stub without a program has little to say. */
    if ((shape[0] == 'D' || shape[0] == 'k' || strncmp(shape, "vKill", 5) == 0) && chance(8))
        shape = "vRun;";
    size_t length = fill_in(shape, packet);
    switch (chance(10)) {
    case 0: /* damage */
        for (uint32_t i = chance(4); i-- > 0 && length;)
            packet[chance((uint32_t)length)] = (char)chance(256);
        break;
    case 1: /* cut, or doubled */
        if (length && chance(2))
            length = chance((uint32_t)length);
        else {
            memcpy(packet + length, packet, length);
            length *= 2;
        }
        break;
    default:
        break;
    }
    if (chance(50) == 0) { /* noise between packets */
        size_t noise = chance(64);
        for (size_t i = 0; i < noise; i++)
            out[i] = (char)chance(256);
        return noise + frame(packet, length, out + noise);
    }
    if (chance(100) == 0) {
        out[0] = 3;
        return 1 + frame(packet, length, out + 1);
    }
    return frame(packet, length, out);
}

/* Reads all that the stub says, and keeps the end of it. */
struct drain {
    int fd;
    pthread_mutex_t lock;
    char tail[256]; /* under the lock */
    size_t total;
};

static void *drain(void *argument)
{
    struct drain *drain = argument;
    char bytes[65536];
    ssize_t count;
    while ((count = read(drain->fd, bytes, sizeof bytes)) > 0) {
        pthread_mutex_lock(&drain->lock);
        size_t keep =
            (size_t)count < sizeof drain->tail - 1 ? (size_t)count : sizeof drain->tail - 1;
        memmove(drain->tail, drain->tail + keep, sizeof drain->tail - 1 - keep);
        memcpy(drain->tail + sizeof drain->tail - 1 - keep, bytes + count - keep, keep);
        drain->total += (size_t)count;
        pthread_mutex_unlock(&drain->lock);
    }
    return NULL;
}

static int send_all(int fd, const char *bytes, size_t length)
{
    while (length) {
        ssize_t count = write(fd, bytes, length);
        if (count <= 0)
            return -1;
        bytes += count;
        length -= (size_t)count;
    }
    return 0;
}

static int fail(const char *what)
{
    printf("failed: %s\n", what);
    return 1;
}

int main(int argc, char **argv)
{
    int sockets[2], status;
    static char bytes[16384];
    struct drain reader = {.lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_t thread;
    if (argc < 4)
        return fail("arguments: COUNT SEED STUB ARGUMENT...");
    unsigned long count = strtoul(argv[1], NULL, 10);
    state = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
    signal(SIGPIPE, SIG_IGN);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
        return fail("no sockets");
    pid_t child = fork();
    if (child == 0) {
        dup2(sockets[1], 0);
        dup2(sockets[1], 1);
        execv(argv[3], argv + 3);
        _exit(127);
    }
    close(sockets[1]);
    reader.fd = sockets[0];
    pthread_create(&thread, NULL, drain, &reader);
    static const char no_acks[] = "$QStartNoAckMode#b0";
    if (send_all(sockets[0], no_acks, sizeof no_acks - 1) != 0)
        return fail("the stub is gone at once");
    for (unsigned long i = 0; i < count; i++)
        if (send_all(sockets[0], bytes, make_bytes(bytes)) != 0)
            return fail("the stub is gone");
    /* The last packet may have been cut: a first one ends it, the second is answered. */
    static const char question[] = "#00$?#3f$vCont?#49";
    send_all(sockets[0], question, sizeof question - 1);
    bool answered = false;
    for (int i = 0; i < 6000 && !answered; i++) {
        usleep(50000);
        if (waitpid(child, &status, WNOHANG) == child)
            return fail("the stub ended before its time");
        pthread_mutex_lock(&reader.lock);
        answered = memmem(reader.tail, sizeof reader.tail, "vCont;c;C;s;S;r", 15) != NULL;
        pthread_mutex_unlock(&reader.lock);
    }
    if (!answered)
        return fail("the stub does not answer any more");
    shutdown(sockets[0], SHUT_WR);
    for (int i = 0; i < 1200; i++) {
        if (waitpid(child, &status, WNOHANG) == child) {
            if (status != 0)
                return fail("the stub ended with an error");
            pthread_join(thread, NULL);
            printf("%lu packets, %zu bytes of answers\n", count, reader.total);
            return 0;
        }
        usleep(50000);
    }
    kill(child, SIGKILL);
    return fail("the stub did not end");
}
