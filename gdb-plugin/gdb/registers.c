/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/registers.h"

#include <string.h>

#define REGISTER(name, bits, type) "<reg name=\"" name "\" bitsize=\"" bits "\" type=\"" type "\"/>"
#define INT64(name)                REGISTER(name, "64", "int64")
#define INT32(name)                REGISTER(name, "32", "int")
#define X87(name)                  REGISTER(name, "80", "i387_ext")
#define XMM(name)                  REGISTER(name, "128", "vec128")

const char view_target_xml[] =
    "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\"><target version=\"1.0\">"
    "<architecture>i386:x86-64</architecture><osabi>none</osabi>"
    "<feature name=\"org.gnu.gdb.i386.core\">"
    "<flags id=\"i386_eflags\" size=\"4\"><field name=\"CF\" start=\"0\" end=\"0\"/></flags>" //
    INT64("rax") INT64("rbx") INT64("rcx") INT64("rdx") INT64("rsi") INT64("rdi")             //
    REGISTER("rbp", "64", "data_ptr") REGISTER("rsp", "64", "data_ptr")                       //
    INT64("r8") INT64("r9") INT64("r10") INT64("r11") INT64("r12") INT64("r13") INT64("r14")  //
    INT64("r15") REGISTER("rip", "64", "code_ptr") REGISTER("eflags", "32", "i386_eflags")    //
    INT32("cs") INT32("ss") INT32("ds") INT32("es") INT32("fs") INT32("gs")                   //
    X87("st0") X87("st1") X87("st2") X87("st3") X87("st4") X87("st5") X87("st6") X87("st7")   //
    INT32("fctrl") INT32("fstat") INT32("ftag") INT32("fiseg") INT32("fioff") INT32("foseg")  //
    INT32("fooff") INT32("fop")                                                               //
    "</feature><feature name=\"org.gnu.gdb.i386.sse\">"
    "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>"
    "<vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>"
    "<vector id=\"v16i8\" type=\"int8\" count=\"16\"/>"
    "<vector id=\"v8i16\" type=\"int16\" count=\"8\"/>"
    "<vector id=\"v4i32\" type=\"int32\" count=\"4\"/>"
    "<vector id=\"v2i64\" type=\"int64\" count=\"2\"/>"
    "<union id=\"vec128\"><field name=\"v4_float\" type=\"v4f\"/>"
    "<field name=\"v2_double\" type=\"v2d\"/><field name=\"v16_int8\" type=\"v16i8\"/>"
    "<field name=\"v8_int16\" type=\"v8i16\"/><field name=\"v4_int32\" type=\"v4i32\"/>"
    "<field name=\"v2_int64\" type=\"v2i64\"/><field name=\"uint128\" type=\"uint128\"/></union>"
    "<flags id=\"i386_mxcsr\" size=\"4\"><field name=\"IE\" start=\"0\" end=\"0\"/></flags>" //
    XMM("xmm0") XMM("xmm1") XMM("xmm2") XMM("xmm3") XMM("xmm4") XMM("xmm5") XMM("xmm6")      //
    XMM("xmm7") XMM("xmm8") XMM("xmm9") XMM("xmm10") XMM("xmm11") XMM("xmm12") XMM("xmm13")  //
    XMM("xmm14") XMM("xmm15") REGISTER("mxcsr", "32", "i386_mxcsr")                          //
    "</feature><feature name=\"org.ditto.java\">" REGISTER("clock", "64", "uint64")          //
    "</feature></target>";

enum {
    RAX = 0,
    RBP = 6,
    RSP = 7,
    RIP = 16,
    EFLAGS = 17,
    ST0 = 24,
    FCTRL = 32,
    XMM0 = 40,
    MXCSR = 56,
    CLOCK = 57,
    REGISTERS
};

bool view_register(unsigned number, size_t *offset, size_t *size)
{
    static const struct {
        unsigned first, size;
    } rows[] = {{RAX, 8},   {EFLAGS, 4}, {ST0, 10},  {FCTRL, 4},
                {XMM0, 16}, {MXCSR, 4},  {CLOCK, 8}, {REGISTERS, 0}};
    *offset = 0;
    if (number >= REGISTERS)
        return false;
    for (size_t row = 0;; row++) {
        unsigned end = rows[row + 1].first;
        *size = rows[row].size;
        if (number < end) {
            *offset += (number - rows[row].first) * rows[row].size;
            return true;
        }
        *offset += (end - rows[row].first) * rows[row].size;
    }
}

static void set(uint8_t *bytes, bool *known, unsigned number, uint64_t value)
{
    size_t offset, size;
    view_register(number, &offset, &size);
    for (size_t i = 0; i < size; i++) {
        bytes[offset + i] = i < 8 ? (uint8_t)(value >> 8 * i) : 0;
        known[offset + i] = true;
    }
}

void view_pointers(struct view *view, uint32_t thread, uint8_t *bytes, bool *known)
{
    const struct view_stack *stack = view_stack(view, thread);
    const struct view_frame *top = &stack->frames[0];
    struct ditto_position position;
    memset(bytes, 0, VIEW_REGISTERS_SIZE);
    memset(known, 0, VIEW_REGISTERS_SIZE * sizeof *known);
    ditto_machine_position(view->machine, &position);
    set(bytes, known, RIP, top->pc);
    set(bytes, known, RBP, top->fp);
    set(bytes, known, RSP,
        top->fp -
            (top->method ? ((uint64_t)top->method->max_locals * 8 + 15) & ~UINT64_C(15) : 16));
    set(bytes, known, EFLAGS, 0x202);
    set(bytes, known, CLOCK, position.clock);
}

void view_registers(struct view *view, uint32_t thread, uint8_t *bytes, bool *known)
{
    struct ditto_value value;
    view_pointers(view, thread, bytes, known);
    if (ditto_machine_returned(view->machine, thread, &value)) {
        char descriptor[] = {value.type, '\0'};
        bool real = value.type == 'F' || value.type == 'D';
        set(bytes, known, real ? XMM0 : RAX, view_word(descriptor, &value));
    }
}
