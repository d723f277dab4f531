/* SPDX-License-Identifier: MIT */
/*
 * Rewriting a class: open it, edit methods (edit.h), add constants, fields and methods, write it
 * out.
 *
 *     struct ditto_rw *rw = ditto_rw_open(&cf);
 *     struct ditto_ed *ed = ditto_rw_edit(rw, method, &error);     NULL: this method's code is
 * damaged
 *     ... ditto_ed_before(ed, 3) ...
 *     struct ditto_rw_result result;
 *     if (ditto_rw_write(rw, &result, &error)) ... use it, then ditto_rw_result_free(&result)
 *     ditto_rw_close(rw);
 *
 * What is not edited is copied byte for byte, and no constant is renumbered. A method that cannot
 * be written, because it would be too large, stays as it was and is marked so. A class whose
 * constants do not fit stays as it was altogether: then writing fails.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_REWRITE_H
#define DITTO_JVM_BRIDGE_CLASSFILE_REWRITE_H

#include "jvm-bridge/classfile/bcimap.h"
#include "jvm-bridge/classfile/edit.h"

struct ditto_rw;

/* The class must stay open as long as the rewriter. */
struct ditto_rw *ditto_rw_open(const struct ditto_cf *cf);
void ditto_rw_close(struct ditto_rw *rw);

struct ditto_pool *ditto_rw_pool(struct ditto_rw *rw);

/* Memory that lives as long as the rewriter. */
struct ditto_arena *ditto_rw_arena(struct ditto_rw *rw);

/* The editor of a method, by its number in the class; NULL with `error` when its code is damaged,
 * and NULL with an empty error when it has none. The same method must not be opened twice. */
struct ditto_ed *ditto_rw_edit(struct ditto_rw *rw, uint32_t method, struct ditto_error *error);

/* Forgets the edits of a method: it will be copied as it was. */
void ditto_rw_abandon(struct ditto_rw *rw, uint32_t method);

/* A new field without attributes. */
void ditto_rw_add_field(struct ditto_rw *rw, uint16_t access, const char *name,
                        const char *descriptor);

/* A new method; its code is what is put into the tail of the editor that is returned. The texts
 * must live as long as the rewriter, and the descriptor must be valid. */
struct ditto_ed *ditto_rw_add_method(struct ditto_rw *rw, uint16_t access, const char *name,
                                     const char *descriptor, uint16_t max_stack,
                                     uint16_t max_locals);

enum ditto_rw_outcome {
    DITTO_RW_UNTOUCHED, /* nobody edited it */
    DITTO_RW_WRITTEN,
    DITTO_RW_LEFT_ALONE /* edited, but it could not be written */
};

struct ditto_rw_method {
    enum ditto_rw_outcome outcome;
    const char *reason;       /* of DITTO_RW_LEFT_ALONE */
    struct ditto_bcimap *map; /* of DITTO_RW_WRITTEN */
};

struct ditto_rw_result {
    uint8_t *data;
    size_t size;
    struct ditto_rw_method *methods; /* by the number in the original class */
    uint32_t method_count;
    struct ditto_arena arena; /* private */
};

/* False when the class as a whole must be left alone. Can be called once. */
bool ditto_rw_write(struct ditto_rw *rw, struct ditto_rw_result *result, struct ditto_error *error);
void ditto_rw_result_free(struct ditto_rw_result *result);

#endif
