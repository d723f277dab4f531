/* SPDX-License-Identifier: MIT */
/*
 * Who watches the program from inside: the debug service, in a JVM that was started for a debugger.
 * Elsewhere ditto_agent.observer is NULL, and all that is left of it is a look at that pointer.
 */
#ifndef DITTO_JVM_BRIDGE_VM_OBSERVER_H
#define DITTO_JVM_BRIDGE_VM_OBSERVER_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ditto_cf;
struct ditto_instrumented;
struct ditto_java_thread;
struct ditto_shadow;

struct ditto_observer {
    /* What it keeps of each thread: that many bytes, zeroed, in ditto_java_thread.observed. */
    size_t thread_size;

    /* A class of the program was rewritten. */
    void (*class_rewritten)(const char *name, const struct ditto_cf *cf,
                            const struct ditto_instrumented *result);

    /* After an access of recorded code was let through; when it is done, before others are let
     * through to what it accessed; and after that. */
    void (*access)(JNIEnv *jni, struct ditto_java_thread *self, jint site,
                   struct ditto_shadow *shadow, jobject object, jint index, bool store);
    void (*access_ends)(struct ditto_java_thread *self);
    void (*accessed)(struct ditto_java_thread *self);

    /* The calling thread has made an object, or is the first to lock it or to store to a field of
     * it. */
    void (*made)(JNIEnv *jni, jobject object);
    void (*met)(struct ditto_java_thread *self, struct ditto_shadow *shadow);
    /* The calling thread is about to return a value. */
    void (*returns)(JNIEnv *jni, char type, uint64_t bits, jobject object);

    /* The object is gone. */
    void (*forget)(struct ditto_shadow *shadow);
    /* The thread is about to end. */
    void (*thread_ends)(struct ditto_java_thread *self);
};

#endif
