/* SPDX-License-Identifier: MIT */
/* Making and freeing what the agent keeps for objects (shadow.h), and the places in it. */
#ifndef DITTO_JVM_BRIDGE_STATE_SHADOWS_H
#define DITTO_JVM_BRIDGE_STATE_SHADOWS_H

#include "jvm-bridge/state/shadow.h"

/* Before the first object: sets up the numbering.  At VMInit: the rest. */
void ditto_shadows_open(void);
void ditto_shadows_begin(JNIEnv *jni, jclass hooks);

/* The shadow of a Class or a Thread: this runs no Java code, and so throws nothing. */
struct ditto_shadow *ditto_shadow_of(JNIEnv *jni, jobject object);
/* The same for any object, arrays too, where there is a debugger and all of them have tags. */
struct ditto_shadow *ditto_shadow_of_any(JNIEnv *jni, jobject object);

/* Makes the shadow of a Class or a Thread that has none, or that of an array, which its caller
 * keeps; its number. */
jint ditto_shadow_make(JNIEnv *jni, jobject object);

/*
 * Makes a shadow for any other object, whose caller gives it the number; the class has that number,
 * or 0.  Two threads may do so at once: who comes second drops its shadow.
 */
jint ditto_shadow_make_for(JNIEnv *jni, jobject object, jint class_number);
void ditto_shadow_drop(JNIEnv *jni, jobject object, jint number);

/* The object, no array, may have come by its number by being copied: then it loses it. */
void ditto_shadow_check(JNIEnv *jni, jobject object);

/* The array has died. */
void ditto_shadow_free(jint number);

/* The place of element `index` of an array, and any shadow's monitor. */
ditto_place *ditto_shadow_element(struct ditto_shadow *shadow, jsize length, jint index);
ditto_monitor *ditto_shadow_monitor(JNIEnv *jni, struct ditto_shadow *shadow, jobject object);

#endif
