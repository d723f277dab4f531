/* SPDX-License-Identifier: MIT */
/*
 * What the agent's files share: the session, and the calls from one file to another.
 *
 * The agent is one for the process, as JVMTI has it.  It is set up by agent.c before any hook can
 * run and not changed afterwards.
 */
#ifndef DITTO_JVM_BRIDGE_AGENT_AGENT_H
#define DITTO_JVM_BRIDGE_AGENT_AGENT_H

#include <jni.h>
#include <jvmti.h>

#include "core/ditto.h"
#include "jvm-bridge/control/agent_options.h"

struct ditto_agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct ditto_session *session;
    bool replay;
    bool verify; /* the trace has, or gets, digests of events */
    bool debug;  /* a debugger is at the other end of options.debug: see service.h */
    struct ditto_agent_options options;
};

extern struct ditto_agent ditto_agent;

/* Says why the program cannot be recorded or replayed, and ends the process with status 2. */
_Noreturn void ditto_agent_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A message that ends nothing: "ditto: " and the text, on stderr. */
void ditto_agent_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For what cannot happen unless memory is out or the JVM breaks its promises. */
void ditto_agent_expect(bool good, const char *what);

/* Whether JVMTI has done what it was asked.  When the JVM has announced its death nothing can be
 * asked of it any more, and who asks stays here. */
bool ditto_agent_answered(jvmtiError error);

/* Clears a pending Java exception; true if there was one. */
bool ditto_agent_clear(JNIEnv *jni);

/* The rest of what is to be done at VMInit, as a native method of java.base: classes are then found
 * without the program's class loader, which would be Java code for each. */
void ditto_agent_set_up(JNIEnv *jni, jclass hooks);

/* In place of Shutdown.halt0: System.exit and Runtime.halt, after the shutdown hooks. */
void ditto_agent_halt(JNIEnv *jni, jclass shutdown, jint status);

/*
 * The end of the program, for threads that still run.  Once it has begun, hooks come to nothing:
 * who calls one stays there.  Output is the exception: what a thread has been recorded to print
 * must be printed, so the end waits for threads inside the monitors of output streams.
 */
_Noreturn void ditto_agent_park(void);
bool ditto_agent_is_ending(void);
/* Before asking for, and after leaving, an output stream's monitor that the thread did not hold. */
void ditto_agent_output_begins(void);
void ditto_agent_output_ends(void);

#endif
