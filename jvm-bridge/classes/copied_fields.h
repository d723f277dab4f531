/* SPDX-License-Identifier: MIT */
/* The recorded fields of objects that Object.clone() copies, for DittoCopy.java. */
#ifndef DITTO_JVM_BRIDGE_CLASSES_COPIED_FIELDS_H
#define DITTO_JVM_BRIDGE_CLASSES_COPIED_FIELDS_H

#include "jvm-bridge/state/shadow.h"

/*
 * How many recorded fields the object has, those of its superclasses included, and for each: its
 * offset in the object, that of its place from the object's shadow on, and its size, 0 for a
 * reference.  Lives as long as the object's class.
 */
const int64_t *ditto_copied_fields(JNIEnv *jni, struct ditto_shadow *shadow, jobject object);

#endif
