/* SPDX-License-Identifier: MIT */
/*
 * Calls of clone(), in one method.
 *
 * A copy by Object.clone() has the number that is in a field of the original and of no other
 * object: it is set to 0 in the copy at once, before anybody else can see it.  In recorded code
 * hooks get original and copy, too, since copying loads every field of the original:
 *
 *         dup
 *         invokespecial Object.clone
 *         dup; iconst_0; putfield NUMBER
 *         dup_x1; push SITE; invokestatic copied      (original, copy, site)
 *
 * Any other clone() may answer whatever the program has made of it, or be Object's after all.  The
 * hook after it sees which by the number, so the original needs one, which the hook before it gives
 * it.
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_CLONE_CALLS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_CLONE_CALLS_H

#include "jvm-bridge/classfile/edit.h"

/* Arrays are no concern of these: their elements are copied by a hook. */
enum ditto_cloning { DITTO_NO_CLONE, DITTO_A_CLONE, DITTO_PERHAPS_A_CLONE };

enum ditto_cloning ditto_cloning(const struct ditto_cf *cf, const struct ditto_insn *insn);

/*
 * Edits the call, whose kind it is; `number` names the field, `hooks` the class of the hooks.
 * `site` is negative where nothing is recorded.
 */
void ditto_cloning_edit(struct ditto_ed *ed, uint32_t index, enum ditto_cloning kind,
                        const char *number, const char *hooks, int32_t site);

#endif
