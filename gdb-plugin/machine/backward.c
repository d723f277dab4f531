/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/machine/backward.h"

#include <inttypes.h>

#include "core/base/debug.h"
#include "core/engine/timeline.h"
#include "gdb-plugin/machine/moving.h"
#include "gdb-plugin/machine/present.h"
#include "gdb-plugin/machine/replica.h"
#include "gdb-plugin/machine/requests.h"
#include "gdb-plugin/machine/spares.h"

/* The first stretch, in clocks, and by how much each is longer than the one before. */
enum { STRETCH = 128, GROWTH = 8 };
/* A first search goes this far back, if a JVM waits there. */
enum { SEARCH_LEAST = 400, SEARCH_MOST = 8000 };

/* ----------------------------------------------------------------------- steps */

static void take_log(void *context, struct replica *replica, struct ditto_message *message)
{
    struct ditto_machine *machine = context;
    log_take(&machine->log, replica, message);
}

static void take_watched(void *context, struct replica *replica,
                         const struct ditto_message_hit *hit, struct ditto_message *frames)
{
    struct ditto_machine *machine = context;
    hits_take(&machine->watched, replica, hit, frames);
}

/* A JVM at the cut `from`, -1: at the beginning. */
static struct replica *bring_before(struct ditto_machine *machine, int64_t from,
                                    struct ditto_error *error)
{
    if (from >= 0)
        return bring_to_cut(machine, (uint64_t)from, error);
    struct replica *replica = replica_start(&machine->recording, error);
    if (replica && !replica_wait(replica, NULL)) {
        *error = replica->error;
        replica_end(replica);
        return NULL;
    }
    return replica;
}

static void fill_log_request(struct ditto_machine *machine, const struct ditto_go *asked,
                             struct ditto_message_go *request)
{
    struct ditto_go watches = {.watches = asked->watches, .watch_count = asked->watch_count};
    request_fill(machine, &watches, request);
    request->pace = DITTO_ONE_BY_ONE;
    request->flags = DITTO_GO_LOG | DITTO_GO_REMEMBER | DITTO_GO_WRITES;
}

/* Whether the log was made for these watches, or there are none. */
static bool log_serves(struct ditto_machine *machine, const struct ditto_go *asked)
{
    if (!machine->log.count)
        return false;
    if (!asked->watch_count)
        return true;
    struct ditto_message_go request = {0};
    fill_log_request(machine, asked, &request);
    bool serves = hits_are_of(&machine->watched, &request);
    request_free(&request);
    return serves;
}

/*
 * Makes a log of the last `length` clocks before `end`, and of what is watched in them; the JVM
 * that made it is a spare again.
 */
static bool make_log(struct ditto_machine *machine, const struct ditto_go *asked,
                     const struct position *end, uint64_t length, struct ditto_error *error)
{
    int64_t from = end->clock > length ? (int64_t)(end->clock - length) : -1;
    DITTO_DEBUG(go, 1, "a log of steps is made from clock %" PRId64 " to %" PRIu64, from,
                end->clock);
    struct replica *jvm = bring_before(machine, from, error);
    if (!jvm)
        return false;
    struct ditto_message_go go = {0};
    fill_log_request(machine, asked, &go);
    hits_begin(&machine->watched, &go);
    position_to_message(end, &go.target);
    go.limit = UINT64_MAX;
    log_begin(&machine->log, jvm, from);
    const struct replica_listener listener = {
        .context = machine, .log = take_log, .write = take_watched};
    bool good = replica_go(jvm, &go, &listener);
    request_free(&go);
    if (good && jvm->halt.why == DITTO_HALT_TARGET) {
        log_finish(&machine->log, jvm);
        hits_name(&machine->watched, jvm);
        /* It is as good as the JVM at the present, if there is one. */
        spare_keep(machine, jvm);
        return true;
    }
    if (jvm->lost)
        *error = jvm->error;
    else
        ditto_error_set(error, "%s: %s", machine->recording.path,
                        is_interrupted(&machine->recording.interrupts)
                            ? "interrupted"
                            : "the way back was not found");
    log_free(&machine->log);
    replica_end(jvm);
    return false;
}

/* So many entries of the log have happened: that is the present now. */
static void go_to_entry(struct ditto_machine *machine, size_t at)
{
    machine->log.at = at;
    machine_leave(machine);
    hits_forget(machine);
    log_position(&machine->log, at, &machine->present);
    shown_free(machine);
}

static bool at_breakpoint(const struct ditto_go *go, const struct ditto_location *location,
                          size_t *index)
{
    for (*index = 0; *index < go->breakpoint_count; ++*index)
        if (go->breakpoints[*index].method == location->method &&
            go->breakpoints[*index].bci == location->bci)
            return true;
    return false;
}

