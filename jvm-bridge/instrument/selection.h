/* SPDX-License-Identifier: MIT */
/*
 * What is recorded, by name.
 *
 * A pattern is a package, a class, or a class and its method or field, with points; it fits
 * everything inside what it names. With a '*' at its end it fits every name that begins so. With
 * include patterns only what fits one of them is recorded; what fits an exclude pattern is not.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_SELECTION_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_SELECTION_H

#include <stdatomic.h>

#include "jvm-bridge/classfile/classfile.h"

struct ditto_selection {
    const char *include, *exclude; /* separated by newlines; NULL: none */
    _Atomic uint64_t fitted;       /* which of the first 64 include patterns have fitted a class */
};

bool ditto_selects_class(struct ditto_selection *selection, struct ditto_cf_text name);
bool ditto_selects_method(const struct ditto_selection *selection, struct ditto_cf_text class_name,
                          struct ditto_cf_text method);
bool ditto_selects_field(const struct ditto_selection *selection, struct ditto_cf_text class_name,
                         struct ditto_cf_text field);

/* Tells of each include pattern that has fitted no class so far. */
void ditto_selection_unused(const struct ditto_selection *selection,
                            void (*tell)(struct ditto_cf_text pattern));

/* Whether one pattern fits a member of a class. */
bool ditto_pattern_fits(struct ditto_cf_text pattern, struct ditto_cf_text class_name,
                        struct ditto_cf_text member);

#endif
