/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/condition.h"

enum opcode {
    OP_ADD = 0x02,
    OP_SUB = 0x03,
    OP_MUL = 0x04,
    OP_DIV_SIGNED = 0x05,
    OP_DIV_UNSIGNED = 0x06,
    OP_REM_SIGNED = 0x07,
    OP_REM_UNSIGNED = 0x08,
    OP_LSH = 0x09,
    OP_RSH_SIGNED = 0x0a,
    OP_RSH_UNSIGNED = 0x0b,
    OP_LOG_NOT = 0x0e,
    OP_BIT_AND = 0x0f,
    OP_BIT_OR = 0x10,
    OP_BIT_XOR = 0x11,
    OP_BIT_NOT = 0x12,
    OP_EQUAL = 0x13,
    OP_LESS_SIGNED = 0x14,
    OP_LESS_UNSIGNED = 0x15,
    OP_EXT = 0x16,
    OP_REF8 = 0x17,
    OP_REF16 = 0x18,
    OP_REF32 = 0x19,
    OP_REF64 = 0x1a,
    OP_IF_GOTO = 0x20,
    OP_GOTO = 0x21,
    OP_CONST8 = 0x22,
    OP_CONST16 = 0x23,
    OP_CONST32 = 0x24,
    OP_CONST64 = 0x25,
    OP_REG = 0x26,
    OP_END = 0x27,
    OP_DUP = 0x28,
    OP_POP = 0x29,
    OP_ZERO_EXT = 0x2a,
    OP_SWAP = 0x2b,
    OP_PICK = 0x32,
    OP_ROT = 0x33,
};

/* A condition can loop, and a damaged one can do anything. */
enum { STACK = 64, LONGEST = 100000 };

struct state {
    const struct condition *condition;
    const struct condition_world *world;
    size_t at;
    uint64_t stack[STACK];
    unsigned depth;
    bool failed;
};

static uint64_t take(struct state *s, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) {
        if (s->at >= s->condition->size) {
            s->failed = true;
            return 0;
        }
        value = value << 8 | s->condition->code[s->at++];
    }
    return value;
}

static uint64_t pop(struct state *s)
{
    if (s->depth == 0) {
        s->failed = true;
        return 0;
    }
    return s->stack[--s->depth];
}

static void push(struct state *s, uint64_t value)
{
    if (s->depth == STACK)
        s->failed = true;
    else
        s->stack[s->depth++] = value;
}

