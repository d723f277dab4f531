/* SPDX-License-Identifier: MIT */
/* What a file system knows of its files, and changes of it: see outside.h. */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_ATTRIBUTES_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_ATTRIBUTES_H

#include "jvm-bridge/inputs/outside/imports.h"

struct ditto_imports ditto_attribute_imports(void);

#endif
