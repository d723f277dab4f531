/* SPDX-License-Identifier: MIT */
/*
 * Methods of the JDK that are edited: those in which a thread is quiet (inputs.h), and those whose
 * results are inputs, because what they are made of is shared by all threads inside the JDK.
 *
 * A method is entered with DittoHooks.quietBegin() and left, by return or exception, with
 * quietEnd(); where its result is an input, returns go through a hook that ends the quiet and may
 * replace the result.
 */
#ifndef DITTO_JVM_BRIDGE_REGIONS_H
#define DITTO_JVM_BRIDGE_REGIONS_H

#include "jvm-bridge/rewrite.h"

/* Whether the class, "java/util/Random", has such methods. */
bool ditto_has_regions(const char *class_name);

/* Edits the methods of a class that is being rewritten. */
void ditto_regions_edit(struct ditto_rw *rw, const struct ditto_cf *cf, const char *class_name);

#endif
