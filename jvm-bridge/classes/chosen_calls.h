/* SPDX-License-Identifier: MIT */
/*
 * Which calls in a class are replaced by hooks (replaced_calls.h).
 *
 * They are chosen before the class is rewritten: looking at other classes runs Java code, which may
 * load further ones, and cannot be done under the lock.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_CHOSEN_CALLS_H
#define DITTO_JVM_BRIDGE_CLASSES_CHOSEN_CALLS_H

#include "core/base/arena.h"
#include "jvm-bridge/instrument/replaced_calls.h"
#include "jvm-bridge/vm/vm.h"

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
