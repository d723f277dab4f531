/* SPDX-License-Identifier: MIT */
/*
 * Methods whose results go to the value stream because the user named them (--value): native ones,
 * mostly, whose answers nobody else knows.
 *
 * A class that has such a method is changed before anything else is done to it: the method becomes
 * a private one with a prefix to its name, and a new one of the old name calls it, or not, as
 * DittoValues.java says.  The JVM finds a native method with the prefix by its name without.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_VALUE_METHODS_H
#define DITTO_JVM_BRIDGE_CLASSES_VALUE_METHODS_H

#include "jvm-bridge/vm/vm.h"

/* In the OnLoad phase, with the session open. */
void ditto_values_begin(void);

/* The class with wrappers, to be freed; NULL: it has no such methods.  Refuses a method that cannot
 * be wrapped. */
unsigned char *ditto_values_wrap(const char *class_name, const unsigned char *bytes, size_t *size);

/* Whether this is the name of a method behind a wrapper. */
bool ditto_values_has_prefix(const char *method);

/* Recording: tells of methods that were named and not found.  At the end. */
void ditto_values_end(void);

#endif
