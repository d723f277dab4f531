/* SPDX-License-Identifier: MIT */
#include "trace/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "trace/index.h"

struct property {
    char *name;
    char *value;
};

struct ditto_reader {
    char *path;
    struct ditto_index index;
    struct ditto_trace_info info;
    struct ditto_thread_info *threads; /* sorted by replay id; names are owned */
    size_t thread_count, thread_capacity;
    struct property *properties;
    size_t property_count, property_capacity;
    char *ending_text;
};

static int step_cursor(struct ditto_cursor *cursor, struct ditto_error *error);

/* Makes room for one more element.  False when memory is out. */
static bool grow(void **array, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return true;
    size_t grown = *capacity ? *capacity * 2 : 16;
    void *moved = realloc(*array, grown * element);
    if (!moved)
        return false;
    *array = moved;
    *capacity = grown;
    return true;
}

static char *copy_text(struct ditto_text text)
{
    char *copy = malloc(text.length + 1);
    if (!copy)
        return NULL;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    return copy;
}

static bool add_property(struct ditto_reader *reader, const struct ditto_meta *record)
{
    if (!grow((void **)&reader->properties, reader->property_count, &reader->property_capacity,
              sizeof *reader->properties))
        return false;
    struct property property = {copy_text(record->name), copy_text(record->text)};
    if (!property.name || !property.value) {
        free(property.name);
        free(property.value);
        return false;
    }
    reader->properties[reader->property_count++] = property;
    return true;
}

static bool add_thread(struct ditto_reader *reader, const struct ditto_thread_info *thread)
{
    if (!grow((void **)&reader->threads, reader->thread_count, &reader->thread_capacity,
              sizeof *reader->threads))
        return false;
    reader->threads[reader->thread_count++] = *thread;
    return true;
}

/* Each record of a thread becomes an entry; merge_threads() puts them together. */
static bool take_record(struct ditto_reader *reader, const struct ditto_meta *record)
{
    struct ditto_thread_info thread = {.replay_id = record->replay_id, .parent = DITTO_NO_THREAD};
    switch (record->type) {
    case DITTO_META_PROPERTY:
        return add_property(reader, record);
    case DITTO_META_THREAD_START:
        thread.parent = record->parent;
        thread.started = true;
        thread.start_clock = record->clock;
        thread.name = copy_text(record->text);
        if (thread.name && add_thread(reader, &thread))
            return true;
        free((char *)thread.name);
        return false;
    case DITTO_META_THREAD_END:
        thread.ended = true;
        thread.end_clock = record->clock;
        thread.memory_events = record->memory_events;
        thread.sync_events = record->sync_events;
        thread.values = record->values;
        return add_thread(reader, &thread);
    case DITTO_META_END:
        /* A recording can fail while it is being closed; then it did not end well. */
        if (reader->info.ending == DITTO_ENDING_STOPPED)
            return true;
        free(reader->ending_text);
        reader->ending_text = copy_text(record->text);
        reader->info.ending = record->ending;
        return reader->ending_text != NULL;
    }
    return true;
}

/*
 * Damage ends the reading, and what came before it counts.  A trace's metadata is small beside its
 * length; a stream that unpacks to vastly more, counting what a record takes in memory, was made to
 * fill the memory of whoever opens it.
 */
static bool read_metadata(struct ditto_reader *reader)
{
    enum { RECORD_COST = 100 };
    const uint64_t most = 16 * 1024 * 1024 + 64 * reader->index.length;
    uint64_t total = 0;
    struct ditto_error error;
    struct ditto_cursor cursor;
    ditto_cursor_init(&cursor, reader, DITTO_STREAM_META, DITTO_NO_THREAD);
    bool good = true;
    int step;
    while (good && (step = step_cursor(&cursor, &error)) != 0) {
        if (step < 0) {
            ditto_index_damage(&reader->index, "%s", error.text);
            break;
        }
        const uint8_t *at = cursor.bytes, *end = cursor.bytes + cursor.length;
        total += cursor.length;
        enum ditto_meta_result result =
            total > most || cursor.tail ? DITTO_META_DAMAGED : DITTO_META_OK;
        struct ditto_meta record;
        while (good && result != DITTO_META_DAMAGED && at < end) {
            result = ditto_meta_decode(&at, end, &record);
            total += RECORD_COST;
            if (total > most)
                result = DITTO_META_DAMAGED;
            good = result != DITTO_META_OK || take_record(reader, &record);
        }
        if (result == DITTO_META_DAMAGED) {
            ditto_index_damage(&reader->index,
                               "the metadata cannot be decoded from chunk %" PRIu32
                               " on" DITTO_GET_AGAIN,
                               cursor.sequence - 1);
            break;
        }
    }
    ditto_cursor_destroy(&cursor);
    return good;
}

struct property_order {
    const char *name;
    size_t position;
};

static int compare_properties(const void *left, const void *right)
{
    const struct property_order *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order ? order : (a->position > b->position) - (a->position < b->position);
}

