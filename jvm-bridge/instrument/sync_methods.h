/* SPDX-License-Identifier: MIT */
/*
 * Turns a synchronized method into one with explicit monitor code, with the hooks of acquisition
 * and release.
 *
 * Everything from right behind the monitorenter up to each monitorexit is covered by one handler
 * that releases the monitor and throws on, as javac does it for a synchronized block. HotSpot
 * compiles a method only if its analysis can prove the monitors balanced, which asks for three
 * things more. The lock must come from one local: `this` from local 0, if that holds it everywhere,
 * as it practically always does; otherwise, and for a class, from a further local. A method that
 * locks `this` itself once more must not be seen to do so, hence the `same` hook. And the handler
 * calls a hook, which may throw: then a second handler, for C1 compiles none that covers itself,
 * releases the monitor without telling anybody.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_SYNC_METHODS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_SYNC_METHODS_H

#include "jvm-bridge/classfile/edit.h"
#include "jvm-bridge/instrument/hook_table.h"

struct ditto_sync {
    struct ditto_ed *ed;
    /* How the instrumenter numbers sites and calls hooks. */
    void *context;
    int32_t (*new_site)(void *context, enum ditto_site_kind kind, uint32_t bci, uint32_t field);
    void (*call_hook)(void *context, struct ditto_snippet *code, const struct ditto_hook *hook,
                      int32_t site);
    /* set by ditto_sync_begin */
    bool lock_is_this; /* the lock is taken from local 0, which all frames must keep */
    uint32_t lock_local;
    ditto_label body; /* from here on the monitor is held */
};

/* Entry code and flag; to be called before other edits. */
void ditto_sync_begin(struct ditto_sync *sync);

/* Returns and the handler; to be called after all other code was put into the tail. */
void ditto_sync_finish(struct ditto_sync *sync);

#endif
