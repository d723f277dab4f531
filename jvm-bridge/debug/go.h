/* SPDX-License-Identifier: MIT */
#ifndef DITTO_JVM_BRIDGE_DEBUG_GO_H
#define DITTO_JVM_BRIDGE_DEBUG_GO_H

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/engine/timeline.h"
#include "jvm-bridge/control/messages.h"
#include "jvm-bridge/debug/methods.h"
#include "jvm-bridge/state/thread.h"

/* What it keeps of a thread; see go.c. */
struct ditto_debug_thread {
    bool stepping;                         /* JVMTI tells its single steps */
    uint8_t counting;                      /* enum ditto_spot_kind: what `steps` counts from */
    uint64_t steps, nth, throws;           /* throws: exceptions in this turn */
    const struct ditto_debug_method *mark; /* where counting began */
    int32_t mark_bci;
    const struct ditto_debug_method *skip; /* a breakpoint that was dealt with */
    jlocation skip_at;
    const struct ditto_debug_method *logged;
    jint logged_depth;
    bool watched;   /* the access under way is: */
    jobject object; /* a global reference */
    struct ditto_wire_hit hit;
    bool stop_next; /* it stops at the next bytecode, because of that */
    uint64_t made;  /* objects */
    /* What the last method returned, if the thread has come to no bytecode but one since then. */
    struct ditto_wire_value returned;
    jobject returned_object; /* a global reference */
    bool returned_seen;
};

static inline struct ditto_debug_thread *ditto_debug_of(const struct ditto_java_thread *thread)
{
    return (struct ditto_debug_thread *)thread->observed;
}

/* Sets the next run up, and lets it begin; the texts must stay until the next one. */
void ditto_debug_run(JNIEnv *jni, const struct ditto_wire_run *run);
/* When all rest: what came out. */
void ditto_debug_halt(enum ditto_rest why, struct ditto_wire_halt *halt);
/* Asks the present run to stop. */
void ditto_debug_interrupt(void);

void JNICALL ditto_debug_single_step(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                     jlocation at);
void JNICALL ditto_debug_breakpoint(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                    jlocation at);
void JNICALL ditto_debug_class_prepared(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jclass class);
void JNICALL ditto_debug_exception(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method,
                                   jlocation at, jobject exception, jmethodID catcher,
                                   jlocation caught_at);
void ditto_debug_passed(void *context, struct ditto_thread *thread);

/* What a thread that rests returned, in the step to where it is. */
bool ditto_debug_returned(JNIEnv *jni, uint32_t thread, struct ditto_wire_value *value);

/* The observer's: see observer.h. */
void ditto_debug_access(JNIEnv *jni, struct ditto_java_thread *self, jint site,
                        struct ditto_thing *thing, jobject object, jint index, bool store);
void ditto_debug_access_ends(struct ditto_java_thread *self);
void ditto_debug_accessed(struct ditto_java_thread *self);
void ditto_debug_returns(JNIEnv *jni, char type, uint64_t bits, jobject object);
void ditto_debug_thread_ends(struct ditto_java_thread *self);

#endif
