/* SPDX-License-Identifier: MIT */
/*
 * Methods as a debugger knows them: by name, by number, and with the indexes of the original code.
 */
#ifndef DITTO_JVM_BRIDGE_DEBUG_METHODS_H
#define DITTO_JVM_BRIDGE_DEBUG_METHODS_H

#include <jvmti.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct ditto_cf;
struct ditto_instrumented;

struct ditto_debug_method {
    struct ditto_debug_method *next_by_id;
    uint32_t number;                      /* from 1 on */
    char *class_name, *name, *descriptor; /* in one piece of memory */
    _Atomic(jmethodID) id;                /* NULL: its class is not prepared */
    /*
     * Of a recorded method, by index of the rewritten code: the original index of the bytecode that
     * this belongs to, -1 for the entry and where there is none; and whether a thread that comes to
     * it comes to that bytecode.  NULL: not recorded.
     */
    int32_t *location;
    bool *arrival;
    uint32_t size;
};

/* A class as it is shown, of its signature, which is changed. */
const char *ditto_debug_class_name(char *signature);

struct ditto_debug_method *ditto_debug_method(jmethodID id);
struct ditto_debug_method *ditto_debug_method_named(const char *class_name, const char *name,
                                                    const char *descriptor);
/* NULL: no such number. */
struct ditto_debug_method *ditto_debug_method_at(uint32_t number);
int32_t ditto_debug_bci(const struct ditto_debug_method *method, jlocation at);
/* Where a thread comes to an original bytecode; -1: nowhere. */
jlocation ditto_debug_location(const struct ditto_debug_method *method, int32_t bci);
/* The class's methods get their ids; false if it is not recorded. */
bool ditto_debug_methods_prepared(jclass class);

/* The observer's: a class was rewritten. */
void ditto_debug_class(const char *name, const struct ditto_cf *cf,
                       const struct ditto_instrumented *result);

#endif
