/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/bcimap.h"

#include <stdlib.h>
#include <string.h>

void ditto_bcimap_add(struct ditto_bcimap_builder *builder, enum ditto_bci_kind kind,
                      uint32_t new_bci, uint32_t old_bci)
{
    struct ditto_bci_segment segment = {(uint16_t)new_bci, (uint16_t)old_bci, (uint16_t)kind};
    if (builder->segments.size) {
        struct ditto_bci_segment last;
        memcpy(&last, builder->segments.data + builder->segments.size - sizeof last, sizeof last);
        bool moves = kind == DITTO_BCI_ORIGINAL;
        uint32_t expected = moves ? last.old_bci + (new_bci - last.new_bci) : last.old_bci;
        if (last.kind == kind && expected == old_bci)
            return;
    }
    ditto_buf_bytes(&builder->segments, &segment, sizeof segment);
}

struct ditto_bcimap *ditto_bcimap_finish(struct ditto_bcimap_builder *builder, uint32_t new_size,
                                         uint32_t old_size)
{
    struct ditto_buf all = {0};
    struct ditto_bcimap head = {
        (uint32_t)(builder->segments.size / sizeof(struct ditto_bci_segment)), new_size, old_size};
    ditto_buf_bytes(&all, &head, sizeof head);
    ditto_buf_bytes(&all, builder->segments.data, builder->segments.size);
    ditto_buf_free(&builder->segments);
    return (struct ditto_bcimap *)(void *)all.data;
}

uint32_t ditto_bcimap_to_old(const struct ditto_bcimap *map, uint32_t new_bci,
                             enum ditto_bci_kind *kind)
{
    if (new_bci >= map->new_size)
        return DITTO_NO_BCI;
    uint32_t low = 0, high = map->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (map->segments[middle].new_bci <= new_bci)
            low = middle;
        else
            high = middle;
    }
    const struct ditto_bci_segment *segment = &map->segments[low];
    if (kind)
        *kind = (enum ditto_bci_kind)segment->kind;
    if (segment->kind == DITTO_BCI_TAIL)
        return DITTO_NO_BCI;
    return segment->kind == DITTO_BCI_ORIGINAL ? segment->old_bci + (new_bci - segment->new_bci)
                                               : segment->old_bci;
}

uint32_t ditto_bcimap_to_new(const struct ditto_bcimap *map, uint32_t old_bci)
{
    if (old_bci >= map->old_size)
        return DITTO_NO_BCI;
    /* The old indexes of all segments but the tail never fall. The last segment that starts at or
     * before the index may be an insertion after that instruction; the instruction's own one
     * precedes it. */
    uint32_t low = 0, high = map->count;
    while (high > low && map->segments[high - 1].kind == DITTO_BCI_TAIL)
        high--;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (map->segments[middle].old_bci <= old_bci)
            low = middle;
        else
            high = middle;
    }
    while (low > 0 && map->segments[low].kind != DITTO_BCI_ORIGINAL)
        low--;
    const struct ditto_bci_segment *segment = &map->segments[low];
    return segment->new_bci + (old_bci - segment->old_bci);
}
