/* SPDX-License-Identifier: MIT */
/* Traces of Java programs, for the commands that run them again. */
#ifndef DITTO_JVM_BRIDGE_LAUNCH_JAVA_TRACE_H
#define DITTO_JVM_BRIDGE_LAUNCH_JAVA_TRACE_H

#include "trace/reader.h"

/* Opens a trace that can be replayed by starting a java; or says why not, and returns NULL. */
struct ditto_reader *open_java_trace(const char *path);

#endif
