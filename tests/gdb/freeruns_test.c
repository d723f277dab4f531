/* SPDX-License-Identifier: MIT */
/* Free runs as `ditto freeruns` prints them, against what the reader counts. */
#include "core/orders/orders.h"
#include "core/reading/counts.h"
#include "gdb-plugin/gdb/freeruns.h"
#include "tests/tap.h"

/* How often a text occurs in the output. */
static uint64_t occurrences(const struct ditto_buf *out, const char *text)
{
    uint64_t count = 0;
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= out->size; i++)
        count += memcmp(out->data + i, text, length) == 0;
    return count;
}

static void check(const char *path)
{
    struct ditto_error error;
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    if (!ok(reader != NULL, "%s opens", path))
        return;
    const struct ditto_order *order = ditto_trace_order(reader, &error);
    for (size_t i = 0; order && i < ditto_reader_thread_count(reader); i++) {
        uint32_t id = ditto_reader_thread(reader, i)->replay_id;
        struct ditto_thread_counts counts;
        struct ditto_buf out = {0};
        if (!ditto_count_thread(reader, order, id, &counts, &error))
            continue;
        ok(freeruns_print(path, id, &out, &error), "thread %u is printed", id);
        is(occurrences(&out, "  a free run of "), counts.memory.free_runs + counts.sync.free_runs,
           "with every free run");
        is(occurrences(&out, "ended by event "),
           counts.memory.constraints + counts.sync.constraints, "and every constraint");
        is(occurrences(&out, "\nthread ") + (out.size && memcmp(out.data, "thread ", 7) == 0), 1,
           "and no other thread");
        ditto_buf_free(&out);
    }
    struct ditto_buf out = {0};
    ok(!freeruns_print(path, 999, &out, &error), "a thread that is not there is refused");
    ok(strstr(error.text, "there is no thread 1000") != NULL, "by its number");
    ditto_buf_free(&out);
    ditto_reader_close(reader);
}

int main(int argc, char **argv)
{
    struct ditto_buf out = {0};
    struct ditto_error error;
    for (int i = 1; i < argc; i++)
        check(argv[i]);
    ok(argc > 1, "there were traces to read");
    ok(!freeruns_print("/nowhere.dt", -1, &out, &error), "a trace that is not there is refused");
    ok(strstr(error.text, "/nowhere.dt") != NULL, "by its name");
    done_testing();
    return exit_status();
}
