/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/vm/progress_line.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/die.h"
#include "core/base/seconds.h"

enum { FIRST_MS = 1000, AGAIN_MS = 200, NARROW = 80, WIDE = 240 };

/*
 * The line is in the row below the cursor, so what the program has begun to print stays as it is.
 * Index and back up: makes room for it in the last row.
 */
#define ROOM  "\033D\033[A"
#define BELOW "\0337\033[E\033[K"
#define BACK  "\0338"

/* Guards everything below, and the terminal while a line is written. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool shown, over;
static uint64_t begin_ms, shown_ms;
static uint64_t total;         /* events in the trace */
static uint64_t *total_thread; /* the same by replay id */
static uint32_t threads;

/* Threads that print.  Counted without the lock; a line that is written meanwhile is erased by the
 * thread that has counted itself, under the lock. */
static _Atomic uint32_t printing;
/* Whether there may be a line: who prints need not take the lock before. */
static _Atomic bool active;

static uint64_t now_ms(void)
{
    return (uint64_t)(ditto_seconds() * 1000);
}

static void write_line(const char *text)
{
    size_t length = strlen(text);
    while (length) {
        ssize_t written = write(STDERR_FILENO, text, length);
        if (written <= 0)
            return;
        text += written;
        length -= (size_t)written;
    }
}

static void erase(void)
{
    if (shown)
        write_line(BELOW BACK);
    shown = false;
}

/* Reads the numbers of events that the threads have in the trace. */
static void count_events(void)
{
    threads = ditto_recorded_threads(ditto_agent.session);
    total_thread = ditto_alloc_zeroed(threads, sizeof *total_thread, "the events of threads");
    for (uint32_t i = 0; i < threads; i++) {
        total_thread[i] = ditto_recorded_events(ditto_agent.session, i);
        total += total_thread[i];
    }
}

static unsigned percent(uint64_t part, uint64_t whole)
{
    return whole == 0 || part > whole ? 100 : (unsigned)((double)part * 100 / (double)whole);
}

/* The line while it grows: only what fits is added. */
struct line {
    char text[WIDE + 1];
    size_t length, limit;
};

static void add_thread(void *context, const struct ditto_thread *thread, uint64_t events)
{
    struct line *line = context;
    char part[48];
    uint32_t id = ditto_replay_id(thread);
    if (id >= threads)
        return;
    int length = snprintf(part, sizeof part, "%s%" PRIu32 ": %u %%",
                          line->length ? ", " : "; thread ", id, percent(events, total_thread[id]));
    if (line->length + (size_t)length > line->limit)
        return;
    memcpy(line->text + line->length, part, (size_t)length + 1);
    line->length += (size_t)length;
}

static size_t columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return NARROW;
    return size.ws_col < WIDE ? size.ws_col : WIDE;
}

static void draw(void)
{
    enum { HEAD = 80 };
    char head[HEAD], whole[HEAD + WIDE + sizeof(ROOM BELOW BACK)];
    size_t width = columns() - 1;
    uint64_t done = ditto_all_events(ditto_agent.session, NULL, NULL);
    int length = snprintf(head, sizeof head, "ditto: %u %%, %" PRIu64 " of %" PRIu64 " events",
                          percent(done, total), done, total);
    if ((size_t)length > width)
        head[width] = '\0';
    struct line line = {.limit = width > (size_t)length ? width - (size_t)length : 0};
    ditto_all_events(ditto_agent.session, add_thread, &line);
    snprintf(whole, sizeof whole, ROOM BELOW "%s%s" BACK, head, line.text);
    write_line(whole);
    shown = true;
}

void ditto_progress_show(void)
{
    uint64_t now = now_ms();
    if (!isatty(STDERR_FILENO))
        return;
    pthread_mutex_lock(&lock);
    if (!begin_ms)
        begin_ms = now;
    if (!over && now - begin_ms >= FIRST_MS && now - shown_ms >= AGAIN_MS) {
        if (!total_thread)
            count_events();
        /* Before the look at `printing`: see ditto_progress_hide(). */
        atomic_store_explicit(&active, true, memory_order_seq_cst);
        if (atomic_load_explicit(&printing, memory_order_seq_cst) == 0)
            draw();
        shown_ms = now;
    }
    pthread_mutex_unlock(&lock);
}

/*
 * Counts, then looks whether there may be a line; the watcher says that there may be one, and then
 * looks at the count.  All sequentially consistent: either the watcher sees the count and draws
 * nothing, or this sees `active`, and waits for the lock and erases.
 */
void ditto_progress_hide(void)
{
    if (!ditto_agent.replay)
        return;
    atomic_fetch_add_explicit(&printing, 1, memory_order_seq_cst);
    if (!atomic_load_explicit(&active, memory_order_seq_cst))
        return;
    pthread_mutex_lock(&lock);
    erase();
    pthread_mutex_unlock(&lock);
}

void ditto_progress_may_show(void)
{
    if (ditto_agent.replay)
        atomic_fetch_sub_explicit(&printing, 1, memory_order_seq_cst);
}

void ditto_progress_end(void)
{
    if (!ditto_agent.replay)
        return;
    pthread_mutex_lock(&lock);
    erase();
    over = true;
    pthread_mutex_unlock(&lock);
}
