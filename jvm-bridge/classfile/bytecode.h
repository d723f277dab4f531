/* SPDX-License-Identifier: MIT */
/*
 * The instruction set: a table of opcodes and a decoder of instructions.
 */
#ifndef DITTO_JVM_BRIDGE_CLASSFILE_BYTECODE_H
#define DITTO_JVM_BRIDGE_CLASSFILE_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ditto_op {
    DITTO_OP_NOP = 0x00,
    DITTO_OP_ACONST_NULL = 0x01,
    DITTO_OP_ICONST_0 = 0x03,
    DITTO_OP_LCONST_0 = 0x09,
    DITTO_OP_FCONST_0 = 0x0b,
    DITTO_OP_DCONST_0 = 0x0e,
    DITTO_OP_BIPUSH = 0x10,
    DITTO_OP_SIPUSH = 0x11,
    DITTO_OP_LDC = 0x12,
    DITTO_OP_LDC_W = 0x13,
    DITTO_OP_LDC2_W = 0x14,
    DITTO_OP_ILOAD = 0x15,
    DITTO_OP_LLOAD = 0x16,
    DITTO_OP_FLOAD = 0x17,
    DITTO_OP_DLOAD = 0x18,
    DITTO_OP_ALOAD = 0x19,
    DITTO_OP_ALOAD_0 = 0x2a,
    DITTO_OP_IALOAD = 0x2e,
    DITTO_OP_LALOAD = 0x2f,
    DITTO_OP_DALOAD = 0x31,
    DITTO_OP_AALOAD = 0x32,
    DITTO_OP_SALOAD = 0x35,
    DITTO_OP_ISTORE = 0x36,
    DITTO_OP_ASTORE = 0x3a,
    DITTO_OP_ASTORE_0 = 0x4b,
    DITTO_OP_IASTORE = 0x4f,
    DITTO_OP_LASTORE = 0x50,
    DITTO_OP_DASTORE = 0x52,
    DITTO_OP_AASTORE = 0x53,
    DITTO_OP_SASTORE = 0x56,
    DITTO_OP_POP = 0x57,
    DITTO_OP_POP2 = 0x58,
    DITTO_OP_DUP = 0x59,
    DITTO_OP_DUP_X1 = 0x5a,
    DITTO_OP_DUP_X2 = 0x5b,
    DITTO_OP_DUP2 = 0x5c,
    DITTO_OP_DUP2_X1 = 0x5d,
    DITTO_OP_DUP2_X2 = 0x5e,
    DITTO_OP_SWAP = 0x5f,
    DITTO_OP_IINC = 0x84,
    DITTO_OP_IFEQ = 0x99,
    DITTO_OP_IF_ICMPNE = 0xa0,
    DITTO_OP_IF_ACMPNE = 0xa6,
    DITTO_OP_GOTO = 0xa7,
    DITTO_OP_JSR = 0xa8,
    DITTO_OP_RET = 0xa9,
    DITTO_OP_TABLESWITCH = 0xaa,
    DITTO_OP_LOOKUPSWITCH = 0xab,
    DITTO_OP_IRETURN = 0xac,
    DITTO_OP_LRETURN = 0xad,
    DITTO_OP_FRETURN = 0xae,
    DITTO_OP_DRETURN = 0xaf,
    DITTO_OP_ARETURN = 0xb0,
    DITTO_OP_RETURN = 0xb1,
    DITTO_OP_GETSTATIC = 0xb2,
    DITTO_OP_PUTSTATIC = 0xb3,
    DITTO_OP_GETFIELD = 0xb4,
    DITTO_OP_PUTFIELD = 0xb5,
    DITTO_OP_INVOKEVIRTUAL = 0xb6,
    DITTO_OP_INVOKESPECIAL = 0xb7,
    DITTO_OP_INVOKESTATIC = 0xb8,
    DITTO_OP_INVOKEINTERFACE = 0xb9,
    DITTO_OP_INVOKEDYNAMIC = 0xba,
    DITTO_OP_NEW = 0xbb,
    DITTO_OP_NEWARRAY = 0xbc,
    DITTO_OP_ANEWARRAY = 0xbd,
    DITTO_OP_ATHROW = 0xbf,
    DITTO_OP_CHECKCAST = 0xc0,
    DITTO_OP_MONITORENTER = 0xc2,
    DITTO_OP_MONITOREXIT = 0xc3,
    DITTO_OP_WIDE = 0xc4,
    DITTO_OP_MULTIANEWARRAY = 0xc5,
    DITTO_OP_IFNULL = 0xc6,
    DITTO_OP_IFNONNULL = 0xc7,
    DITTO_OP_GOTO_W = 0xc8,
    DITTO_OP_JSR_W = 0xc9
};

