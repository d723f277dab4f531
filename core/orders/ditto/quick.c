/* SPDX-License-Identifier: MIT */
/* What somebody has to know who does the order's quick events himself; see core/engine/quick.h. */
#include "core/orders/ditto/quick.h"

/* Without pruning every event is traced, and none is quick. */
static bool is_on(const struct ditto_session *session)
{
    return pruning_of(session) != DITTO_PRUNE_NONE;
}

static bool number(const struct ditto_session *session, const char *name, int64_t *number)
{
#define FROM_thread(member)                                                                        \
    (offsetof(struct ditto_thread, order_state) + offsetof(struct thread_state, member))
#define FROM_place(member) offsetof(ditto_place, member)
    const struct ditto_quick_number all[] = {
#define FIELD(owner, name, member, type, mode, values) {#owner "." #name, FROM_##owner(member)},
#include "core/orders/ditto/layout.def"
#undef FIELD
        /* Numbers: whether letting a place's lock go takes a full barrier; and how many entries the
         * interaction table has, a power of 2, or 0 if it is not to be used. */
        {"lock.fenced", ditto_light_lock_fenced},
        {"seen.size", pruning_of(session) == DITTO_PRUNE_FULL ? SEEN_SIZE : 0},
    };
    return ditto_quick_find(all, sizeof all / sizeof *all, name, number);
}

static void wake(struct ditto_thread *thread, void *where)
{
    ditto_place *place = where;
    ditto_wake(&thread->session->waits, place, &place->waiters);
}

static void wake_lock(void *where)
{
    ditto_place *place = where;
    ditto_light_lock_wake(&place->lock);
}

const struct ditto_order_quick ditto_quick = {
    .text = "fields",
    .is_on = is_on,
    .number = number,
    .wake = wake,
    .wake_lock = wake_lock,
};
