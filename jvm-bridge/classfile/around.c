/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/around.h"

#include "jvm-bridge/classfile/bytecode.h"

void ditto_ed_around(struct ditto_ed *ed, const struct ditto_around *around)
{
    struct ditto_snippet *entry = ditto_ed_entry(ed), *tail = ditto_ed_tail(ed);
    ditto_label body = ditto_ed_new_label(ed), handler = ditto_ed_new_label(ed), from = body;
    around->enter(around->context, entry);
    ditto_snippet_label(entry, body);
    for (uint32_t i = 0; i < ed->listing.count; i++) {
        if (!ditto_is_return(ed->code.code[ed->listing.bci[i]]))
            continue;
        struct ditto_snippet *before = ditto_ed_before(ed, i);
        ditto_label leaving = ditto_ed_new_label(ed);
        ditto_snippet_label(before, leaving);
        around->leave(around->context, before);
        ditto_ed_outer_handler(ed, (struct ditto_new_handler){from, leaving, handler, 0});
        from = i + 1;
    }
    ditto_type caught = ditto_names_literal(ed->names, "java/lang/Throwable");
    ditto_ed_outer_handler(ed, (struct ditto_new_handler){from, handler, handler, 0});
    ditto_ed_frame(ed, handler, NULL, 0, &caught, 1);
    ditto_snippet_label(tail, handler);
    around->throw(around->context, tail);
    ditto_snippet_op(tail, DITTO_OP_ATHROW);
    ditto_ed_stack_grows(ed, 1);
    ditto_ed_stack_at_least(ed, 2);
}
