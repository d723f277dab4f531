/* SPDX-License-Identifier: MIT */
/* Directories, and the names of users and groups: see outside.h. */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_DIRECTORIES_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_DIRECTORIES_H

#include "jvm-bridge/inputs/outside/imports.h"

struct ditto_imports ditto_directory_imports(void);

#endif
