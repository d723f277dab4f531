/* SPDX-License-Identifier: MIT */
/*
 * Calls of StringBuilder, in one method.
 *
 * A builder's characters are in java.lang, which is not recorded; but threads that share one race
 * for them.  So a call is an access to the builder as a whole, a load or a store of one field of
 * it, and is made like those of VarHandle: in a method that is added to the class (atomic_calls.h).
 * Recording, calls on one builder exclude each other; what a program sees of a race is then the
 * order of its calls.
 *
 * Most builders never leave the method that makes them.  Where none can (escape.h), nothing is
 * recorded.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_BUILDER_CALLS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_BUILDER_CALLS_H

#include "jvm-bridge/analysis/escape.h"
#include "jvm-bridge/instrument/hook_table.h"

/* DITTO_SITE_TEXT_LOAD, DITTO_SITE_TEXT_STORE, or DITTO_SITE_UNUSED for any other method. */
enum ditto_site_kind ditto_builder_kind(const struct ditto_cf_ref *method);

#endif
