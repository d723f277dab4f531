/* SPDX-License-Identifier: MIT */
/*
 * Class loaders, told apart the same way in a recording and its replays.
 *
 * The application's loader has the empty label.  Any other has one of the thread that first loaded
 * a recorded class through it, and how many such loaders that thread had before: "2.0".  Threads
 * that race for the first class of a loader may change places in a replay; where that matters, the
 * replay says so.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_LOADERS_H
#define DITTO_JVM_BRIDGE_CLASSES_LOADERS_H

#include "jvm-bridge/vm/vm.h"

/* At VMInit. */
void ditto_loaders_begin(JNIEnv *jni);

/* The loader's label, given to it by the calling thread if it has none.  Lives as long as the
 * process. */
const char *ditto_loader_label(JNIEnv *jni, jobject loader);

/* The name of a class's property: "class.com/acme/Main", or "class.com/acme/Main@2.0" from another
 * loader than the application's. */
void ditto_class_property(char *text, size_t size, const char *kind, const char *name,
                          const char *loader);

#endif
