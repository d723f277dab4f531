/* SPDX-License-Identifier: MIT */
/*
 * What the agent knows of HotSpot beyond JVMTI: which JVMs it works with, and the entry points
 * behind native methods of java.base that it takes over.
 */
#ifndef DITTO_JVM_BRIDGE_VM_HOTSPOT_H
#define DITTO_JVM_BRIDGE_VM_HOTSPOT_H

#include "jvm-bridge/vm/vm.h"

/* Refuses a JVM that is not a 64-bit HotSpot of JDK 17 or later, and makes the settings that have
 * to be made before it starts.  In the OnLoad phase. */
void ditto_hotspot_check(jvmtiEnv *jvmti);

/* 17 for JDK 17; 0: it cannot be told. */
int ditto_hotspot_feature(jvmtiEnv *jvmti);

/* "17.0.15+6-Debian-1deb12u1, OpenJDK 64-Bit Server VM": what a replay must have the same of. */
char *ditto_hotspot_version(jvmtiEnv *jvmti);

/* Puts our functions in the place of Thread.start0 and Shutdown.halt0. */
void ditto_hotspot_take_over(JNIEnv *jni, void (*start)(JNIEnv *, jobject),
                             void (*halt)(JNIEnv *, jclass, jint));

/* What the JVM answers to native methods that jdk_natives.c takes over. */
struct ditto_hotspot_answers {
    jlong (*nano_time)(JNIEnv *, jclass);
    jlong (*millis)(JNIEnv *, jclass);
    jlong (*adjustment)(JNIEnv *, jclass, jlong);
    jint (*hash)(JNIEnv *, jobject);
    jint (*processors)(void);
    jlong (*free_memory)(void);
    jlong (*total_memory)(void);
    jlong (*max_memory)(void);
};

extern struct ditto_hotspot_answers ditto_hotspot;

/*
 * The identity hash of an object; the given one, more than 0, if the object has none yet.  The JVM
 * draws hashes from a generator of each thread, whose state is set for that, and is then what it
 * was.  It has to be found first; a JVM that has none is refused.
 */
void ditto_hotspot_find_hashes(JNIEnv *jni);
jint ditto_hotspot_hash_as(JNIEnv *jni, jobject object, jint wanted);

/* Puts a function in the place of a native method, or refuses the JVM. */
void ditto_hotspot_replace_native(JNIEnv *jni, const char *class_name, char *name, char *signature,
                                  void *function);

/* A library of the JDK, "libjava.so", if the JVM has loaded it; or NULL. */
void *ditto_hotspot_library(const char *name);

/* The function of libjava with that name, or refuses the JVM. */
void *ditto_hotspot_library_function(const char *name);

/* What they did before. */
void ditto_hotspot_start_thread(JNIEnv *jni, jobject thread);
_Noreturn void ditto_hotspot_halt(jint status);

#endif
