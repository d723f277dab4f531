/* SPDX-License-Identifier: MIT */
/* What the run tells the debugger while it is under way: its steps, and what it has found. */
#ifndef DITTO_JVM_BRIDGE_DEBUG_TELLING_H
#define DITTO_JVM_BRIDGE_DEBUG_TELLING_H

#include "jvm-bridge/debug/go_state.h"

/* For a run whose steps are asked for: a turn of the calling thread has begun, it has come to a
 * bytecode, it ends. */
void ditto_debug_log_turn(const struct ditto_java_thread *self);
void ditto_debug_log_step(struct ditto_java_thread *self, const struct ditto_debug_method *method,
                          int32_t bci);
void ditto_debug_log_end(const struct ditto_java_thread *self);

/* Something was found that does not stop the run. */
void ditto_debug_remember(const struct ditto_message_hit *hit);

/* Sends what has not been sent yet.  When all rest. */
void ditto_debug_flush(void);

#endif
