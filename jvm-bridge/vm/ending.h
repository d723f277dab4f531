/* SPDX-License-Identifier: MIT */
/*
 * The end of the program, for threads that still run.  Once it has begun, hooks come to nothing:
 * who calls one stays there.  Output is the exception: what a thread has been recorded to print
 * must be printed, so the end waits for threads inside the monitors of output streams.
 */
#ifndef DITTO_JVM_BRIDGE_VM_ENDING_H
#define DITTO_JVM_BRIDGE_VM_ENDING_H

#include <jvmti.h>
#include <stdbool.h>

_Noreturn void ditto_agent_park(void);

/* Hooks come to nothing from now on.  Waits for those who print, a second at most: a reader of the
 * output that does not read must not keep the program. */
void ditto_agent_stop_hooks(void);
bool ditto_agent_is_ending(void);

/* Before asking for, and after leaving, an output stream's monitor that the thread did not hold. */
void ditto_agent_output_begins(void);
void ditto_agent_output_ends(void);

/* Whether JVMTI has done what it was asked.  When the JVM has announced its death nothing can be
 * asked of it any more, and who asks stays here. */
bool ditto_agent_answered(jvmtiError error);

#endif
