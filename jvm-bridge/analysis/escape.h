/* SPDX-License-Identifier: MIT */
/*
 * What the code of a method proves of the objects that it makes: whether they stay in it.
 *
 * The types that the verifier has before each instruction (frames.h) say where a builder is; it
 * leaves where it is stored, returned or given to a call of something else, and where a frame calls
 * it something else than a builder, since it goes on from there unseen.
 */
#ifndef DITTO_JVM_BRIDGE_ANALYSIS_ESCAPE_H
#define DITTO_JVM_BRIDGE_ANALYSIS_ESCAPE_H

#include "jvm-bridge/classfile/edit.h"

#define DITTO_BUILDER_CLASS "java/lang/StringBuilder"

/* Whether every builder that the method calls was made by it and is known to it alone.  May err,
 * and say no. */
bool ditto_builders_stay(struct ditto_ed *ed);

#endif
