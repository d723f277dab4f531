/* SPDX-License-Identifier: MIT */
/* Hooks around single instructions: loads, stores, monitors, and what may initialize a class. */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_ACCESS_SITES_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_ACCESS_SITES_H

#include "jvm-bridge/instrument/pass.h"

/* What an instruction is a site of, by itself; DITTO_SITE_UNUSED: of nothing. */
enum ditto_site_kind ditto_access_kind(uint8_t opcode);
bool ditto_access_is_of_field(enum ditto_site_kind kind);

/* Whether a field instruction shall be instrumented; learns whether its value takes two slots. */
bool ditto_access_wants_field(const struct ditto_pass *pass, const struct ditto_insn *insn,
                              bool *wide_value, struct ditto_error *error, bool *failed);

/* Puts the hooks around it; between the labels an exception must be told of. */
void ditto_access_edit(struct ditto_method_pass *mp, const struct ditto_insn *insn, uint32_t index,
                       enum ditto_site_kind kind, bool wide_value, ditto_label *start,
                       ditto_label *end);

/* The constant of the class that an instruction may initialize, or 0. */
uint16_t ditto_initialized_class(const struct ditto_pass *pass, const struct ditto_insn *insn);

/* The hook before an instruction that may initialize a class; nothing before any other. */
void ditto_check_initialization(struct ditto_method_pass *mp, const struct ditto_insn *insn,
                                uint32_t index);

#endif
