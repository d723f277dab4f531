/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/stub.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/base/listen.h"
#include "gdb-plugin/gdb/breakpoints.h"
#include "gdb-plugin/gdb/packets.h"
#include "gdb-plugin/gdb/rsp.h"
#include "gdb-plugin/gdb/stops.h"
#include "gdb-plugin/gdb/symbols/elf_file.h"
#include "gdb-plugin/gdb/write_list.h"

enum { GOOD = 0, TROUBLE = 2 };

/* ------------------------------------------------------------------------------ the end */

/*
 * Signals that end the process end the conversation instead, so that the machine can be closed and
 * its JVMs with it.  Set once, before and after a conversation; read by the handler.
 */
static struct ditto_machine *volatile signalled_machine;
static volatile sig_atomic_t signalled;

static void end_by_signal(int number)
{
    (void)number;
    signalled = 1;
    if (signalled_machine)
        ditto_machine_interrupt(signalled_machine);
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT};
    struct sigaction action = {.sa_handler = end_by_signal}; /* calls return with EINTR */
    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
}

static bool must_end(void)
{
    return signalled;
}

/* ---------------------------------------------------------------------- a conversation */

/* Into a file of that name, which is there only when it is whole, or into none. */
static bool make_symbols(struct client *client, const char *path, struct ditto_error *error)
{
    char part[4096];
    struct dwarf_sources sources = {0};
    snprintf(part, sizeof part, "%s.part", path ? path : "");
    int fd = path ? open(part, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
                  : memfd_create("ditto-symbols", MFD_CLOEXEC);
    if (fd < 0) {
        ditto_error_system(error, path ? part : "the program's symbols", "create", errno);
        return false;
    }
    sources.count = ditto_machine_source_paths(client->machine, &sources.paths);
    bool good = symbols_write(client->program, &sources, fd, error);
    if (good) {
        off_t size = lseek(fd, 0, SEEK_END);
        void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0);
        good = bytes != MAP_FAILED && (!path || rename(part, path) == 0);
        if (!good)
            ditto_error_system(error, path ? path : "the program's symbols", "finish", errno);
        client->symbols = bytes != MAP_FAILED ? bytes : NULL;
        client->symbols_size = client->symbols ? (size_t)size : 0;
    }
    close(fd);
    return good;
}

/* Everything up to the first packet, except gdb's connection. */
static bool prepare(struct client *client, const struct stub_options *options,
                    struct ditto_error *error)
{
    struct ditto_machine_options machine_options = {
        .java = options->java,
        .spares = options->spares,
        .spare_bytes = options->spare_bytes,
        .busy = client_is_busy,
        .context = client,
    };
    client->machine = ditto_machine_open(client->trace, &machine_options, error);
    if (!client->machine)
        return false;
    client->program = program_make(client->machine, error);
    if (!client->program)
        return false;
    return make_symbols(client, options->symbols, error);
}

static void serve(struct client *client)
{
    struct ditto_position position;
    char *packet;
    size_t length;
    view_init(&client->view, client->machine, client->program);
    signalled_machine = client->machine;
    ditto_machine_position(client->machine, &position);
    describe_thread(client, 5, position.thread, "");
    while (!client->over && !signalled) {
        switch (rsp_next(client->rsp, &packet, &length)) {
        case RSP_PACKET:
            packets_handle(client, packet, length);
            break;
        case RSP_INTERRUPT:
            client->interrupted = true; /* the stop may be one that gdb only passes by */
            break;
        case RSP_CLOSED:
            client->over = true;
            break;
        }
    }
    signalled_machine = NULL;
    view_destroy(&client->view);
}

static void finish(struct client *client)
{
    listing_end(client);
    for (size_t i = 0; i < client->request_count; i++)
        free(client->requests[i].text);
    free(client->requests);
    breakpoints_free(client);
    free(client->names);
    free(client->removed);
    ditto_buf_free(&client->stop);
    if (client->symbols)
        munmap((void *)client->symbols, client->symbols_size);
    program_free(client->program);
    if (client->machine)
        ditto_machine_close(client->machine);
}

int ditto_stub(const char *trace, const struct stub_options *options)
{
    struct client client = {.trace = trace, .before_throw = STACKS_MAX};
    struct ditto_listening listening;
    struct ditto_error error;
    catch_signals();
    if (options->with_parent)
        prctl(PR_SET_PDEATHSIG, SIGTERM);
    /* The address first: a mistake in it must not wait for a JVM to start. */
    bool good = ditto_listen_open(&listening, options->listen, &error) &&
                prepare(&client, options, &error) &&
                ditto_listen_accept(&listening, must_end, &error);
    if (good) {
        client.rsp = rsp_make(listening.in, listening.out, must_end);
        serve(&client);
        rsp_free(client.rsp);
    } else {
        fprintf(stderr, "ditto: %s\n", error.text);
    }
    finish(&client);
    ditto_listen_close(&listening);
    return good ? GOOD : TROUBLE;
}
