/* SPDX-License-Identifier: MIT */
/* Monitors, threads and the initialization of classes. */
#ifndef DITTO_JVM_BRIDGE_HOOKS_SYNC_NATIVES_H
#define DITTO_JVM_BRIDGE_HOOKS_SYNC_NATIVES_H

#include "jvm-bridge/hooks/native_table.h"

struct ditto_natives ditto_sync_natives(void);

#endif