/* The watched access among the turns that a step back undoes; NULL: none. */
static const struct hit *undone(const struct ditto_machine *machine, size_t at, uint32_t thread)
{
    const struct log *log = &machine->log;
    for (size_t i = log->at; i-- > at;) {
        const struct log_entry *entry = &log->entries[i];
        if (entry->is_step || entry->thread != thread)
            continue;
        for (size_t h = machine->watched.count; h-- > 0;)
            if (machine->watched.all[h].at.thread == thread &&
                machine->watched.all[h].at.turn == entry->turn)
                return &machine->watched.all[h];
    }
    return NULL;
}

/*
 * A thread that has waited for long, or has ended, took its last step long ago: the log is made to
 * end with its last turn, if that is before what the log has.  False: it has not begun.
 */
static bool last_turn(struct ditto_machine *machine, uint32_t thread, struct position *end)
{
    struct replica *jvm = machine_jvm(machine);
    if (!jvm)
        return true;
    replica_begin(jvm, DITTO_ASK_LATEST);
    ditto_message_put32(&jvm->out, thread);
    if (!replica_ask(jvm))
        return true;
    bool begun = ditto_message_get8(&jvm->in);
    uint64_t turn = ditto_message_get64(&jvm->in), clock = ditto_message_get64(&jvm->in);
    if (begun && (int64_t)clock <= machine->log.from)
        *end = (struct position){
            .kind = DITTO_POSITION_ALL, .thread = thread, .turn = turn, .clock = clock};
    return begun;
}

/* One step of the thread back.  DITTO_WHY_BEGIN if there is none. */
static enum ditto_why step_back(struct ditto_machine *machine, const struct ditto_go *go,
                                struct ditto_halt *halt)
{
    uint64_t length = STRETCH;
    uint32_t thread = go->thread;
    struct ditto_error *error = &halt->error;
    size_t at = 0;
    if (!log_serves(machine, go) && !make_log(machine, go, &machine->present, length, error))
        return DITTO_WHY_LOST;
    struct position end = machine->present;
    while (!log_step_back(&machine->log, thread, &at)) {
        if (machine->log.cut) {
            log_position(&machine->log, at ? at : 1, &end);
            if (!make_log(machine, go, &end, length, error))
                return DITTO_WHY_LOST;
            continue;
        }
        if (machine->log.from < 0 || !last_turn(machine, thread, &end))
            return DITTO_WHY_BEGIN;
        length *= GROWTH;
        if (!make_log(machine, go, &end, length, error))
            return DITTO_WHY_LOST;
    }
    /* The very first step of the run has nothing before it. */
    if (at == 0)
        return DITTO_WHY_BEGIN;
    if (at == 1 && !machine->log.entries[0].is_step && machine->log.from < 0 && !machine->log.cut)
        return DITTO_WHY_BEGIN;
    const struct hit *hit = go->watch_count ? undone(machine, at, thread) : NULL;
    if (hit)
        halt_from_hit(machine, NULL, &hit->message, &hit->at, hit->method, halt);
    go_to_entry(machine, at);
    return hit ? DITTO_WHY_WATCH : DITTO_WHY_STEPPED;
}

static void steps_back(struct ditto_machine *machine, const struct ditto_go *go,
                       struct ditto_halt *halt)
{
    const struct ditto_location *frames;
    size_t depth = ditto_machine_frames(machine, go->thread, &frames);
    const struct ditto_method *method = depth ? frames[0].method : NULL;
    halt->thread = go->thread;
    for (;;) {
        halt->why = step_back(machine, go, halt);
        if (halt->why == DITTO_WHY_LOST && is_interrupted(&machine->recording.interrupts))
            halt->why = DITTO_WHY_INTERRUPTED;
        if (halt->why != DITTO_WHY_STEPPED)
            return;
        size_t now = ditto_machine_frames(machine, go->thread, &frames);
        if (now && at_breakpoint(go, &frames[0], &halt->breakpoint)) {
            halt->why = DITTO_WHY_BREAKPOINT;
            return;
        }
        if (go->going == DITTO_GO_STEP || now != depth || !now || frames[0].method != method ||
            frames[0].bci < go->from || frames[0].bci >= go->to)
            return;
        if (must_stop(&machine->recording.interrupts)) {
            halt->why = DITTO_WHY_INTERRUPTED;
            return;
        }
    }
}

/* ------------------------------------------------------------------- searching */

/*
 * Goes through the run from the cut `from` to the position, or to the cut `to`, and collects what
 * is met.  The JVM that did is handed over; NULL with the error.
 */
