/* SPDX-License-Identifier: MIT */
/* The opcode table and the decoder of instructions. */
#include "jvm-bridge/classfile/bytecode.h"
#include "tests/tap.h"

#include <stddef.h>

static void test_table(void)
{
    int known = 0, fixed = 0, delta;
    for (int opcode = 0; opcode < 256; opcode++) {
        known += ditto_op((uint8_t)opcode)->name != NULL;
        fixed += ditto_op_delta((uint8_t)opcode, &delta);
    }
    is(known, 202, "202 opcodes are known");
    ok(fixed > 150, "most have a fixed effect on the stack");
    ok(ditto_op_delta(0x94, &delta) && delta == -3, "lcmp takes two longs and leaves an int");
    ok(ditto_op_delta(0x50, &delta) && delta == -4, "lastore takes array, index and a long");
    ok(!ditto_op_delta(DITTO_OP_INVOKEVIRTUAL, &delta), "a call has no fixed effect");
    is_string(ditto_op(0xc5)->name, "multianewarray", "the names are at their places");
}

static void test_decoding(void)
{
    struct ditto_insn insn;
    static const uint8_t wide_iinc[] = {0xc4, 0x84, 0x01, 0x00, 0xff, 0xfe};
    ok(ditto_insn_decode(wide_iinc, 6, 0, &insn) && insn.wide && insn.size == 6 &&
           insn.operand == 256 && insn.increment == -2,
       "wide iinc");
    ok(!ditto_insn_decode(wide_iinc, 5, 0, &insn), "wide iinc cut off");
    static const uint8_t wide_nop[] = {0xc4, 0x00, 0x00, 0x00};
    ok(!ditto_insn_decode(wide_nop, 4, 0, &insn), "there is no wide nop");
    static const uint8_t back[] = {0x00, 0xa7, 0xff, 0xff};
    ok(ditto_insn_decode(back, 4, 1, &insn) && insn.target == 0, "a jump back");
    static const uint8_t out[] = {0x00, 0xa7, 0xff, 0xfe};
    ok(!ditto_insn_decode(out, 4, 1, &insn), "a jump out of the code is refused");
    ok(!ditto_insn_decode((const uint8_t[]){0xca}, 1, 0, &insn),
       "breakpoint is no opcode of a class file");
}

static void test_switches(void)
{
    struct ditto_insn insn;
    static const uint8_t table[] = {0x00, 0xaa, 0, 0, 0, 0, 0,  23, 0xff, 0xff, 0xff, 0xff, 0,
                                    0,    0,    0, 0, 0, 0, 23, 0,  0,    0,    23,   0xb1};
    ok(ditto_insn_decode(table, sizeof table, 1, &insn) && insn.size == 23 && insn.count == 2 &&
           insn.low == -1,
       "a tableswitch with padding");
    is(ditto_insn_case(&insn, 1), 24, "its second case");
    ok(!ditto_insn_decode(table, sizeof table - 2, 1, &insn), "cut off");
    uint8_t huge[sizeof table];
    memcpy(huge, table, sizeof table);
    huge[8] = 0x80;
    huge[9] = huge[10] = huge[11] = 0;
    huge[12] = 0x7f;
    ok(!ditto_insn_decode(huge, sizeof huge, 1, &insn),
       "a table of four thousand million cases is refused");
    static const uint8_t lookup[] = {0xab, 0, 0, 0, 0, 0, 0, 20, 0,  0,   0,
                                     1,    0, 0, 0, 5, 0, 0, 0,  20, 0xb1};
    ok(ditto_insn_decode(lookup, sizeof lookup, 0, &insn) && insn.count == 1 &&
           ditto_insn_case(&insn, 0) == 20,
       "a lookupswitch");
}

static void test_stores(void)
{
    struct ditto_insn insn;
    uint32_t local, slots;
    ditto_insn_decode((const uint8_t[]){0x4a}, 1, 0, &insn);
    ok(ditto_insn_stores(&insn, &local, &slots) && local == 3 && slots == 2,
       "dstore_3 stores to locals 3 and 4");
    ditto_insn_decode((const uint8_t[]){0x3a, 9}, 2, 0, &insn);
    ok(ditto_insn_stores(&insn, &local, &slots) && local == 9 && slots == 1,
       "astore 9 stores to local 9");
    ditto_insn_decode((const uint8_t[]){0x4f}, 1, 0, &insn);
    ok(!ditto_insn_stores(&insn, &local, &slots), "iastore stores to no local");
}

int main(void)
{
    test_table();
    test_decoding();
    test_switches();
    test_stores();
    done_testing();
    return exit_status();
}
