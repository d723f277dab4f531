/* SPDX-License-Identifier: MIT */
/*
 * What every file of the agent may ask: the JVM around it, the session, and what was asked for.
 *
 * The agent is one for the process, as JVMTI has it.  It is set up by agent.c before any hook can
 * run and not changed afterwards.
 */
#ifndef DITTO_JVM_BRIDGE_VM_VM_H
#define DITTO_JVM_BRIDGE_VM_VM_H

#include <jni.h>
#include <jvmti.h>

#include "core/ditto.h"
#include "jvm-bridge/control/agent_options.h"

struct ditto_observer;

struct ditto_agent {
    JavaVM *vm;
    jvmtiEnv *jvmti;
    struct ditto_session *session;
    bool replay;
    bool verify;                           /* the trace has, or gets, digests of events */
    const struct ditto_observer *observer; /* see observer.h; NULL: no debugger */
    struct ditto_agent_options options;
};

extern struct ditto_agent ditto_agent;

/* Clears a pending Java exception; true if there was one. */
bool ditto_agent_clear(JNIEnv *jni);

/* A system property of the JVM, to be freed; NULL: there is none. */
char *ditto_system_property(const char *name);

#endif
