/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/classfile/bytecode.h"

#include "jvm-bridge/classfile/classfile.h"

#define OP(opcode, name, form, flags, effect) [opcode] = {name, DITTO_FORM_##form, flags, effect}
#define END                                   DITTO_OPF_END
#define COND                                  DITTO_OPF_COND
#define QUIET                                 DITTO_OPF_QUIET

static const struct ditto_op_info table[256] = {
    OP(0x00, "nop", PLAIN, QUIET, ">"),
    OP(0x01, "aconst_null", PLAIN, QUIET, ">A"),
    OP(0x02, "iconst_m1", PLAIN, QUIET, ">I"),
    OP(0x03, "iconst_0", PLAIN, QUIET, ">I"),
    OP(0x04, "iconst_1", PLAIN, QUIET, ">I"),
    OP(0x05, "iconst_2", PLAIN, QUIET, ">I"),
    OP(0x06, "iconst_3", PLAIN, QUIET, ">I"),
    OP(0x07, "iconst_4", PLAIN, QUIET, ">I"),
    OP(0x08, "iconst_5", PLAIN, QUIET, ">I"),
    OP(0x09, "lconst_0", PLAIN, QUIET, ">L"),
    OP(0x0a, "lconst_1", PLAIN, QUIET, ">L"),
    OP(0x0b, "fconst_0", PLAIN, QUIET, ">F"),
    OP(0x0c, "fconst_1", PLAIN, QUIET, ">F"),
    OP(0x0d, "fconst_2", PLAIN, QUIET, ">F"),
    OP(0x0e, "dconst_0", PLAIN, QUIET, ">D"),
    OP(0x0f, "dconst_1", PLAIN, QUIET, ">D"),
    OP(0x10, "bipush", BYTE, QUIET, ">I"),
    OP(0x11, "sipush", SHORT, QUIET, ">I"),
    OP(0x12, "ldc", POOL1, 0, NULL),
    OP(0x13, "ldc_w", POOL2, 0, NULL),
    OP(0x14, "ldc2_w", POOL2, 0, NULL),
    OP(0x15, "iload", LOCAL, QUIET, ">I"),
    OP(0x16, "lload", LOCAL, QUIET, ">L"),
    OP(0x17, "fload", LOCAL, QUIET, ">F"),
    OP(0x18, "dload", LOCAL, QUIET, ">D"),
    OP(0x19, "aload", LOCAL, QUIET, NULL),
    OP(0x1a, "iload_0", PLAIN, QUIET, ">I"),
    OP(0x1b, "iload_1", PLAIN, QUIET, ">I"),
    OP(0x1c, "iload_2", PLAIN, QUIET, ">I"),
    OP(0x1d, "iload_3", PLAIN, QUIET, ">I"),
    OP(0x1e, "lload_0", PLAIN, QUIET, ">L"),
    OP(0x1f, "lload_1", PLAIN, QUIET, ">L"),
    OP(0x20, "lload_2", PLAIN, QUIET, ">L"),
    OP(0x21, "lload_3", PLAIN, QUIET, ">L"),
    OP(0x22, "fload_0", PLAIN, QUIET, ">F"),
    OP(0x23, "fload_1", PLAIN, QUIET, ">F"),
    OP(0x24, "fload_2", PLAIN, QUIET, ">F"),
    OP(0x25, "fload_3", PLAIN, QUIET, ">F"),
    OP(0x26, "dload_0", PLAIN, QUIET, ">D"),
    OP(0x27, "dload_1", PLAIN, QUIET, ">D"),
    OP(0x28, "dload_2", PLAIN, QUIET, ">D"),
    OP(0x29, "dload_3", PLAIN, QUIET, ">D"),
    OP(0x2a, "aload_0", PLAIN, QUIET, NULL),
    OP(0x2b, "aload_1", PLAIN, QUIET, NULL),
    OP(0x2c, "aload_2", PLAIN, QUIET, NULL),
    OP(0x2d, "aload_3", PLAIN, QUIET, NULL),
    OP(0x2e, "iaload", PLAIN, 0, "AI>I"),
    OP(0x2f, "laload", PLAIN, 0, "AI>L"),
    OP(0x30, "faload", PLAIN, 0, "AI>F"),
    OP(0x31, "daload", PLAIN, 0, "AI>D"),
    OP(0x32, "aaload", PLAIN, 0, NULL),
    OP(0x33, "baload", PLAIN, 0, "AI>I"),
    OP(0x34, "caload", PLAIN, 0, "AI>I"),
    OP(0x35, "saload", PLAIN, 0, "AI>I"),
    OP(0x36, "istore", LOCAL, 0, "I>"),
    OP(0x37, "lstore", LOCAL, 0, "L>"),
    OP(0x38, "fstore", LOCAL, 0, "F>"),
    OP(0x39, "dstore", LOCAL, 0, "D>"),
    OP(0x3a, "astore", LOCAL, 0, NULL),
    OP(0x3b, "istore_0", PLAIN, 0, "I>"),
    OP(0x3c, "istore_1", PLAIN, 0, "I>"),
    OP(0x3d, "istore_2", PLAIN, 0, "I>"),
    OP(0x3e, "istore_3", PLAIN, 0, "I>"),
    OP(0x3f, "lstore_0", PLAIN, 0, "L>"),
    OP(0x40, "lstore_1", PLAIN, 0, "L>"),
    OP(0x41, "lstore_2", PLAIN, 0, "L>"),
    OP(0x42, "lstore_3", PLAIN, 0, "L>"),
    OP(0x43, "fstore_0", PLAIN, 0, "F>"),
    OP(0x44, "fstore_1", PLAIN, 0, "F>"),
    OP(0x45, "fstore_2", PLAIN, 0, "F>"),
    OP(0x46, "fstore_3", PLAIN, 0, "F>"),
    OP(0x47, "dstore_0", PLAIN, 0, "D>"),
    OP(0x48, "dstore_1", PLAIN, 0, "D>"),
    OP(0x49, "dstore_2", PLAIN, 0, "D>"),
    OP(0x4a, "dstore_3", PLAIN, 0, "D>"),
    OP(0x4b, "astore_0", PLAIN, 0, NULL),
    OP(0x4c, "astore_1", PLAIN, 0, NULL),
    OP(0x4d, "astore_2", PLAIN, 0, NULL),
    OP(0x4e, "astore_3", PLAIN, 0, NULL),
    OP(0x4f, "iastore", PLAIN, 0, "AII>"),
    OP(0x50, "lastore", PLAIN, 0, "AIL>"),
    OP(0x51, "fastore", PLAIN, 0, "AIF>"),
    OP(0x52, "dastore", PLAIN, 0, "AID>"),
    OP(0x53, "aastore", PLAIN, 0, "AIA>"),
    OP(0x54, "bastore", PLAIN, 0, "AII>"),
    OP(0x55, "castore", PLAIN, 0, "AII>"),
    OP(0x56, "sastore", PLAIN, 0, "AII>"),
    OP(0x57, "pop", PLAIN, QUIET, NULL),
    OP(0x58, "pop2", PLAIN, QUIET, NULL),
    OP(0x59, "dup", PLAIN, QUIET, NULL),
    OP(0x5a, "dup_x1", PLAIN, QUIET, NULL),
    OP(0x5b, "dup_x2", PLAIN, QUIET, NULL),
    OP(0x5c, "dup2", PLAIN, QUIET, NULL),
    OP(0x5d, "dup2_x1", PLAIN, QUIET, NULL),
    OP(0x5e, "dup2_x2", PLAIN, QUIET, NULL),
    OP(0x5f, "swap", PLAIN, QUIET, NULL),
    OP(0x60, "iadd", PLAIN, QUIET, "II>I"),
    OP(0x61, "ladd", PLAIN, QUIET, "LL>L"),
    OP(0x62, "fadd", PLAIN, QUIET, "FF>F"),
    OP(0x63, "dadd", PLAIN, QUIET, "DD>D"),
    OP(0x64, "isub", PLAIN, QUIET, "II>I"),
    OP(0x65, "lsub", PLAIN, QUIET, "LL>L"),
    OP(0x66, "fsub", PLAIN, QUIET, "FF>F"),
    OP(0x67, "dsub", PLAIN, QUIET, "DD>D"),
    OP(0x68, "imul", PLAIN, QUIET, "II>I"),
    OP(0x69, "lmul", PLAIN, QUIET, "LL>L"),
    OP(0x6a, "fmul", PLAIN, QUIET, "FF>F"),
    OP(0x6b, "dmul", PLAIN, QUIET, "DD>D"),
    OP(0x6c, "idiv", PLAIN, 0, "II>I"),
    OP(0x6d, "ldiv", PLAIN, 0, "LL>L"),
    OP(0x6e, "fdiv", PLAIN, QUIET, "FF>F"),
    OP(0x6f, "ddiv", PLAIN, QUIET, "DD>D"),
    OP(0x70, "irem", PLAIN, 0, "II>I"),
    OP(0x71, "lrem", PLAIN, 0, "LL>L"),
    OP(0x72, "frem", PLAIN, QUIET, "FF>F"),
    OP(0x73, "drem", PLAIN, QUIET, "DD>D"),
    OP(0x74, "ineg", PLAIN, QUIET, "I>I"),
    OP(0x75, "lneg", PLAIN, QUIET, "L>L"),
    OP(0x76, "fneg", PLAIN, QUIET, "F>F"),
    OP(0x77, "dneg", PLAIN, QUIET, "D>D"),
    OP(0x78, "ishl", PLAIN, QUIET, "II>I"),
    OP(0x79, "lshl", PLAIN, QUIET, "LI>L"),
    OP(0x7a, "ishr", PLAIN, QUIET, "II>I"),
    OP(0x7b, "lshr", PLAIN, QUIET, "LI>L"),
    OP(0x7c, "iushr", PLAIN, QUIET, "II>I"),
    OP(0x7d, "lushr", PLAIN, QUIET, "LI>L"),
    OP(0x7e, "iand", PLAIN, QUIET, "II>I"),
    OP(0x7f, "land", PLAIN, QUIET, "LL>L"),
    OP(0x80, "ior", PLAIN, QUIET, "II>I"),
    OP(0x81, "lor", PLAIN, QUIET, "LL>L"),
    OP(0x82, "ixor", PLAIN, QUIET, "II>I"),
    OP(0x83, "lxor", PLAIN, QUIET, "LL>L"),
    OP(0x84, "iinc", IINC, QUIET, ">"),
    OP(0x85, "i2l", PLAIN, QUIET, "I>L"),
    OP(0x86, "i2f", PLAIN, QUIET, "I>F"),
    OP(0x87, "i2d", PLAIN, QUIET, "I>D"),
    OP(0x88, "l2i", PLAIN, QUIET, "L>I"),
    OP(0x89, "l2f", PLAIN, QUIET, "L>F"),
    OP(0x8a, "l2d", PLAIN, QUIET, "L>D"),
    OP(0x8b, "f2i", PLAIN, QUIET, "F>I"),
    OP(0x8c, "f2l", PLAIN, QUIET, "F>L"),
    OP(0x8d, "f2d", PLAIN, QUIET, "F>D"),
    OP(0x8e, "d2i", PLAIN, QUIET, "D>I"),
    OP(0x8f, "d2l", PLAIN, QUIET, "D>L"),
    OP(0x90, "d2f", PLAIN, QUIET, "D>F"),
    OP(0x91, "i2b", PLAIN, QUIET, "I>I"),
    OP(0x92, "i2c", PLAIN, QUIET, "I>I"),
    OP(0x93, "i2s", PLAIN, QUIET, "I>I"),
    OP(0x94, "lcmp", PLAIN, QUIET, "LL>I"),
    OP(0x95, "fcmpl", PLAIN, QUIET, "FF>I"),
    OP(0x96, "fcmpg", PLAIN, QUIET, "FF>I"),
    OP(0x97, "dcmpl", PLAIN, QUIET, "DD>I"),
    OP(0x98, "dcmpg", PLAIN, QUIET, "DD>I"),
    OP(0x99, "ifeq", JUMP2, COND, "I>"),
    OP(0x9a, "ifne", JUMP2, COND, "I>"),
    OP(0x9b, "iflt", JUMP2, COND, "I>"),
    OP(0x9c, "ifge", JUMP2, COND, "I>"),
    OP(0x9d, "ifgt", JUMP2, COND, "I>"),
    OP(0x9e, "ifle", JUMP2, COND, "I>"),
    OP(0x9f, "if_icmpeq", JUMP2, COND, "II>"),
    OP(0xa0, "if_icmpne", JUMP2, COND, "II>"),
    OP(0xa1, "if_icmplt", JUMP2, COND, "II>"),
    OP(0xa2, "if_icmpge", JUMP2, COND, "II>"),
    OP(0xa3, "if_icmpgt", JUMP2, COND, "II>"),
    OP(0xa4, "if_icmple", JUMP2, COND, "II>"),
    OP(0xa5, "if_acmpeq", JUMP2, COND, "AA>"),
    OP(0xa6, "if_acmpne", JUMP2, COND, "AA>"),
    OP(0xa7, "goto", JUMP2, END, ">"),
    OP(0xa8, "jsr", JUMP2, 0, ">A"),
    OP(0xa9, "ret", LOCAL, END, ">"),
    OP(0xaa, "tableswitch", TABLE, END, "I>"),
    OP(0xab, "lookupswitch", LOOKUP, END, "I>"),
    OP(0xac, "ireturn", PLAIN, END, "I>"),
    OP(0xad, "lreturn", PLAIN, END, "L>"),
    OP(0xae, "freturn", PLAIN, END, "F>"),
    OP(0xaf, "dreturn", PLAIN, END, "D>"),
    OP(0xb0, "areturn", PLAIN, END, "A>"),
    OP(0xb1, "return", PLAIN, END, ">"),
    OP(0xb2, "getstatic", POOL2, 0, NULL),
    OP(0xb3, "putstatic", POOL2, 0, NULL),
    OP(0xb4, "getfield", POOL2, 0, NULL),
    OP(0xb5, "putfield", POOL2, 0, NULL),
    OP(0xb6, "invokevirtual", POOL2, 0, NULL),
    OP(0xb7, "invokespecial", POOL2, 0, NULL),
    OP(0xb8, "invokestatic", POOL2, 0, NULL),
    OP(0xb9, "invokeinterface", INTERFACE, 0, NULL),
    OP(0xba, "invokedynamic", INTERFACE, 0, NULL),
    OP(0xbb, "new", POOL2, 0, NULL),
    OP(0xbc, "newarray", BYTE, 0, NULL),
    OP(0xbd, "anewarray", POOL2, 0, NULL),
    OP(0xbe, "arraylength", PLAIN, 0, "A>I"),
    OP(0xbf, "athrow", PLAIN, END, "A>"),
    OP(0xc0, "checkcast", POOL2, 0, NULL),
    OP(0xc1, "instanceof", POOL2, 0, "A>I"),
    OP(0xc2, "monitorenter", PLAIN, 0, "A>"),
    OP(0xc3, "monitorexit", PLAIN, 0, "A>"),
    OP(0xc4, "wide", WIDE, 0, NULL),
    OP(0xc5, "multianewarray", MULTI, 0, NULL),
    OP(0xc6, "ifnull", JUMP2, COND, "A>"),
    OP(0xc7, "ifnonnull", JUMP2, COND, "A>"),
    OP(0xc8, "goto_w", JUMP4, END, ">"),
    OP(0xc9, "jsr_w", JUMP4, 0, ">A"),
};

