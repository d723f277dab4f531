/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/jit.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/die.h"
#include "gdb-plugin/gdb/member_names.h"
#include "gdb-plugin/gdb/value_text.h"

#if defined(__aarch64__)
static const cs_arch architecture = CS_ARCH_ARM64;
static const cs_mode mode = CS_MODE_LITTLE_ENDIAN;
#else
static const cs_arch architecture = CS_ARCH_X86;
static const cs_mode mode = CS_MODE_64;
#endif

struct listing {
    struct client *client;
    struct ditto_buf *out;
    const struct program_method *method;
    const struct ditto_compiled *compiled;
    size_t next;     /* of the locations: the first that what follows may lead to */
    unsigned line;   /* of the last instruction */
    bool after_call; /* the last instruction was a call */
};

static int by_offset(const void *a, const void *b)
{
    const struct ditto_compiled_location *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool is_call(csh engine, const cs_insn *insn)
{
    return cs_insn_group(engine, insn, CS_GRP_CALL);
}

/* The line of the instruction at `offset`; instructions are asked for in their order. */
static unsigned line_of(struct listing *list, uint32_t offset)
{
    const struct ditto_compiled *compiled = list->compiled;
    while (list->next < compiled->location_count &&
           (compiled->locations[list->next].offset < offset ||
            (compiled->locations[list->next].offset == offset && list->after_call)))
        list->next++;
    if (list->next == compiled->location_count)
        return list->line;
    return program_line(list->method, compiled->locations[list->next].at.bci);
}

static void put_line(struct listing *list, unsigned line)
{
    const char *source = list->method->owner->source;
    if (line == list->line)
        return;
    list->line = line;
    ditto_put_format(list->out, "%s:%u\n", source ? source : "unknown source", line);
}

static void put_instructions(struct listing *list, csh engine)
{
    const struct ditto_compiled *compiled = list->compiled;
    const uint8_t *bytes = compiled->bytes;
    size_t left = compiled->length;
    uint64_t address = compiled->address;
    cs_insn *insn = cs_malloc(engine);
    DITTO_CHECK(insn, "no memory for an instruction");
    while (cs_disasm_iter(engine, &bytes, &left, &address, insn)) {
        uint32_t offset = (uint32_t)(insn->address - compiled->address);
        put_line(list, line_of(list, offset));
        ditto_put_format(list->out, "   0x%016" PRIx64 " <+%" PRIu32 ">:\t%s%s%s\n", insn->address,
                         offset, insn->mnemonic, *insn->op_str ? " " : "", insn->op_str);
        list->after_call = insn->id != 0 && is_call(engine, insn);
    }
    cs_free(insn, 1);
}

/* "com.acme.Account.deposit(ILjava/lang/String;)V" */
static void put_method(struct ditto_buf *out, const struct program_method *method)
{
    char dotted[512];
    ditto_put_format(out, "%s.%s%s", program_dotted(method->owner->name, dotted, sizeof dotted),
                     method->name, method->descriptor);
}

static bool put_compiled(struct client *client, const struct program_method *method, bool intel,
                         const struct ditto_compiled *compiled, struct ditto_buf *out)
{
    csh engine;
    struct listing list = {.client = client, .out = out, .method = method, .compiled = compiled};
    if (cs_open(architecture, mode, &engine) != CS_ERR_OK) {
        ditto_put_format(
            out, "capstone cannot disassemble this machine's code; install one that can.\n");
        return false;
    }
    /* Between instructions there are constants, too. */
    cs_option(engine, CS_OPT_SKIPDATA, CS_OPT_ON);
    cs_option(engine, CS_OPT_DETAIL, CS_OPT_ON);
    if (architecture == CS_ARCH_X86)
        cs_option(engine, CS_OPT_SYNTAX, intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
    put_method(out, method);
    ditto_put_format(out, ": %zu bytes of machine code in the replay JVM\n", compiled->length);
    put_instructions(&list, engine);
    cs_close(&engine);
    return true;
}

static void put_not_compiled(struct client *client, const struct program_method *method,
                             struct ditto_buf *out)
{
    struct ditto_position position;
    ditto_machine_position(client->machine, &position);
    put_method(out, method);
    if (position.clock < ditto_machine_last_clock(client->machine))
        ditto_put_format(
            out, " is interpreted here: HotSpot compiles a method after it has run for some "
                 "thousand times, and never one with a breakpoint in it; go on, for example "
                 "with `ditto goto end`, and ask again.\n");
    else
        ditto_put_format(out,
                         " is interpreted to the end of this run: HotSpot compiles a method after "
                         "it has run for some thousand times, and never one with a breakpoint in "
                         "it; delete breakpoints and come here again from the beginning, or record "
                         "the program with `java -Xcomp`, which compiles everything.\n");
}

/* A method, if it has been compiled; what was asked for, if not, is told when nothing has. */
static bool put_jit(struct client *client, const struct program_method *method, bool intel,
                    bool *found, struct ditto_buf *out)
{
    struct ditto_compiled compiled;
    struct ditto_error error;
    if (!ditto_machine_compiled(client->machine, program_handle(client->machine, method), &compiled,
                                &error)) {
        ditto_put_format(out, "%s\n", error.text);
        return false;
    }
    if (!compiled.length)
        return true;
    *found = true;
    qsort(compiled.locations, compiled.location_count, sizeof *compiled.locations, by_offset);
    return put_compiled(client, method, intel, &compiled, out);
}

bool jit_print(struct client *client, const char *text, bool intel, struct ditto_buf *out)
{
    const char *name = NULL;
    const struct program_method *one = NULL, *asked = NULL;
    const struct program_class *class;
    int32_t bci;
    bool found = false, good = true;
    char *end = NULL;
    uint64_t address = text && *text ? strtoull(text, &end, 0) : 0;
    if (end && *end == '\0') {
        one = program_method_at(client->program, address, &bci);
        class = one && one->size ? one->owner : NULL;
        if (!class)
            ditto_put_format(out, "%s is in no method.\n", text);
    } else {
        class = member_class(client, text, "method", "Account.deposit", &name, out);
    }
    if (!class)
        return false;
    for (size_t i = 0; good && i < class->method_count; i++) {
        const struct program_method *method = &class->methods[i];
        if (one ? method != one : !method->size || strcmp(method->name, name) != 0)
            continue;
        asked = method;
        good = put_jit(client, method, intel, &found, out);
    }
    if (!asked)
        put_no_member(class, "method", name, out);
    else if (good && !found)
        put_not_compiled(client, asked, out);
    return good && found;
}
