/* SPDX-License-Identifier: MIT */
/*
 * How a session records: chosen by the recording's options, kept in the trace's properties, and
 * taken from there by a replay, which has to do the same.  Internal to core/.
 */
#ifndef DITTO_CORE_ENGINE_SETTINGS_H
#define DITTO_CORE_ENGINE_SETTINGS_H

#include "core/engine/state.h"

bool ditto_settings_from_options(struct ditto_session *session,
                                 const struct ditto_record_options *options,
                                 struct ditto_error *error);

/* Writes them to, and reads them from, the trace. */
void ditto_settings_store(struct ditto_session *session);
bool ditto_settings_load(struct ditto_session *session, struct ditto_error *error);

#endif
