/* SPDX-License-Identifier: MIT */
/* Classes as they load, and what is changed in each. */
#ifndef DITTO_JVM_BRIDGE_CLASSES_LOADING_H
#define DITTO_JVM_BRIDGE_CLASSES_LOADING_H

#include "jvm-bridge/vm/vm.h"

/* What a class of the JDK becomes that the JVM loads by itself before VMInit, to be freed; NULL:
 * what it is.  Calls nothing of the JVM. */
unsigned char *ditto_class_of_image(const char *name, const unsigned char *bytes, size_t size,
                                    size_t *new_size);

/* At VMInit: the rest of this room begins, too. */
void ditto_classes_begin(JNIEnv *jni, jclass hooks);

/* JVMTI's ClassFileLoadHook. */
void JNICALL ditto_class_loading(jvmtiEnv *jvmti, JNIEnv *jni, jclass redefined, jobject loader,
                                 const char *name, jobject domain, jint size,
                                 const unsigned char *bytes, jint *new_size,
                                 unsigned char **new_bytes);

#endif
