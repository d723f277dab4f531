/* SPDX-License-Identifier: MIT */
/* Classes as they load: which are recorded, and what is changed in each. */
#ifndef DITTO_JVM_BRIDGE_CLASSES_LOADING_H
#define DITTO_JVM_BRIDGE_CLASSES_LOADING_H

#include "jvm-bridge/vm/vm.h"

/* Whether the class of the JDK, "java/util/List", is recorded. */
bool ditto_records_of_the_jdk(const char *name);

/* Whether a field that the class declares is recorded; `owner` is the class's name, `member` the
 * field as "name descriptor".  May run Java code. */
bool ditto_records_field(JNIEnv *jni, jclass class, const char *owner, const char *member);

/* The bytes of a class that may not be loaded yet, to be freed; NULL if they cannot be found. */
unsigned char *ditto_class_file(JNIEnv *jni, jobject loader, const char *name, size_t *size);

/* What a class of the JDK becomes that the JVM loads by itself before VMInit, to be freed; NULL:
 * what it is.  Calls nothing of the JVM. */
unsigned char *ditto_class_of_image(const char *name, const unsigned char *bytes, size_t size,
                                    size_t *new_size);

/* When the trace is open, and at VMInit. */
void ditto_classes_open(void);
void ditto_classes_begin(JNIEnv *jni, jclass hooks);

/* Recording, at the end: says what was included and never met. */
void ditto_classes_end(void);

/* JVMTI's ClassFileLoadHook. */
void JNICALL ditto_class_loading(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                 const char *name, jobject domain, jint size,
                                 const unsigned char *bytes, jint *new_size,
                                 unsigned char **new_bytes);

#endif
