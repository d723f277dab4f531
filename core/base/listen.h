/* SPDX-License-Identifier: MIT */
/*
 * Who may talk to the stub: whoever holds our stdin and stdout, the user who owns a unix socket, or
 * anybody on this machine, if asked for a TCP port.  Never another machine.
 */
#ifndef DITTO_CORE_BASE_LISTEN_H
#define DITTO_CORE_BASE_LISTEN_H

#include <stdbool.h>

#include "trace/error.h"

struct ditto_listening {
    int in, out;
    int fd;     /* that listens, -1: none */
    char *path; /* of a unix socket, to be removed; NULL: none */
};

/* Opens the address: NULL, a path, or HOST:PORT. */
bool ditto_listen_open(struct ditto_listening *listening, const char *address,
                       struct ditto_error *error);

/* Waits for the one peer, or for a signal after which `must_end` says so. */
bool ditto_listen_accept(struct ditto_listening *listening, bool (*must_end)(void),
                         struct ditto_error *error);

void ditto_listen_close(struct ditto_listening *listening);

#endif
