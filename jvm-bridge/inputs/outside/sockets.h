/* SPDX-License-Identifier: MIT */
/* Sockets, selectors and name lookups: see outside.h. */
#ifndef DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_SOCKETS_H
#define DITTO_JVM_BRIDGE_INPUTS_OUTSIDE_SOCKETS_H

#include "jvm-bridge/inputs/outside/imports.h"

struct ditto_imports ditto_socket_imports(void);

#endif
