/* SPDX-License-Identifier: MIT */
/* The trace file: what is written is read, and what is wrong is said. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/ditto.h"
#include "tests/micro.h"
#include "tests/support.h"
#include "tests/tap.h"
#include "trace/format.h"
#include "trace/reader.h"
#include "trace/writer.h"

static const struct ditto_writer_options small_slots = {.slot_size = 4096};

static off_t file_size(const char *path)
{
    struct stat status;
    return stat(path, &status) ? -1 : status.st_size;
}

/* The bytes of a file, to be freed. */
static uint8_t *slurp(const char *path, size_t *length)
{
    *length = (size_t)file_size(path);
    uint8_t *bytes = malloc(*length + 1);
    FILE *file = fopen(path, "rb");
    if (!bytes || !file || fread(bytes, 1, *length, file) != *length) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return bytes;
}

static void spit(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file)) {
        perror(path);
        exit(1);
    }
}

/* The i-th record of a thread's stream: its bytes follow from its number. */
static size_t make_record(uint8_t *record, uint32_t thread, uint64_t i)
{
    uint64_t state = thread * 1000003ull + i;
    size_t length = random_next(&state) % 60 + 1;
    for (size_t k = 0; k < length; k++)
        record[k] = (uint8_t)random_next(&state);
    return length;
}

static bool stream_is(const struct ditto_reader *reader, uint32_t thread, uint64_t records)
{
    struct ditto_cursor cursor;
    struct ditto_error error;
    uint8_t record[64];
    uint64_t i = 0;
    bool same = true;
    ditto_cursor_init(&cursor, reader, DITTO_STREAM_VALUE, thread);
    while (same && ditto_cursor_step(&cursor, &error) > 0) {
        size_t at = 0;
        while (same && at < cursor.length) {
            size_t length = make_record(record, thread, i++);
            same = at + length <= cursor.length && memcmp(cursor.bytes + at, record, length) == 0;
            at += length;
        }
    }
    ditto_cursor_destroy(&cursor);
    return same && i == records;
}

static void test_streams(void)
{
    const char *path = scratch("streams.dt");
    struct ditto_error error;
    enum { THREADS = 5, RECORDS = 3000 };
    struct ditto_writer *writer = ditto_writer_create(path, &small_slots, &error);
    struct ditto_stream streams[THREADS];
    uint8_t record[64];
    for (uint32_t t = 0; t < THREADS; t++)
        ditto_stream_init(&streams[t], writer, DITTO_STREAM_VALUE, t, NULL);
    bool written = true;
    for (uint64_t i = 0; i < RECORDS; i++)
        for (uint32_t t = 0; t < THREADS; t++)
            written =
                written && ditto_stream_append(&streams[t], record, make_record(record, t, i));
    ok(written, "records are written");

    struct ditto_reader *reader = ditto_reader_open(path, &error);
    bool same = reader && ditto_reader_info(reader)->damage_count == 0;
    for (uint32_t t = 0; same && t < THREADS; t++)
        same = stream_is(reader, t, RECORDS);
    ok(same, "they are all there while the streams are still open");
    is(ditto_reader_info(reader)->open_chunks, THREADS + 1, "as open chunks at the end");
    ditto_reader_close(reader);

    for (uint32_t t = 0; t < THREADS; t++)
        ditto_stream_close(&streams[t]);
    ok(ditto_writer_close(writer, &error), "the trace is sealed");
    ditto_writer_free(writer);
    reader = ditto_reader_open(path, &error);
    same = reader && ditto_reader_info(reader)->sealed && !ditto_reader_info(reader)->damage;
    for (uint32_t t = 0; same && t < THREADS; t++)
        same = stream_is(reader, t, RECORDS);
    ok(same, "the records are all there in the sealed trace");
    is(ditto_reader_info(reader)->open_chunks, 0, "no chunk is open");
    ditto_reader_close(reader);
}

static void test_long_records(void)
{
    const char *path = scratch("long.dt");
    struct ditto_error error;
    struct ditto_writer *writer = ditto_writer_create(path, &small_slots, &error);
    struct ditto_stream stream;
    ditto_stream_init(&stream, writer, DITTO_STREAM_VALUE, 0, NULL);
    static uint8_t large[1 << 20];
    uint64_t state = 3;
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)random_next(&state);
    bool written = ditto_stream_append(&stream, large, sizeof large) &&
                   ditto_stream_append(&stream, "short", 5) &&
                   ditto_stream_append(&stream, large, 5000);
    ok(written, "records longer than a slot are written");
    for (int sealed = 0; sealed < 2; sealed++) {
        struct ditto_reader *reader = ditto_reader_open(path, &error);
        struct ditto_cursor cursor;
        ditto_cursor_init(&cursor, reader, DITTO_STREAM_VALUE, 0);
        bool same = ditto_cursor_step(&cursor, &error) == 1 && cursor.length == sizeof large &&
                    memcmp(cursor.bytes, large, sizeof large) == 0 &&
                    ditto_cursor_step(&cursor, &error) == 1 && cursor.length == 5 &&
                    memcmp(cursor.bytes, "short", 5) == 0 &&
                    ditto_cursor_step(&cursor, &error) == 1 && cursor.length == 5000;
        ok(same, "and read, %s", sealed ? "sealed" : "open");
        ditto_cursor_destroy(&cursor);
        ditto_reader_close(reader);
        if (!sealed) {
            ditto_stream_close(&stream);
            ditto_writer_close(writer, &error);
            ditto_writer_free(writer);
        }
    }
}

