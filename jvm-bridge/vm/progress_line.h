/* SPDX-License-Identifier: MIT */
/*
 * How far a replay is, on a terminal, from its first second on: a line below whatever the program
 * has printed, which is gone before anybody prints anything else.
 */
#ifndef DITTO_JVM_BRIDGE_VM_PROGRESS_LINE_H
#define DITTO_JVM_BRIDGE_VM_PROGRESS_LINE_H

#include "jvm-bridge/vm/vm.h"

/* Shows it, or shows it anew.  Called by the watcher now and then. */
void ditto_progress_show(void);

/* Around output: the line is erased, and stays away until all have ended.  Cheap if there is none.
 */
void ditto_progress_hide(void);
void ditto_progress_may_show(void);

/* Erases it for good. */
void ditto_progress_end(void);

#endif
