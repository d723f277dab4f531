/* SPDX-License-Identifier: MIT */
/*
 * What the agent keeps for Java objects, classes and threads that recorded code touches.
 *
 * A thing belongs to one object and is found through the object's JVMTI tag.  It is made when it is
 * first needed, and goes when the object has died and nobody uses it any more.
 */
#ifndef DITTO_JVM_BRIDGE_THINGS_H
#define DITTO_JVM_BRIDGE_THINGS_H

#include "jvm-bridge/agent.h"

struct ditto_type_info;
struct ditto_java_thread;

struct ditto_thing {
    ditto_cell cell;
    _Atomic uint32_t references; /* the object's, and one for each access under way */
    unsigned fields;             /* of an array: 0 */
    uint32_t depth; /* how often recorded code has entered its monitor; guarded by the monitor */
    /* Who did, for reports: a replay id + 1. */
    _Atomic uint32_t holder;
    const struct ditto_type_info *type;
    struct ditto_type_info *mirrored; /* of a Class: what is known of that class, or NULL */
    _Atomic(struct ditto_java_thread *) thread; /* of a Thread, once it was asked for */
};

/* A class, as far as places are concerned.  Lives as long as its Class object. */
struct ditto_type_info {
    char *signature;
    struct ditto_type_info *super; /* NULL for Object, interfaces and arrays */
    unsigned first_field;          /* the number of its first instance field; super's come before */
    unsigned fields;               /* instance fields, with those of all superclasses */
    unsigned own_fields, statics;
    char **own_field_names; /* "name descriptor" */
    char **static_names;    /* the same */
    struct ditto_type_info **interfaces;
    unsigned interface_count;
    ditto_cell static_cell;
};

/* The calling thread, or NULL if the engine does not know it. */
struct ditto_java_thread *ditto_current(void);

/* The object's thing; the object must be reachable, as an argument of a native method is. */
struct ditto_thing *ditto_thing_of(JNIEnv *jni, jobject object);

/* Keeps a thing beyond its object's death, and lets it go. */
void ditto_thing_keep(struct ditto_thing *thing);
void ditto_thing_drop(struct ditto_thing *thing);

/* The class must be prepared. */
struct ditto_type_info *ditto_type_of(JNIEnv *jni, jclass class);

/* The field's number in all objects of the type, looked for from class `owner` up; -1: none. */
int ditto_type_field(const struct ditto_type_info *type, const char *owner, const char *field);

/* The place of a static field, looked for in the type, its interfaces and superclasses; NULL: none.
 */
ditto_place *ditto_type_static(struct ditto_type_info *type, const char *field);

/* The place of element `index` of an array, and any thing's monitor. */
ditto_place *ditto_thing_element(struct ditto_thing *thing, jsize length, jint index);
ditto_monitor *ditto_thing_monitor(JNIEnv *jni, struct ditto_thing *thing, jobject object);

/* JVMTI's ObjectFree. */
void JNICALL ditto_things_freed(jvmtiEnv *jvmti, jlong tag);

#endif