static void record_small(const char *path)
{
    const struct micro_parameters parameters = {.threads = 3,
                                                .operations = 400,
                                                .loads = 1,
                                                .stores = 1,
                                                .fields = 2,
                                                .objects = 2,
                                                .locked = 7,
                                                .seed = 5};
    const struct ditto_record_options options = {.buffer_size = 4096};
    struct ditto_error error;
    struct micro_result result;
    struct ditto_session *session = ditto_record(path, &options, &error);
    micro_result_make(&result, &parameters, false);
    micro_run(&parameters, session, &result);
    ditto_input_number(ditto_main_thread(session), 1, 42);
    micro_result_free(&result, &parameters);
    ditto_close(session, &error);
}

static bool check_fails(const char *path)
{
    struct child_result result;
    run_ditto(&result, "check", path);
    return result.exit_status == 2 && strncmp(result.output, "ditto: ", 7) == 0;
}

/* The reader's view of a trace as one number, or 0 if it finds anything wrong with it. */
static uint64_t digest(const char *path)
{
    struct ditto_error error;
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    uint64_t sum = 1;
    if (!reader)
        return 0;
    if (ditto_reader_info(reader)->damage_count)
        sum = 0;
    for (uint32_t id = 0; sum && id < 5; id++) {
        for (int kind = DITTO_STREAM_META; sum && kind < DITTO_STREAM_KINDS; kind++) {
            struct ditto_cursor cursor;
            int step;
            bool meta = kind == DITTO_STREAM_META;
            ditto_cursor_init(&cursor, reader, (enum ditto_stream_kind)kind,
                              meta ? DITTO_NO_THREAD : id);
            while ((step = ditto_cursor_step(&cursor, &error)) > 0)
                for (size_t i = 0; i <= cursor.length; i++)
                    sum = (sum ^ (i < cursor.length ? cursor.bytes[i] : cursor.tail)) *
                          0x100000001b3u;
            if (step < 0)
                sum = 0;
            ditto_cursor_destroy(&cursor);
        }
    }
    ditto_reader_close(reader);
    return sum;
}

static void test_damage(void)
{
    const char *path = scratch("sound.dt");
    const char *bad = scratch("bad.dt");
    size_t length;
    record_small(path);
    uint8_t *bytes = slurp(path, &length);
    uint64_t right = digest(path);
    ok(right != 0, "a sealed trace is sound");
    ok(length < 4096, "and has no room for open chunks any more: %zu bytes", length);

    size_t unnoticed = 0;
    for (size_t cut = 0; cut < length; cut++) {
        spit(bad, bytes, cut);
        unnoticed += digest(bad) != 0;
    }
    is(unnoticed, 0, "a sealed trace that is cut short is noticed, at each of its lengths");

    size_t wrong = 0;
    for (size_t i = 0; i < length; i++) {
        bytes[i] ^= 0x10;
        spit(bad, bytes, length);
        uint64_t seen = digest(bad);
        wrong += seen != 0 && seen != right;
        bytes[i] ^= 0x10;
    }
    is(wrong, 0, "each changed byte is noticed or does not matter");

    spit(bad, bytes, length / 2);
    ok(check_fails(bad), "'ditto check' refuses a truncated trace");
    bytes[length - 9] ^= 1;
    spit(bad, bytes, length);
    ok(check_fails(bad), "and a damaged one");
    free(bytes);
}

static void expect_open_error(const char *path, const char *phrase, const char *what)
{
    struct ditto_error error = {""};
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    ok(!reader && strstr(error.text, phrase) && strstr(error.text, path), "%s: %s", what,
       error.text);
    ditto_reader_close(reader);
}

