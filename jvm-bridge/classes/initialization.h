/* SPDX-License-Identifier: MIT */
/*
 * Class initialization: which thread ran which initializer in the recording.  In a replay the
 * others wait for it where the JVM would have made them wait, or run it themselves.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSES_INITIALIZATION_H
#define DITTO_JVM_BRIDGE_CLASSES_INITIALIZATION_H

#include "jvm-bridge/vm/vm.h"

struct ditto_cf;
struct ditto_site_info;

/*
 * What is known of a class from its file: enough to tell which class an instruction initializes.
 */
struct ditto_class {
    struct ditto_class *earlier; /* of the same name, from another loader */
    char *name;                  /* "com/acme/Main" */
    const char *loader;          /* the label of its loader */
    char *super;                 /* NULL: none */
    char **interfaces;
    unsigned interface_count;
    char **statics; /* "name descriptor" of its static fields and methods */
    unsigned static_count;
    bool has_initializer;
    bool is_interface;
    bool has_defaults;      /* an interface with methods that classes inherit */
    int64_t initializer;    /* replaying: the replay id of who initialized it; -1: nobody did */
    ditto_flag initialized; /* replaying: its initializer has ended */
    char *awaited;          /* "the initialization of com.acme.Main", for messages */
};

/* What is kept of the class, made if it is met for the first time; `loader` is its loader's label.
 */
struct ditto_class *ditto_class_enter(const struct ditto_cf *cf, const char *name,
                                      const char *loader);

/* Replaying: waits for the others who initialize what the site may initialize; `owner` is the class
 * that the code names.  True if the calling thread need not ask there again. */
bool ditto_class_await(JNIEnv *jni, struct ditto_thread *thread, jclass owner,
                       const struct ditto_site_info *site);

/* The same for a class that reflection is about to initialize. */
void ditto_class_await_type(JNIEnv *jni, struct ditto_thread *thread, jclass type);

/* Replaying: Class.forName waits, too.  At VMInit. */
void ditto_initialization_take_over(JNIEnv *jni);

/* The calling thread begins, or has ended, to run the initializer of the site's class. */
void ditto_class_initializing(struct ditto_thread *thread, struct ditto_class *class);
void ditto_class_initialized(struct ditto_class *class);

#endif
