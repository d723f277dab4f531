/* SPDX-License-Identifier: MIT */
/* Calls that are special: replaced by hooks, copies by clone(), accesses by other means, muted
 * ones. */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_CALL_SITES_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_CALL_SITES_H

#include "jvm-bridge/instrument/clone_calls.h"
#include "jvm-bridge/instrument/pass.h"

/* The hook that takes the place of a call, or NULL. */
const struct ditto_call_hook *ditto_call_replacement(const struct ditto_pass *pass,
                                                     const struct ditto_insn *insn);
void ditto_call_replace(struct ditto_method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                        const struct ditto_call_hook *instead);

enum ditto_cloning ditto_call_cloning(const struct ditto_pass *pass, const struct ditto_insn *insn);
void ditto_call_edit_clone(struct ditto_method_pass *mp, const struct ditto_insn *insn,
                           uint32_t index, enum ditto_cloning kind, bool recorded);

/* The kind of access that a call of Unsafe, VarHandle or StringBuilder is, DITTO_SITE_CALL for one
 * of Arrays; DITTO_SITE_UNUSED for any other. */
enum ditto_site_kind ditto_call_atomic_kind(const struct ditto_pass *pass,
                                            const struct ditto_insn *insn);
void ditto_call_replace_atomic(struct ditto_method_pass *mp, const struct ditto_insn *insn,
                               uint32_t index, enum ditto_site_kind kind);

/* Whether the site is a call of a builder, in a method that keeps its builders to itself. */
bool ditto_call_is_of_own_builder(struct ditto_method_pass *mp, enum ditto_site_kind kind);

/* Muted calls have hooks around them, and handlers (`mutings`), which are begun before the first of
 * a method.  Calls before super(...) are left alone: there is no handler for an object that is not
 * made yet. */
bool ditto_call_is_muted(const struct ditto_pass *pass, const struct ditto_insn *insn);
void ditto_mutings_init(struct ditto_method_pass *mp);
bool ditto_call_mute(struct ditto_method_pass *mp, uint32_t index, struct ditto_error *error);

#endif
