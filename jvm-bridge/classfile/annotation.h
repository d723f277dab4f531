/* SPDX-License-Identifier: MIT */
/*
 * Annotations of classes, fields and methods, and the type annotations inside code.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_ANNOTATION_H
#define DITTO_JVM_BRIDGE_CLASSFILE_ANNOTATION_H

#include "jvm-bridge/classfile/classfile.h"

/*
 * Whether the attributes of a class, field or method hold an annotation of that name, visible at
 * run time or not. A name without '.' and '/' is a simple name and fits in any package or enclosing
 * class; otherwise it is the full name, written with either separator. A damaged attribute counts
 * as holding nothing more.
 */
bool ditto_cf_has_annotation(const struct ditto_cf *cf, struct ditto_cf_attrs attrs,
                             const char *name);

/* How the places that type annotations of code speak about move. Positions are bytecode indexes. */
struct ditto_annotation_moves {
    void *context;
    /* Each answers false when the old place is none the code has. */
    bool (*instruction)(void *context, uint32_t old_bci, uint32_t *new_bci);
    bool (*range)(void *context, uint32_t old_start, uint32_t old_length, uint32_t *new_start,
                  uint32_t *new_length);
    uint32_t exception_entries_before; /* entries added in front of the exception table */
};

/* Appends the contents of a Runtime(In)VisibleTypeAnnotations attribute of a Code attribute, moved.
 */
bool ditto_cf_move_type_annotations(const struct ditto_cf *cf, const struct ditto_cf_attr *attr,
                                    const struct ditto_annotation_moves *moves,
                                    struct ditto_buf *out, struct ditto_error *error);

#endif
