/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/sockets.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/die.h"
#include "jvm-bridge/inputs/outside/outside.h"
#include "jvm-bridge/vm/input_kinds.h"
#include "jvm-bridge/vm/vm.h"

static const char too_long[] = "the trace has more bytes of an input than were asked for";

/* Of a descriptor that only a replay's helper threads can have here: they get the answer. */
#define OF_DESCRIPTOR(fd, pretended, call)                                                         \
    struct ditto_thread *self = ditto_of_descriptor(fd);                                           \
    if (!self)                                                                                     \
    return ditto_is_virtual(fd) ? (pretended) : (call)

/* ---------------------------------------------------------------- creation */

#define CREATES(my_name, name, kind, parameters, arguments)                                        \
    static int my_name parameters                                                                  \
    {                                                                                              \
        struct ditto_thread *self = ditto_input_thread();                                          \
        return self ? (int)DITTO_ASK(self, kind, ditto_keep(name arguments)) : name arguments;     \
    }
CREATES(my_socket, socket, DITTO_INPUT_SOCKET, (int domain, int type, int protocol),
        (domain, type, protocol))
CREATES(my_epoll_create1, epoll_create1, DITTO_INPUT_SOCKET, (int flags), (flags))
CREATES(my_eventfd, eventfd, DITTO_INPUT_SOCKET, (unsigned value, int flags), (value, flags))
CREATES(my_inotify_init, inotify_init, DITTO_INPUT_SOCKET, (void), ())

static int my_socketpair(int domain, int type, int protocol, int ends[2])
{
    struct ditto_thread *self = ditto_input_thread();
    int made[2] = {-1, -1}, result = 0;
    if (!self)
        return socketpair(domain, type, protocol, ends);
    if (!ditto_agent.replay && (result = socketpair(domain, type, protocol, made)) == 0) {
        made[0] = ditto_keep(made[0]);
        made[1] = ditto_keep(made[1]);
    }
    result = (int)ditto_input_result(self, DITTO_INPUT_SOCKET, result);
    if (result == 0) {
        ditto_input_bytes(self, DITTO_INPUT_SOCKET, made, sizeof made);
        memcpy(ends, made, sizeof made);
    }
    return result;
}

/* ------------------------------------------------------------- connections */

static int my_bind(int fd, const struct sockaddr *address, socklen_t length)
{
    OF_DESCRIPTOR(fd, 0, bind(fd, address, length));
    return (int)DITTO_ASK(self, DITTO_INPUT_SOCKET, bind(fd, address, length));
}

static int my_listen(int fd, int backlog)
{
    OF_DESCRIPTOR(fd, 0, listen(fd, backlog));
    return (int)DITTO_ASK(self, DITTO_INPUT_SOCKET, listen(fd, backlog));
}

static int my_connect(int fd, const struct sockaddr *address, socklen_t length)
{
    OF_DESCRIPTOR(fd, 0, connect(fd, address, length));
    return (int)DITTO_ASK(self, DITTO_INPUT_CONNECT, connect(fd, address, length));
}

static int my_shutdown(int fd, int how)
{
    OF_DESCRIPTOR(fd, 0, shutdown(fd, how));
    return (int)DITTO_ASK(self, DITTO_INPUT_SOCKET, shutdown(fd, how));
}

/* An address: its length, and as many of its bytes as there was room for. */
static void ask_address(struct ditto_thread *self, enum ditto_input_kind kind,
                        struct sockaddr *address, socklen_t *length, socklen_t room)
{
    if (!address || !length)
        return;
    *length = (socklen_t)ditto_input_number(self, kind, *length);
    ditto_input_bytes(self, kind, address, *length < room ? *length : room);
}

static int my_accept(int fd, struct sockaddr *address, socklen_t *length)
{
    OF_DESCRIPTOR(fd, (errno = EBADF, -1), accept(fd, address, length));
    socklen_t room = length ? *length : 0;
    int made = (int)DITTO_ASK(self, DITTO_INPUT_ACCEPT, ditto_keep(accept(fd, address, length)));
    if (made >= 0)
        ask_address(self, DITTO_INPUT_ACCEPT, address, length, room);
    return made;
}

#define NAMES(my_name, name)                                                                       \
    static int my_name(int fd, struct sockaddr *address, socklen_t *length)                        \
    {                                                                                              \
        OF_DESCRIPTOR(fd, (errno = EBADF, -1), name(fd, address, length));                         \
        socklen_t room = *length;                                                                  \
        int result = (int)DITTO_ASK(self, DITTO_INPUT_SOCKET_NAME, name(fd, address, length));     \
        if (result == 0)                                                                           \
            ask_address(self, DITTO_INPUT_SOCKET_NAME, address, length, room);                     \
        return result;                                                                             \
    }
