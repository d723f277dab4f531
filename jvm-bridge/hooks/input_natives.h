/* SPDX-License-Identifier: MIT */
/* What the hooks of inputs ask for, and pauses of the recording. */
#ifndef DITTO_JVM_BRIDGE_HOOKS_INPUT_NATIVES_H
#define DITTO_JVM_BRIDGE_HOOKS_INPUT_NATIVES_H

#include "jvm-bridge/hooks/native_table.h"

struct ditto_natives ditto_input_natives(void);

#endif
