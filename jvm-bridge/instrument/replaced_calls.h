/* SPDX-License-Identifier: MIT */
/* The calls of JDK methods that are replaced by methods of DittoHooks. */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_REPLACED_CALLS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_REPLACED_CALLS_H

#include "jvm-bridge/classfile/classfile.h"
#include "jvm-bridge/instrument/hook_table.h"

enum ditto_call_owner {
    DITTO_CALL_ANY,    /* whatever class is named: the method is a final one of Object */
    DITTO_CALL_THREAD, /* Thread, or a class that inherits the method from it */
    DITTO_CALL_HOOKS,  /* any, in the class that keeps shutdown hooks */
    /* Not in classes of the JDK of which only monitors are recorded: */
    DITTO_CALL_TIME_UNIT, /* java.util.concurrent.TimeUnit */
    DITTO_CALL_REFERENCE, /* Reference, WeakReference, SoftReference, or a class that inherits it */
    /* Only if the library is recorded (jdk_classes.h): */
    DITTO_CALL_ARRAY,  /* any array */
    DITTO_CALL_ARRAYS, /* java.util.Arrays */
    DITTO_CALL_SYSTEM, /* System */
    DITTO_CALL_BUFFER, /* StringBuffer */
    DITTO_CALL_KEY,    /* Object, and only where hash tables ask their keys */
    DITTO_CALL_UNSAFE, /* one of the two */
};

struct ditto_call {
    const char *name, *descriptor;
    bool is_static;
    enum ditto_call_owner owner;
    struct ditto_call_hook instead;
};

/* The next entry, behind one or from the beginning, for a method of that name and descriptor, or
 * NULL. */
const struct ditto_call *ditto_call_find(const struct ditto_call *after, struct ditto_cf_text name,
                                         struct ditto_cf_text descriptor, bool is_static);

#endif