const struct ditto_op_info *ditto_op(uint8_t opcode)
{
    return &table[opcode];
}

bool ditto_is_return(uint8_t opcode)
{
    return opcode >= DITTO_OP_IRETURN && opcode <= DITTO_OP_RETURN;
}

bool ditto_op_delta(uint8_t opcode, int *delta)
{
    const char *effect = table[opcode].effect;
    if (!effect)
        return false;
    int sign = -1;
    *delta = 0;
    for (; *effect; effect++) {
        if (*effect == '>')
            sign = 1;
        else
            *delta += *effect == 'L' || *effect == 'D' ? 2 * sign : sign;
    }
    return true;
}

static bool decode_switch(const uint8_t *code, uint32_t size, struct ditto_insn *insn)
{
    uint32_t at = (insn->bci & ~3u) + 4;
    bool table_form = insn->opcode == DITTO_OP_TABLESWITCH;
    uint32_t head = table_form ? 12 : 8, each = table_form ? 4 : 8;
    if (at > size || size - at < head)
        return false;
    insn->operand = insn->bci + ditto_u4(code + at);
    int64_t count = (int32_t)ditto_u4(code + at + 4);
    if (table_form) {
        insn->low = (int32_t)count;
        count = (int64_t)(int32_t)ditto_u4(code + at + 8) - insn->low + 1;
    }
    if (count < 0 || count > (size - at - head) / each || insn->operand >= size)
        return false;
    insn->count = (uint32_t)count;
    insn->cases = code + at + head;
    insn->size = at + head + insn->count * each - insn->bci;
    for (uint32_t i = 0; i < insn->count; i++)
        if (ditto_insn_case(insn, i) >= size)
            return false;
    return true;
}

