/* SPDX-License-Identifier: MIT */
/*
 * Where everything of an edited method lands: bytecode indexes for all instructions and labels,
 * with jumps that became too long turned into wide ones, and the code itself.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_LAYOUT_H
#define DITTO_JVM_BRIDGE_CLASSFILE_LAYOUT_H

#include "jvm-bridge/classfile/bcimap.h"
#include "jvm-bridge/classfile/edit.h"

struct ditto_layout {
    struct ditto_ed *ed;
    uint32_t *label_at; /* by label */
    uint32_t *insn_at;  /* by instruction: itself */
    uint32_t *after_at; /* by instruction: what follows it */
    bool *grown;        /* by instruction: a jump that needs its wide form */
    uint32_t size;
    bool grew_conditionals;
};

enum { DITTO_LARGEST_CODE = 65535 };

/* False when the code would be too large or a new conditional jump too long. */
bool ditto_layout_make(struct ditto_layout *layout, struct ditto_ed *ed, struct ditto_error *error);

/* Appends exactly layout->size bytes of code, and notes where they come from. */
void ditto_layout_write(const struct ditto_layout *layout, struct ditto_buf *out,
                        struct ditto_bcimap_builder *map);

#endif