static struct replica *search(struct ditto_machine *machine, struct ditto_message_go *request,
                              int64_t from, const struct position *position, uint64_t to,
                              struct ditto_error *error)
{
    struct replica *jvm = bring_before(machine, from, error);
    if (!jvm)
        return NULL;
    DITTO_DEBUG(go, 1, "searches from clock %" PRId64 " to %" PRIu64, from,
                position ? position->clock : to);
    hits_begin(&machine->hits, request);
    machine->hits.from = from;
    request->limit = position ? UINT64_MAX : to;
    request->target = (struct ditto_message_position){0};
    if (position)
        position_to_message(position, &request->target);
    const struct replica_listener listener = {.context = &machine->hits, .write = hits_take};
    if (replica_go(jvm, request, &listener) && !is_interrupted(&machine->recording.interrupts)) {
        hits_name(&machine->hits, jvm);
        return jvm;
    }
    if (jvm->lost)
        *error = jvm->error;
    else
        ditto_error_set(error, "%s: interrupted", machine->recording.path);
    replica_end(jvm);
    hits_forget(machine);
    return NULL;
}

/* Asks whether a hit is wanted; a JVM stands there, and is the present for that long. */
static bool is_wanted(struct ditto_machine *machine, const struct ditto_go *go,
                      const struct hit *hit, struct replica *jvm)
{
    struct ditto_halt halt = {.why = DITTO_WHY_STEPPED};
    struct replica *before = machine->jvm;
    const struct position present = machine->present;
    struct log log = machine->log;
    struct stack shown = machine->shown;
    halt_from_hit(machine, jvm, &hit->message, &hit->at, hit->method, &halt);
    machine->jvm = jvm;
    machine->present = jvm->at;
    machine->log = (struct log){0};
    machine->shown = (struct stack){0};
    bool wanted = go->wanted(go->context, &halt);
    machine->jvm = before;
    machine->present = present;
    machine->log = log;
    machine->shown = shown;
    return wanted;
}

/*
 * Takes those breakpoints out of what a search has found that are not wanted.  A second JVM goes
 * the same way and stops at each, and at nothing else: the nth time at the nth of them.
 */
static bool sift(struct ditto_machine *machine, const struct ditto_go *go, uint64_t to,
                 const struct position *position, struct ditto_error *error)
{
    struct hits *hits = &machine->hits;
    const struct ditto_go stops = {.breakpoints = go->breakpoints,
                                   .breakpoint_count = go->breakpoint_count};
    struct ditto_message_go request = {.pace = DITTO_ONE_BY_ONE,
                                       .limit = position ? UINT64_MAX : to};
    struct replica *jvm = bring_before(machine, hits->from, error);
    if (!jvm)
        return false;
    size_t kept = 0, times = 1 + hits->dropped;
    request_fill(machine, &stops, &request);
    if (position)
        position_to_message(position, &request.target);
    bool good = true;
    for (size_t i = 0; i < hits->count; i++) {
        struct hit *hit = &hits->all[i];
        bool wanted = good;
        if (good && hit->message.why == DITTO_HALT_BREAK) {
            for (; good && times > 0; times--)
                good = replica_go(jvm, &request, NULL) &&
                       !must_stop(&machine->recording.interrupts) &&
                       jvm->halt.why == DITTO_HALT_BREAK;
            times = 1;
            machine->recording.interrupts.done = (double)i / (double)hits->count;
            wanted = good && is_wanted(machine, go, hit, jvm);
        }
        if (wanted)
            hits->all[kept++] = *hit;
        else
            hit_free(hit);
    }
    hits->count = kept;
    request_free(&request);
    if (good) {
        spare_keep(machine, jvm);
        return true;
    }
    if (jvm->lost)
        *error = jvm->error;
    else
        ditto_error_set(error, "%s: interrupted", machine->recording.path);
    replica_end(jvm);
    hits_forget(machine);
    return false;
}

/*
 * The last of the hits that are left becomes the present; a JVM is brought there when somebody
 * looks.  `jvm` is the one that found them, or NULL.
 */
static void go_to_hit(struct ditto_machine *machine, struct replica *jvm, struct ditto_halt *halt)
{
    const struct hit *hit = &machine->hits.all[--machine->hits.count];
    halt_from_hit(machine, jvm, &hit->message, &hit->at, hit->method, halt);
    machine_leave(machine);
    log_free(&machine->log);
    machine->present = halt->why == DITTO_WHY_WATCH ? hit->before : hit->at;
    shown_free(machine);
    if (halt->why == DITTO_WHY_BREAKPOINT) {
        machine->shown = hit->stack;
        machine->hits.all[machine->hits.count].stack = (struct stack){0};
    }
    hit_free(&machine->hits.all[machine->hits.count]);
}

