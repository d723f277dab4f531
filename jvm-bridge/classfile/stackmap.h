/* SPDX-License-Identifier: MIT */
/*
 * The StackMapTable attribute: decoding every frame in full, and encoding frames again in the
 * shortest form.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_STACKMAP_H
#define DITTO_JVM_BRIDGE_CLASSFILE_STACKMAP_H

#include "jvm-bridge/classfile/types.h"

/* As in the class file, a long or double is one type although it takes two slots. */
struct ditto_frame {
    uint32_t bci;
    uint32_t local_count, stack_count;
    const ditto_type *locals, *stack;
};

struct ditto_stackmap {
    bool present;               /* the method has the attribute */
    struct ditto_frame initial; /* the locals on entry, as the descriptor gives them */
    struct ditto_frame *frames; /* by rising bytecode index */
    uint32_t count;
};

/* Memory comes from the names' arena; frames that repeat their predecessor's locals share them, and
 * a method whose frames would take more than a few million types is refused. */
bool ditto_stackmap_decode(struct ditto_stackmap *map, struct ditto_names *names,
                           const struct ditto_cf_member *method, const struct ditto_cf_code *code,
                           struct ditto_error *error);

/* The locals on entry to a method; false when its descriptor is damaged. The texts must live as
 * long as the names. */
bool ditto_stackmap_initial(struct ditto_frame *initial, struct ditto_names *names, uint16_t access,
                            struct ditto_cf_text name, struct ditto_cf_text descriptor);

/* The frame at a bytecode index, or NULL. */
const struct ditto_frame *ditto_stackmap_at(const struct ditto_stackmap *map, uint32_t bci);

/* The class constant for a name; how the encoder asks for it. */
typedef uint16_t ditto_class_constant(void *context, struct ditto_cf_text name);

/* Appends the attribute's contents. The frames are sorted by rising bytecode index, no two at the
 * same. */
void ditto_stackmap_encode(const struct ditto_frame *initial, const struct ditto_frame *frames,
                           uint32_t count, const struct ditto_names *names,
                           ditto_class_constant *constant, void *context, struct ditto_buf *out);

#endif
