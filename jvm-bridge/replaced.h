/* SPDX-License-Identifier: MIT */
/*
 * Which calls in a class are replaced by hooks (calls.h).
 *
 * They are chosen before the class is rewritten: looking at other classes runs Java code, which may
 * load further ones, and cannot be done under the lock.
 */
#ifndef DITTO_JVM_BRIDGE_REPLACED_H
#define DITTO_JVM_BRIDGE_REPLACED_H

#include "jvm-bridge/agent.h"
#include "jvm-bridge/arena.h"
#include "jvm-bridge/calls.h"

struct ditto_replaced_call;

struct ditto_replaced {
    JNIEnv *jni;
    jobject loader;
    const char *class_name;
    struct ditto_arena *arena;
    bool only_waits; /* nothing but what waits for monitors and threads */
    struct ditto_replaced_call *calls;
};

void ditto_replaced_choose(struct ditto_replaced *replaced, const struct ditto_cf *cf);

/* The hook in the place of a call, or NULL. */
const struct ditto_call_hook *ditto_replaced_by(const struct ditto_replaced *replaced,
                                                uint8_t opcode, const struct ditto_cf_ref *method);

#endif
