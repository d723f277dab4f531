/* SPDX-License-Identifier: MIT */
/* What is recorded: which classes, methods and fields, as the user has chosen and as it must be. */
#ifndef DITTO_JVM_BRIDGE_CLASSES_RECORDED_H
#define DITTO_JVM_BRIDGE_CLASSES_RECORDED_H

#include <jni.h>
#include <stdbool.h>

#include "jvm-bridge/instrument/selection.h"

/* When the trace is open, and at VMInit. */
void ditto_recorded_open(void);
void ditto_recorded_begin(JNIEnv *jni);

/* Recording, at the end: says what was included and never met. */
void ditto_recorded_end(void);

/* What the user has chosen of the program's classes, or of those of the JDK. */
struct ditto_selection *ditto_selection(bool of_the_jdk);

/* Whether a loader is that of the boot classes, NULL, or of the JDK's others. */
bool ditto_is_platform_loader(JNIEnv *jni, jobject loader);

/* Whether the class of the JDK, "java/util/List", is recorded. */
bool ditto_records_of_the_jdk(const char *name);

/* Whether a field that the class declares is recorded; `owner` is the class's name, `member` the
 * field as "name descriptor".  May run Java code. */
bool ditto_records_field(JNIEnv *jni, jclass class, const char *owner, const char *member);

#endif
