/* SPDX-License-Identifier: MIT */
/* States of objects and arrays; most of it is declared in core/ditto.h.  Internal to core/. */
#ifndef DITTO_CORE_ENGINE_OBJECTS_H
#define DITTO_CORE_ENGINE_OBJECTS_H

#include "core/engine/state.h"

/* The numbers of core/engine/quick.h that begin with "object."; false: it is none of them. */
bool ditto_object_layout(const struct ditto_session *session, const char *name, int64_t *number);

#endif
