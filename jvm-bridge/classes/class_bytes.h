/* SPDX-License-Identifier: MIT */
/* The files of classes, as their loaders find them. */
#ifndef DITTO_JVM_BRIDGE_CLASSES_CLASS_BYTES_H
#define DITTO_JVM_BRIDGE_CLASSES_CLASS_BYTES_H

#include <jni.h>
#include <stddef.h>

/* At VMInit. */
void ditto_class_bytes_begin(JNIEnv *jni, jclass hooks);

/* The bytes of a class that may not be loaded yet, to be freed; NULL if they cannot be found.  Runs
 * Java code. */
unsigned char *ditto_class_file(JNIEnv *jni, jobject loader, const char *name, size_t *size);

#endif
