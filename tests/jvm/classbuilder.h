/* SPDX-License-Identifier: MIT */
/*
 * Builds small class files in memory for the unit tests: constants, and static methods from raw
 * bytecode. Constants 1 to 8 are there from the start; see the enumeration.
 */
#ifndef DITTO_CLASSBUILDER_H
#define DITTO_CLASSBUILDER_H

#include "jvm-bridge/classfile/classfile.h"

#include <string.h>

enum {
    CB_NAME = 1, /* "T" */
    CB_THIS,     /* class T */
    CB_OBJECT_NAME,
    CB_OBJECT,
    CB_CODE,      /* "Code" */
    CB_STACK_MAP, /* "StackMapTable" */
    CB_LINES,     /* "LineNumberTable" */
    CB_LOCALS,    /* "LocalVariableTable" */
    CB_FIRST_FREE
};

struct class_builder {
    struct ditto_buf pool, methods, out;
    uint32_t constants, method_count;
    uint16_t major;
};

static uint16_t cb_utf8(struct class_builder *cb, const char *text)
{
    ditto_buf_u1(&cb->pool, DITTO_TAG_UTF8);
    ditto_buf_u2(&cb->pool, (uint32_t)strlen(text));
    ditto_buf_bytes(&cb->pool, text, strlen(text));
    return (uint16_t)cb->constants++;
}

static uint16_t cb_pair(struct class_builder *cb, uint8_t tag, uint32_t a, uint32_t b)
{
    ditto_buf_u1(&cb->pool, tag);
    ditto_buf_u2(&cb->pool, a);
    ditto_buf_u2(&cb->pool, b);
    return (uint16_t)cb->constants++;
}

static uint16_t cb_class(struct class_builder *cb, const char *name)
{
    uint16_t utf8 = cb_utf8(cb, name);
    ditto_buf_u1(&cb->pool, DITTO_TAG_CLASS);
    ditto_buf_u2(&cb->pool, utf8);
    return (uint16_t)cb->constants++;
}

static void cb_start(struct class_builder *cb, uint16_t major)
{
    *cb = (struct class_builder){.constants = 1, .major = major};
    cb_class(cb, "T");
    cb_class(cb, "java/lang/Object");
    cb_utf8(cb, "Code");
    cb_utf8(cb, "StackMapTable");
    cb_utf8(cb, "LineNumberTable");
    cb_utf8(cb, "LocalVariableTable");
}

__attribute__((unused)) static uint16_t cb_member(struct class_builder *cb, uint8_t tag,
                                                  uint16_t owner, const char *name,
                                                  const char *descriptor)
{
    uint16_t n = cb_utf8(cb, name), d = cb_utf8(cb, descriptor);
    uint16_t name_and_type = cb_pair(cb, DITTO_TAG_NAME_AND_TYPE, n, d);
    return cb_pair(cb, tag, owner, name_and_type);
}

/* `tables` is what follows the code in a Code attribute: exception table, attribute count,
 * attributes. */
static void cb_method(struct class_builder *cb, uint16_t access, const char *name,
                      const char *descriptor, uint16_t max_stack, uint16_t max_locals,
                      const void *code, size_t code_size, const void *tables, size_t tables_size)
{
    static const uint8_t none[4];
    uint16_t n = cb_utf8(cb, name), d = cb_utf8(cb, descriptor);
    if (!tables) {
        tables = none;
        tables_size = sizeof none;
    }
    ditto_buf_u2(&cb->methods, access);
    ditto_buf_u2(&cb->methods, n);
    ditto_buf_u2(&cb->methods, d);
    ditto_buf_u2(&cb->methods, 1);
    ditto_buf_u2(&cb->methods, CB_CODE);
    ditto_buf_u4(&cb->methods, (uint32_t)(8 + code_size + tables_size));
    ditto_buf_u2(&cb->methods, max_stack);
    ditto_buf_u2(&cb->methods, max_locals);
    ditto_buf_u4(&cb->methods, (uint32_t)code_size);
    ditto_buf_bytes(&cb->methods, code, code_size);
    ditto_buf_bytes(&cb->methods, tables, tables_size);
    cb->method_count++;
}

/* The finished class; its bytes belong to the builder. */
static struct ditto_buf *cb_finish(struct class_builder *cb)
{
    ditto_buf_u4(&cb->out, 0xCAFEBABE);
    ditto_buf_u2(&cb->out, 0);
    ditto_buf_u2(&cb->out, cb->major);
    ditto_buf_u2(&cb->out, cb->constants);
    ditto_buf_bytes(&cb->out, cb->pool.data, cb->pool.size);
    ditto_buf_u2(&cb->out, 0x21);
    ditto_buf_u2(&cb->out, CB_THIS);
    ditto_buf_u2(&cb->out, CB_OBJECT);
    ditto_buf_u2(&cb->out, 0);
    ditto_buf_u2(&cb->out, 0);
    ditto_buf_u2(&cb->out, cb->method_count);
    ditto_buf_bytes(&cb->out, cb->methods.data, cb->methods.size);
    ditto_buf_u2(&cb->out, 0);
    return &cb->out;
}

static void cb_free(struct class_builder *cb)
{
    ditto_buf_free(&cb->pool);
    ditto_buf_free(&cb->methods);
    ditto_buf_free(&cb->out);
}

#endif
