/* SPDX-License-Identifier: MIT */
/*
 * Calls of Unsafe and VarHandle that load or store a field, a static or an element, those of
 * StringBuilder, and those of java.util.Arrays (array_calls.h).
 *
 * Such a call has its operands deep in the stack, and what it does to the order may depend on its
 * result.  So it is moved into a method that is added to the class, one for each method called:
 *
 *         push SITE; invokestatic $ditto0(VarHandle, the arguments, int)
 *
 *     private static boolean $ditto0(VarHandle handle, Node node, Node expected, Node next, int
 *             site)
 *         beforeVarUpdate(handle, node, 0, site)
 *         result = handle.compareAndSet(node, expected, next)
 *         afterUpdate(result, site)
 *         return result                    and abandon() if anything threw
 *
 * The compilers inline it, and so still know the handle.  Weak forms become strong ones: that is
 * allowed, and leaves nothing to chance.
 *
 * Why those of StringBuilder are made in the same way, builder_calls.h says.  What they are given
 * is looked at before the access begins: code of the program must not run inside it.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_ATOMIC_CALLS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_ATOMIC_CALLS_H

#include "jvm-bridge/classfile/rewrite.h"
#include "jvm-bridge/instrument/hook_table.h"

/* The classes whose methods are called. */
struct ditto_hook_classes {
    const char *hooks, *sites, *calls;
};

/* The kind of site that a call of that method is, or DITTO_SITE_UNUSED. */
enum ditto_site_kind ditto_atomic_kind(const struct ditto_cf_ref *method);

/* Adds the method that stands for calls of `method`, which is one of those; the constant of a
 * reference to it.  `number` makes its name one of its own. */
uint16_t ditto_atomic_add(struct ditto_rw *rw, const struct ditto_cf *cf,
                          const struct ditto_hook_classes *classes,
                          const struct ditto_cf_ref *method, unsigned number);

#endif
