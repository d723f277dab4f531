/* SPDX-License-Identifier: MIT */
/* A run of a debugged replay: how it begins, and what comes out. */
#ifndef DITTO_JVM_BRIDGE_DEBUG_GO_H
#define DITTO_JVM_BRIDGE_DEBUG_GO_H

#include <jni.h>

#include "core/engine/timeline.h"
#include "jvm-bridge/control/messages.h"

/* Sets the next run up, and lets it begin; the texts must stay until the next one. */
void ditto_debug_go(JNIEnv *jni, const struct ditto_message_go *run);
/* When all rest: what came out. */
void ditto_debug_halt(enum ditto_rest why, struct ditto_message_halt *halt);
/* Asks the present run to stop. */
void ditto_debug_interrupt(void);

#endif
