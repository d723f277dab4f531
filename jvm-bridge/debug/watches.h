/* SPDX-License-Identifier: MIT */
/* Accesses to what the run watches, and counts of all writes; the observer's (observer.h). */
#ifndef DITTO_JVM_BRIDGE_DEBUG_WATCHES_H
#define DITTO_JVM_BRIDGE_DEBUG_WATCHES_H

#include <jni.h>
#include <stdbool.h>

struct ditto_java_thread;
struct ditto_shadow;

void ditto_debug_access(JNIEnv *jni, struct ditto_java_thread *self, jint site,
                        struct ditto_shadow *shadow, jobject object, jint index, bool store);
void ditto_debug_access_ends(struct ditto_java_thread *self);
void ditto_debug_accessed(struct ditto_java_thread *self);

#endif
