/* SPDX-License-Identifier: MIT */
/*
 * Whether a class is the one that was recorded, or at least does nothing else that is recorded; and
 * which members of other classes are ignored; ignored.h says what that means.  And whether the
 * classes are still where they were.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_IDENTITY_H
#define DITTO_JVM_BRIDGE_CLASSES_IDENTITY_H

#include "jvm-bridge/classfile/classfile.h"
#include "jvm-bridge/vm/vm.h"

/* Recording, notes which directories and archives of the class path and the module path there are;
 * replaying, refuses to go on without one of them.  When the JVM is up. */
void ditto_check_paths(void);

/* Recording, notes the hashes of a class that is about to be recorded; replaying, compares them,
 * and refuses another class.  `label` is that of its loader. */
void ditto_check_identity(JNIEnv *jni, jobject loader, const char *name, const char *label,
                          const struct ditto_cf *cf);

/* Takes note of what is ignored in a class that loads. */
void ditto_enter_ignored(const struct ditto_cf *cf, const char *name);

/* Whether a member that code names is ignored where it is declared.  May run Java code, to look at
 * a class that has not been loaded yet. */
bool ditto_is_ignored(JNIEnv *jni, jobject loader, const struct ditto_cf_ref *ref);

#endif
