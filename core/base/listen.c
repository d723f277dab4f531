/* SPDX-License-Identifier: MIT */
#include "core/base/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/base/die.h"

/* HOST:PORT has no slash and ends with a number. */
static bool is_tcp(const char *address)
{
    const char *colon = strrchr(address, ':');
    return colon && !strchr(address, '/') && colon[1] &&
           strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

static bool is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
    return address->sa_family == AF_INET6 &&
           IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static bool bind_tcp(struct ditto_listening *listening, const char *address,
                     struct ditto_error *error)
{
    char host[256];
    const char *colon = strrchr(address, ':');
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    snprintf(host, sizeof host, "%.*s", (int)(colon - address), address);
    int trouble = getaddrinfo(host[0] ? host : "127.0.0.1", colon + 1, &hints, &found);
    if (trouble) {
        ditto_error_set(error, "%s: no such address: %s; use 127.0.0.1:PORT", address,
                        gai_strerror(trouble));
        return false;
    }
    bool good = is_loopback(found->ai_addr);
    if (!good) {
        ditto_error_set(error,
                        "%s: is open to other machines, and whoever connects can read the "
                        "recorded program; use localhost:PORT, and ssh to reach it from elsewhere",
                        address);
    } else {
        int one = 1;
        listening->fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        setsockopt(listening->fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
        good = listening->fd >= 0 && bind(listening->fd, found->ai_addr, found->ai_addrlen) == 0 &&
               listen(listening->fd, 1) == 0;
        if (!good)
            ditto_error_set(error, "%s: cannot listen: %s; choose another port", address,
                            strerror(errno));
    }
    freeaddrinfo(found);
    return good;
}

/* The directory must let nobody else in: the socket's own mode comes a moment late. */
static bool is_private(const char *path, struct ditto_error *error)
{
    struct stat status;
    char directory[4096];
    const char *slash = strrchr(path, '/');
    snprintf(directory, sizeof directory, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    if (stat(directory[0] ? directory : "/", &status) != 0) {
        ditto_error_system(error, directory, "look at the directory", errno);
        return false;
    }
    if (status.st_uid == geteuid() && (status.st_mode & 077) == 0)
        return true;
    ditto_error_set(error,
                    "%s: others may enter the directory of this socket; make one for it with "
                    "mkdir -m 700",
                    path);
    return false;
}

static bool bind_path(struct ditto_listening *listening, const char *path,
                      struct ditto_error *error)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        ditto_error_set(error, "%s: the path of a socket has at most %zu bytes; use a shorter one",
                        path, sizeof address.sun_path - 1);
        return false;
    }
    if (!is_private(path, error))
        return false;
    strcpy(address.sun_path, path);
    listening->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    mode_t mask = umask(0177);
    bool bound =
        listening->fd >= 0 && bind(listening->fd, (struct sockaddr *)&address, sizeof address) == 0;
    umask(mask);
    if (bound)
        listening->path = ditto_copy_text(path, "a path");
    if (bound && listen(listening->fd, 1) == 0)
        return true;
    ditto_error_set(error, "%s: cannot listen: %s; choose a path that does not exist", path,
                    strerror(errno));
    return false;
}

bool ditto_listen_open(struct ditto_listening *listening, const char *address,
                       struct ditto_error *error)
{
    *listening = (struct ditto_listening){.in = -1, .out = -1, .fd = -1};
    if (!address) {
        /* What the machine may print must not reach gdb as packets. */
        listening->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
        listening->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (listening->in < 0 || listening->out < 0 || null < 0) {
            ditto_error_system(error, "stdin and stdout", "use", errno);
            return false;
        }
        dup2(null, STDIN_FILENO);
        dup2(STDERR_FILENO, STDOUT_FILENO);
        close(null);
        return true;
    }
    return is_tcp(address) ? bind_tcp(listening, address, error)
                           : bind_path(listening, address, error);
}

bool ditto_listen_accept(struct ditto_listening *listening, bool (*must_end)(void),
                         struct ditto_error *error)
{
    int one = 1;
    if (listening->fd < 0)
        return true;
    /* A signal may come just before we wait: so we look up now and then. */
    struct pollfd ready = {.fd = listening->fd, .events = POLLIN};
    while (!must_end() && poll(&ready, 1, 200) <= 0)
        ;
    if (must_end()) {
        ditto_error_set(error, "ended by a signal before gdb has come");
        return false;
    }
    listening->in = accept4(listening->fd, NULL, NULL, SOCK_CLOEXEC);
    if (listening->in < 0) {
        ditto_error_system(error, "gdb's connection", "accept", errno);
        return false;
    }
    setsockopt(listening->in, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    listening->out = listening->in;
    close(listening->fd);
    listening->fd = -1;
    if (listening->path)
        unlink(listening->path);
    free(listening->path);
    listening->path = NULL;
    return true;
}

void ditto_listen_close(struct ditto_listening *listening)
{
    if (listening->fd >= 0)
        close(listening->fd);
    if (listening->in >= 0)
        close(listening->in);
    if (listening->out >= 0 && listening->out != listening->in)
        close(listening->out);
    if (listening->path)
        unlink(listening->path);
    free(listening->path);
}