NAMES(my_getsockname, getsockname)
NAMES(my_getpeername, getpeername)

static int my_getsockopt(int fd, int level, int option, void *value, socklen_t *length)
{
    OF_DESCRIPTOR(fd, (errno = EBADF, -1), getsockopt(fd, level, option, value, length));
    socklen_t room = *length;
    int result = (int)DITTO_ASK(self, DITTO_INPUT_SOCKET_OPTION,
                                getsockopt(fd, level, option, value, length));
    if (result == 0) {
        *length = (socklen_t)ditto_input_number(self, DITTO_INPUT_SOCKET_OPTION, *length);
        if (*length > room)
            ditto_left_trace(self, too_long);
        ditto_input_bytes(self, DITTO_INPUT_SOCKET_OPTION, value, *length);
    }
    return result;
}

static int my_setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
    OF_DESCRIPTOR(fd, 0, setsockopt(fd, level, option, value, length));
    return (int)DITTO_ASK(self, DITTO_INPUT_SOCKET_OPTION,
                          setsockopt(fd, level, option, value, length));
}

/* -------------------------------------------------------------------- data */

static ssize_t my_recv(int fd, void *bytes, size_t room, int flags)
{
    OF_DESCRIPTOR(fd, 0, recv(fd, bytes, room, flags));
    return ditto_ask_data(self, DITTO_INPUT_RECEIVE,
                          ditto_agent.replay ? 0 : recv(fd, bytes, room, flags), bytes, room);
}

static ssize_t my_recvfrom(int fd, void *bytes, size_t room, int flags, struct sockaddr *address,
                           socklen_t *length)
{
    OF_DESCRIPTOR(fd, 0, recvfrom(fd, bytes, room, flags, address, length));
    socklen_t address_room = length ? *length : 0;
    ssize_t got = ditto_agent.replay ? 0 : recvfrom(fd, bytes, room, flags, address, length);
    got = ditto_ask_data(self, DITTO_INPUT_RECEIVE, got, bytes, room);
    if (got >= 0)
        ask_address(self, DITTO_INPUT_RECEIVE, address, length, address_room);
    return got;
}

/* Without control data: the JDK asks for none. */
static ssize_t my_recvmsg(int fd, struct msghdr *message, int flags)
{
    OF_DESCRIPTOR(fd, 0, recvmsg(fd, message, flags));
    socklen_t room = message->msg_namelen;
    ssize_t got = ditto_agent.replay ? 0 : recvmsg(fd, message, flags);
    got = (ssize_t)ditto_input_result(self, DITTO_INPUT_RECEIVE, got);
    size_t rest = got > 0 ? (size_t)got : 0;
    for (size_t i = 0; i < message->msg_iovlen && rest; i++) {
        size_t piece = message->msg_iov[i].iov_len < rest ? message->msg_iov[i].iov_len : rest;
        if (piece)
            ditto_input_bytes(self, DITTO_INPUT_RECEIVE, message->msg_iov[i].iov_base, piece);
        rest -= piece;
    }
    if (rest)
        ditto_left_trace(self, too_long);
    if (got >= 0) {
        message->msg_flags = (int)ditto_input_number(self, DITTO_INPUT_RECEIVE,
                                                     (uint64_t)(unsigned)message->msg_flags);
        ask_address(self, DITTO_INPUT_RECEIVE, message->msg_name, &message->msg_namelen, room);
    }
    return got;
}

static ssize_t my_send(int fd, const void *bytes, size_t count, int flags)
{
    OF_DESCRIPTOR(fd, (ssize_t)count, send(fd, bytes, count, flags));
    return (ssize_t)DITTO_ASK(self, DITTO_INPUT_SEND, send(fd, bytes, count, flags));
}

static ssize_t my_sendto(int fd, const void *bytes, size_t count, int flags,
                         const struct sockaddr *address, socklen_t length)
{
    OF_DESCRIPTOR(fd, (ssize_t)count, sendto(fd, bytes, count, flags, address, length));
    return (ssize_t)DITTO_ASK(self, DITTO_INPUT_SEND,
                              sendto(fd, bytes, count, flags, address, length));
}

static ssize_t my_sendmsg(int fd, const struct msghdr *message, int flags)
{
    OF_DESCRIPTOR(fd, 0, sendmsg(fd, message, flags));
    return (ssize_t)DITTO_ASK(self, DITTO_INPUT_SEND, sendmsg(fd, message, flags));
}

/* --------------------------------------------------------------- selection */

