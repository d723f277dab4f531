/* SPDX-License-Identifier: MIT */
/*
 * The recorded program as gdb sees it: one address per bytecode, places for statics, a shape for
 * every class of objects.
 *
 * All of it follows from the class files alone, so the same trace has the same addresses always.
 * Names and descriptors are kept once each: equal ones are the same pointer.
 *
 *     TEXT      methods.  A method's first byte is its entry, bytecode i is at base + 1 + i
 *     STATICS   8 bytes for each static field
 *     HUBS      64 bytes for each class; an object's first word points 16 bytes into it, as to a
 *               C++ vtable, so that gdb finds the class of an object
 *     STACKS    256 MiB for each thread
 *     HEAP      1 MiB for each object: hub, a word, then 8 bytes for each field
 *     ELEMENTS  the elements of each array, behind a word with its length
 *     TEXTS     the characters of each string, as UTF-8 that ends with a zero byte; of other
 *               objects the name of the class, to which the second word of the object points
 */
#ifndef DITTO_GDB_PLUGIN_PROGRAM_SHAPES_H
#define DITTO_GDB_PLUGIN_PROGRAM_SHAPES_H

#include "core/base/arena.h"
#include "core/base/map.h"
#include "gdb-plugin/machine/machine.h"

#define TEXT_BASE     UINT64_C(0x100000000000)
#define STATICS_BASE  UINT64_C(0x110000000000)
#define HUBS_BASE     UINT64_C(0x120000000000)
#define STACKS_BASE   UINT64_C(0x200000000000)
#define HEAP_BASE     UINT64_C(0x300000000000)
#define HEAP_END      UINT64_C(0x700000000000)
#define ELEMENTS_BASE UINT64_C(0x4000000000000000)
#define TEXTS_BASE    UINT64_C(0x6000000000000000)
#define TEXTS_END     UINT64_C(0x8000000000000000)

enum {
    HUB_SIZE = 64,
    HUB_POINT = 16,      /* where objects point to */
    STACK_SHIFT = 28,    /* log2 of a thread's share of STACKS */
    OBJECT_SHIFT = 20,   /* of an object's share of HEAP */
    ELEMENTS_SHIFT = 35, /* of an array's share of ELEMENTS, and a string's of TEXTS */
    ELEMENTS_POINT = 16, /* where the first element is; the length is 8 bytes before it */
    HEADER_SIZE = 16,    /* of an object; an array has its length at 8 and its elements' address */
    OBJECTS_MAX = 1 << 26,
    STACKS_MAX = 1 << 16,
};

/* Three functions that no class has; each is 16 bytes long. */
#define ROOT_BASE  TEXT_BASE        /* where threads come from and end */
#define THROW_BASE (TEXT_BASE + 16) /* shown on top of a frame that is about to throw */
#define HOOK_BASE  (TEXT_BASE + 32) /* and of one that has just caught: gdb steps by it */
#define CODE_BASE  (TEXT_BASE + 64) /* methods follow */

struct program_class;

struct program_field {
    const struct program_class *owner;
    const char *name, *descriptor;
    uint16_t access;
    uint32_t offset;  /* in an object */
    uint64_t address; /* of a static */
};

struct program_line {
    uint16_t bci, line;
};

/* A local variable: its slot holds it in bytecodes [start, end). */
struct program_local {
    const char *name, *descriptor;
    uint32_t start, end;
    uint16_t slot;
    bool argument;
};

struct program_method {
    const struct program_class *owner;
    const char *name, *descriptor;
    uint16_t access;
    uint16_t max_locals;
    uint64_t base; /* the end is base + 1 + size */
    uint32_t size; /* of the code, 0 for none */
    const uint8_t *code;
    struct program_line *lines; /* by bytecode index */
    size_t line_count;
    struct program_local *locals; /* arguments first */
    size_t local_count;
    const struct ditto_method *handle; /* the machine's, NULL until it is needed */
};

struct program_class {
    const char *name;       /* "com/acme/Account" */
    const char *source;     /* "com/acme/Account.java", or NULL */
    const char *super_name; /* NULL for java/lang/Object */
    struct program_class *super;
    uint16_t access;
    bool placed;        /* its fields have offsets */
    bool built_in;      /* not in the trace, and known for its fields alone */
    char element;       /* of an array's class: the first letter of its elements' descriptor */
    uint32_t size;      /* of an object */
    uint64_t hub;       /* as a symbol; objects point to hub + HUB_POINT */
    uint64_t low, high; /* its methods' text */
    struct program_field *fields;
    size_t field_count; /* its own, statics apart */
    struct program_field *statics;
    size_t static_count;
    struct program_method *methods;
    size_t method_count;
    const char **mentions; /* the classes that its constants name */
    size_t mention_count;
    const uint8_t *bytes; /* of the class file; owned by the program */
    size_t length;
};

struct program {
    struct program_class **classes; /* supers before those that extend them */
    size_t class_count, class_room;
    size_t read_count;                     /* of those in the trace */
    const struct program_method **methods; /* that have addresses, by address */
    size_t method_count;
    const struct program_field **statics; /* by address */
    size_t static_count;
    uint64_t text_end;
    const struct program_method *main; /* NULL if it is not known */
    char **complaints;                 /* classes that cannot be read, in words */
    size_t complaint_count, complaint_room;

    struct program_names *names;
    struct ditto_map
        handles; /* of the machine's methods that were seen: ours, by their addresses */
    struct ditto_arena arena;
};

#endif
