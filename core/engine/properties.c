/* SPDX-License-Identifier: MIT */
/* What a recording notes about itself, and a replay reads: ditto_set_property(), ditto_property().
 */
#include "core/engine/state.h"

void ditto_set_property(struct ditto_session *session, const char *name, const char *value)
{
    if (session->replaying || session->detached)
        return;
    const struct ditto_meta record = {
        .type = DITTO_META_PROPERTY, .name = ditto_text(name), .text = ditto_text(value)};
    ditto_writer_meta(session->writer, &record);
}

const char *ditto_property(const struct ditto_session *session, const char *name)
{
    return session->replaying ? ditto_reader_property(session->reader, name) : NULL;
}
