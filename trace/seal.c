/* SPDX-License-Identifier: MIT */
#include "trace/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/index.h"
#include "trace/output.h"

static bool copy_chunk(const struct ditto_index *index, const struct ditto_chunk_ref *chunk,
                       struct ditto_output *output, struct ditto_error *error)
{
    const struct ditto_chunk_header *header = &chunk->header;
    if (chunk->open && header->raw_length == 0 && header->tail == 0)
        return true;
    uint8_t *stored = ditto_index_load(index, chunk, error);
    if (!stored)
        return false;
    const struct ditto_chunk open_chunk = {
        .stream = (enum ditto_stream_kind)header->stream,
        .replay_id = header->replay_id,
        .sequence = header->sequence,
        .tail = header->tail,
        .bytes = stored,
        .length = header->raw_length,
    };
    bool copied = chunk->open ? ditto_output_chunk(output, &open_chunk, error)
                              : ditto_output_packed(output, header, stored, error);
    free(stored);
    return copied;
}

/* One more chunk of metadata.  An open chunk that is empty was not copied: this one takes its
 * place.
 */
static bool add_note(const struct ditto_index *index, const struct ditto_meta *note,
                     struct ditto_output *output, struct ditto_error *error)
{
    struct ditto_chunk chunk = {.stream = DITTO_STREAM_META, .replay_id = DITTO_NO_THREAD};
    size_t begin, end;
    ditto_index_find(index, DITTO_STREAM_META, DITTO_NO_THREAD, &begin, &end);
    for (size_t i = begin; i < end; i++)
        if (!index->chunks[i].open || index->chunks[i].header.raw_length)
            chunk.sequence = index->chunks[i].header.sequence + 1;
    uint8_t *bytes = ditto_meta_encode(note, &chunk.length);
    if (!bytes) {
        ditto_error_system(error, index->path, "seal the trace", ENOMEM);
        return false;
    }
    chunk.bytes = bytes;
    bool added = ditto_output_chunk(output, &chunk, error);
    free(bytes);
    return added;
}

/* Writes the copy into `fd`, which it takes over. */
static bool write_copy(const struct ditto_index *index, int fd, const char *path,
                       const struct ditto_meta *note, struct ditto_error *error)
{
    struct ditto_output output;
    if (!ditto_output_init(&output, fd, path, &index->header, error)) {
        close(fd);
        return false;
    }
    bool good = true;
    for (size_t i = 0; good && i < index->count; i++)
        good = copy_chunk(index, &index->chunks[i], &output, error);
    good = good && (!note || add_note(index, note, &output, error));
    good = good && ditto_output_seal(&output, error);
    ditto_output_destroy(&output);
    return good;
}

/* False if the name now belongs to another file, which must not be replaced. */
static bool still_named(int fd, const char *path, struct stat *ours)
{
    struct stat named;
    return fstat(fd, ours) == 0 && lstat(path, &named) == 0 && named.st_dev == ours->st_dev &&
           named.st_ino == ours->st_ino;
}

static bool replace(const struct ditto_index *index, const char *path,
                    const struct ditto_meta *note, struct ditto_error *error)
{
    struct stat ours;
    if (!still_named(index->fd, path, &ours)) {
        ditto_error_set(error,
                        "%s: the trace was moved while it was written; it is complete, but "
                        "keeps the room of its buffers",
                        path);
        return false;
    }
    char *copy_path;
    if (asprintf(&copy_path, "%s.XXXXXX", path) < 0) {
        ditto_error_system(error, path, "seal the trace", ENOMEM);
        return false;
    }
    bool good = false;
    int fd = mkostemp(copy_path, O_CLOEXEC);
    if (fd < 0) {
        ditto_error_system(error, path, "seal the trace", errno);
    } else if (fchmod(fd, ours.st_mode & 07777)) {
        ditto_error_system(error, path, "seal the trace", errno);
        close(fd);
        unlink(copy_path);
    } else {
        good = write_copy(index, fd, copy_path, note, error);
        if (good && rename(copy_path, path)) {
            ditto_error_system(error, path, "seal the trace", errno);
            good = false;
        }
        if (!good)
            unlink(copy_path);
    }
    free(copy_path);
    return good;
}

bool ditto_seal(int fd, const char *path, const struct ditto_meta *note, struct ditto_error *error)
{
    struct ditto_index index;
    if (!ditto_index_build(&index, fd, path, error))
        return false;
    bool good = false;
    if (index.damage_count)
        ditto_error_set(error, "%s: not sealed: %s", path, index.damage.text);
    else
        good = replace(&index, path, note, error);
    ditto_index_destroy(&index);
    return good;
}
