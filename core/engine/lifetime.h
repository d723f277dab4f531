/* SPDX-License-Identifier: MIT */
/* How long a session lives: until it was closed and its last thread's handle is gone. */
#ifndef DITTO_CORE_ENGINE_LIFETIME_H
#define DITTO_CORE_ENGINE_LIFETIME_H

#include "core/engine/state.h"

/* Lets go of a reference; the last one frees the session, however far its opening had come. */
void ditto_session_drop(struct ditto_session *session);

#endif
