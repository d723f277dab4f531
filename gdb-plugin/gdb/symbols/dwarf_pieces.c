/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/symbols/dwarf_pieces.h"

#include <string.h>

void put1(struct ditto_buf *buf, unsigned value)
{
    uint8_t byte = (uint8_t)value;
    ditto_buf_bytes(buf, &byte, 1);
}

void put2(struct ditto_buf *buf, unsigned value)
{
    uint8_t bytes[2] = {(uint8_t)value, (uint8_t)(value >> 8)};
    ditto_buf_bytes(buf, bytes, 2);
}

void put4(struct ditto_buf *buf, uint32_t value)
{
    uint8_t bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    ditto_buf_bytes(buf, bytes, 4);
}

void put8(struct ditto_buf *buf, uint64_t value)
{
    put4(buf, (uint32_t)value);
    put4(buf, (uint32_t)(value >> 32));
}

void put_uleb(struct ditto_buf *buf, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put1(buf, (unsigned)(value & 0x7f) | 0x80);
    put1(buf, (unsigned)value);
}

void put_sleb(struct ditto_buf *buf, int64_t value)
{
    for (; value < -64 || value > 63; value >>= 7)
        put1(buf, (unsigned)(value & 0x7f) | 0x80);
    put1(buf, (unsigned)(value & 0x7f));
}

void put_text(struct ditto_buf *buf, const char *text)
{
    ditto_buf_bytes(buf, text, strlen(text) + 1);
}

void patch4(struct ditto_buf *buf, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        buf->data[at + (size_t)i] = (uint8_t)(value >> 8 * i);
}

/* -------------------------------------------------------------------- line tables */

enum {
    LINE_BASE = -5,
    LINE_RANGE = 14,
    OPCODE_BASE = 13,
    LNS_COPY = 1,
    LNS_ADVANCE_PC = 2,
    LNS_ADVANCE_LINE = 3,
    LNE_END_SEQUENCE = 1,
    LNE_SET_ADDRESS = 2,
};

struct rows {
    struct ditto_buf *out;
    uint64_t address;
    int64_t line;
};

static void put_row(struct rows *rows, uint64_t address, int64_t line)
{
    int64_t lines = line - rows->line;
    uint64_t bytes = address - rows->address;
    rows->address = address;
    rows->line = line;
    if (lines >= LINE_BASE && lines < LINE_BASE + LINE_RANGE) {
        uint64_t opcode =
            (uint64_t)(lines - LINE_BASE) + (uint64_t)LINE_RANGE * bytes + OPCODE_BASE;
        if (bytes < 16 && opcode <= 255) {
            put1(rows->out, (unsigned)opcode);
            return;
        }
    }
    if (lines) {
        put1(rows->out, LNS_ADVANCE_LINE);
        put_sleb(rows->out, lines);
    }
    if (bytes) {
        put1(rows->out, LNS_ADVANCE_PC);
        put_uleb(rows->out, bytes);
    }
    put1(rows->out, LNS_COPY);
}

/*
 * The first line has two rows, at the entry and at bytecode 0: gdb takes the second for the end of
 * a prologue, so that breakpoints on a method and steps into it stop at its first bytecode.
 */
static void method_rows(struct rows *rows, const struct program_method *method)
{
    int64_t last = 0;
    uint64_t base = method->base;
    if (method->line_count == 0) {
        put_row(rows, base, 0);
        return;
    }
    last = method->lines[0].line;
    put_row(rows, base, last);
    put_row(rows, base + 1, last);
    for (size_t i = 1; i < method->line_count; i++) {
        const struct program_line *line = &method->lines[i];
        if (i + 1 < method->line_count && method->lines[i + 1].bci == line->bci)
            continue;
        put_row(rows, base + 1 + line->bci, line->line);
    }
}

