/* SPDX-License-Identifier: MIT */
#include "core/engine/quick.h"

#include <string.h>

#include "core/engine/objects.h"
#include "core/engine/state.h"

static const struct ditto_quick_number of_thread[] = {
#define FIELD(owner, name, member, type, mode, values)                                             \
    {#owner "." #name, offsetof(struct ditto_thread, member)},
#include "core/engine/layout.def"
#undef FIELD
};

const char *ditto_quick_text(const struct ditto_session *session)
{
    const struct ditto_order_quick *quick = session->order->quick;
    return quick && quick->is_on(session) ? quick->text : NULL;
}

bool ditto_quick_number(const struct ditto_session *session, const char *name, int64_t *number)
{
    if (ditto_quick_find(of_thread, sizeof of_thread / sizeof *of_thread, name, number))
        return true;
    if (strcmp(name, "session.stop_flag") == 0) {
        *number =
            session->replaying ? 0 : (int64_t)(uintptr_t)ditto_writer_stop_flag(session->writer);
        return true;
    }
    const struct ditto_order_quick *quick = session->order->quick;
    return ditto_object_layout(session, name, number) ||
           (quick && quick->number(session, name, number));
}

void ditto_quick_wake(struct ditto_thread *thread, ditto_place *place)
{
    thread->session->order->quick->wake(thread, place);
}

void ditto_quick_wake_lock(const struct ditto_session *session, ditto_place *place)
{
    session->order->quick->wake_lock(place);
}
