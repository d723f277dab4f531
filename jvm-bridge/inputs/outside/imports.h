/* SPDX-License-Identifier: MIT */
/*
 * Calls from a library of the JDK to the C library, led to functions of ours.
 *
 * The JDK's native methods do their work through imported C functions.  Each import has a slot in
 * the library's memory with the address of the function; we put ours there.  Only calls of that
 * library are affected: the JVM's own, the agent's and the program's native libraries' are not.
 */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_IMPORTS_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_IMPORTS_H

#include <stddef.h>

struct ditto_import {
    const char *name;
    void (*instead)(void);
};

/* A function of ours, for a table of imports. */
#define DITTO_IMPORT(name, function)                                                               \
    {                                                                                              \
        name, (void (*)(void))function                                                             \
    }

/* A table of them. */
struct ditto_imports {
    const struct ditto_import *table;
    size_t count;
};

/* Loads the library if that has not happened yet, and leads its imports elsewhere.  Answers how
 * many slots were changed, or -1 if there is no such library. */
int ditto_imports_replace(const char *library, struct ditto_imports imports);

#endif