static int my_poll(struct pollfd *polls, nfds_t count, int timeout)
{
    struct ditto_thread *self = NULL;
    bool is_virtual = false;
    for (nfds_t i = 0; i < count; i++) {
        self = self ? self : ditto_of_descriptor(polls[i].fd);
        is_virtual = is_virtual || ditto_is_virtual(polls[i].fd);
    }
    if (!self)
        return is_virtual ? 0 : poll(polls, count, timeout);
    int result = (int)DITTO_ASK(self, DITTO_INPUT_POLL, poll(polls, count, timeout));
    for (nfds_t i = 0; i < count && result >= 0; i++)
        polls[i].revents =
            (short)ditto_input_number(self, DITTO_INPUT_POLL, (unsigned short)polls[i].revents);
    return result;
}

static int my_epoll_ctl(int fd, int operation, int other, struct epoll_event *event)
{
    OF_DESCRIPTOR(fd, 0, epoll_ctl(fd, operation, other, event));
    return (int)DITTO_ASK(self, DITTO_INPUT_POLL, epoll_ctl(fd, operation, other, event));
}

static int my_epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
    OF_DESCRIPTOR(fd, 0, epoll_wait(fd, events, most, timeout));
    int result = (int)DITTO_ASK(self, DITTO_INPUT_POLL, epoll_wait(fd, events, most, timeout));
    if (result > most)
        ditto_left_trace(self, too_long);
    if (result > 0)
        ditto_input_bytes(self, DITTO_INPUT_POLL, events, (size_t)result * sizeof *events);
    return result;
}

static int my_inotify_add_watch(int fd, const char *path, uint32_t mask)
{
    OF_DESCRIPTOR(fd, 0, inotify_add_watch(fd, path, mask));
    return (int)DITTO_ASK(self, DITTO_INPUT_POLL, inotify_add_watch(fd, path, mask));
}

static int my_inotify_rm_watch(int fd, int watch)
{
    OF_DESCRIPTOR(fd, 0, inotify_rm_watch(fd, watch));
    return (int)DITTO_ASK(self, DITTO_INPUT_POLL, inotify_rm_watch(fd, watch));
}

/* ----------------------------------------------------------------- lookups */

/* An answer that a replay has made, in a list, so that freeaddrinfo() knows it. */
struct answer {
    struct answer *next;
    struct addrinfo info;
    struct sockaddr_storage address;
    char name[NI_MAXHOST];
};

static pthread_mutex_t answers_lock = PTHREAD_MUTEX_INITIALIZER;
static struct answer *answers; /* guarded by answers_lock */

static void record_addresses(struct ditto_thread *self, const struct addrinfo *list)
{
    for (const struct addrinfo *info = list; info; info = info->ai_next) {
        int32_t numbers[] = {info->ai_flags, info->ai_family, info->ai_socktype, info->ai_protocol,
                             (int32_t)info->ai_addrlen};
        char name[NI_MAXHOST] = "";
        if (info->ai_canonname)
            memcpy(name, info->ai_canonname, strnlen(info->ai_canonname, sizeof name - 1));
        ditto_input_number(self, DITTO_INPUT_LOOK_UP, 1);
        ditto_input_bytes(self, DITTO_INPUT_LOOK_UP, numbers, sizeof numbers);
        ditto_input_bytes(self, DITTO_INPUT_LOOK_UP, info->ai_addr, info->ai_addrlen);
        ditto_input_string(self, DITTO_INPUT_LOOK_UP, name, sizeof name);
    }
    ditto_input_number(self, DITTO_INPUT_LOOK_UP, 0);
}

static struct addrinfo *replay_addresses(struct ditto_thread *self)
{
    struct addrinfo *first = NULL, **end = &first;
    while (ditto_input_number(self, DITTO_INPUT_LOOK_UP, 0)) {
        int32_t numbers[5];
        struct answer *answer = ditto_alloc_zeroed(1, sizeof *answer, "an address");
        ditto_input_bytes(self, DITTO_INPUT_LOOK_UP, numbers, sizeof numbers);
        if (numbers[4] < 0 || (size_t)numbers[4] > sizeof answer->address)
            ditto_left_trace(self, too_long);
        ditto_input_bytes(self, DITTO_INPUT_LOOK_UP, &answer->address, (size_t)numbers[4]);
        ditto_input_string(self, DITTO_INPUT_LOOK_UP, answer->name, sizeof answer->name);
        answer->info = (struct addrinfo){.ai_flags = numbers[0],
                                         .ai_family = numbers[1],
                                         .ai_socktype = numbers[2],
                                         .ai_protocol = numbers[3],
                                         .ai_addrlen = (socklen_t)numbers[4],
                                         .ai_addr = (struct sockaddr *)&answer->address,
                                         .ai_canonname = answer->name[0] ? answer->name : NULL};
        *end = &answer->info;
        end = &answer->info.ai_next;
        pthread_mutex_lock(&answers_lock);
        answer->next = answers;
        answers = answer;
        pthread_mutex_unlock(&answers_lock);
    }
    return first;
}

