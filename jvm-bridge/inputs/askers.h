/* SPDX-License-Identifier: MIT */
/*
 * Who asks: the program, or the JDK for itself.  The JDK makes much of what it needs when the first
 * thread comes along, and what it asks for then is no input of that thread.
 */
#ifndef DITTO_JVM_BRIDGE_INPUTS_ASKERS_H
#define DITTO_JVM_BRIDGE_INPUTS_ASKERS_H

#include "jvm-bridge/vm/vm.h"

/*
 * Looks through the caller's frames for the first one that is not of a class that anybody uses,
 * as collections and threads are.  True if it is the program's, or if there is none.  Costs a
 * microsecond or two.
 */
bool ditto_program_asks(JNIEnv *jni);

/* Whether a class comes from the program's class path, and not from the JDK. */
bool ditto_is_of_program(JNIEnv *jni, jclass class);

#endif
