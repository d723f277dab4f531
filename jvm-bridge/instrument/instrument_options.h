/* SPDX-License-Identifier: MIT */
/* What the instrumenting pass is asked to do, and a site, which is what it answers most of. */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_INSTRUMENT_OPTIONS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_INSTRUMENT_OPTIONS_H

#include "jvm-bridge/classfile/classfile.h"
#include "jvm-bridge/instrument/hook_table.h"
#include "jvm-bridge/instrument/pauses.h"

/* Any callback may be NULL: everything is included, nothing reported. */
struct ditto_instrument_options {
    void *context;
    bool (*include_class)(void *context, const struct ditto_cf *cf);
    bool (*include_method)(void *context, const struct ditto_cf *cf,
                           const struct ditto_cf_member *method);
    /* Whether a method shall do nothing that is recorded, whatever it calls: it gets IGNORE hooks
     * on entry and on every way out, and no others.  NULL: none. */
    bool (*ignore_method)(void *context, const struct ditto_cf *cf,
                          const struct ditto_cf_member *method);
    bool (*include_field)(void *context, const struct ditto_cf *cf,
                          const struct ditto_cf_ref *field);
    /* A method, or with NULL the class, was left alone or in part. */
    void (*report)(void *context, const struct ditto_cf *cf, const struct ditto_cf_member *method,
                   const char *why);
    /* The hook to call instead of a method, or NULL; never asked where there is no callback. */
    const struct ditto_call_hook *(*replace_call)(void *context, const struct ditto_cf *cf,
                                                  uint8_t opcode,
                                                  const struct ditto_cf_ref *method);
    /* Whether a class may have an initializer that matters; NULL: no INIT sites. */
    bool (*may_initialize)(void *context, const struct ditto_cf *cf, struct ditto_cf_text name);
    /* What is special about the method (pauses.h); NULL: nothing ever.  Asked for methods that are
     * not included, too. */
    const struct ditto_pause *(*pause)(void *context, const struct ditto_cf *cf,
                                       const struct ditto_cf_member *method);
    /* Whether the JDK may call the method in a pause: recording does not pause in it.  NULL: none.
     */
    bool (*is_called_back)(void *context, const struct ditto_cf *cf,
                           const struct ditto_cf_member *method);
    bool class_initializers; /* CLINIT sites; they are called back, too */
    bool atomics; /* calls of Unsafe, VarHandle, StringBuilder and Arrays; atomic_calls.h */
    /*
     * For a debugger: a nop at the entry of every method, so that the index before the first
     * instruction is reached on entry alone; a call of the hook `made` after an array was made, and
     * before a constructor returns; and one of `returned` with each value that is returned.
     */
    bool for_debugging;
    /* Whether a call is to be muted: DITTO_HOOK_CLASS has the hooks around it.  NULL: none is. */
    bool (*mutes)(void *context, const struct ditto_cf *cf, const struct ditto_cf_ref *method);
    const char *hook_class; /* NULL: DITTO_HOOK_CLASS, and for calls DITTO_CALL_HOOK_CLASS */
    const char *site_class; /* the class of the hooks of sites; NULL: hook_class */
    /* An int field of Object that a clone is not to inherit; NULL: none.  Methods that are not
     * included are edited for clone(), too. */
    const char *clone_field;
    /* In methods that are not included, calls of Object's own clone() alone: no hook is called. */
    bool only_objects_clone;
    /* Whether hooks are given the values, too: after the after hook of a load, before the before
     * hook of a store (ditto_value_hook). */
    bool values;
    uint32_t leave_out; /* bit set of site kinds; without ACQUIRE synchronized methods stay, too */
    int32_t first_site; /* the id of the class's first site */
};

struct ditto_site {
    uint32_t method; /* its number in the class */
    /* The original bytecode index; DITTO_SITE_WHOLE_METHOD for what a synchronized method does on
     * entry and when an exception leaves it. */
    uint32_t bci;
    /* The constant of the field; at an INIT site, of the class, field or method; 0 for arrays and
     * monitors. */
    uint16_t field;
    uint16_t kind; /* enum ditto_site_kind */
};

#endif
