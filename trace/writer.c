/* SPDX-License-Identifier: MIT */
#include "trace/writer.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "trace/seal.h"
#include "trace/slots.h"

struct ditto_writer {
    struct ditto_output output;
    struct ditto_slots slots;
    struct ditto_writer_options options;
    _Atomic bool stopped;
    _Atomic unsigned streams; /* that are not closed, the metadata stream apart */
    /* Guards the metadata stream.  Recursive: a failure while writing to it is written to it. */
    pthread_mutex_t meta_lock;
    struct ditto_stream meta;
    struct ditto_error reason; /* why it stopped, guarded by meta_lock too; "" if it did not */
};

/* Kept free at the end of each metadata chunk, so that how it ended fits even on a full disk. */
enum { ENDING_RESERVE = 1024 };

const _Atomic bool *ditto_writer_stop_flag(const struct ditto_writer *writer)
{
    return &writer->stopped;
}

void ditto_writer_stop(struct ditto_writer *writer, const struct ditto_error *reason)
{
    /* Who finds the flag set, and then takes the lock, finds the reason there too. */
    pthread_mutex_lock(&writer->meta_lock);
    bool first = !atomic_exchange_explicit(&writer->stopped, true, memory_order_acq_rel);
    if (first)
        writer->reason = *reason;
    pthread_mutex_unlock(&writer->meta_lock);
    if (first && writer->options.on_failure)
        writer->options.on_failure(writer->options.context, reason);
}

/*
 * A new file beside the place where it will be: an old trace of that name goes only when the new
 * one is known to work.  Its name goes to *temporary, to be freed.  -1 on failure.
 */
static int create_file(const char *path, char **temporary, struct ditto_error *error)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        ditto_error_set(error,
                        "%s: cannot create the trace: there is something of that name that is not "
                        "a file; choose another name",
                        path);
        return -1;
    }
    if (asprintf(temporary, "%s.%d", path, (int)getpid()) < 0) {
        *temporary = NULL;
        ditto_error_system(error, path, "create the trace", ENOMEM);
        return -1;
    }
    unlink(*temporary); /* of a process with this number that was killed just here */
    int fd = open(*temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        ditto_error_system(error, path, "create the trace", errno);
        free(*temporary);
        *temporary = NULL;
    }
    return fd;
}

static struct ditto_file_header new_header(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct ditto_file_header header = {
        .magic = DITTO_FILE_MAGIC,
        .version = DITTO_FORMAT_VERSION,
        .header_size = sizeof header,
        .created = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec,
    };
    if (getrandom(&header.trace_id, sizeof header.trace_id, GRND_NONBLOCK) !=
        (ssize_t)sizeof header.trace_id)
        header.trace_id = header.created * 0x9e3779b97f4a7c15u ^ (uint64_t)getpid();
    header.checksum = ditto_file_header_checksum(&header);
    return header;
}

static void begin_chunk(struct ditto_stream *stream)
{
    struct ditto_slots *slots = &stream->writer->slots;
    ditto_slot_assign(slots, stream->slot, stream->kind, stream->replay_id, stream->sequence);
    stream->word = &ditto_slot_control(stream->slot)->word;
    stream->bytes = stream->slot->mapping + DITTO_SLOT_PAYLOAD;
    stream->capacity = slots->size - DITTO_SLOT_PAYLOAD;
    if (stream->kind == DITTO_STREAM_META)
        stream->capacity -= ENDING_RESERVE;
    stream->used = 0;
    stream->tail = 0;
}

void ditto_writer_free(struct ditto_writer *writer)
{
    if (writer->meta.slot)
        ditto_slots_drop(&writer->slots, writer->meta.slot);
    ditto_slots_destroy(&writer->slots);
    ditto_output_destroy(&writer->output);
    pthread_mutex_destroy(&writer->meta_lock);
    free(writer);
}

static void init_writer(struct ditto_writer *writer, const struct ditto_writer_options *options,
                        uint32_t slot_size)
{
    writer->options = *options;
    ditto_slots_init(&writer->slots, &writer->output, slot_size);
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&writer->meta_lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    writer->meta = (struct ditto_stream){
        .writer = writer, .kind = DITTO_STREAM_META, .replay_id = DITTO_NO_THREAD};
}