static void test_wrong_files(void)
{
    const char *path = scratch("wrong.dt");
    expect_open_error(scratch("missing.dt"), "No such file", "a missing file");
    spit(path, "", 0);
    expect_open_error(path, "not a Ditto trace", "an empty file");
    static const char script[] = "#!/bin/sh\necho this is no trace, though it is a file as long\n";
    spit(path, script, sizeof script);
    expect_open_error(path, "not a Ditto trace", "another file");
    expect_open_error(scratch("."), "not a Ditto trace", "a directory");
    mkfifo(scratch("fifo.dt"), 0600);
    expect_open_error(scratch("fifo.dt"), "not a Ditto trace", "a FIFO");

    struct ditto_file_header header = {.magic = DITTO_FILE_MAGIC,
                                       .version = DITTO_FORMAT_VERSION + 1,
                                       .header_size = sizeof header};
    header.checksum = ditto_file_header_checksum(&header);
    spit(path, &header, sizeof header);
    expect_open_error(path, "newer Ditto", "a newer version");
    header.version = DITTO_FORMAT_VERSION;
    spit(path, &header, sizeof header);
    expect_open_error(path, "damaged", "a damaged header");
}

static void expect_create_error(const char *path, const char *phrase, const char *what)
{
    struct ditto_error error = {""};
    struct ditto_session *session = ditto_record(path, NULL, &error);
    ok(!session && strstr(error.text, phrase) && strstr(error.text, path), "%s: %s", what,
       error.text);
}

/* A trace is somebody's document; a terminal must not obey it. */
static void test_escapes(void)
{
    const char *path = scratch("escapes.dt");
    struct ditto_error error;
    struct child_result result;
    struct ditto_session *session = ditto_record(path, NULL, &error);
    ditto_set_property(session, "order", "\033[31mred\302\205");
    ditto_close(session, &error);
    run_ditto(&result, "info", path);
    ok(result.exit_status == 2 && strstr(result.output, "\\x1b[31mred") &&
           !strchr(result.output, '\033') && !strstr(result.output, "\302\205"),
       "control characters are not printed");
}

static void test_unwritable(void)
{
    expect_create_error(scratch("no/such/place.dt"), "No such file", "a missing directory");
    expect_create_error(scratch("."), "not a file", "a directory of that name");
    expect_create_error("/proc/trace.dt", "cannot create", "a place where nothing can be created");

    const char *old = scratch("old.dt");
    record_small(old);
    struct ditto_error error;
    struct ditto_reader *reader = ditto_reader_open(old, &error);
    record_small(old);
    struct ditto_cursor cursor;
    ditto_cursor_init(&cursor, reader, DITTO_STREAM_META, DITTO_NO_THREAD);
    ok(ditto_cursor_step(&cursor, &error) == 1,
       "who reads a trace keeps it when another of the same name is recorded");
    ditto_cursor_destroy(&cursor);
    ditto_reader_close(reader);
}

/* Records until the disk is full or the limit reached, and on; exits with 0 if the run was right.
 */
static void record_into_full_disk(void *argument)
{
    const struct micro_parameters parameters = {.threads = 4,
                                                .operations = 200000,
                                                .loads = 1,
                                                .stores = 1,
                                                .fields = 1,
                                                .objects = 4,
                                                .unordered = true,
                                                .seed = 9};
    const struct ditto_record_options options = {.pruning = DITTO_PRUNE_NONE};
    struct ditto_error error;
    struct micro_result result;
    struct ditto_session *session = ditto_record(argument, &options, &error);
    if (!session) {
        dprintf(STDERR_FILENO, "%s\n", error.text);
        _exit(9);
    }
    micro_result_make(&result, &parameters, false);
    micro_run(&parameters, session, &result);
    uint64_t done = 0;
    for (unsigned i = 0; i < parameters.threads; i++)
        done += result.done[i];
    bool complete = ditto_close(session, &error);
    _exit(!complete && done == (uint64_t)parameters.threads * parameters.operations ? 0 : 1);
}

static void record_under_limit(void *argument)
{
    const struct rlimit limit = {512 * 1024, 512 * 1024};
    setrlimit(RLIMIT_FSIZE, &limit);
    record_into_full_disk(argument);
}

static void limit_files(rlim_t size)
{
    const struct rlimit limit = {size, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &limit);
}

/* The metadata itself meets the limit, and there is more of it afterwards. */
static void record_metadata_under_limit(void *argument)
{
    struct ditto_error error;
    struct ditto_session *session = ditto_record(argument, NULL, &error);
    char value[1000];
    uint64_t state = 1;
    limit_files(256 * 1024);
    for (int i = 0; i < 2000; i++) {
        for (size_t k = 0; k < sizeof value - 1; k++)
            value[k] = (char)('a' + random_next(&state) % 26);
        value[sizeof value - 1] = '\0';
        ditto_set_property(session, "noise", value);
    }
    for (int i = 0; i < 100; i++) {
        struct ditto_thread *thread = ditto_thread_start(ditto_main_thread(session), "late");
        ditto_thread_end(thread);
        ditto_thread_release(thread);
    }
    _exit(ditto_close(session, &error));
}