/* The answer of which this is a part, taken out of the list; NULL: it is the C library's. */
static struct answer *take_answer(const struct addrinfo *info)
{
    pthread_mutex_lock(&answers_lock);
    struct answer **at = &answers;
    while (*at && &(*at)->info != info)
        at = &(*at)->next;
    struct answer *answer = *at;
    if (answer)
        *at = answer->next;
    pthread_mutex_unlock(&answers_lock);
    return answer;
}

static int my_getaddrinfo(const char *node, const char *service, const struct addrinfo *hints,
                          struct addrinfo **to)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return getaddrinfo(node, service, hints, to);
    int result = ditto_agent.replay ? 0 : getaddrinfo(node, service, hints, to);
    /* The errors are negative numbers. */
    result = -(int)ditto_input_number(self, DITTO_INPUT_LOOK_UP, (uint64_t) - (int64_t)result);
    if (result)
        return result;
    if (ditto_agent.replay)
        *to = replay_addresses(self);
    else
        record_addresses(self, *to);
    return 0;
}

static void my_freeaddrinfo(struct addrinfo *list)
{
    struct answer *answer = take_answer(list);
    if (!answer) {
        freeaddrinfo(list);
        return;
    }
    while (answer) {
        struct addrinfo *next = answer->info.ai_next;
        free(answer);
        answer = next ? take_answer(next) : NULL;
    }
}

static int my_getnameinfo(const struct sockaddr *address, socklen_t length, char *host,
                          socklen_t host_size, char *service, socklen_t service_size, int flags)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return getnameinfo(address, length, host, host_size, service, service_size, flags);
    int result = ditto_agent.replay
                     ? 0
                     : getnameinfo(address, length, host, host_size, service, service_size, flags);
    result = -(int)ditto_input_number(self, DITTO_INPUT_LOOK_UP, (uint64_t) - (int64_t)result);
    if (result == 0 && host && host_size)
        ditto_input_string(self, DITTO_INPUT_LOOK_UP, host, host_size);
    if (result == 0 && service && service_size)
        ditto_input_string(self, DITTO_INPUT_LOOK_UP, service, service_size);
    return result;
}

static int my_gethostname(char *name, size_t size)
{
    struct ditto_thread *self = ditto_input_thread();
    if (!self)
        return gethostname(name, size);
    int result = (int)DITTO_ASK(self, DITTO_INPUT_LOOK_UP, gethostname(name, size));
    if (result == 0)
        ditto_input_string(self, DITTO_INPUT_LOOK_UP, name, size);
    return result;
}

struct ditto_imports ditto_socket_imports(void)
{
    static const struct ditto_import table[] = {
        DITTO_IMPORT("socket", my_socket),
        DITTO_IMPORT("epoll_create1", my_epoll_create1),
        DITTO_IMPORT("eventfd", my_eventfd),
        DITTO_IMPORT("inotify_init", my_inotify_init),
        DITTO_IMPORT("socketpair", my_socketpair),
        DITTO_IMPORT("bind", my_bind),
        DITTO_IMPORT("listen", my_listen),
        DITTO_IMPORT("connect", my_connect),
        DITTO_IMPORT("shutdown", my_shutdown),
        DITTO_IMPORT("accept", my_accept),
        DITTO_IMPORT("getsockname", my_getsockname),
        DITTO_IMPORT("getpeername", my_getpeername),
        DITTO_IMPORT("getsockopt", my_getsockopt),
        DITTO_IMPORT("setsockopt", my_setsockopt),
        DITTO_IMPORT("recv", my_recv),
        DITTO_IMPORT("recvfrom", my_recvfrom),
        DITTO_IMPORT("recvmsg", my_recvmsg),
        DITTO_IMPORT("send", my_send),
        DITTO_IMPORT("sendto", my_sendto),
        DITTO_IMPORT("sendmsg", my_sendmsg),
        DITTO_IMPORT("poll", my_poll),
        DITTO_IMPORT("epoll_ctl", my_epoll_ctl),
        DITTO_IMPORT("epoll_wait", my_epoll_wait),
        DITTO_IMPORT("inotify_add_watch", my_inotify_add_watch),
        DITTO_IMPORT("inotify_rm_watch", my_inotify_rm_watch),
        DITTO_IMPORT("getaddrinfo", my_getaddrinfo),
        DITTO_IMPORT("freeaddrinfo", my_freeaddrinfo),
        DITTO_IMPORT("getnameinfo", my_getnameinfo),
        DITTO_IMPORT("gethostname", my_gethostname),
    };
    return (struct ditto_imports){table, sizeof table / sizeof *table};
}
