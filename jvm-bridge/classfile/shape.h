/* SPDX-License-Identifier: MIT */
/* What a method takes and answers, as code that calls it has to move it about. */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_SHAPE_H
#define DITTO_JVM_BRIDGE_CLASSFILE_SHAPE_H

#include "jvm-bridge/classfile/classfile.h"
#include "jvm-bridge/classfile/codewriter.h"

struct ditto_parameter {
    char type; /* I, J, F, D or A */
    bool is_int;
    uint32_t local;
    struct ditto_cf_text text; /* in the descriptor; empty for the receiver */
};

/* HotSpot allows no more, with the receiver, and a further one must fit. */
enum { DITTO_MOST_PARAMETERS = 250 };

struct ditto_shape {
    struct ditto_parameter parameters[DITTO_MOST_PARAMETERS]; /* the receiver is the first */
    unsigned count;
    uint32_t locals;
    char result; /* or V */
};

/* False for a descriptor that is damaged, or too long for one more parameter. */
bool ditto_shape_of(struct ditto_cf_text descriptor, bool has_receiver, struct ditto_shape *shape);

void ditto_shape_load(struct ditto_snippet *code, const struct ditto_parameter *parameter);
void ditto_shape_return(struct ditto_snippet *code, const struct ditto_shape *shape);

#endif
