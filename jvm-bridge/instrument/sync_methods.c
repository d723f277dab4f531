/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/instrument/sync_methods.h"

#include "jvm-bridge/classfile/bytecode.h"

static bool has_monitors(const struct ditto_ed *ed)
{
    for (uint32_t i = 0; i < ed->listing.count; i++)
        if (ed->code.code[ed->listing.bci[i]] == DITTO_OP_MONITORENTER)
            return true;
    return false;
}

/* Whether local 0 is `this` at every instruction: no store to it, and no frame that forgets it. */
static bool this_stays(const struct ditto_ed *ed)
{
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        struct ditto_insn insn = ditto_listing_insn(&ed->listing, i);
        uint32_t local, slots;
        if (ditto_insn_stores(&insn, &local, &slots) && local == 0)
            return false;
    }
    for (uint32_t i = 0; i < ed->map.count; i++)
        if (ed->map.frames[i].local_count == 0 ||
            ed->map.frames[i].locals[0] != ed->map.initial.locals[0])
            return false;
    return true;
}

static void load_lock(const struct ditto_sync *sync, struct ditto_snippet *code)
{
    ditto_snippet_local(code, DITTO_OP_ALOAD, sync->lock_local);
}

/* Settles where the lock is found, and puts it there. */
static void keep_lock(struct ditto_sync *sync, struct ditto_snippet *code)
{
    struct ditto_ed *ed = sync->ed;
    ditto_type type;
    if (ed->access & DITTO_ACC_STATIC) {
        ditto_snippet_ldc(code, ed->cf->this_class);
        type = ditto_names_literal(ed->names, "java/lang/Class");
    } else {
        bool again = has_monitors(ed);
        sync->lock_is_this = !again && this_stays(ed);
        if (sync->lock_is_this)
            return;
        ditto_snippet_local(code, DITTO_OP_ALOAD, 0);
        type = ed->map.initial.locals[0];
        if (again) {
            sync->call_hook(sync->context, code, &ditto_same_hook, 0);
            type = ditto_names_literal(ed->names, "java/lang/Object");
        }
    }
    sync->lock_local = ditto_ed_new_local(ed, type);
    ditto_snippet_local(code, DITTO_OP_ASTORE, sync->lock_local);
}

void ditto_sync_begin(struct ditto_sync *sync)
{
    struct ditto_ed *ed = sync->ed;
    const struct ditto_hook_pair *hooks = &ditto_hooks[DITTO_SITE_ACQUIRE];
    struct ditto_snippet *code = ditto_ed_entry(ed);
    int32_t site = sync->new_site(sync->context, DITTO_SITE_ACQUIRE, DITTO_SITE_WHOLE_METHOD, 0);
    ed->access &= (uint16_t)~DITTO_ACC_SYNCHRONIZED;
    keep_lock(sync, code);
    load_lock(sync, code);
    if (ditto_hook_takes_object(&hooks->after))
        ditto_snippet_op(code, DITTO_OP_DUP);
    if (ditto_hook_takes_object(&hooks->before))
        ditto_snippet_op(code, DITTO_OP_DUP);
    sync->call_hook(sync->context, code, &hooks->before, site);
    ditto_snippet_op(code, DITTO_OP_MONITORENTER);
    sync->body = ditto_ed_new_label(ed);
    ditto_snippet_label(code, sync->body);
    sync->call_hook(sync->context, code, &hooks->after, site);
    ditto_ed_stack_at_least(ed, 4);
}

/* The release itself. The monitor is held up to the monitorexit, which is where `hook_end` goes if
 * it is not NULL; the label behind is returned. */
static ditto_label release(const struct ditto_sync *sync, struct ditto_snippet *code, uint32_t bci,
                           const ditto_label *hook_end)
{
    const struct ditto_hook *hook = &ditto_hooks[DITTO_SITE_RELEASE].before;
    int32_t site = sync->new_site(sync->context, DITTO_SITE_RELEASE, bci, 0);
    load_lock(sync, code);
    if (ditto_hook_takes_object(hook))
        ditto_snippet_op(code, DITTO_OP_DUP);
    sync->call_hook(sync->context, code, hook, site);
    if (hook_end)
        ditto_snippet_label(code, *hook_end);
    ditto_snippet_op(code, DITTO_OP_MONITOREXIT);
    ditto_label behind = ditto_ed_new_label(sync->ed);
    ditto_snippet_label(code, behind);
    ditto_ed_stack_grows(sync->ed, 3);
    return behind;
}

/* A place in the tail where an exception arrives while the monitor is held. */
static void arrive(const struct ditto_sync *sync, ditto_label label)
{
    struct ditto_ed *ed = sync->ed;
    ditto_type caught = ditto_names_literal(ed->names, "java/lang/Throwable");
    ditto_ed_frame(ed, label, ed->map.initial.locals, sync->lock_is_this ? 1 : 0, &caught, 1);
    ditto_snippet_label(ditto_ed_tail(ed), label);
}

void ditto_sync_finish(struct ditto_sync *sync)
{
    struct ditto_ed *ed = sync->ed;
    struct ditto_snippet *tail = ditto_ed_tail(ed);
    ditto_label handler = ditto_ed_new_label(ed), hook_end = ditto_ed_new_label(ed),
                last = ditto_ed_new_label(ed);
    ditto_label held_from = sync->body;
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        if (!ditto_is_return(ed->code.code[ed->listing.bci[i]]))
            continue;
        ditto_label behind = release(sync, ditto_ed_before(ed, i), ed->listing.bci[i], NULL);
        ditto_ed_outer_handler(ed, (struct ditto_new_handler){held_from, behind, handler, 0});
        held_from = i + 1;
    }
    ditto_ed_outer_handler(ed, (struct ditto_new_handler){held_from, handler, handler, 0});
    arrive(sync, handler);
    release(sync, tail, DITTO_SITE_WHOLE_METHOD, &hook_end);
    ditto_snippet_op(tail, DITTO_OP_ATHROW);
    arrive(sync, last);
    load_lock(sync, tail);
    ditto_snippet_op(tail, DITTO_OP_MONITOREXIT);
    ditto_snippet_op(tail, DITTO_OP_ATHROW);
    ditto_ed_outer_handler(ed, (struct ditto_new_handler){handler, hook_end, last, 0});
    ditto_ed_stack_at_least(ed, 4);
}
