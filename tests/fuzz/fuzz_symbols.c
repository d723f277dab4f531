/* SPDX-License-Identifier: MIT */
/* Any bytes as a class of a trace: read, laid out, and written as ELF and DWARF. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gdb-plugin/gdb/symbols/elf_file.h"
#include "gdb-plugin/program/bytecode_text.h"
#include "gdb-plugin/program/program.h"

struct ditto_machine {
    const uint8_t *bytes;
    size_t size;
};

bool ditto_machine_classes(struct ditto_machine *machine,
                           bool (*each)(void *context, const char *name, const uint8_t *bytes,
                                        size_t length),
                           void *context, struct ditto_error *error)
{
    (void)error;
    return each(context, "Fuzzed", machine->bytes, machine->size);
}

uint8_t *ditto_machine_jdk_class(struct ditto_machine *machine, const char *name, size_t *length)
{
    (void)machine, (void)name, (void)length;
    return NULL;
}

size_t ditto_machine_frames(struct ditto_machine *machine, uint32_t thread,
                            const struct ditto_location **frames)
{
    (void)machine, (void)thread;
    *frames = NULL;
    return 0;
}

const struct ditto_method *ditto_machine_method(struct ditto_machine *machine,
                                                const char *class_name, const char *name,
                                                const char *descriptor)
{
    (void)machine, (void)class_name, (void)name, (void)descriptor;
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ditto_machine machine = {data, size};
    struct dwarf_sources none = {0};
    struct ditto_error error;
    struct program *program = program_make(&machine, &error);
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (!symbols_write(program, &none, fd, &error))
        abort();
    close(fd);
    for (size_t i = 0; i < program->method_count; i++) {
        const struct program_method *method = program->methods[i];
        struct ditto_buf text = {0};
        for (int32_t bci = -1; bci < (int32_t)method->size;)
            bci += (int32_t)bytecodes_put(method, bci, &text);
        ditto_buf_free(&text);
    }
    program_free(program);
    return 0;
}
