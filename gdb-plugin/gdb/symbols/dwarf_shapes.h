/* SPDX-License-Identifier: MIT */
/* The kinds of entries in the debug information: what each is, and the attributes it has. */
#ifndef DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_SHAPES_H
#define DITTO_GDB_PLUGIN_GDB_SYMBOLS_DWARF_SHAPES_H

#include "core/base/arena.h"

/* An entry begins with its shape's number. */
enum shape {
    SHAPE_UNIT = 1, /* with code */
    SHAPE_BARE_UNIT,
    SHAPE_BASE_TYPE,
    SHAPE_NAMESPACE,
    SHAPE_CLASS_DECLARATION,
    SHAPE_CLASS,
    SHAPE_INHERITANCE,
    SHAPE_MEMBER,
    SHAPE_STATIC,
    SHAPE_STATIC_PLACE,
    SHAPE_METHOD, /* a function of the class, with code: value, this */
    SHAPE_VOID_METHOD,
    SHAPE_STATIC_METHOD,
    SHAPE_STATIC_VOID_METHOD,
    SHAPE_METHOD_DECLARATION, /* without code */
    SHAPE_VOID_METHOD_DECLARATION,
    SHAPE_THIS,
    SHAPE_PARAMETER,
    SHAPE_THIS_DECLARATION,
    SHAPE_PARAMETER_DECLARATION,
    SHAPE_BLOCK,
    SHAPE_VARIABLE,
    SHAPE_POINTER,
    SHAPE_TYPEDEF,
    SHAPE_SUBRANGE,
    SHAPE_VIRTUAL,
    SHAPE_FUNCTION,
    SHAPES
};

/* The section .debug_abbrev, which tells gdb of them. */
void dwarf_shapes(struct ditto_buf *abbrev);

#endif
