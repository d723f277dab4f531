/* SPDX-License-Identifier: MIT */
/*
 * Loads and stores, when DittoHooks.java cannot do with a quick event.  An access that never came
 * to its after hook is ended by the next before hook.
 */
#ifndef DITTO_JVM_BRIDGE_HOOKS_ACCESS_NATIVES_H
#define DITTO_JVM_BRIDGE_HOOKS_ACCESS_NATIVES_H

#include "jvm-bridge/hooks/native_table.h"

struct ditto_natives ditto_access_natives(void);

/* The calling thread, with no access under way; NULL if it is not known. */
struct ditto_java_thread *ditto_enter(void);

#endif
