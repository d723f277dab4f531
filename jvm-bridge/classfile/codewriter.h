/* SPDX-License-Identifier: MIT */
/*
 * Writes the Code attribute of an edited method: the code as laid out, and every table that speaks
 * of bytecode indexes moved along: exceptions, frames, lines, locals, type annotations.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_CODEWRITER_H
#define DITTO_JVM_BRIDGE_CLASSFILE_CODEWRITER_H

#include "jvm-bridge/classfile/bcimap.h"
#include "jvm-bridge/classfile/edit.h"

/* Appends the whole attribute, name and length included. On false, which leaves `out` with a part
 * of it, the method must be left alone. `map` is to be freed with free(). */
bool ditto_write_code(struct ditto_ed *ed, struct ditto_buf *out, struct ditto_bcimap **map,
                      struct ditto_error *error);

#endif
