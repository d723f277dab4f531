/* SPDX-License-Identifier: MIT */
/*
 * The editor of one method: edits are noted here and carried out when the class is written
 * (rewrite.h).
 *
 * Code goes in at four kinds of places. Before an instruction: it belongs to the instruction, so
 * jumps to the instruction run it. After an instruction: it runs only when control falls through
 * from the instruction. On entry: it runs once, even if the first instruction is the head of a
 * loop. In the tail: behind all original code, reached only by jumps and as a handler. An
 * instruction can also be replaced.
 *
 * Labels are numbers. That of an original instruction is its number in the listing, and means the
 * place where jumps to it arrive, that is, before the code inserted before it; listing.count is the
 * end of the original code. New labels are placed in new code. Original exception ranges, lines,
 * locals and frames follow their instructions: a range that ends with an instruction takes in the
 * code inserted after that instruction, and one that begins with an instruction takes in the code
 * inserted before it.
 *
 * Stack heights are the caller's to know: ditto_ed_stack_grows says by how much inserted code
 * exceeds the height at the place where it stands.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_EDIT_H
#define DITTO_JVM_BRIDGE_CLASSFILE_EDIT_H

#include "jvm-bridge/classfile/constpool.h"
#include "jvm-bridge/classfile/listing.h"
#include "jvm-bridge/classfile/stackmap.h"

typedef uint32_t ditto_label;

/* One new instruction or label. */
struct ditto_new_insn {
    struct ditto_new_insn *next;
    enum { DITTO_NEW_PLAIN, DITTO_NEW_JUMP, DITTO_NEW_LABEL } kind;
    uint8_t size, bytes[6]; /* of a jump only bytes[0], the opcode */
    ditto_label label;
    uint32_t bci; /* set by the layout */
    bool grown;   /* set by the layout: goto became goto_w */
};

/* A place for new code; the calls below append to it. */
struct ditto_snippet {
    struct ditto_arena *arena;
    struct ditto_new_insn *first, *last;
    bool joins_next;
};

struct ditto_new_handler {
    ditto_label start, end, handler;
    uint16_t catch_type;
};

/* A frame at a label. Its bytecode index and those of uninitialized types are settled by the
 * layout; the latter are given as indexes of original `new` instructions. */
struct ditto_new_frame {
    ditto_label label;
    struct ditto_frame frame;
};

struct ditto_list {
    void *data;
    uint32_t count, capacity;
};

struct ditto_ed {
    const struct ditto_cf *cf;
    struct ditto_arena *arena;
    struct ditto_pool *pool;
    struct ditto_names *names;
    struct ditto_cf_member method; /* as it was */
    uint16_t access;               /* may be changed; counts only if the method is rewritten */
    struct ditto_cf_code code;
    struct ditto_listing listing;
    struct ditto_stackmap map;
    bool uses_frames; /* the class is of a version whose verifier wants frames */
    /* the rest is private to the editor and the layout */
    struct ditto_snippet entry, tail;
    struct ditto_snippet **before, **after,
        **instead;                                   /* by instruction; NULL where there is none */
    struct ditto_list first_handlers, last_handlers; /* of struct ditto_new_handler */
    struct ditto_list frames;                        /* of struct ditto_new_frame */
    struct ditto_list new_locals;                    /* of ditto_type */
    uint32_t label_count;
    uint32_t stack_growth, stack_least;
    uint32_t max_locals;
};

/* Opens a method; false when its code is damaged. Used by rewrite.h, which owns the memory. */
bool ditto_ed_open(struct ditto_ed *ed, struct ditto_error *error);

struct ditto_snippet *ditto_ed_entry(struct ditto_ed *ed);
struct ditto_snippet *ditto_ed_before(struct ditto_ed *ed, uint32_t insn);
/* With `joins_next`, exception ranges that begin with the next instruction begin here already: the
 * code after a monitorenter must be covered by the handler that releases the monitor. */
struct ditto_snippet *ditto_ed_after(struct ditto_ed *ed, uint32_t insn, bool joins_next);
struct ditto_snippet *ditto_ed_instead(struct ditto_ed *ed, uint32_t insn);
struct ditto_snippet *ditto_ed_tail(struct ditto_ed *ed);

ditto_label ditto_ed_new_label(struct ditto_ed *ed);

/* Exception-table entries, in the order of the calls; `catch_type` 0 catches everything. A range
 * that turns out empty is left out. Inner ones stand in front of the original entries, outer ones
 * behind. */
void ditto_ed_inner_handler(struct ditto_ed *ed, struct ditto_new_handler handler);
void ditto_ed_outer_handler(struct ditto_ed *ed, struct ditto_new_handler handler);

/* What the verifier shall assume at a label; the types are copied. Ignored where classes have no
 * frames. */
void ditto_ed_frame(struct ditto_ed *ed, ditto_label label, const ditto_type *locals,
                    uint32_t local_count, const ditto_type *stack, uint32_t stack_count);

/* A further local of that type, one slot wide, that code on entry must set before anything else can
 * happen: it is added to every frame of the method. Not for constructors. Answers the slot. */
uint32_t ditto_ed_new_local(struct ditto_ed *ed, ditto_type type);

void ditto_ed_stack_grows(struct ditto_ed *ed, uint32_t slots);
void ditto_ed_stack_at_least(struct ditto_ed *ed, uint32_t slots);

/* Appending instructions. */
void ditto_snippet_op(struct ditto_snippet *code, uint8_t opcode);
void ditto_snippet_op_u2(struct ditto_snippet *code, uint8_t opcode, uint16_t operand);
/* A conditional jump must find its label within 32 KB, or the method is left alone; others have no
 * limit. */
void ditto_snippet_jump(struct ditto_snippet *code, uint8_t opcode, ditto_label label);
void ditto_snippet_label(struct ditto_snippet *code, ditto_label label);
/* Any opcode that takes a local, in its shortest form: DITTO_OP_ALOAD and the like. */
void ditto_snippet_local(struct ditto_snippet *code, uint8_t opcode, uint32_t local);
void ditto_snippet_push_int(struct ditto_snippet *code, struct ditto_pool *pool, int32_t value);
/* ldc or ldc_w of a one-slot constant. */
void ditto_snippet_ldc(struct ditto_snippet *code, uint16_t constant);

#endif
