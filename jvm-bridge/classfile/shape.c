/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/shape.h"

#include <string.h>

#include "jvm-bridge/classfile/bytecode.h"

/* The type at *at, which is moved behind it; 0: there is none. */
static char next_type(const char **at, const char *end)
{
    const char *from = *at;
    while (from < end && *from == '[')
        from++;
    if (from == end || !memchr("BCDFIJSZVL", *from, 10))
        return 0;
    const char *last = *from == 'L' ? memchr(from, ';', (size_t)(end - from)) : from;
    char first = **at;
    if (!last)
        return 0;
    *at = last + 1;
    if (first == 'L' || first == '[')
        return 'A';
    return memchr("JFDV", first, 4) ? first : 'I';
}

bool ditto_shape_of(struct ditto_cf_text descriptor, bool has_receiver, struct ditto_shape *shape)
{
    const char *at = descriptor.data, *end = descriptor.data + descriptor.size;
    shape->parameters[0] = (struct ditto_parameter){.type = 'A'};
    shape->count = shape->locals = has_receiver;
    if (at == end || *at++ != '(')
        return false;
    while (at < end && *at != ')') {
        const char *begin = at;
        char type = next_type(&at, end);
        if (!type || type == 'V' || shape->count == DITTO_MOST_PARAMETERS)
            return false;
        shape->parameters[shape->count++] = (struct ditto_parameter){
            type, *begin == 'I', shape->locals, {begin, (uint32_t)(at - begin)}};
        shape->locals += type == 'J' || type == 'D' ? 2 : 1;
    }
    if (at++ >= end)
        return false;
    shape->result = next_type(&at, end);
    return shape->result && at == end && shape->locals <= DITTO_MOST_PARAMETERS;
}

void ditto_shape_load(struct ditto_snippet *code, const struct ditto_parameter *parameter)
{
    int type = (int)(strchr("IJFDA", parameter->type) - "IJFDA");
    ditto_snippet_local(code, (uint8_t)(DITTO_OP_ILOAD + type), parameter->local);
}

void ditto_shape_return(struct ditto_snippet *code, const struct ditto_shape *shape)
{
    int type = (int)(strchr("IJFDAV", shape->result) - "IJFDAV");
    ditto_snippet_op(code, (uint8_t)(DITTO_OP_IRETURN + type));
}
