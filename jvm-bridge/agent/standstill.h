/* SPDX-License-Identifier: MIT */
/*
 * The agent's own thread.  In a recording with --repeat it notices that the program stands still,
 * and ends it; in a replay, that the program stands still where the recorded one did not, and on a
 * terminal it shows how far the replay is.
 */
#ifndef DITTO_JVM_BRIDGE_AGENT_STANDSTILL_H
#define DITTO_JVM_BRIDGE_AGENT_STANDSTILL_H

#include "jvm-bridge/vm/vm.h"

/*
 * At VMInit.  Where there is nothing to watch the thread ends at once; but it is always there, so
 * that the numbers of the program's own threads are the same in a recording and its replay.
 */
void ditto_watcher_begin(JNIEnv *jni);

#endif
