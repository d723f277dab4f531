/* SPDX-License-Identifier: MIT */
/*
 * The quick events of the order `ditto` in three texts: the slow path (record.c, replay.c without
 * their quick halves), quick.h, and its translation in Java.
 *
 *     quick_test plan MODE FILE      what a Java program needs to go through all cases
 *     quick_test compare MODE FILE   goes through them itself, and compares with its answers
 *
 * A case is a combination of the values that layout.def has for the fields that matter.  In each
 * case every event is done on the same bytes: all three texts must have done the same to them, or
 * the quick ones said that it is not quick and left the bytes alone.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Who would be woken is counted. */
static unsigned woken, woken_for_lock;
#define ditto_light_lock_wake count_lock_wake
#define ditto_wake_slow       count_wake
#include "core/engine/wait.h"
#include "core/orders/ditto/quick.h"
#include "core/orders/ditto/state.h"

void count_lock_wake(struct ditto_light_lock *lock)
{
    (void)lock;
    woken_for_lock = 1;
}

void count_wake(struct ditto_wait_table *table, const void *key)
{
    (void)table;
    (void)key;
    woken = 1;
}

/* The slow texts: the same files, in which nothing is quick. */
#define quick_record_load(self, place)         false
#define quick_record_store(self, place)        false
#define quick_record_update_begin(self, place) false
#define quick_record_update_end(self, place)   false
#define quick_begin_free(self, access)         ((void)(access), false)
#define ditto_record_events                    slow_record
#define ditto_replay_events                    slow_replay
#define ditto_replay_clock_after               slow_clock_after
#include "core/orders/ditto/record.c"
#undef RELAXED
#include "core/orders/ditto/replay.c"
#undef quick_record_load
#undef quick_record_store
#undef quick_record_update_begin
#undef quick_record_update_end
#undef quick_begin_free

#include "core/orders/orders.h"
#include "tests/tap.h"

/* ----------------------------------------------------------------- the bytes */

/* Everything an event touches, in one piece. */
struct bytes {
    _Alignas(16) unsigned char thread[sizeof(struct ditto_thread) + sizeof(struct thread_state)];
    _Alignas(16) ditto_place place;
    uint64_t word;
    _Atomic bool stop_flag;
    _Alignas(8) char end;
};

static struct bytes bytes, nothing;
static struct ditto_session session;

static struct ditto_thread *self(void)
{
    return (struct ditto_thread *)bytes.thread;
}

enum { MINE = 3, ME = MINE + 1, OTHER = 8 };

/* The words of layout.def. */
static const struct {
    const char *word;
    uint64_t value;
} words[] = {
    {"none", 0},
    {"zero", 0},
    {"nobody", 0},
    {"absent", 0},
    {"one", 1},
    {"some", 5},
    {"mine", MINE},
    {"me", ME},
    {"other", OTHER},
    {"many", MANY},
    {"largest", LARGEST_TAIL},
    {"low", 500},
    {"equal", 1000},
    {"above", 1001},
    {"high", 1500},
    {"last", UINT64_MAX},
    {"present", offsetof(struct bytes, word)},
};

struct field {
    const char *name;
    size_t offset; /* in bytes */
    size_t width;
    bool pointer; /* the value is an offset in bytes, or 0 */
    const char *mode, *values;
    bool matters; /* in this mode: a lock of the one is a count of the other */
    size_t count;
    uint64_t value[8];
};

#define IN_thread(member)                                                                          \
    (offsetof(struct bytes, thread) + offsetof(struct ditto_thread, order_state) +                 \
     offsetof(struct thread_state, member))
#define IN_place(member) (offsetof(struct bytes, place) + offsetof(ditto_place, member))
#define width_u8         1
#define width_u32        4
#define width_i32        4
#define width_u64        8
#define width_ptr        8
#define is_u8            false
#define is_u32           false
#define is_i32           false
#define is_u64           false
#define is_ptr           true

