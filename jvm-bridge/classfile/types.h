/* SPDX-License-Identifier: MIT */
/*
 * Verification types: what the verifier knows about a local or a stack entry.
 *
 * A type is one number: a tag and, for some, data. A reference holds the number of a class name in
 * a table of names rather than a constant's index: descriptors name classes that have no constant,
 * and equal names then are equal numbers. The constant is looked up, or added, only when a type is
 * written into a class.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_TYPES_H
#define DITTO_JVM_BRIDGE_CLASSFILE_TYPES_H

#include "core/base/map.h"
#include "jvm-bridge/classfile/classfile.h"

typedef uint32_t ditto_type;

/* The values are those of the StackMapTable attribute. */
enum ditto_type_tag {
    DITTO_TYPE_TOP,
    DITTO_TYPE_INT,
    DITTO_TYPE_FLOAT,
    DITTO_TYPE_DOUBLE,
    DITTO_TYPE_LONG,
    DITTO_TYPE_NULL,
    DITTO_TYPE_UNINIT_THIS,
    DITTO_TYPE_CLASS,  /* data: number of the class name */
    DITTO_TYPE_UNINIT, /* data: bytecode index of the `new` */
};

#define DITTO_TYPE(tag, data) ((ditto_type)(tag) | (ditto_type)(data) << 8)

static inline enum ditto_type_tag ditto_type_tag(ditto_type type)
{
    return (enum ditto_type_tag)(type & 0xff);
}

static inline uint32_t ditto_type_data(ditto_type type)
{
    return type >> 8;
}

/* Takes two slots. */
static inline bool ditto_type_is_wide(ditto_type type)
{
    return type == DITTO_TYPE_LONG || type == DITTO_TYPE_DOUBLE;
}

static inline bool ditto_type_is_reference(ditto_type type)
{
    return ditto_type_tag(type) >= DITTO_TYPE_NULL;
}

/* The class names of one class file, numbered. It must not outlive the class and the arena. */
struct ditto_names {
    const struct ditto_cf *cf;
    struct ditto_arena *arena;
    struct ditto_cf_text *texts;
    uint32_t count, capacity;
    struct ditto_map numbers; /* of names; number + 1 */
    uint32_t *of_constant;    /* by constant index; number + 1 */
};

void ditto_names_init(struct ditto_names *names, const struct ditto_cf *cf,
                      struct ditto_arena *arena);

/* The reference type of a class name. The text must live as long as the table. */
ditto_type ditto_names_type(struct ditto_names *names, struct ditto_cf_text name);
ditto_type ditto_names_literal(struct ditto_names *names, const char *name);
/* Of a Class constant; its tag has been checked. */
ditto_type ditto_names_constant(struct ditto_names *names, uint32_t index);
/* Of an array of that class: `[` and the class's descriptor. */
ditto_type ditto_names_array_of(struct ditto_names *names, struct ditto_cf_text name);
struct ditto_cf_text ditto_names_text(const struct ditto_names *names, ditto_type type);

/* Reads the one field type that stands at `*at` of a descriptor, and moves on; false when it is
 * damaged. */
bool ditto_descriptor_next(struct ditto_names *names, struct ditto_cf_text descriptor, uint32_t *at,
                           ditto_type *type);

#endif