/* How an instruction's operands are laid out. */
enum ditto_op_form {
    DITTO_FORM_UNKNOWN, /* no such opcode */
    DITTO_FORM_PLAIN,   /* no operand; the local, if any, is part of the opcode */
    DITTO_FORM_BYTE,    /* bipush, newarray */
    DITTO_FORM_SHORT,   /* sipush */
    DITTO_FORM_LOCAL,   /* a local, two bytes when wide */
    DITTO_FORM_POOL1,   /* ldc */
    DITTO_FORM_POOL2,   /* a constant */
    DITTO_FORM_IINC,
    DITTO_FORM_JUMP2,
    DITTO_FORM_JUMP4,
    DITTO_FORM_TABLE,
    DITTO_FORM_LOOKUP,
    DITTO_FORM_INTERFACE, /* a constant and two bytes: invokeinterface, invokedynamic */
    DITTO_FORM_MULTI,     /* multianewarray */
    DITTO_FORM_WIDE
};

enum ditto_op_flags {
    DITTO_OPF_END = 1,   /* control never goes on to the next instruction */
    DITTO_OPF_COND = 2,  /* a conditional jump */
    DITTO_OPF_QUIET = 4, /* cannot throw, jump or change a local */
};

struct ditto_op_info {
    const char *name;
    enum ditto_op_form form;
    uint8_t flags;
    /*
     * What is popped and, after '>', pushed, the top of the stack last, one letter a value: I int,
     * F float, L long, D double, A reference. NULL where it depends on an operand or on the types
     * on the stack.
     */
    const char *effect;
};

/* The entry of an opcode; one without a name for the 54 values that are no opcode. */
const struct ditto_op_info *ditto_op(uint8_t opcode);

/* The change of the stack's height in slots; false where the table has no fixed effect. */
bool ditto_op_delta(uint8_t opcode, int *delta);

bool ditto_is_return(uint8_t opcode);

/* A decoded instruction. Jump targets are absolute bytecode indexes, already checked to lie in the
 * code. */
struct ditto_insn {
    uint32_t bci, size;
    uint8_t opcode; /* of the widened instruction when `wide` */
    bool wide;
    uint32_t operand;  /* the local, the constant, the byte or (sign-extended) short; for a switch
                          the default  target */
    int32_t increment; /* iinc */
    uint32_t target;   /* jumps */
    uint32_t count;    /* switch: number of cases; multianewarray: dimensions */
    int32_t low;       /* tableswitch: the first key */
    const uint8_t *cases; /* switch: 4 bytes a case for tableswitch, 8 for lookupswitch */
};

/* Decodes what stands at `bci`; false when it is no instruction, is cut off or jumps out of the
 * code. */
bool ditto_insn_decode(const uint8_t *code, uint32_t size, uint32_t bci, struct ditto_insn *insn);

/* The target of case `index` of a switch. */
uint32_t ditto_insn_case(const struct ditto_insn *insn, uint32_t index);

/* The local that is stored to, and how many slots; false when no local is (iinc changes a value, no
 * type). */
bool ditto_insn_stores(const struct ditto_insn *insn, uint32_t *local, uint32_t *slots);

#endif
