/* SPDX-License-Identifier: MIT */
/*
 * The agent's debug service: obeys a debugger over a socket (messages.h), in a JVM that was started
 * for one.  It is the observer there (observer.h).
 *
 * One thread of the agent's own serves requests while the program's threads rest at gates
 * (core/engine/timeline.h).  A run is set up by that thread when all rest; from then until all rest
 * again the program's threads read it, and its results are theirs.
 */
#ifndef DITTO_JVM_BRIDGE_DEBUG_SERVICE_H
#define DITTO_JVM_BRIDGE_DEBUG_SERVICE_H

#include <jvmti.h>

#include "core/engine/timeline.h"

extern const struct ditto_timeline_calls ditto_debug_timeline;

/* The service observes from now on.  What Agent_OnLoad asks of JVMTI in addition. */
void ditto_debug_prepare(jvmtiCapabilities *capabilities, jvmtiEventCallbacks *callbacks);
/* At VMInit, before main becomes known: starts the service. */
void ditto_debug_begin(JNIEnv *jni);

#endif
