/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/program/bytecode_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "jvm-bridge/classfile/bytecode.h"
#include "jvm-bridge/classfile/classfile.h"

static void put_name(struct ditto_buf *out, struct ditto_cf_text text)
{
    for (uint32_t i = 0; i < text.size; i++) {
        char byte = text.data[i] == '/' ? '.' : text.data[i];
        ditto_buf_bytes(out, &byte, 1);
    }
}

static void put_string(const struct ditto_cf *cf, uint32_t index, struct ditto_buf *out)
{
    enum { SHOWN = 40 };
    struct ditto_cf_text text = ditto_cf_utf8(cf, index);
    ditto_put_format(out, " \"");
    for (uint32_t i = 0; i < text.size && i < SHOWN; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte < 0x20 || byte == '"' || byte == '\\')
            ditto_put_format(out, "\\%03o", byte);
        else
            ditto_buf_bytes(out, &byte, 1);
    }
    ditto_put_format(out, text.size > SHOWN ? "...\"" : "\"");
}

static void put_constant(const struct ditto_cf *cf, uint32_t index, struct ditto_buf *out)
{
    struct ditto_cf_ref ref;
    uint8_t tag = ditto_cf_tag(cf, index);
    const uint8_t *bytes = tag ? cf->bytes + cf->pool[index] + 1 : NULL;
    uint64_t wide;
    uint32_t narrow;
    float f;
    double d;
    switch (tag) {
    case DITTO_TAG_INTEGER:
        ditto_put_format(out, " %" PRId32, (int32_t)ditto_u4(bytes));
        break;
    case DITTO_TAG_LONG:
        ditto_put_format(out, " %" PRId64,
                         (int64_t)((uint64_t)ditto_u4(bytes) << 32 | ditto_u4(bytes + 4)));
        break;
    case DITTO_TAG_FLOAT:
        narrow = ditto_u4(bytes);
        memcpy(&f, &narrow, sizeof f);
        ditto_put_format(out, " %.9g", (double)f);
        break;
    case DITTO_TAG_DOUBLE:
        wide = (uint64_t)ditto_u4(bytes) << 32 | ditto_u4(bytes + 4);
        memcpy(&d, &wide, sizeof d);
        ditto_put_format(out, " %.17g", d);
        break;
    case DITTO_TAG_STRING:
        put_string(cf, ditto_u2(bytes), out);
        break;
    case DITTO_TAG_CLASS:
        ditto_put_format(out, " ");
        put_name(out, ditto_cf_class_name(cf, index));
        break;
    default:
        if (!ditto_cf_ref(cf, index, &ref)) {
            ditto_put_format(out, " #%" PRIu32, index);
            break;
        }
        ditto_put_format(out, " ");
        put_name(out, ref.owner);
        if (ref.owner.size)
            ditto_put_format(out, ".");
        put_name(out, ref.name);
        ditto_put_format(out, ref.descriptor.size && ref.descriptor.data[0] == '(' ? "" : ":");
        ditto_buf_bytes(out, ref.descriptor.data, ref.descriptor.size);
    }
}

static void put_operands(const struct ditto_cf *cf, const struct ditto_insn *insn,
                         struct ditto_buf *out)
{
    static const char *const types[] = {"boolean", "char",  "float", "double",
                                        "byte",    "short", "int",   "long"};
    switch (ditto_op(insn->opcode)->form) {
    case DITTO_FORM_BYTE:
        if (insn->opcode == DITTO_OP_NEWARRAY && insn->operand >= 4 && insn->operand <= 11)
            ditto_put_format(out, " %s", types[insn->operand - 4]);
        else
            ditto_put_format(out, " %d", (int8_t)insn->operand);
        break;
    case DITTO_FORM_SHORT:
        ditto_put_format(out, " %d", (int16_t)insn->operand);
        break;
    case DITTO_FORM_LOCAL:
        ditto_put_format(out, " %" PRIu32, insn->operand);
        break;
    case DITTO_FORM_IINC:
        ditto_put_format(out, " %" PRIu32 ", %" PRId32, insn->operand, insn->increment);
        break;
    case DITTO_FORM_JUMP2:
    case DITTO_FORM_JUMP4:
        ditto_put_format(out, " %" PRIu32, insn->target);
        break;
    case DITTO_FORM_POOL1:
    case DITTO_FORM_POOL2:
    case DITTO_FORM_INTERFACE:
        put_constant(cf, insn->operand, out);
        break;
    case DITTO_FORM_MULTI:
        put_constant(cf, insn->operand, out);
        ditto_put_format(out, ", %" PRIu32, insn->count);
        break;
    case DITTO_FORM_TABLE:
    case DITTO_FORM_LOOKUP:
        ditto_put_format(out, " %" PRIu32 " cases, default %" PRIu32, insn->count, insn->operand);
        break;
    default:
        break;
    }
}

unsigned bytecodes_put(const struct program_method *method, int32_t bci, struct ditto_buf *out)
{
    struct ditto_insn insn;
    struct ditto_cf cf;
    struct ditto_error error;
    if (bci < 0) {
        ditto_put_format(out, "entry");
        return 1;
    }
    if ((uint32_t)bci >= method->size ||
        !ditto_insn_decode(method->code, method->size, (uint32_t)bci, &insn)) {
        ditto_put_format(out, "(inside an instruction)");
        return 1;
    }
    ditto_put_format(out, "%s%s", ditto_op(insn.opcode)->name, insn.wide ? "_w" : "");
    if (ditto_cf_open(&cf, method->owner->bytes, method->owner->length, &error)) {
        put_operands(&cf, &insn, out);
        ditto_cf_close(&cf);
    }
    return insn.size;
}
