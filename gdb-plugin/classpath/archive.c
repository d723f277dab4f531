/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/classpath/archive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <zip.h>

#include "core/base/die.h"
#include "core/base/map.h"
#include "core/base/mapped_file.h"

/* More than any class file has; what claims to be larger is damaged. */
enum { LARGEST = 64 << 20 };

struct archive {
    const uint8_t *bytes; /* mapped; libzip reads them where they are */
    size_t size;
    zip_t *zip;
    /* Of names that it has more than once: libzip finds the first, java the last.  By the index of
     * the one that of the other. */
    struct ditto_map repeated;
};

static bool read_directory(struct archive *archive)
{
    zip_source_t *source = zip_source_buffer_create(archive->bytes, archive->size, 0, NULL);
    if (!source)
        return false;
    archive->zip = zip_open_from_source(source, ZIP_RDONLY, NULL);
    if (!archive->zip) {
        zip_source_free(source);
        return false;
    }
    zip_int64_t count = zip_get_num_entries(archive->zip, 0);
    for (zip_int64_t i = 0; i < count; i++) {
        const char *name = zip_get_name(archive->zip, (zip_uint64_t)i, 0);
        zip_int64_t first = name ? zip_name_locate(archive->zip, name, 0) : -1;
        if (first >= 0 && first != i)
            ditto_map_put_number(&archive->repeated, (uint64_t)first, (void *)(uintptr_t)i);
    }
    return true;
}

struct archive *archive_open(const char *path)
{
    struct archive *archive = ditto_alloc_zeroed(1, sizeof *archive, "an archive");
    if (!(archive->bytes = ditto_map_file(path, &archive->size))) {
        free(archive);
        return NULL;
    }
    if (read_directory(archive))
        return archive;
    archive_close(archive);
    return NULL;
}

void archive_close(struct archive *archive)
{
    if (!archive)
        return;
    if (archive->zip)
        zip_discard(archive->zip);
    munmap((void *)archive->bytes, archive->size);
    ditto_map_free(&archive->repeated);
    free(archive);
}

uint8_t *archive_read(const struct archive *archive, const char *name, size_t *size)
{
    zip_stat_t status;
    zip_int64_t index = zip_name_locate(archive->zip, name, 0);
    void *last = ditto_map_get_number(&archive->repeated, (uint64_t)index);
    if (last)
        index = (zip_int64_t)(uintptr_t)last;
    if (index < 0 || zip_stat_index(archive->zip, (zip_uint64_t)index, 0, &status) != 0 ||
        !(status.valid & ZIP_STAT_SIZE) || status.size > LARGEST)
        return NULL;
    zip_file_t *file = zip_fopen_index(archive->zip, (zip_uint64_t)index, 0);
    uint8_t *bytes = file ? ditto_alloc(status.size, "an entry of an archive") : NULL;
    /* Checksums are not asked for: java does not look at them, either. */
    bool good = bytes && zip_fread(file, bytes, status.size) == (zip_int64_t)status.size;
    if (file)
        zip_fclose(file);
    *size = status.size;
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}