/* Of each name keeps the last.  False when memory is out. */
static bool drop_old_properties(struct ditto_reader *reader)
{
    size_t count = reader->property_count, kept = 0;
    struct property_order *order = calloc(count ? count : 1, sizeof *order);
    if (!order)
        return false;
    for (size_t i = 0; i < count; i++)
        order[i] = (struct property_order){reader->properties[i].name, i};
    qsort(order, count, sizeof *order, compare_properties);
    for (size_t i = 0; i + 1 < count; i++) {
        if (strcmp(order[i].name, order[i + 1].name))
            continue;
        struct property *old = &reader->properties[order[i].position];
        free(old->value);
        old->value = NULL;
    }
    free(order);
    for (size_t i = 0; i < count; i++) {
        if (reader->properties[i].value)
            reader->properties[kept++] = reader->properties[i];
        else
            free(reader->properties[i].name);
    }
    reader->property_count = kept;
    return true;
}

static bool add_threads_of_streams(struct ditto_reader *reader)
{
    uint32_t last = DITTO_NO_THREAD;
    for (size_t i = 0; i < reader->index.count; i++) {
        uint32_t id = reader->index.chunks[i].header.replay_id;
        struct ditto_thread_info thread = {.replay_id = id, .parent = DITTO_NO_THREAD};
        if (id != last && id != DITTO_NO_THREAD && !add_thread(reader, &thread))
            return false;
        last = id;
    }
    return true;
}

static int compare_threads(const void *left, const void *right)
{
    const struct ditto_thread_info *a = left, *b = right;
    return (a->replay_id > b->replay_id) - (a->replay_id < b->replay_id);
}

static void merge_threads(struct ditto_reader *reader)
{
    if (reader->thread_count)
        qsort(reader->threads, reader->thread_count, sizeof *reader->threads, compare_threads);
    size_t kept = 0;
    for (size_t i = 0; i < reader->thread_count; i++) {
        struct ditto_thread_info *from = &reader->threads[i];
        struct ditto_thread_info *to = kept ? &reader->threads[kept - 1] : NULL;
        if (!to || to->replay_id != from->replay_id) {
            reader->threads[kept++] = *from;
            continue;
        }
        if ((from->started && to->started) || (from->ended && to->ended))
            ditto_index_damage(&reader->index,
                               "thread %" PRIu32 " begins or ends twice" DITTO_GET_AGAIN,
                               to->replay_id);
        if (from->started && !to->started) {
            to->started = true;
            to->parent = from->parent;
            to->start_clock = from->start_clock;
            to->name = from->name;
        } else {
            free((char *)from->name);
        }
        if (from->ended && !to->ended) {
            to->ended = true;
            to->end_clock = from->end_clock;
            to->memory_events = from->memory_events;
            to->sync_events = from->sync_events;
            to->values = from->values;
        }
    }
    reader->thread_count = kept;
}

static void summarize(struct ditto_reader *reader)
{
    const struct ditto_index *index = &reader->index;
    struct ditto_trace_info *info = &reader->info;
    info->path = reader->path;
    info->version = index->header.version;
    info->trace_id = index->header.trace_id;
    info->created = index->header.created;
    info->length = index->length;
    info->chunks = index->count;
    info->torn_chunks = index->torn;
    info->sealed = index->header.sealed_length != 0;
    info->ending_text = reader->ending_text ? reader->ending_text : "";
    for (size_t i = 0; i < index->count; i++) {
        const struct ditto_chunk_ref *chunk = &index->chunks[i];
        info->stored[chunk->header.stream] += chunk->header.stored_length;
        info->raw[chunk->header.stream] += chunk->header.raw_length;
        info->open_chunks += chunk->open;
    }
    info->damage_count = index->damage_count;
    info->damage = index->damage_count ? index->damage.text : NULL;
}

struct ditto_reader *ditto_reader_open_fd(int fd, const char *path, struct ditto_error *error)
{
    struct ditto_reader *reader = calloc(1, sizeof *reader);
    char *path_copy = strdup(path);
    if (!reader || !path_copy) {
        ditto_error_system(error, path, "read the trace", ENOMEM);
        free(path_copy);
        free(reader);
        close(fd);
        return NULL;
    }
    reader->path = path_copy;
    if (!ditto_index_build(&reader->index, fd, path_copy, error)) {
        ditto_reader_close(reader);
        return NULL;
    }
    if (!read_metadata(reader) || !drop_old_properties(reader) || !add_threads_of_streams(reader)) {
        ditto_error_system(error, path, "read the trace", ENOMEM);
        ditto_reader_close(reader);
        return NULL;
    }
    merge_threads(reader);
    summarize(reader);
    return reader;
}

