/* SPDX-License-Identifier: MIT */
/*
 * The instrumenting pass: static calls of hooks (hook_table.h) around every access to shared memory
 * and every monitor operation of a class.
 *
 * Around an access:
 *
 *         dup; push SITE; invokestatic beforeLoad
 *         getfield
 *         push SITE; invokestatic afterLoad
 *
 * When the access throws. Null, a bad index, a failed array store and a linkage error strike
 * between the two hooks, and the after hook is then never called. Each such region (hooks included,
 * as they may overflow the stack) has an exception-table entry in front of the program's own, whose
 * handler calls abandon() and throws on. abandon() takes no site: the after hook is not given the
 * object either, so the thread must know by itself what it has begun, and one handler can serve all
 * accesses that are covered by the same handlers of the program. That matters: a handler of its own
 * with a site costs each access seven bytes of code and a frame, and larger methods are inlined
 * less. The rethrow must find the program's handlers and these must find their locals, so a shared
 * handler keeps exactly the locals that the covering handlers' frames name; if two of them name one
 * local differently, it keeps all locals of the access. abandon() must accept that nothing was
 * begun, or that it was ended already.
 *
 * Class initialization. A getstatic or putstatic may run a class initializer, whose accesses would
 * nest inside the region and whose lock may block it. So a static that the class does not declare
 * itself is loaded once and dropped before the before hook: initialization and its errors then
 * happen outside.
 *
 * Synchronized methods lose the flag and become a monitorenter on entry, a monitorexit before each
 * return and a handler around everything. A static one locks its class constant; classes before
 * version 49 have none and keep their static synchronized methods. What follows a monitorenter is
 * covered by the handler that releases it, because HotSpot does not compile methods that could
 * leave with a monitor held.
 *
 * Constructors: an object whose constructor has not run cannot be handed to anybody, so stores to
 * `this` before super(...) are not instrumented.
 *
 * Calls can be replaced by static calls of the hook class that take the receiver as their first
 * argument. Before what may initialize another class a hook can be called, and on entry to a class
 * initializer and on every way out of it: only where the options ask for it.
 *
 * Calls of clone() are edited for a number that is the original's alone, and because they load all
 * fields: see clone_calls.h.
 *
 * Methods of the JDK can be pauses of the recording (pauses.h).  Calls of Unsafe and
 * VarHandle are accesses, too (atomic_calls.h), and so are those of StringBuilder
 * (builder_calls.h).
 *
 * A method that cannot be instrumented (too large then, jsr or ret, damaged) stays as it was and is
 * reported.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_INSTRUMENT_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_INSTRUMENT_H

#include "jvm-bridge/classfile/rewrite.h"
#include "jvm-bridge/instrument/instrument_options.h"

struct ditto_instrumented {
    struct ditto_rw_result class;
    struct ditto_site *sites; /* by id - first_site */
    uint32_t site_count;
};

enum ditto_instrument_outcome {
    DITTO_INSTRUMENT_NOTHING, /* nothing to do: the class may stay as it is */
    DITTO_INSTRUMENT_DONE,
    DITTO_INSTRUMENT_FAILED /* the class must stay as it is; `error` says why */
};

/* Only on DITTO_INSTRUMENT_DONE does `result` hold anything, to be freed. */
enum ditto_instrument_outcome ditto_instrument(const struct ditto_cf *cf,
                                               const struct ditto_instrument_options *options,
                                               struct ditto_instrumented *result,
                                               struct ditto_error *error);
void ditto_instrumented_free(struct ditto_instrumented *result);

#endif