struct ditto_writer *ditto_writer_create(const char *path,
                                         const struct ditto_writer_options *options,
                                         struct ditto_error *error)
{
    uint32_t slot_size = options->slot_size ? options->slot_size : DITTO_SLOT_SIZE_DEFAULT;
    if (slot_size < DITTO_SLOT_SIZE_MIN || slot_size > DITTO_SLOT_SIZE_MAX ||
        slot_size % (uint32_t)sysconf(_SC_PAGESIZE)) {
        ditto_error_set(error,
                        "%s: buffers of %u bytes will not do; use a multiple of the page size from "
                        "%d to %d",
                        path, slot_size, DITTO_SLOT_SIZE_MIN, DITTO_SLOT_SIZE_MAX);
        return NULL;
    }
    struct ditto_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        ditto_error_system(error, path, "create the trace", ENOMEM);
        return NULL;
    }
    char *temporary;
    int fd = create_file(path, &temporary, error);
    if (fd < 0) {
        free(writer);
        return NULL;
    }
    struct ditto_file_header header = new_header();
    if (!ditto_output_init(&writer->output, fd, path, &header, error)) {
        close(fd);
        free(writer);
        writer = NULL;
    } else {
        init_writer(writer, options, slot_size);
        /* The first slot now: a disk that is full already should not look like a recording. */
        writer->meta.slot = ditto_slots_take(&writer->slots, error);
        if (writer->meta.slot && rename(temporary, path) == 0) {
            begin_chunk(&writer->meta);
        } else {
            if (writer->meta.slot)
                ditto_error_system(error, path, "create the trace", errno);
            ditto_writer_free(writer);
            writer = NULL;
        }
    }
    if (!writer)
        unlink(temporary);
    free(temporary);
    return writer;
}

void ditto_stream_init(struct ditto_stream *stream, struct ditto_writer *writer,
                       enum ditto_stream_kind kind, uint32_t replay_id, ditto_split_fn *split)
{
    *stream = (struct ditto_stream){
        .writer = writer, .kind = kind, .replay_id = replay_id, .split = split};
    atomic_fetch_add_explicit(&writer->streams, 1, memory_order_relaxed);
}

/* Appends the open chunk to the file.  Until the slot is assigned anew or released, it holds the
 * same bytes under the same sequence number, and a reader takes them from there. */
static bool finish_chunk(struct ditto_stream *stream, struct ditto_error *error)
{
    const struct ditto_chunk chunk = {.stream = stream->kind,
                                      .replay_id = stream->replay_id,
                                      .sequence = stream->sequence,
                                      .tail = stream->tail,
                                      .bytes = stream->bytes,
                                      .length = stream->used,
                                      .split = stream->split};
    return ditto_output_chunk(&stream->writer->output, &chunk, error);
}

bool ditto_stream_turn(struct ditto_stream *stream)
{
    struct ditto_writer *writer = stream->writer;
    struct ditto_error error;
    if (ditto_stop_flag_is_set(&writer->stopped))
        return false;
    if (!stream->slot) {
        stream->slot = ditto_slots_take(&writer->slots, &error);
        if (!stream->slot) {
            ditto_writer_stop(writer, &error);
            return false;
        }
    } else {
        if (!finish_chunk(stream, &error)) {
            stream->failed = true;
            ditto_writer_stop(writer, &error);
            return false;
        }
        ditto_slot_release(stream->slot);
        stream->sequence++;
    }
    begin_chunk(stream);
    return true;
}

static void add_bytes(struct ditto_stream *stream, const void *bytes, size_t length)
{
    assert(stream->used + length <= stream->writer->slots.size - DITTO_SLOT_PAYLOAD);
    memcpy(stream->bytes + stream->used, bytes, length);
    stream->used += (uint32_t)length;
    ditto_stream_commit(stream);
}

/* A record that is longer than a slot becomes a finished chunk of its own. */
static bool append_long(struct ditto_stream *stream, const void *bytes, size_t length)
{
    struct ditto_error error;
    /* An empty slot of the same sequence number tells a reader that this chunk may be torn. */
    if ((!stream->slot || stream->used || stream->tail) && !ditto_stream_turn(stream))
        return false;
    const struct ditto_chunk chunk = {.stream = stream->kind,
                                      .replay_id = stream->replay_id,
                                      .sequence = stream->sequence,
                                      .bytes = bytes,
                                      .length = length};
    if (!ditto_output_chunk(&stream->writer->output, &chunk, &error)) {
        stream->failed = true;
        ditto_writer_stop(stream->writer, &error);
        return false;
    }
    stream->sequence++;
    ditto_slot_release(stream->slot);
    begin_chunk(stream);
    return true;
}