static struct field fields[] = {
#define ENTRY(owner, of, at, type, when, words)                                                    \
    {.name = #owner "." #of,                                                                       \
     .offset = at,                                                                                 \
     .width = width_##type,                                                                        \
     .pointer = is_##type,                                                                         \
     .mode = #when,                                                                                \
     .values = #words},
#define FIELD(owner, name, member, type, mode, values)                                             \
    ENTRY(owner, name, offsetof(struct ditto_thread, member), type, mode, values)
#include "core/engine/layout.def"
#undef FIELD
#define FIELD(owner, name, member, type, mode, values)                                             \
    ENTRY(owner, name, IN_##owner(member), type, mode, values)
#include "core/orders/ditto/layout.def"
#undef FIELD
    ENTRY(session, stop_flag, offsetof(struct bytes, stop_flag), u8, record, none one)};

enum { FIELDS = sizeof fields / sizeof *fields };

static struct field *field(const char *name)
{
    for (size_t i = 0; i < FIELDS; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    abort();
}

static uint64_t value_of(const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i].word, word) == 0)
            return words[i].value;
    fprintf(stderr, "quick_test: layout.def has the word '%s', which means nothing here\n", word);
    exit(2);
}

static bool replaying;

/* Reads the values of the fields that matter. */
static void prepare(const char *mode)
{
    static _Atomic uint64_t unused;
    replaying = strcmp(mode, "replay") == 0;
    for (size_t i = 0; i < FIELDS; i++) {
        struct field *f = &fields[i];
        char text[128], *rest = text;
        f->count = 1;
        f->matters =
            strcmp(f->mode, "both") == 0 || strcmp(f->mode, replaying ? "replay" : "record") == 0;
        if (!f->matters)
            continue;
        snprintf(text, sizeof text, "%s", f->values);
        for (f->count = 0; rest;)
            f->value[f->count++] = value_of(strsep(&rest, " "));
    }
    /* The entry of the interaction table that can matter. */
    field("thread.seen_thread")->offset += OTHER % SEEN_SIZE * sizeof(uint32_t);
    field("thread.seen_clock")->offset += OTHER % SEEN_SIZE * sizeof(uint64_t);
    session.order = ditto_orders[0];
    session.replaying = replaying;
    session.choices[OPTION_PRUNING] =
        strcmp(mode, "program-order") == 0 ? DITTO_PRUNE_PROGRAM_ORDER : DITTO_PRUNE_FULL;
    self()->session = &session;
    self()->stop_flag = &bytes.stop_flag;
    self()->memory.word = &unused;
    self()->memory.capacity = 4096;
    memcpy(&nothing, &bytes, sizeof bytes);
    ((struct ditto_thread *)nothing.thread)->memory.word = NULL;
}

static uint64_t base(void)
{
    return (uint64_t)(uintptr_t)&bytes;
}

static void put(const struct field *f, uint64_t value)
{
    if (f->pointer && value)
        value += base();
    memcpy((char *)&bytes + f->offset, &value, f->width);
}

static uint64_t cases(void)
{
    uint64_t product = 1;
    for (size_t i = 0; i < FIELDS; i++)
        product *= fields[i].count;
    return product;
}

static void set(uint64_t number)
{
    memcpy(&bytes, &nothing, sizeof bytes);
    for (size_t i = 0; i < FIELDS; i++) {
        if (fields[i].matters)
            put(&fields[i], fields[i].value[number % fields[i].count]);
        number /= fields[i].count;
    }
}

/* The bytes as Java has them, in a number: without what only C has in them, and with pointers as
 * offsets. */
