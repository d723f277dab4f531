/* SPDX-License-Identifier: MIT */
/*
 * The JDK's image of modules, as the JVM reads it.
 *
 * Until the program begins the JVM gets its own classes changed already: it asks libjimage for
 * them, and we stand between the two.  A class that JVMTI's load hook changes is verified from JDK
 * 25 on, whatever its loader, and the verifier loads classes to compare types that nobody else
 * needs: a quarter of the time until the program begins.  What comes from the image is trusted, as
 * the hook's classes are in older JDKs.  Where we cannot stand there, and for classes that are
 * elsewhere, the load hook does the same.
 *
 * The JVM asks for a class as part of itself, not as native code: no function of JNI may be called
 * there, and the locks that are taken must not be held by anybody who waits for the JVM.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_JDK_IMAGE_H
#define DITTO_JVM_BRIDGE_CLASSES_JDK_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

/* What a class becomes, to be freed; NULL: what it is.  Calls nothing of the JVM. */
typedef unsigned char *ditto_change_class(const char *name, const unsigned char *bytes, size_t size,
                                          size_t *new_size);

/* In the OnLoad phase, when classes can be rewritten. */
void ditto_image_open(ditto_change_class *change);

/* At the end of VMInit: from now on there may be other agents that look at classes as they load. */
void ditto_image_close(void);

/* Whether the class of the boot loader came from the image, as it is to be. */
bool ditto_image_gave(const char *name);

#endif
