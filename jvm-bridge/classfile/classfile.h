/* SPDX-License-Identifier: MIT */
/*
 * A parsed class file: a structure of offsets over the original bytes.
 *
 * Nothing is copied, so the bytes must outlive the structure. Class files of versions 45 (JDK 1.1)
 * to 69 (JDK 25) are read. No byte is trusted: every index, length and cross reference of the
 * constant pool is checked when the class is opened, so the accessors cannot fail on an opened
 * class when they are given an index that the class itself contains, and answer with an empty text
 * otherwise. Code attributes are checked when they are asked for.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_CLASSFILE_H
#define DITTO_JVM_BRIDGE_CLASSFILE_CLASSFILE_H

#include "core/base/arena.h"

enum {
    DITTO_CF_OLDEST = 45,
    DITTO_CF_NEWEST = 69,
    /* From this version on the verifier uses StackMapTable. */
    DITTO_CF_HAS_FRAMES = 50,
    /* From this version on ldc can load a class. */
    DITTO_CF_HAS_CLASS_CONSTANTS = 49
};

enum ditto_cf_access {
    DITTO_ACC_PRIVATE = 0x0002,
    DITTO_ACC_STATIC = 0x0008,
    DITTO_ACC_FINAL = 0x0010,
    DITTO_ACC_SYNCHRONIZED = 0x0020,
    DITTO_ACC_VOLATILE = 0x0040,
    DITTO_ACC_NATIVE = 0x0100,
    DITTO_ACC_INTERFACE = 0x0200,
    DITTO_ACC_ABSTRACT = 0x0400
};

enum ditto_cf_tag {
    DITTO_TAG_UTF8 = 1,
    DITTO_TAG_INTEGER = 3,
    DITTO_TAG_FLOAT = 4,
    DITTO_TAG_LONG = 5,
    DITTO_TAG_DOUBLE = 6,
    DITTO_TAG_CLASS = 7,
    DITTO_TAG_STRING = 8,
    DITTO_TAG_FIELD = 9,
    DITTO_TAG_METHOD = 10,
    DITTO_TAG_INTERFACE_METHOD = 11,
    DITTO_TAG_NAME_AND_TYPE = 12,
    DITTO_TAG_METHOD_HANDLE = 15,
    DITTO_TAG_METHOD_TYPE = 16,
    DITTO_TAG_DYNAMIC = 17,
    DITTO_TAG_INVOKE_DYNAMIC = 18,
    DITTO_TAG_MODULE = 19,
    DITTO_TAG_PACKAGE = 20
};

/* Text of the class file, in its modified UTF-8, not ended by a zero byte. */
struct ditto_cf_text {
    const char *data;
    uint32_t size;
};

/* A table of attributes: where its first one starts, and how many there are. */
struct ditto_cf_attrs {
    uint32_t first;
    uint16_t count;
};

struct ditto_cf_attr {
    struct ditto_cf_text name;
    uint32_t start; /* of the whole attribute, name index included */
    uint32_t at;    /* of its contents */
    uint32_t size;  /* of its contents */
};

/* A field or a method; [start, end) are its bytes. */
struct ditto_cf_member {
    uint16_t access, name, descriptor;
    struct ditto_cf_attrs attrs;
    uint32_t start, end;
};

struct ditto_cf {
    const uint8_t *bytes;
    uint32_t size;
    uint16_t minor, major;
    uint16_t pool_count;
    uint32_t *pool; /* by constant index: offset of its tag byte, 0 where there is no constant */
    uint32_t pool_end;
    uint16_t access, this_class, super_class;
    uint32_t fields_at, methods_at, attrs_at; /* offsets of the three counts */
    uint16_t field_count, method_count;
    struct ditto_cf_member *fields, *methods;
    struct ditto_cf_attrs attrs;
    struct ditto_arena arena;
};

/* Fills `cf`. On false `cf` holds nothing; after true it needs ditto_cf_close. */
bool ditto_cf_open(struct ditto_cf *cf, const void *bytes, size_t size, struct ditto_error *error);
void ditto_cf_close(struct ditto_cf *cf);

/* Big-endian numbers at an offset that is known to lie inside. */
static inline uint16_t ditto_u2(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}
static inline uint32_t ditto_u4(const uint8_t *at)
{
    return (uint32_t)ditto_u2(at) << 16 | ditto_u2(at + 2);
}

/* The tag of a constant, or 0 when there is no constant of that index. */
uint8_t ditto_cf_tag(const struct ditto_cf *cf, uint32_t index);
/* The whole size, tag included, of a constant of an opened class. */
uint32_t ditto_cf_constant_size(const uint8_t *constant);
struct ditto_cf_text ditto_cf_utf8(const struct ditto_cf *cf, uint32_t index);
/* The name a Class constant holds: `java/lang/Object`, `[I`. */
struct ditto_cf_text ditto_cf_class_name(const struct ditto_cf *cf, uint32_t index);

/* What a field, method, invokedynamic or dynamic constant refers to; the latter two have no owner.
 */
struct ditto_cf_ref {
    struct ditto_cf_text owner, name, descriptor;
};
bool ditto_cf_ref(const struct ditto_cf *cf, uint32_t index, struct ditto_cf_ref *ref);

/* The bytes that a value takes in memory, by the first letter of its descriptor; 0 for a reference,
 * which takes what the JVM wants. */
unsigned ditto_cf_value_size(char type);

bool ditto_cf_is(struct ditto_cf_text text, const char *string);
bool ditto_cf_same(struct ditto_cf_text a, struct ditto_cf_text b);

/* Walks attributes: `*at` starts as attrs.first and is moved on; ask exactly attrs.count times. */
void ditto_cf_next_attr(const struct ditto_cf *cf, uint32_t *at, struct ditto_cf_attr *attr);
bool ditto_cf_find_attr(const struct ditto_cf *cf, struct ditto_cf_attrs attrs, const char *name,
                        struct ditto_cf_attr *attr);

/* The field that the class itself declares by that name and descriptor, or NULL. */
const struct ditto_cf_member *ditto_cf_own_field(const struct ditto_cf *cf,
                                                 struct ditto_cf_text name,
                                                 struct ditto_cf_text descriptor);

/* A Code attribute. Its handlers are `handler_count` entries of 8 bytes at `handlers`. */
struct ditto_cf_code {
    struct ditto_cf_attr attr;
    uint16_t max_stack, max_locals;
    const uint8_t *code;
    uint32_t size;
    const uint8_t *handlers;
    uint16_t handler_count;
    struct ditto_cf_attrs attrs;
};

struct ditto_cf_handler {
    uint16_t start, end, handler, catch_type;
};

/* True with `present` false when the method has no code. The structure of the attribute is checked,
 * and that the exception table stays inside the code; instructions are not looked at. */
bool ditto_cf_code(const struct ditto_cf *cf, const struct ditto_cf_member *method, bool *present,
                   struct ditto_cf_code *code, struct ditto_error *error);
struct ditto_cf_handler ditto_cf_handler(const struct ditto_cf_code *code, uint32_t index);

#endif
