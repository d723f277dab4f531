/* SPDX-License-Identifier: MIT */
/* Conditions as gdb compiles them: each operation, what has no value, and random bytes. */
#include <string.h>

#include "gdb-plugin/gdb/condition.h"
#include "tests/tap.h"

enum { MEMORY = 64, REGISTERS = 4 };
#define BASE UINT64_C(0x1000)

static uint8_t memory[MEMORY];
static uint64_t registers[REGISTERS] = {7, UINT64_MAX, BASE, BASE + 8};

static bool read_register(void *context, unsigned number, uint64_t *value)
{
    (void)context;
    if (number < REGISTERS)
        *value = registers[number];
    return number < REGISTERS;
}

static bool read_memory(void *context, uint64_t address, uint8_t *bytes, size_t length)
{
    (void)context;
    if (address < BASE || address > BASE + MEMORY - length)
        return false;
    memcpy(bytes, memory + (address - BASE), length);
    return true;
}

static const struct condition_world world = {read_register, read_memory, NULL};

/* The value of the code, or -1000 where there is none. */
static int64_t value_of(const uint8_t *code, size_t size)
{
    const struct condition condition = {(uint8_t *)code, size};
    uint64_t value;
    return condition_value(&condition, &world, &value) ? (int64_t)value : -1000;
}

#define IS(expected, name, ...)                                                                    \
    is(value_of((const uint8_t[]){__VA_ARGS__}, sizeof(uint8_t[]){__VA_ARGS__}), expected, name)
/* Small constants, and negative ones as gdb makes them: a byte, sign-extended. */
#define C(n)     0x22, n
#define MINUS(n) 0x22, (uint8_t)(0x100 - (n)), 0x16, 8

static void test_operations(void)
{
    IS(5, "add", C(2), C(3), 0x02, 0x27);
    IS(-1, "sub", C(2), C(3), 0x03, 0x27);
    IS(6, "mul", C(2), C(3), 0x04, 0x27);
    IS(-3, "div_signed", MINUS(7), C(2), 0x05, 0x27);
    IS(INT64_MAX, "div_unsigned", MINUS(1), C(2), 0x06, 0x27);
    IS(-1, "rem_signed", MINUS(7), C(2), 0x07, 0x27);
    IS(1, "rem_unsigned", MINUS(1), C(2), 0x08, 0x27);
    IS(12, "lsh", C(3), C(2), 0x09, 0x27);
    IS(-2, "rsh_signed", MINUS(7), C(2), 0x0a, 0x27);
    IS(-1, "rsh_signed by all bits", MINUS(7), C(64), 0x0a, 0x27);
    IS(3, "rsh_unsigned", MINUS(1), C(62), 0x0b, 0x27);
    IS(0, "rsh_unsigned by all bits", MINUS(1), C(64), 0x0b, 0x27);
    IS(1, "log_not", C(0), 0x0e, 0x27);
    IS(4, "bit_and", C(6), C(12), 0x0f, 0x27);
    IS(14, "bit_or", C(6), C(12), 0x10, 0x27);
    IS(10, "bit_xor", C(6), C(12), 0x11, 0x27);
    IS(-1, "bit_not", C(0), 0x12, 0x27);
    IS(1, "equal", C(6), C(6), 0x13, 0x27);
    IS(1, "less_signed", MINUS(1), C(6), 0x14, 0x27);
    IS(0, "less_unsigned", MINUS(1), C(6), 0x15, 0x27);
    IS(-128, "ext", C(0x80), 0x16, 8, 0x27);
    IS(0x7f, "zero_ext", MINUS(1), 0x2a, 7, 0x27);
    IS(0x0102, "const16", 0x23, 1, 2, 0x27);
    IS(0x01020304, "const32", 0x24, 1, 2, 3, 4, 0x27);
    IS(0x0102030405060708, "const64", 0x25, 1, 2, 3, 4, 5, 6, 7, 8, 0x27);
    IS(7, "reg", 0x26, 0, 0, 0x27);
    IS(4, "dup", C(2), 0x28, 0x02, 0x27);
    IS(2, "pop", C(2), C(3), 0x29, 0x27);
    IS(1, "swap", C(2), C(3), 0x2b, 0x03, 0x27);
    IS(2, "pick", C(2), C(3), C(4), 0x32, 2, 0x27);
    IS(2, "rot: a b c becomes c a b", C(1), C(2), C(3), 0x33, 0x27);
    IS(9, "goto", 0x21, 0, 5, C(8), C(9), 0x27);
    IS(9, "if_goto taken", C(1), 0x20, 0, 8, C(8), 0x27, C(9), 0x27);
    IS(8, "if_goto passed", C(0), 0x20, 0, 8, C(8), 0x27, C(9), 0x27);
}

static void test_memory(void)
{
    for (int i = 0; i < MEMORY; i++)
        memory[i] = (uint8_t)(i + 1);
    IS(0x01, "ref8", 0x26, 0, 2, 0x17, 0x27);
    IS(0x0201, "ref16", 0x26, 0, 2, 0x18, 0x27);
    IS(0x04030201, "ref32", 0x26, 0, 2, 0x19, 0x27);
    IS(0x100f0e0d0c0b0a09, "ref64", 0x26, 0, 3, 0x1a, 0x27);
    IS(-1000, "memory that is not there", C(16), 0x19, 0x27);
    IS(-1000, "memory that ends too early", 0x26, 0, 2, C(60), 0x02, 0x1a, 0x27);
}

static void test_failures(void)
{
    IS(-1000, "a division by zero", C(1), C(0), 0x05, 0x27);
    IS(INT64_MIN, "the least number by -1", 0x25, 0x80, 0, 0, 0, 0, 0, 0, 0, MINUS(1), 0x05, 0x27);
    IS(0, "and its rest", 0x25, 0x80, 0, 0, 0, 0, 0, 0, 0, MINUS(1), 0x07, 0x27);
    IS(-1000, "an empty stack", 0x02, 0x27);
    IS(-1000, "nothing left at the end", 0x27);
    IS(-1000, "no end", C(1));
    IS(-1000, "an operand that is cut", 0x24, 1, 2);
    IS(-1000, "a jump behind the end", 0x21, 1, 0);
    IS(-1000, "a loop for ever", 0x21, 0, 0);
    IS(-1000, "a stack that grows for ever", C(1), 0x21, 0, 0);
    IS(-1000, "an unknown register", 0x26, 0, 9, 0x27);
    IS(-1000, "an extension by no bits", C(1), 0x16, 0, 0x27);
    IS(-1000, "an extension by too many", C(1), 0x2a, 65, 0x27);
    IS(-1000, "a pick below the stack", C(1), 0x32, 1, 0x27);
    IS(-1000, "floating point", C(1), 0x1e, 0x27);
    IS(-1000, "a trace state variable", 0x2c, 0, 1, 0x27);
}

static void test_random(void)
{
    enum { TIMES = 50000 };
    uint64_t random = 1, values = 0;
    for (int i = 0; i < TIMES; i++) {
        uint8_t code[24];
        for (size_t b = 0; b < sizeof code; b++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            code[b] = (uint8_t)(random >> 33) % 0x36;
        }
        values += value_of(code, (random >> 40) % sizeof code) != -1000;
    }
    ok(values > 0 && values < TIMES, "random bytes: %d programs, some with a value", TIMES);
}

int main(void)
{
    test_operations();
    test_memory();
    test_failures();
    test_random();
    done_testing();
    return exit_status();
}
