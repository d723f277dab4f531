/* SPDX-License-Identifier: MIT */
/*
 * Methods of the JDK during which recording pauses (pausing.h), and those whose results are
 * inputs, because what they are made of is shared by all threads inside the JDK.
 *
 * Paused is what the JVM has done by whichever thread comes first, which in a replay need not be
 * the same one: loading classes, linking call sites, initializing classes of the JDK; and what
 * depends on the collector.  What is done meanwhile must not decide what recorded code does.
 *
 * Such a method is entered with DittoHooks.pause() and left, by return or exception, with resume();
 * where its result is an input, returns go through a hook that resumes and may replace the result.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_PAUSES_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_PAUSES_H

#include "jvm-bridge/classfile/rewrite.h"

struct ditto_pause;

/* Whether the class of the JDK, "java/util/Random", has such methods.  Its initializer, if it has
 * one, is not counted. */
bool ditto_has_pauses(const char *class_name);

/* What a method of a class of the JDK is, which may be one that is recorded; NULL: nothing special.
 */
const struct ditto_pause *ditto_pause_of(const struct ditto_cf *cf, const char *class_name,
                                         const struct ditto_cf_member *method, bool recorded);

/* Whether a method of the program is one that the JDK may call in such methods, of a class loader
 * or a bootstrap method; or in a call that is muted (jdk_classes.h), of a stream. */
bool ditto_is_called_back(const struct ditto_cf *cf, const struct ditto_cf_member *method);

/* Whether a method of a recorded class of the JDK is recorded even in calls that are muted. */
bool ditto_is_never_muted(const struct ditto_cf *cf, const struct ditto_cf_member *method);

void ditto_pause_edit(struct ditto_ed *ed, const struct ditto_pause *pause);

#endif