bool ditto_stream_append(struct ditto_stream *stream, const void *bytes, size_t length)
{
    assert(length <= DITTO_RECORD_MAX);
    if (stream->used + length > stream->capacity) {
        if (ditto_stop_flag_is_set(&stream->writer->stopped))
            return false;
        uint32_t most = stream->writer->slots.size - DITTO_SLOT_PAYLOAD - ENDING_RESERVE;
        if (length > most)
            return append_long(stream, bytes, length);
        if (!ditto_stream_turn(stream))
            return false;
    }
    add_bytes(stream, bytes, length);
    return true;
}

/* Finishes the open chunk and gives the slot back. */
static void end_stream(struct ditto_stream *stream)
{
    struct ditto_writer *writer = stream->writer;
    struct ditto_error error;
    if (stream->slot) {
        bool empty = stream->used == 0 && stream->tail == 0;
        /*
         * After an append that failed half way the slot is what counts, or says that the record
         * behind it is torn: it stays as it is.
         */
        if (!stream->failed && (empty || finish_chunk(stream, &error))) {
            ditto_slot_release(stream->slot);
            ditto_slots_give(&writer->slots, stream->slot);
        } else {
            ditto_slots_drop(&writer->slots, stream->slot);
            if (!stream->failed)
                ditto_writer_stop(writer, &error);
        }
    }
    stream->slot = NULL;
}

void ditto_stream_close(struct ditto_stream *stream)
{
    struct ditto_writer *writer = stream->writer;
    end_stream(stream);
    *stream = (struct ditto_stream){0};
    /* Release: who sees that there are none left sees what went into the file, too. */
    atomic_fetch_sub_explicit(&writer->streams, 1, memory_order_release);
}

bool ditto_writer_meta(struct ditto_writer *writer, const struct ditto_meta *record)
{
    /* What happens after the stop is not recorded; how it ended is. */
    if (record->type != DITTO_META_END && ditto_stop_flag_is_set(&writer->stopped))
        return false;
    size_t length;
    uint8_t *bytes = ditto_meta_encode(record, &length);
    if (!bytes || length > DITTO_RECORD_MAX) {
        struct ditto_error error;
        ditto_error_system(&error, writer->output.path, "write the trace", bytes ? EFBIG : ENOMEM);
        ditto_writer_stop(writer, &error);
        free(bytes);
        return false;
    }
    pthread_mutex_lock(&writer->meta_lock);
    struct ditto_stream *meta = &writer->meta;
    bool written;
    if (record->type == DITTO_META_END && meta->slot &&
        meta->capacity + ENDING_RESERVE - meta->used >= length) {
        add_bytes(meta, bytes, length);
        written = true;
    } else {
        written = ditto_stream_append(meta, bytes, length);
    }
    pthread_mutex_unlock(&writer->meta_lock);
    free(bytes);
    return written;
}

/* Rewriting costs a copy, leaving the slots in costs their room: copy while that is the less. */
static bool worth_rewriting(const struct ditto_writer *writer)
{
    uint64_t end = atomic_load_explicit(&writer->output.end, memory_order_relaxed);
    return writer->slots.made * writer->slots.size > end / 16;
}

bool ditto_writer_close(struct ditto_writer *writer, struct ditto_error *error)
{
    bool failed = atomic_exchange_explicit(&writer->stopped, true, memory_order_acq_rel);
    if (failed) {
        pthread_mutex_lock(&writer->meta_lock);
        if (error)
            *error = writer->reason;
        pthread_mutex_unlock(&writer->meta_lock);
    }
    if (failed || atomic_load_explicit(&writer->streams, memory_order_acquire))
        return !failed;
    end_stream(&writer->meta);
    /* Where there is no room for a copy, the trace is complete as it is, if larger. */
    return (worth_rewriting(writer) &&
            ditto_seal(writer->output.fd, writer->output.path, NULL, NULL)) ||
           ditto_output_seal(&writer->output, error);
}

void ditto_writer_before_fork(struct ditto_writer *writer)
{
    pthread_mutex_lock(&writer->meta_lock);
    pthread_mutex_lock(&writer->slots.lock);
    pthread_mutex_lock(&writer->output.contexts_lock);
}

void ditto_writer_after_fork(struct ditto_writer *writer)
{
    pthread_mutex_unlock(&writer->output.contexts_lock);
    pthread_mutex_unlock(&writer->slots.lock);
    pthread_mutex_unlock(&writer->meta_lock);
}
