/* SPDX-License-Identifier: MIT */
/*
 * What the agent keeps for Java objects, classes and threads that recorded code touches.
 *
 * A shadow belongs to one object and has a number, from 1 on.  It is made when it is first needed;
 * the number is then in the object's field $ditto, which the agent adds to java.lang.Object, or,
 * for an array, in the table of DittoArray.java.  It goes when the object has died and no access to
 * it is under way any more; a weak reference, or the table, tells of the death.
 *
 * The number says where the shadow lies, in a slot (blocks.h), and the state of an object lies
 * right behind its shadow: so DittoHooks.java finds a field's place without looking at the shadow.
 */
#ifndef DITTO_JVM_BRIDGE_STATE_SHADOW_H
#define DITTO_JVM_BRIDGE_STATE_SHADOW_H

#include <jni.h>

#include "core/ditto.h"

struct ditto_type_info;
struct ditto_java_thread;

struct ditto_shadow {
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
        _Atomic(jweak) weak;       /* to the object; NULL: the slot is unused */
        struct ditto_shadow *next; /* of an array that has gone: in a list of such */
    };
    /* For a debugger: its key (messages.h), and how often each of its places was written; both
     * owned by debug/.  Without one it is not there: the state begins here. */
    _Atomic uint64_t key;
    uint64_t first_key;
    void *writes;
};

#endif