static void go_to_begin(struct ditto_machine *machine, struct ditto_halt *halt)
{
    struct ditto_error error;
    const struct position begin = {.kind = DITTO_POSITION_STEP};
    struct replica *jvm = bring_to_position(machine, &begin, &error);
    if (jvm)
        machine_move(machine, jvm);
    halt->why = DITTO_WHY_BEGIN;
    halt->thread = 0;
    if (!jvm)
        halt_lost(halt, &error);
}

/*
 * The last of the move's breakpoints that the log came by before the present becomes the present.
 * False if the log has none, or cannot tell.
 */
static bool search_log(struct ditto_machine *machine, const struct ditto_go *go,
                       struct ditto_halt *halt)
{
    const struct log *log = &machine->log;
    for (size_t at = log->at; at-- > 1;) {
        const struct log_entry *entry = &log->entries[at - 1];
        if (!entry->is_step || entry->is_end ||
            !at_breakpoint(go, &entry->location, &halt->breakpoint))
            continue;
        halt->why = DITTO_WHY_BREAKPOINT;
        halt->thread = entry->thread;
        go_to_entry(machine, at);
        return true;
    }
    return false;
}

/* Whether the log leads to the present, and knows all that the move looks for: it has no throws and
 * no values. */
static bool log_answers(const struct ditto_machine *machine, const struct ditto_go *go)
{
    struct position position;
    if (!machine->log.at || go->watch_count || go->at_throw || go->wanted)
        return false;
    log_position(&machine->log, machine->log.at, &position);
    return position.thread == machine->present.thread && position.turn == machine->present.turn &&
           position.clock == machine->present.clock;
}

/* The last search was for the same, and its next hit is before the present. */
static bool is_known(const struct ditto_machine *machine, const struct ditto_go *go,
                     const struct ditto_message_go *request)
{
    return !machine->hits.passing && machine->hits.question == go->question &&
           hits_are_of(&machine->hits, request);
}

/* Searches, and keeps what is wanted; NULL with the error. */
static struct replica *search_wanted(struct ditto_machine *machine, const struct ditto_go *go,
                                     struct ditto_message_go *request, int64_t from,
                                     const struct position *position, uint64_t to,
                                     struct ditto_error *error)
{
    struct replica *jvm = search(machine, request, from, position, to, error);
    if (!jvm)
        return NULL;
    machine->hits.question = go->question;
    if (!go->wanted || machine->hits.count == 0 || sift(machine, go, to, position, error))
        return jvm;
    spare_keep(machine, jvm);
    return NULL;
}

static void search_back(struct ditto_machine *machine, const struct ditto_go *go,
                        struct ditto_halt *halt)
{
    struct ditto_error error;
    struct ditto_message_go request = {.pace = DITTO_ONE_BY_ONE,
                                       .flags = DITTO_GO_REMEMBER | DITTO_GO_WRITES};
    const struct position present = machine->present;
    const struct position *until = &present;
    uint64_t to = present.clock, length = STRETCH;
    if (log_answers(machine, go)) {
        if (search_log(machine, go, halt))
            return;
        if (machine->log.from < 0 && !machine->log.cut) {
            go_to_begin(machine, halt);
            return;
        }
        if (!machine->log.cut) {
            to = (uint64_t)machine->log.from;
            until = NULL;
        }
    }
    request_fill(machine, go, &request);
    int64_t from = to > length ? (int64_t)(to - length) : -1;
    bool known = is_known(machine, go, &request);
    /* The first stretch begins where a JVM waits, if one does nearby. */
    int64_t spare = spare_before(machine, to, SEARCH_LEAST, SEARCH_MOST);
    if (known)
        from = machine->hits.from;
    else if (spare >= 0)
        from = spare;
    for (;; length *= GROWTH, from = to > length ? (int64_t)(to - length) : -1) {
        struct replica *jvm =
            known ? NULL : search_wanted(machine, go, &request, from, until, to, &error);
        if (!known && !jvm) {
            halt_lost(halt, &error);
            if (is_interrupted(&machine->recording.interrupts))
                halt->why = DITTO_WHY_INTERRUPTED;
            break;
        }
        bool found = machine->hits.count > 0;
        if (found)
            go_to_hit(machine, jvm, halt);
        if (jvm)
            spare_keep(machine, jvm);
        if (found)
            break;
        if (from < 0) {
            go_to_begin(machine, halt);
            break;
        }
        known = false;
        until = NULL;
        to = (uint64_t)from;
    }
    request_free(&request);
}

void go_back(struct ditto_machine *machine, const struct ditto_go *go, struct ditto_halt *halt)
{
    if (go->going == DITTO_GO_ON)
        search_back(machine, go, halt);
    else
        steps_back(machine, go, halt);
}
