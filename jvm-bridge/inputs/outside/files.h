/* SPDX-License-Identifier: MIT */
/* Files and pipes: see outside.h. */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_FILES_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_FILES_H

#include "jvm-bridge/inputs/outside/imports.h"

struct ditto_imports ditto_file_imports(void);

#endif
