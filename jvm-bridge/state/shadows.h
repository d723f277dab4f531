/* SPDX-License-Identifier: MIT */
/*
 * What the agent keeps for Java objects, classes and threads that recorded code touches.
 *
 * A thing belongs to one object and has a number, from 1 on.  It is made when it is first needed;
 * the number is then in the object's field $ditto, which the agent adds to java.lang.Object, or,
 * for an array, in the table of DittoArray.java.  It goes when the object has died and no access to
 * it is under way any more; a weak reference, or the table, tells of the death.
 *
 * The number says where the thing lies, in a slot (blocks.h), and the state of an object lies right
 * behind its thing: so DittoHooks.java finds a field's place without looking at the thing.
 */
#ifndef DITTO_JVM_BRIDGE_STATE_SHADOWS_H
#define DITTO_JVM_BRIDGE_STATE_SHADOWS_H

#include "jvm-bridge/state/blocks.h"
#include "jvm-bridge/vm/vm.h"

struct ditto_type_info;
struct ditto_java_thread;

struct ditto_thing {
    ditto_cell cell; /* at the beginning: DittoHooks.java looks at that of an array */
    unsigned fields; /* of an array: 0 */
    uint32_t depth;  /* how often recorded code has entered its monitor; guarded by the monitor */
    /* Who did, for reports: a replay id + 1. */
    _Atomic uint32_t holder;
    const struct ditto_type_info *type;
    /* Of a Class: what is known of that class, or NULL. */
    _Atomic(struct ditto_type_info *) mirrored;
    _Atomic(struct ditto_java_thread *) thread; /* of a Thread, once it was asked for */
    union {
        _Atomic(jweak) weak;      /* to the object; NULL: the slot is unused */
        struct ditto_thing *next; /* of an array that has gone: in a list of such */
    };
    /* For a debugger: its key (messages.h), and how often each of its places was written; both
     * owned by debug*.c.  Without one it is not there: the state begins here. */
    _Atomic uint64_t key;
    uint64_t first_key;
    void *writes;
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
    /* In the order of the names; NULL until somebody asks for a field by its offset. */
    jlong *own_field_offsets, *static_offsets;
    _Atomic(int64_t *)
        copied; /* copied_fields.h; NULL until somebody copies an object of the class */
    struct ditto_type_info **interfaces;
    unsigned interface_count;
    ditto_cell static_cell;
    _Atomic(_Atomic uint64_t *) writes; /* for a debugger: to each of own_fields, in all objects */
};

/* Before the first object: sets up the numbering.  At VMInit: the rest. */
void ditto_things_open(void);
void ditto_things_begin(JNIEnv *jni, jclass hooks);

/* Refuses to go on if java.lang.Object has no room for a number, which lies at that offset. */
void ditto_things_check_layout(jlong number_offset);

/* The thing of that number, and the other way round. */
struct ditto_thing *ditto_thing_at(jint number);
jint ditto_thing_number(const struct ditto_thing *thing);
/* What it is counted from, for DittoHooks.java. */
const void *ditto_things_base(void);

/* For a debugger, when all threads rest: the next thing after that one, NULL for the first, whose
 * monitor the thread holds; NULL: there is none. */
const struct ditto_thing *ditto_thing_held(uint32_t replay_id, const struct ditto_thing *after);

/* The thing of a Class or a Thread: this runs no Java code, and so throws nothing. */
struct ditto_thing *ditto_thing_of(JNIEnv *jni, jobject object);
/* The same of a Thread, or NULL if it has none. */
struct ditto_thing *ditto_thing_present(JNIEnv *jni, jobject object);
/* The same for any object, arrays too, where there is a debugger and all of them have tags. */
struct ditto_thing *ditto_thing_of_any(JNIEnv *jni, jobject object);

/* Makes the thing of a Class or a Thread that has none, or that of an array, which its caller
 * keeps; its number. */
jint ditto_thing_make(JNIEnv *jni, jobject object);

/*
 * Makes a thing for any other object, whose caller gives it the number; the class has that number,
 * or 0.  Two threads may do so at once: who comes second drops its thing.
 */
jint ditto_thing_make_for(JNIEnv *jni, jobject object, jint class_number);
void ditto_thing_drop(JNIEnv *jni, jobject object, jint number);

/* The object, no array, may have come by its number by being copied: then it loses it. */
void ditto_thing_check(JNIEnv *jni, jobject object);

/* The array has died. */
void ditto_thing_free(jint number);

/* For blocks.c: the objects have died.  Those that nobody uses any more have no `weak` then. */
void ditto_things_recycle(JNIEnv *jni, struct ditto_thing *const things[], size_t count);

/* The class must be prepared. */
struct ditto_type_info *ditto_type_of(JNIEnv *jni, jclass class);

/* The same, with the offsets of its own fields. */
struct ditto_type_info *ditto_type_with_offsets(JNIEnv *jni, jclass class);

/* The field's number in all objects of the type, looked for from class `owner` up; -1: none. */
int ditto_type_field(const struct ditto_type_info *type, const char *owner, const char *field);

/* The place of a static field, looked for in the type, its interfaces and superclasses; NULL: none.
 */
ditto_place *ditto_type_static(struct ditto_type_info *type, const char *field);

/* The place of what the JVM keeps at that offset of an object, no array: a field of it, or, if it
 * is a class, one of the class's statics; NULL: neither. */
ditto_place *ditto_thing_place_at(JNIEnv *jni, struct ditto_thing *thing, jobject object,
                                  jlong offset, bool *is_static);

/* The place of element `index` of an array, and any thing's monitor. */
ditto_place *ditto_thing_element(struct ditto_thing *thing, jsize length, jint index);
ditto_monitor *ditto_thing_monitor(JNIEnv *jni, struct ditto_thing *thing, jobject object);

#endif
