/* SPDX-License-Identifier: MIT */
/*
 * Calls of java.util.Arrays that read or fill arrays inside the JDK, where nothing is recorded: in
 * java.util.Arrays itself, in code that the compilers have their own for, or in vectors.
 *
 * Such a method is given a copy of each array, private to the call, and does with that what it
 * does.  The elements are loaded into the copy, and stored back from it, each in an event: so what
 * the method has seen of an array that others write to meanwhile, and what they see of it, is one
 * of the things that could have been seen without recording, and is the same in a replay.  The call
 * is made in a method that is added to the class, as those of VarHandle are (atomic_calls.h):
 *
 *     private static void $ditto0(int[] array, int site)
 *         original = array
 *         array = look(original, site)
 *         Arrays.sort(array)
 *         put(array, original, 0, -1, site)
 *
 * Not here: copies (replaced_calls.h); what Arrays leaves to classes that are recorded, sorting
 * objects for one; what calls the program's code for each element, or looks at few of many
 * elements: those methods of Arrays are recorded themselves (jdk_classes.h).
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_ARRAY_CALLS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_ARRAY_CALLS_H

#include "core/base/arena.h"
#include "jvm-bridge/classfile/shape.h"

#define DITTO_ARRAYS_CLASS "java/util/Arrays"

bool ditto_arrays_has(const struct ditto_cf_ref *method);

/* The code that stands for calls of the method, which is one of those, up to its return.  The site
 * is in the local behind the parameters; the one behind that is free. */
void ditto_arrays_write(struct ditto_snippet *code, struct ditto_pool *pool,
                        struct ditto_arena *arena, const char *hook_class,
                        const struct ditto_cf_ref *method, const struct ditto_shape *shape);

#endif