static uint64_t digest(void)
{
    struct bytes copy;
    memcpy(&copy, &bytes, sizeof copy);
    struct ditto_thread *thread = (struct ditto_thread *)copy.thread;
    uint64_t access = thread->access, hash = 0;
    thread->access = access ? access - base() : 0;
    if (thread->memory.word)
        thread->memory.word = (void *)((uintptr_t)thread->memory.word - base());
    for (size_t i = 0; i < sizeof copy / sizeof(uint64_t); i++) {
        uint64_t word, template;
        memcpy(&word, (char *)&copy + i * sizeof word, sizeof word);
        memcpy(&template, (char *)&nothing + i * sizeof word, sizeof word);
        hash = (hash ^ word ^ template) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* ---------------------------------------------------------------- the events */

enum event { LOAD, STORE, UPDATE, LOAD_END, STORE_END, UPDATE_END, EVENTS };

static const char *const event_names[EVENTS] = {"load",     "store",     "update",
                                                "load end", "store end", "update end"};
static const uintptr_t kind_of[EVENTS] = {DITTO_LOADING, DITTO_STORING,
                                          DITTO_UPDATING | DITTO_STORING};

/* An end follows a quick beginning: the access is under way, and recording the place locked. */
static bool begins(enum event event)
{
    return event < LOAD_END;
}

static bool is_possible(enum event event)
{
    return begins(event) || replaying ||
           (bytes.place.lock.held == ME && self()->memory.word &&
            (event != UPDATE_END || self()->memory.tail != LARGEST_TAIL));
}

static uintptr_t access_of(enum event event)
{
    return (uintptr_t)&bytes.place | kind_of[event % LOAD_END];
}

static bool quick(enum event event)
{
    ditto_place *place = &bytes.place;
    switch (event) {
    case LOAD:
        return replaying ? quick_begin_free(self(), access_of(event))
                         : quick_record_load(self(), place);
    case STORE:
        return replaying ? quick_begin_free(self(), access_of(event))
                         : quick_record_store(self(), place);
    case UPDATE:
        return replaying ? quick_begin_free(self(), access_of(event))
                         : quick_record_update_begin(self(), place);
    case UPDATE_END:
        if (!replaying && !quick_record_update_end(self(), place))
            return false;
        break;
    default:
        if (!replaying)
            ditto_light_unlock(&place->lock);
    }
    if (replaying && event == LOAD_END)
        quick_replay_load(self(), place);
    else if (replaying)
        quick_replay_store(self(), place);
    quick_set_access(self(), 0);
    return true;
}

/* As core/engine/events.c calls it. */
static void slow(enum event event)
{
    const struct ditto_order_events *events = replaying ? &slow_replay : &slow_record;
    ditto_place *place = &bytes.place;
    if (begins(event))
        quick_set_access(self(), access_of(event));
    switch (event) {
    case LOAD:
        events->load_begin(self(), place);
        break;
    case STORE:
        events->store_begin(self(), place);
        break;
    case UPDATE:
        events->update_begin(self(), place);
        /* What the replay expects of the update is no business of quick events; and a slow update
         * says in `access` that it is one. */
        state_of(self())->update_stores = false;
        quick_set_access(self(), access_of(event));
        break;
    case LOAD_END:
        events->load_end(self(), place);
        break;
    case STORE_END:
        events->store_end(self(), place);
        break;
    default:
        state_of(self())->update_stores = true;
        events->update_end(self(), place, true);
        state_of(self())->update_stores = false;
    }
    if (!begins(event))
        quick_set_access(self(), 0);
}

/* One event of a case, as both languages tell of it. */
struct answer {
    uint64_t digest;
    uint64_t done, woken, woken_for_lock;
};

static void ready_for(uint64_t number, enum event event)
{
    set(number);
    if (!begins(event))
        quick_set_access(self(), access_of(event));
    woken = woken_for_lock = 0;
}

/* ----------------------------------------------------------------- the modes */

static int make_plan(const char *mode, FILE *out)
{
    prepare(mode);
    fprintf(out, "replay %d\n", replaying);
    for (size_t i = 0; i < FIELDS; i++) {
        bool of_place = strncmp(fields[i].name, "place.", 6) == 0;
        size_t from = of_place ? offsetof(struct bytes, place) : 0;
        size_t entry = strcmp(fields[i].name, "thread.seen_thread") == 0  ? OTHER * sizeof(uint32_t)
                       : strcmp(fields[i].name, "thread.seen_clock") == 0 ? OTHER * sizeof(uint64_t)
                                                                          : 0;
        fprintf(out, "number %s %zu\n", fields[i].name, fields[i].offset - from - entry);
        if (!fields[i].matters)
            continue;
        fprintf(out, "field %zu %zu %d", fields[i].offset, fields[i].width, fields[i].pointer);
        for (size_t v = 0; v < fields[i].count; v++)
            fprintf(out, " %" PRId64, (int64_t)fields[i].value[v]);
        fprintf(out, "\n");
    }
    fprintf(out, "number seen.size %d\n",
            session.choices[OPTION_PRUNING] == DITTO_PRUNE_FULL ? SEEN_SIZE : 0);
    fprintf(out, "number lock.fenced 0\n");
    fprintf(out, "bytes %zu %zu\n", sizeof bytes, offsetof(struct bytes, place));
    return fclose(out) ? 2 : 0;
}

static void say_case(uint64_t number, enum event event, const char *what)
{
    diag("case %" PRIu64 ", %s: %s", number, event_names[event], what);
    for (size_t i = 0; i < FIELDS; i++) {
        if (fields[i].count > 1)
            diag("    %s = %" PRId64, fields[i].name,
                 (int64_t)fields[i].value[number % fields[i].count]);
        number /= fields[i].count;
    }
}

static void compare(const char *mode, FILE *in)
{
    uint64_t wrong = 0, done[EVENTS] = {0}, tried[EVENTS] = {0};
    prepare(mode);
    for (uint64_t number = 0; number < cases() && wrong < 5; number++) {
        for (enum event event = 0; event < EVENTS && wrong < 5; event++) {
            struct answer java;
            if (fread(&java, sizeof java, 1, in) != 1) {
                diag("the answers end at case %" PRIu64, number);
                wrong++;
                break;
            }
            ready_for(number, event);
            if (!is_possible(event))
                continue;
            uint64_t before = digest();
            const char *what = NULL;
            tried[event]++;
            const struct answer c = {.done = quick(event)};
            uint64_t after = digest();
            if (java.done != c.done || java.digest != after)
                what = "Java does something else than quick.h";
            else if (java.woken != woken || java.woken_for_lock != woken_for_lock)
                what = "Java wakes others than quick.h";
            else if (!c.done && after != before)
                what = "it is not quick, and has changed something";
            done[event] += c.done;
            if (c.done && !what) {
                unsigned quick_woken = woken, quick_woken_for_lock = woken_for_lock;
                ready_for(number, event);
                slow(event);
                if (digest() != after)
                    what = "the slow path does something else than quick.h";
                else if (woken != quick_woken || woken_for_lock != quick_woken_for_lock)
                    what = "the slow path wakes others than quick.h";
            }
            if (what) {
                say_case(number, event, what);
                wrong++;
            }
        }
    }
    is(wrong, 0, "%s: slow C, quick C and Java agree in %" PRIu64 " cases", mode, cases());
    for (enum event event = 0; event < EVENTS; event++)
        ok(done[event] > 0, "%s: %s: %" PRIu64 " of %" PRIu64 " were quick", mode,
           event_names[event], done[event], tried[event]);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 4 ? fopen(argv[3], strcmp(argv[1], "plan") == 0 ? "w" : "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: quick_test plan|compare full|program-order|replay FILE\n");
        return 2;
    }
    if (strcmp(argv[1], "plan") == 0)
        return make_plan(argv[2], file);
    compare(argv[2], file);
    fclose(file);
    done_testing();
    return exit_status();
}
