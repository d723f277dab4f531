/* SPDX-License-Identifier: MIT */
/*
 * Where bytecodes went: from the indexes of a rewritten method to those of the original, and back.
 *
 * The map is a list of segments, six bytes each: code that was copied as it was is one segment
 * however long, and so is each insertion.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_BCIMAP_H
#define DITTO_JVM_BRIDGE_CLASSFILE_BCIMAP_H

#include "core/base/arena.h"

enum ditto_bci_kind {
    DITTO_BCI_ORIGINAL, /* the original instruction, or the first of what replaced it */
    DITTO_BCI_BEFORE,   /* code inserted before an instruction */
    DITTO_BCI_AFTER,    /* code inserted after an instruction; before the first one, on entry */
    DITTO_BCI_TAIL,     /* handlers and the like behind the original code, which belong to no
                           instruction */
};

struct ditto_bci_segment {
    uint16_t new_bci, old_bci, kind;
};

struct ditto_bcimap {
    uint32_t count, new_size, old_size;
    struct ditto_bci_segment segments[];
};

#define DITTO_NO_BCI UINT32_MAX

/* The original index that a new one stands for: of the instruction itself, or of the one that
 * inserted code belongs to. DITTO_NO_BCI in the tail and outside of the code. `kind` may be NULL.
 */
uint32_t ditto_bcimap_to_old(const struct ditto_bcimap *map, uint32_t new_bci,
                             enum ditto_bci_kind *kind);

/* Where an original instruction is now (the instruction itself, not what was inserted before it).
 */
uint32_t ditto_bcimap_to_new(const struct ditto_bcimap *map, uint32_t old_bci);

/* Building: segments by rising new index; one that goes on as its predecessor did is merged into
 * it. */
struct ditto_bcimap_builder {
    struct ditto_buf segments;
};
void ditto_bcimap_add(struct ditto_bcimap_builder *builder, enum ditto_bci_kind kind,
                      uint32_t new_bci, uint32_t old_bci);
/* The map, to be freed with free(); the builder is empty afterwards. */
struct ditto_bcimap *ditto_bcimap_finish(struct ditto_bcimap_builder *builder, uint32_t new_size,
                                         uint32_t old_size);

#endif