static uint64_t divide(struct state *s, uint8_t opcode, uint64_t a, uint64_t b)
{
    bool is_signed = opcode == OP_DIV_SIGNED || opcode == OP_REM_SIGNED;
    bool quotient = opcode == OP_DIV_SIGNED || opcode == OP_DIV_UNSIGNED;
    if (b == 0) {
        s->failed = true;
        return 0;
    }
    if (!is_signed)
        return quotient ? a / b : a % b;
    /* The least number by -1 has no quotient in 64 bits. */
    if (b == UINT64_MAX)
        return quotient ? 0 - a : 0;
    return quotient ? (uint64_t)((int64_t)a / (int64_t)b) : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t shift(uint8_t opcode, uint64_t a, uint64_t by)
{
    bool negative = opcode == OP_RSH_SIGNED && a >> 63;
    if (by > 63)
        return negative ? UINT64_MAX : 0;
    if (opcode == OP_LSH)
        return a << by;
    return negative ? ~(~a >> by) : a >> by;
}

static uint64_t combine(struct state *s, uint8_t opcode, uint64_t a, uint64_t b)
{
    switch (opcode) {
    case OP_ADD:
        return a + b;
    case OP_SUB:
        return a - b;
    case OP_MUL:
        return a * b;
    case OP_LSH:
    case OP_RSH_SIGNED:
    case OP_RSH_UNSIGNED:
        return shift(opcode, a, b);
    case OP_BIT_AND:
        return a & b;
    case OP_BIT_OR:
        return a | b;
    case OP_BIT_XOR:
        return a ^ b;
    case OP_EQUAL:
        return a == b;
    case OP_LESS_SIGNED:
        return (int64_t)a < (int64_t)b;
    case OP_LESS_UNSIGNED:
        return a < b;
    default:
        return divide(s, opcode, a, b);
    }
}

/* The lowest bits, and above them the sign or nothing. */
static void extend(struct state *s, bool with_sign)
{
    uint64_t bits = take(s, 1), value = pop(s);
    if (bits == 0 || bits > 64) {
        s->failed = true;
        return;
    }
    uint64_t above = bits == 64 ? 0 : UINT64_MAX << bits;
    push(s, with_sign && value >> (bits - 1) & 1 ? value | above : value & ~above);
}

static void read_memory(struct state *s, size_t length)
{
    uint8_t bytes[8];
    uint64_t value = 0, address = pop(s);
    if (s->failed || !s->world->read_memory(s->world->context, address, bytes, length)) {
        s->failed = true;
        return;
    }
    for (size_t i = length; i-- > 0;)
        value = value << 8 | bytes[i];
    push(s, value);
}

static void read_register(struct state *s)
{
    uint64_t value = 0, number = take(s, 2);
    if (s->failed || !s->world->read_register(s->world->context, (unsigned)number, &value))
        s->failed = true;
    push(s, value);
}

/* The nth from the top, 0 being the top itself. */
static void pick(struct state *s, uint64_t nth)
{
    if (nth >= s->depth)
        s->failed = true;
    else
        push(s, s->stack[s->depth - 1 - nth]);
}

/* a b c becomes c a b. */
static void rotate(struct state *s)
{
    uint64_t c = pop(s), b = pop(s), a = pop(s);
    push(s, c);
    push(s, a);
    push(s, b);
}

static void swap(struct state *s)
{
    uint64_t b = pop(s), a = pop(s);
    push(s, b);
    push(s, a);
}

static void jump(struct state *s, bool always)
{
    uint64_t to = take(s, 2);
    if (always || pop(s))
        s->at = (size_t)to;
}

static void execute(struct state *s, uint8_t opcode)
{
    uint64_t a, b;
    switch (opcode) {
    case OP_ADD:
    case OP_SUB:
    case OP_MUL:
    case OP_DIV_SIGNED:
    case OP_DIV_UNSIGNED:
    case OP_REM_SIGNED:
    case OP_REM_UNSIGNED:
    case OP_LSH:
    case OP_RSH_SIGNED:
    case OP_RSH_UNSIGNED:
    case OP_BIT_AND:
    case OP_BIT_OR:
    case OP_BIT_XOR:
    case OP_EQUAL:
    case OP_LESS_SIGNED:
    case OP_LESS_UNSIGNED:
        b = pop(s);
        a = pop(s);
        push(s, combine(s, opcode, a, b));
        break;
    case OP_LOG_NOT:
        push(s, !pop(s));
        break;
    case OP_BIT_NOT:
        push(s, ~pop(s));
        break;
    case OP_EXT:
    case OP_ZERO_EXT:
        extend(s, opcode == OP_EXT);
        break;
    case OP_REF8:
    case OP_REF16:
    case OP_REF32:
    case OP_REF64:
        read_memory(s, (size_t)1 << (opcode - OP_REF8));
        break;
    case OP_IF_GOTO:
    case OP_GOTO:
        jump(s, opcode == OP_GOTO);
        break;
    case OP_CONST8:
    case OP_CONST16:
    case OP_CONST32:
    case OP_CONST64:
        push(s, take(s, 1u << (opcode - OP_CONST8)));
        break;
    case OP_REG:
        read_register(s);
        break;
    case OP_DUP:
        pick(s, 0);
        break;
    case OP_POP:
        pop(s);
        break;
    case OP_SWAP:
        swap(s);
        break;
    case OP_PICK:
        pick(s, take(s, 1));
        break;
    case OP_ROT:
        rotate(s);
        break;
    default:
        s->failed = true;
    }
}

bool condition_value(const struct condition *condition, const struct condition_world *world,
                     uint64_t *value)
{
    struct state s = {.condition = condition, .world = world};
    for (unsigned done = 0; done < LONGEST && !s.failed; done++) {
        uint8_t opcode = (uint8_t)take(&s, 1);
        if (!s.failed && opcode == OP_END) {
            *value = pop(&s);
            return !s.failed;
        }
        if (!s.failed)
            execute(&s, opcode);
    }
    return false;
}
