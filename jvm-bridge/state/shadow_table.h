/* SPDX-License-Identifier: MIT */
/* Shadows by their numbers, and how an object gets one: its slot, its number, its tag. */
#ifndef DITTO_JVM_BRIDGE_STATE_SHADOW_TABLE_H
#define DITTO_JVM_BRIDGE_STATE_SHADOW_TABLE_H

#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/state/shadow.h"

/* At VMInit: finds the field of java.lang.Object. */
void ditto_shadow_table_begin(JNIEnv *jni);

/* Refuses to go on if java.lang.Object has no room for a number, which lies at that offset. */
void ditto_shadows_check_layout(jlong number_offset);

/*
 * Guards the freeing of shadows, the making of types and of the shadows of classes, threads and
 * arrays.  Recursive: a type needs its superclass's.
 */
void ditto_shadows_lock(void);
void ditto_shadows_unlock(void);

/* The shadow of that number, and the other way round. */
struct ditto_shadow *ditto_shadow_at(jint number);
jint ditto_shadow_number(const struct ditto_shadow *shadow);
/* What it is counted from, for DittoHooks.java. */
const void *ditto_shadows_base(void);

/* The number that the object, no array, has in its field; 0: none. */
jint ditto_object_number(JNIEnv *jni, jobject object);
void ditto_set_object_number(JNIEnv *jni, jobject object, jint number);

/* The shadow of an object, no array, or NULL if it has none. */
struct ditto_shadow *ditto_shadow_present(JNIEnv *jni, jobject object);

/* Where a debugger finds the number. */
void ditto_tag_object(jobject object, jint number);

/* For a debugger, when all threads rest: the next shadow after that one, NULL for the first, whose
 * monitor the thread holds; NULL: there is none. */
const struct ditto_shadow *ditto_shadow_held(uint32_t replay_id, const struct ditto_shadow *after);

/* Bytes of a shadow, before the state of its object begins. */
size_t ditto_shadow_head_size(void);

/*
 * A new shadow for an object, no array, with that many fields, in one of these blocks; with NULL in
 * those for threads that are not known, under the lock.  It is whole before the object, or anybody,
 * gets its number; without a type ditto_shadow_set_type() has to follow.
 */
struct ditto_shadow *ditto_shadow_new(JNIEnv *jni, struct ditto_blocks *blocks,
                                      const struct ditto_type_info *type, unsigned fields,
                                      jobject object);
void ditto_shadow_set_type(struct ditto_shadow *shadow, const struct ditto_type_info *type,
                           unsigned fields);

/* The same for a Class or a Thread, which gets the number.  Under the lock, which guards those:
 * others are DittoHooks.java's. */
struct ditto_shadow *ditto_shadow_attach(JNIEnv *jni, jobject object,
                                         const struct ditto_type_info *type, unsigned fields);

#endif
