/* SPDX-License-Identifier: MIT */
/*
 * Keeps handlers of synchronized blocks compilable when a hook is called in them.
 *
 * javac ends a synchronized block with a handler that covers itself up to its monitorexit:
 *
 *     H:  astore t; aload lock; monitorexit; aload t; athrow          [H, behind monitorexit) -> H
 *
 * None of this can throw, until a hook stands before the monitorexit. C1 refuses methods with a
 * handler that really may throw to itself, and without any handler the monitors would not be
 * balanced. So the hook gets a handler of its own, which releases the monitor without a hook and
 * throws on:
 *
 *     R:  aload lock; monitorexit; athrow                             covered by what covers H
 * otherwise
 */
#ifndef DITTO_JVM_BRIDGE_INSTRUMENT_RELEASE_GUARDS_H
#define DITTO_JVM_BRIDGE_INSTRUMENT_RELEASE_GUARDS_H

#include "jvm-bridge/classfile/edit.h"

/* [start, end) is the hook's code before the monitorexit `insn`. Does nothing where the code has
 * another form; that costs speed at most. */
void ditto_guard_release(struct ditto_ed *ed, uint32_t insn, ditto_label start, ditto_label end);

#endif