/* Everything before the rows; where the table begins. */
static size_t begin_table(struct rows *rows, const char *source, uint64_t address)
{
    static const uint8_t lengths[OPCODE_BASE - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    struct ditto_buf *line = rows->out;
    size_t begin = line->size;
    put4(line, 0); /* length */
    put2(line, 4);
    put4(line, 0); /* header length */
    size_t header = line->size;
    put1(line, 1); /* bytes of an instruction, at least */
    put1(line, 1); /* operations of an instruction, at most */
    put1(line, 1); /* rows are statements */
    put1(line, LINE_BASE & 0xff);
    put1(line, LINE_RANGE);
    put1(line, OPCODE_BASE);
    ditto_buf_bytes(line, lengths, sizeof lengths);
    put1(line, 0); /* no directories */
    put_text(line, source);
    put_uleb(line, 0);
    put_uleb(line, 0);
    put_uleb(line, 0);
    put1(line, 0);
    patch4(line, header - 4, (uint32_t)(line->size - header));
    put1(line, 0);
    put_uleb(line, 9);
    put1(line, LNE_SET_ADDRESS);
    put8(line, address);
    rows->address = address;
    rows->line = 1;
    return begin;
}

static uint32_t end_table(struct rows *rows, size_t begin, uint64_t end)
{
    struct ditto_buf *line = rows->out;
    put1(line, LNS_ADVANCE_PC);
    put_uleb(line, end - rows->address);
    put1(line, 0);
    put_uleb(line, 1);
    put1(line, LNE_END_SEQUENCE);
    patch4(line, begin, (uint32_t)(line->size - begin - 4));
    return (uint32_t)begin;
}

uint32_t dwarf_lines(struct ditto_buf *line, const struct program_class *class)
{
    struct rows rows = {.out = line};
    size_t begin = begin_table(&rows, class->source, class->low);
    for (size_t i = 0; i < class->method_count; i++)
        if (class->methods[i].base)
            method_rows(&rows, &class->methods[i]);
    return end_table(&rows, begin, class->high);
}

uint32_t dwarf_hook_lines(struct ditto_buf *line)
{
    struct rows rows = {.out = line};
    size_t begin = begin_table(&rows, "java", HOOK_BASE);
    put_row(&rows, HOOK_BASE, 1);
    return end_table(&rows, begin, HOOK_BASE + 16);
}

/* ------------------------------------------------------------------------- frames */

enum {
    REGISTER_RBP = 6,
    REGISTER_RIP = 16,
    CFA_NOP = 0,
    CFA_UNDEFINED = 0x07,
    CFA_DEF_CFA = 0x0c,
    CFA_OFFSET = 0x80,
};

static void close_entry(struct ditto_buf *frame, size_t begin)
{
    while ((frame->size - begin - 4) % 8)
        put1(frame, CFA_NOP);
    patch4(frame, begin, (uint32_t)(frame->size - begin - 4));
}

static void put_range(struct ditto_buf *frame, uint64_t low, uint64_t high, bool outermost)
{
    size_t begin = frame->size;
    put4(frame, 0);
    put4(frame, 0); /* the one common entry */
    put8(frame, low);
    put8(frame, high - low);
    if (outermost) {
        put1(frame, CFA_UNDEFINED);
        put_uleb(frame, REGISTER_RIP);
    }
    close_entry(frame, begin);
}

void dwarf_frames(struct ditto_buf *frame, const struct program *program)
{
    put4(frame, 0);
    put4(frame, 0xffffffff);
    put1(frame, 4); /* version */
    put1(frame, 0); /* no augmentation */
    put1(frame, 8); /* bytes of an address */
    put1(frame, 0); /* and of a segment */
    put_uleb(frame, 1);
    put_sleb(frame, -8);
    put_uleb(frame, REGISTER_RIP);
    put1(frame, CFA_DEF_CFA);
    put_uleb(frame, REGISTER_RBP);
    put_uleb(frame, 16);
    put1(frame, CFA_OFFSET | REGISTER_RIP);
    put_uleb(frame, 1);
    put1(frame, CFA_OFFSET | REGISTER_RBP);
    put_uleb(frame, 2);
    close_entry(frame, 0);
    put_range(frame, ROOT_BASE, THROW_BASE, true);
    put_range(frame, THROW_BASE, program->text_end, false);
}