/* The disk is full for a while, in the middle of a long record; then there is room again. */
static void record_over_a_full_moment(void *argument)
{
    struct ditto_error error;
    const struct ditto_record_options options = {.pruning = DITTO_PRUNE_NONE};
    struct ditto_session *session = ditto_record(argument, &options, &error);
    struct ditto_thread *self = ditto_main_thread(session);
    ditto_cell cell = {NULL};
    static uint8_t input[300000];
    uint64_t state = 1;
    for (size_t i = 0; i < sizeof input; i++)
        input[i] = (uint8_t)random_next(&state);
    for (int i = 0; i < 10000; i++) {
        ditto_place *place = ditto_field(session, &cell, 1, 0);
        ditto_store_begin(self, place);
        ditto_store_end(self, place);
    }
    limit_files(400 * 1024);
    size_t length = sizeof input;
    ditto_input(self, 1, input, &length, length);
    ditto_input(self, 1, input, &length, length);
    limit_files(RLIM_INFINITY);
    ditto_cell_release(&cell);
    _exit(ditto_close(session, &error));
}

static void expect_stopped_trace(const struct child_result *result, const char *path,
                                 const char *what)
{
    is((uint64_t)result->exit_status, 0, "%s: the program runs to its end", what);
    ok(strstr(result->output, "the recording stops here") != NULL, "%s: it says so: %s", what,
       result->output);
    struct child_result check;
    run_ditto(&check, "check", path);
    is((uint64_t)check.exit_status, 0, "%s: the trace is sound: %s", what, check.output);
    ok(strstr(check.output, "stopped before the program did") != NULL, "%s: and says how it ended",
       what);
}

static void test_full_disk(void)
{
    struct child_result result;
    const char *path = scratch("limit.dt");
    in_child(record_under_limit, (void *)path, &result);
    expect_stopped_trace(&result, path, "a file size limit");

    path = scratch("metadata.dt");
    in_child(record_metadata_under_limit, (void *)path, &result);
    expect_stopped_trace(&result, path, "metadata that meets the limit");
    struct ditto_error error;
    struct ditto_reader *reader = ditto_reader_open(path, &error);
    is(ditto_reader_thread_count(reader), 1, "threads that start after the stop are not in it");
    ditto_reader_close(reader);
    path = scratch("moment.dt");
    in_child(record_over_a_full_moment, (void *)path, &result);
    expect_stopped_trace(&result, path, "a disk that is full for a moment");

    const char *mount_point = scratch("small");
    mkdir(mount_point, 0700);
    if (mount("ditto-test", mount_point, "tmpfs", 0, "size=640k")) {
        skip(5, "cannot mount a small file system here");
        return;
    }
    path = scratch("small/full.dt");
    in_child(record_into_full_disk, (void *)path, &result);
    expect_stopped_trace(&result, path, "a full disk");
    spit(scratch("small/rest"), "", 0);
    int fd = open(scratch("small/rest"), O_WRONLY);
    char block[4096] = {1};
    while (write(fd, block, sizeof block) > 0)
        ;
    close(fd);
    in_child(record_into_full_disk, (void *)scratch("small/none.dt"), &result);
    ok(result.exit_status == 9 && strstr(result.output, "No space left") &&
           strstr(result.output, "free some space"),
       "a disk that is full already: %s", result.output);
    umount(scratch("small"));
}

static void *stop_it(void *writer)
{
    struct ditto_error reason;
    ditto_error_set(&reason, "a reason");
    ditto_writer_stop(writer, &reason);
    return NULL;
}

/* A recording that fails in one thread while another closes it: who learns of it learns why. */
static void test_stop_while_closing(void)
{
    enum { ROUNDS = 1000 };
    unsigned told = 0, untold = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct ditto_error error = {.text = ""};
        struct ditto_writer *writer =
            ditto_writer_create(scratch("stopped.dt"), &small_slots, &error);
        pthread_t thread;
        if (!writer || pthread_create(&thread, NULL, stop_it, writer))
            abort();
        /* Seen stopped, so it is most likely still about to say why. */
        while (i % 2 && !ditto_stop_flag_is_set(ditto_writer_stop_flag(writer)))
            ;
        if (!ditto_writer_close(writer, &error)) {
            told += strcmp(error.text, "a reason") == 0;
            untold += strcmp(error.text, "a reason") != 0;
        }
        pthread_join(thread, NULL);
        ditto_writer_free(writer);
    }
    ok(told && !untold, "a recording that stops while it is closed says why (%u times of %d)", told,
       ROUNDS);
}

int main(void)
{
    test_streams();
    test_long_records();
    test_damage();
    test_wrong_files();
    test_escapes();
    test_unwritable();
    test_full_disk();
    test_stop_while_closing();
    done_testing();
    return exit_status();
}