static bool decode_wide(const uint8_t *code, uint32_t left, struct ditto_insn *insn)
{
    if (left < 4)
        return false;
    insn->wide = true;
    insn->opcode = code[1];
    insn->operand = ditto_u2(code + 2);
    insn->size = 4;
    if (table[insn->opcode].form == DITTO_FORM_LOCAL)
        return true;
    if (table[insn->opcode].form != DITTO_FORM_IINC || left < 6)
        return false;
    insn->increment = (int16_t)ditto_u2(code + 4);
    insn->size = 6;
    return true;
}

bool ditto_insn_decode(const uint8_t *code, uint32_t size, uint32_t bci, struct ditto_insn *insn)
{
    static const uint8_t sizes[] = {
        [DITTO_FORM_PLAIN] = 1, [DITTO_FORM_BYTE] = 2,      [DITTO_FORM_SHORT] = 3,
        [DITTO_FORM_LOCAL] = 2, [DITTO_FORM_POOL1] = 2,     [DITTO_FORM_POOL2] = 3,
        [DITTO_FORM_IINC] = 3,  [DITTO_FORM_JUMP2] = 3,     [DITTO_FORM_JUMP4] = 5,
        [DITTO_FORM_MULTI] = 4, [DITTO_FORM_INTERFACE] = 5, [DITTO_FORM_WIDE] = 1,
    };
    if (bci >= size)
        return false;
    const uint8_t *at = code + bci;
    enum ditto_op_form form = table[*at].form;
    *insn = (struct ditto_insn){.bci = bci, .opcode = *at};
    if (form == DITTO_FORM_UNKNOWN)
        return false;
    if (form == DITTO_FORM_TABLE || form == DITTO_FORM_LOOKUP)
        return decode_switch(code, size, insn);
    insn->size = sizes[form];
    if (insn->size > size - bci)
        return false;
    switch (form) {
    case DITTO_FORM_WIDE:
        return decode_wide(at, size - bci, insn);
    case DITTO_FORM_BYTE:
        insn->operand = *at == DITTO_OP_BIPUSH ? (uint32_t)(int32_t)(int8_t)at[1] : at[1];
        return true;
    case DITTO_FORM_SHORT:
        insn->operand = (uint32_t)(int32_t)(int16_t)ditto_u2(at + 1);
        return true;
    case DITTO_FORM_LOCAL:
    case DITTO_FORM_POOL1:
        insn->operand = at[1];
        return true;
    case DITTO_FORM_IINC:
        insn->operand = at[1];
        insn->increment = (int8_t)at[2];
        return true;
    case DITTO_FORM_MULTI:
        insn->operand = ditto_u2(at + 1);
        insn->count = at[3];
        return true;
    case DITTO_FORM_POOL2:
    case DITTO_FORM_INTERFACE:
        insn->operand = ditto_u2(at + 1);
        return true;
    case DITTO_FORM_JUMP2:
        insn->target = bci + (uint32_t)(int32_t)(int16_t)ditto_u2(at + 1);
        return insn->target < size;
    case DITTO_FORM_JUMP4:
        insn->target = bci + ditto_u4(at + 1);
        return insn->target < size;
    default:
        return true;
    }
}

uint32_t ditto_insn_case(const struct ditto_insn *insn, uint32_t index)
{
    if (insn->opcode == DITTO_OP_TABLESWITCH)
        return insn->bci + ditto_u4(insn->cases + 4 * (size_t)index);
    return insn->bci + ditto_u4(insn->cases + 8 * (size_t)index + 4);
}

bool ditto_insn_stores(const struct ditto_insn *insn, uint32_t *local, uint32_t *slots)
{
    static const uint8_t width[] = {1, 2, 1, 2, 1}; /* int, long, float, double, reference */
    enum { ISTORE = 0x36, ISTORE_0 = 0x3b };
    if (insn->opcode >= ISTORE && insn->opcode < ISTORE_0) {
        *local = insn->operand;
        *slots = width[insn->opcode - ISTORE];
        return true;
    }
    if (insn->opcode >= ISTORE_0 && insn->opcode < DITTO_OP_IASTORE) {
        *local = (insn->opcode - ISTORE_0) % 4u;
        *slots = width[(insn->opcode - ISTORE_0) / 4];
        return true;
    }
    return false;
}
