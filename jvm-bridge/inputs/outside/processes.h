/* SPDX-License-Identifier: MIT */
/* Processes: see outside.h. */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_PROCESSES_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_PROCESSES_H

#include "jvm-bridge/inputs/outside/imports.h"

struct ditto_imports ditto_process_imports(void);

#endif
