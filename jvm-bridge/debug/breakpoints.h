/* SPDX-License-Identifier: MIT */
/* The breakpoints of a run: those that were asked for, by their numbers, and one more for the mark
 * that the target is counted from, if it is. */
#ifndef DITTO_JVM_BRIDGE_DEBUG_BREAKPOINTS_H
#define DITTO_JVM_BRIDGE_DEBUG_BREAKPOINTS_H

#include "jvm-bridge/debug/go_state.h"

/* Under the run's lock: takes them all back, and makes those that the run asks for. */
void ditto_debug_clear_breakpoints(void);
void ditto_debug_make_breakpoints(void);

/* JVMTI's ClassPrepare: those in the class can be set now. */
void JNICALL ditto_debug_class_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class);

uint32_t ditto_debug_breakpoints(void);

/* The calling thread has come to a bytecode: the how-manieth time in this turn, if the breakpoint
 * is there; else 0. */
uint64_t ditto_debug_arrival(uint32_t index, const struct ditto_java_thread *self,
                             const struct ditto_debug_method *method, int32_t bci);

/* Whether there is any at that index of the rewritten code. */
bool ditto_debug_has_breakpoint(const struct ditto_debug_method *method, jlocation at);

#endif
