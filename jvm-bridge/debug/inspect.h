/* SPDX-License-Identifier: MIT */
/*
 * Looking at objects, fields and frames for a debugger.
 *
 * Nothing here runs Java code or initializes a class: the program's threads rest, and one of them
 * may hold any monitor.  So fields are found through JVMTI and read through JNI, which does not ask
 * whether their class is initialized.
 */
#ifndef DITTO_JVM_BRIDGE_DEBUG_INSPECT_H
#define DITTO_JVM_BRIDGE_DEBUG_INSPECT_H

#include <jvmti.h>

#include "jvm-bridge/control/messages.h"

struct ditto_java_thread;
struct ditto_shadow;

/* The object's key, given to it if it has none; 0 for NULL. */
uint64_t ditto_debug_key(JNIEnv *jni, jobject object);
/* A local reference, or NULL. */
jobject ditto_debug_object(JNIEnv *jni, uint64_t key);

bool ditto_debug_field(JNIEnv *jni, jobject object, const char *class_name, const char *field,
                       const char *descriptor, struct ditto_message_value *value);
bool ditto_debug_static(JNIEnv *jni, const char *class_name, const char *field,
                        const char *descriptor, struct ditto_message_value *value);
bool ditto_debug_element(JNIEnv *jni, jobject array, jlong index,
                         struct ditto_message_value *value);
bool ditto_debug_local(JNIEnv *jni, uint32_t thread, uint32_t depth, jint slot, char type,
                       struct ditto_message_value *value);
/* The class's name as "java/lang/String" or "[I", to be freed; NULL: none. */
char *ditto_debug_class_of(JNIEnv *jni, jobject object);

/* Frames without those of the hooks on top; to be freed.  `hidden` may be NULL. */
jint ditto_debug_frames(jthread thread, jvmtiFrameInfo **frames, jint *hidden);

/* The observer's: see observer.h. */
void ditto_debug_made(JNIEnv *jni, jobject object);
void ditto_debug_met(struct ditto_java_thread *self, struct ditto_shadow *shadow);
void ditto_debug_forget(struct ditto_shadow *shadow);

#endif
