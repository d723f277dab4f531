/* SPDX-License-Identifier: MIT */
/* Which java it is, as far as can be told without running it. */
#ifndef DITTO_JVM_BRIDGE_LAUNCH_WHICH_JAVA_H
#define DITTO_JVM_BRIDGE_LAUNCH_WHICH_JAVA_H

#include <stdbool.h>

#include "trace/error.h"

/*
 * False with what is wrong: the program is no launcher of Java, is of 32 bits or for
 * another processor, or its JDK's file `release` says that it is too old or not HotSpot.  A script
 * is taken: what it runs, the agent looks at again in the JVM.  So is a name that is not found,
 * which is the business of whoever runs it.
 */
bool java_is_good(const char *java, struct ditto_error *error);

/* 17 for JDK 17, by its file `release`; 0: it cannot be told. */
int java_feature(const char *java);

#endif
