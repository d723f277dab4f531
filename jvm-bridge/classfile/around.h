/* SPDX-License-Identifier: MIT */
/* Code around a whole method: on entry, where it returns, and for an exception that leaves it. */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_AROUND_H
#define DITTO_JVM_BRIDGE_CLASSFILE_AROUND_H

#include "jvm-bridge/classfile/edit.h"

/* Each appends its code.  The one for `enter` finds nothing on the stack, `leave` what the method
 * returns, `throw` the exception; each may add one slot to it, and must leave it as it was. */
struct ditto_around {
    void (*enter)(void *context, struct ditto_snippet *code);
    void (*leave)(void *context, struct ditto_snippet *code);
    void (*throw)(void *context, struct ditto_snippet *code);
    void *context;
};

/* What leaves the method in this code itself is not caught by it: nothing is done twice. */
void ditto_ed_around(struct ditto_ed *ed, const struct ditto_around *around);

#endif
