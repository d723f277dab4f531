/* SPDX-License-Identifier: MIT */
/*
 * @DittoIgnore: code and fields that are not recorded, so that a user can add printing to a program
 * and still replay its trace.  The annotation is any of that simple name, of retention CLASS or
 * RUNTIME, on a class, a method or a field.
 *
 * And what of a class matters to a trace: its code without what is ignored, in a form that does not
 * depend on the numbering of constants, on line numbers, or on the order in which the compiler has
 * numbered lambdas.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_IGNORED_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_IGNORED_H

#include "jvm-bridge/classfile/classfile.h"

bool ditto_ignores_class(const struct ditto_cf *cf);

/* A member of the class; with an ignored method go the lambdas in it. */
bool ditto_ignores_method(const struct ditto_cf *cf, const struct ditto_cf_member *method);
bool ditto_ignores_field(const struct ditto_cf *cf, const struct ditto_cf_member *field);

/* Whether the class itself, or any member, is ignored. */
bool ditto_has_ignored(const struct ditto_cf *cf);

/* Whether a method of another class is ignored; may be NULL. */
typedef bool ditto_ignored_call_fn(void *context, const struct ditto_cf_ref *method);

/*
 * Appends what matters of the class: names, flags, fields, and the code of methods.  Left out is
 * what is ignored, and in other methods each call of an ignored method that returns nothing and
 * whose arguments are constants and locals, and each store of such a value to an ignored field of
 * the class itself: they do nothing that is recorded.  *left_out says whether there was any of
 * that. What only reflection sees (annotations, parameter names, inner classes) is never there.
 * False if code is damaged.
 */
bool ditto_class_essence(const struct ditto_cf *cf, ditto_ignored_call_fn *ignored_call,
                         void *context, struct ditto_buf *out, bool *left_out);

/*
 * Whether a method is a lambda; if so, in which method it is, and its number among those of the
 * class that are not ignored.
 */
bool ditto_is_lambda(const struct ditto_cf *cf, struct ditto_cf_text name,
                     struct ditto_cf_text *method, uint32_t *number);

#endif
