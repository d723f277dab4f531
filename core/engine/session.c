/* SPDX-License-Identifier: MIT */
/* Recordings and replays, from their opening to their close. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/lightlock.h"
#include "core/engine/detached.h"
#include "core/engine/lifetime.h"
#include "core/engine/settings.h"
#include "core/engine/stop.h"
#include "core/engine/threads.h"
#include "core/engine/timeline.h"
#include "core/orders/orders.h"
#include "core/version.h"

static struct ditto_session *new_session(const char *path, struct ditto_error *error)
{
    struct ditto_session *session = aligned_alloc(64, sizeof *session);
    if (!session) {
        ditto_error_system(error, path, "begin the session", ENOMEM);
        return NULL;
    }
    memset(session, 0, sizeof *session);
    atomic_init(&session->references, 1);
    pthread_mutex_init(&session->start_lock, NULL);
    pthread_mutex_init(&session->threads_lock, NULL);
    ditto_watch_forks(session);
    return session;
}

/*
 * The session's order and its options are known: the rest follows.  False when memory is out.
 */
static bool take_order(struct ditto_session *session, const struct ditto_order_events *events,
                       const char *path, struct ditto_error *error)
{
    const struct ditto_order *order = session->order;
    session->grain = order->grain(session);
    session->order_events = ditto_without_gaps(events);
    session->events = &session->order_events;
    /* One byte more: an order may keep nothing. */
    session->order_state = calloc(1, order->session_size + 1);
    session->start_monitor = calloc(1, order->monitor_size + 1);
    if (session->order_state && session->start_monitor)
        return true;
    ditto_error_system(error, path, "begin the session", ENOMEM);
    return false;
}

static void begin(struct ditto_session *session)
{
    ditto_threads_find_adopted(session);
    session->main = ditto_thread_make(session, NULL, session->next_replay_id++, "main");
}

/* The command line, its arguments separated by spaces; good for people, not for running it. */
static void set_command(struct ditto_session *session)
{
    char command[4096];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t length = read(fd, command, sizeof command - 1);
    close(fd);
    if (length <= 0)
        return;
    command[length] = '\0';
    for (ssize_t i = 0; i + 1 < length; i++)
        if (command[i] == '\0')
            command[i] = ' ';
    ditto_set_property(session, "command", command);
}

static void describe_run(struct ditto_session *session)
{
    char text[64];
    ditto_set_property(session, "ditto", DITTO_VERSION);
    ditto_settings_store(session);
    set_command(session);
    char *directory = getcwd(NULL, 0);
    if (directory)
        ditto_set_property(session, "directory", directory);
    free(directory);
    snprintf(text, sizeof text, "%ld", sysconf(_SC_NPROCESSORS_ONLN));
    ditto_set_property(session, "processors", text);
}

/* The writer's failure: says so, once, and leaves the reason in the trace if there is room. */
static void recording_failed(void *context, const struct ditto_error *error)
{
    struct ditto_session *session = context;
    const struct ditto_meta record = {
        .type = DITTO_META_END, .ending = DITTO_ENDING_STOPPED, .text = ditto_text(error->text)};
    if (session->writer)
        ditto_writer_meta(session->writer, &record);
    if (session->record_options.on_failure)
        session->record_options.on_failure(session->record_options.context, error);
    else
        dprintf(STDERR_FILENO,
                "ditto: %s\nditto: the recording stops here; the program goes on, and the trace "
                "holds the run up to now\n",
                error->text);
}

struct ditto_session *ditto_record(const char *path, const struct ditto_record_options *options,
                                   struct ditto_error *error)
{
    static const struct ditto_record_options defaults;
    if (!options)
        options = &defaults;
    struct ditto_session *session = new_session(path, error);
    if (!session)
        return NULL;
    session->record_options = *options;
    ditto_light_lock_prepare();
    if (!ditto_settings_from_options(session, options, error) ||
        !take_order(session, session->order->record, path, error)) {
        ditto_session_drop(session);
        return NULL;
    }
    const struct ditto_writer_options writer_options = {
        .slot_size = options->buffer_size, .on_failure = recording_failed, .context = session};
    session->writer = ditto_writer_create(path, &writer_options, error);
    if (!session->writer) {
        ditto_session_drop(session);
        return NULL;
    }
    describe_run(session);
    begin(session);
    return session;
}

/* A debugged replay's events pass gates. */
static bool choose_events(struct ditto_session *session, const char *path,
                          struct ditto_error *error)
{
    session->nobody_runs = ditto_nobody_can_go_on;
    if (!session->replay_options.timeline)
        return true;
    if (!ditto_order_has_cuts(session->order, path, error))
        return false;
    session->events = &ditto_gated_events;
    if (ditto_timeline_make(session, session->replay_options.timeline))
        return true;
    ditto_error_system(error, path, "begin the session", ENOMEM);
    return false;
}

struct ditto_session *ditto_replay(const char *path, const struct ditto_replay_options *options,
                                   struct ditto_error *error)
{
    static const struct ditto_replay_options defaults;
    struct ditto_session *session = new_session(path, error);
    if (!session)
        return NULL;
    session->replaying = true;
    ditto_spread_prepare(&session->waits.spread);
    session->replay_options = options ? *options : defaults;
    session->reader = ditto_reader_open(path, error);
    if (session->reader) {
        const char *damage = ditto_reader_info(session->reader)->damage;
        if (damage)
            ditto_error_set(error, "%s: cannot be replayed: %s", path, damage);
        else if (ditto_settings_load(session, error) &&
                 take_order(session, session->order->replay, path, error) &&
                 choose_events(session, path, error)) {
            begin(session);
            return session;
        }
    }
    ditto_session_drop(session);
    return NULL;
}

bool ditto_is_replay(const struct ditto_session *session)
{
    return session->replaying;
}

unsigned ditto_wants(const struct ditto_session *session)
{
    return session->order->wants;
}

struct ditto_thread *ditto_main_thread(struct ditto_session *session)
{
    return session->main;
}

bool ditto_close(struct ditto_session *session, struct ditto_error *error)
{
    struct ditto_thread *main = session->main;
    if (session->replaying)
        ditto_threads_past_end_go_on(session);
    ditto_thread_end(main);
    ditto_thread_release(main);
    bool complete = true;
    if (!session->replaying && !session->detached) {
        const struct ditto_meta record = {
            .type = DITTO_META_END, .ending = DITTO_ENDING_CLOSED, .text = ditto_text("")};
        if (!ditto_stop_flag_is_set(ditto_writer_stop_flag(session->writer)))
            ditto_writer_meta(session->writer, &record);
        complete = ditto_writer_close(session->writer, error);
    }
    ditto_session_drop(session);
    return complete;
}