struct ditto_reader *ditto_reader_open(const char *path, struct ditto_error *error)
{
    /* Without O_NONBLOCK, a FIFO of that name would make the open wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        ditto_error_system(error, path, "open the trace", errno);
        return NULL;
    }
    return ditto_reader_open_fd(fd, path, error);
}

void ditto_reader_close(struct ditto_reader *reader)
{
    if (!reader)
        return;
    for (size_t i = 0; i < reader->thread_count; i++)
        free((char *)reader->threads[i].name);
    for (size_t i = 0; i < reader->property_count; i++) {
        free(reader->properties[i].name);
        free(reader->properties[i].value);
    }
    free(reader->threads);
    free(reader->properties);
    free(reader->ending_text);
    close(reader->index.fd);
    ditto_index_destroy(&reader->index);
    free(reader->path);
    free(reader);
}

const struct ditto_trace_info *ditto_reader_info(const struct ditto_reader *reader)
{
    return &reader->info;
}

size_t ditto_reader_thread_count(const struct ditto_reader *reader)
{
    return reader->thread_count;
}

const struct ditto_thread_info *ditto_reader_thread(const struct ditto_reader *reader, size_t index)
{
    return &reader->threads[index];
}

const struct ditto_thread_info *ditto_reader_find_thread(const struct ditto_reader *reader,
                                                         uint32_t replay_id)
{
    const struct ditto_thread_info wanted = {.replay_id = replay_id};
    if (!reader->thread_count)
        return NULL;
    return bsearch(&wanted, reader->threads, reader->thread_count, sizeof wanted, compare_threads);
}

size_t ditto_reader_property_count(const struct ditto_reader *reader)
{
    return reader->property_count;
}

void ditto_reader_property_at(const struct ditto_reader *reader, size_t index, const char **name,
                              const char **value)
{
    *name = reader->properties[index].name;
    *value = reader->properties[index].value;
}

const char *ditto_reader_property(const struct ditto_reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->property_count; i++)
        if (strcmp(reader->properties[i].name, name) == 0)
            return reader->properties[i].value;
    return NULL;
}

void ditto_cursor_init(struct ditto_cursor *cursor, const struct ditto_reader *reader,
                       enum ditto_stream_kind kind, uint32_t replay_id)
{
    *cursor = (struct ditto_cursor){.reader = reader, .kind = kind, .replay_id = replay_id};
    ditto_index_find(&reader->index, kind, replay_id, &cursor->next, &cursor->end);
}

void ditto_cursor_destroy(struct ditto_cursor *cursor)
{
    free(cursor->buffer);
    cursor->buffer = NULL;
}

/* Replaces the cursor's buffer by the unpacked bytes of a chunk. */
static bool unpack(struct ditto_cursor *cursor, const struct ditto_chunk_ref *chunk,
                   struct ditto_error *error)
{
    const struct ditto_index *index = &cursor->reader->index;
    const struct ditto_chunk_header *header = &chunk->header;
    uint8_t *stored = ditto_index_load(index, chunk, error);
    if (!stored)
        return false;
    if (header->coding == DITTO_CODING_RAW) {
        free(cursor->buffer);
        cursor->buffer = stored;
        return true;
    }
    uint8_t *raw = malloc(header->raw_length ? header->raw_length : 1);
    size_t length =
        raw ? ZSTD_decompress(raw, header->raw_length, stored, header->stored_length) : 0;
    free(stored);
    if (!raw) {
        ditto_error_set(error, "out of memory for %" PRIu32 " bytes; free some",
                        header->raw_length);
        return false;
    }
    if (ZSTD_isError(length) || length != header->raw_length) {
        char label[64];
        ditto_error_set(
            error, "%s, chunk %" PRIu32 " at offset %" PRIu64 " does not unpack" DITTO_GET_AGAIN,
            ditto_stream_label(label, sizeof label, header->stream, header->replay_id),
            header->sequence, chunk->offset);
        free(raw);
        return false;
    }
    free(cursor->buffer);
    cursor->buffer = raw;
    return true;
}

/* As ditto_cursor_step(), but the error does not name the file. */
static int step_cursor(struct ditto_cursor *cursor, struct ditto_error *error)
{
    if (cursor->next == cursor->end)
        return 0;
    const struct ditto_index *index = &cursor->reader->index;
    const struct ditto_chunk_ref *chunk = &index->chunks[cursor->next];
    if (chunk->header.sequence != cursor->sequence) {
        char label[64];
        ditto_error_set(error, "%s lacks chunk %" PRIu32 DITTO_GET_AGAIN,
                        ditto_stream_label(label, sizeof label, cursor->kind, cursor->replay_id),
                        cursor->sequence);
        return -1;
    }
    if (!unpack(cursor, chunk, error))
        return -1;
    cursor->bytes = cursor->buffer;
    cursor->length = chunk->header.raw_length;
    cursor->tail = chunk->header.tail;
    cursor->columns = chunk->header.coding == DITTO_CODING_COLUMNS;
    cursor->sequence++;
    cursor->next++;
    return 1;
}

int ditto_cursor_step(struct ditto_cursor *cursor, struct ditto_error *error)
{
    int step = step_cursor(cursor, error);
    if (step < 0)
        ditto_error_prefix(error, "%s", cursor->reader->path);
    return step;
}
