/* SPDX-License-Identifier: MIT */
/* Classes as the agent sees them: which fields their objects have, and where each has its state. */
#ifndef DITTO_JVM_BRIDGE_STATE_TYPES_H
#define DITTO_JVM_BRIDGE_STATE_TYPES_H

#include "jvm-bridge/state/shadow.h"

/* A class, as far as places are concerned.  Lives as long as its Class object. */
struct ditto_type_info {
    char *signature;
    struct ditto_type_info *super; /* NULL for Object, interfaces and arrays */
    unsigned first_field;          /* the number of its first instance field; super's come before */
    unsigned fields;               /* instance fields, with those of all superclasses */
    unsigned own_fields, statics;
    char **own_field_names; /* "name descriptor" */
    char **static_names;    /* the same */
    /* In the order of the names; NULL until somebody asks for a field by its offset. */
    jlong *own_field_offsets, *static_offsets;
    _Atomic(int64_t *) copied; /* copied_fields.h; NULL until somebody copies such an object */
    struct ditto_type_info **interfaces;
    unsigned interface_count;
    ditto_cell static_cell;
    _Atomic(_Atomic uint64_t *) writes; /* for a debugger: to each of own_fields, in all objects */
};

/* At VMInit, when objects can have numbers. */
void ditto_types_begin(JNIEnv *jni);

/* The class must be prepared. */
struct ditto_type_info *ditto_type_of(JNIEnv *jni, jclass class);

/* The same, with the offsets of its own fields. */
struct ditto_type_info *ditto_type_with_offsets(JNIEnv *jni, jclass class);

/* The field's number in all objects of the type, looked for from class `owner` up; -1: none. */
int ditto_type_field(const struct ditto_type_info *type, const char *owner, const char *field);

/* The place of a static field, looked for in the type, its interfaces and superclasses; NULL: none.
 */
ditto_place *ditto_type_static(struct ditto_type_info *type, const char *field);

/* The place of what the JVM keeps at that offset of an object, no array: a field of it, or, if it
 * is a class, one of the class's statics; NULL: neither. */
ditto_place *ditto_shadow_place_at(JNIEnv *jni, struct ditto_shadow *shadow, jobject object,
                                   jlong offset, bool *is_static);

/* Its Class has died. */
void ditto_type_free(struct ditto_type_info *type);

#endif
