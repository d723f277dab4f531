/* SPDX-License-Identifier: MIT */
/* Writing to files, pipes and sockets, and what the program prints: see outside.h. */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_WRITING_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_WRITING_H

#include "jvm-bridge/inputs/outside/imports.h"

struct ditto_imports ditto_writing_imports(void);

#endif
