/* SPDX-License-Identifier: MIT */
#include "gdb-plugin/gdb/symbols/elf_file.h"

#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb-plugin/gdb/symbols/dwarf_pieces.h"
#include "jvm-bridge/classfile/classfile.h"

enum section {
    SECTION_TEXT = 1,
    SECTION_HUBS,
    SECTION_INFO,
    SECTION_ABBREV,
    SECTION_LINE,
    SECTION_FRAME,
    SECTION_SYMTAB,
    SECTION_STRTAB,
    SECTION_NAMES,
    SECTIONS
};

static const struct {
    const char *name;
    Elf64_Word type;
    Elf64_Xword flags;
    Elf_Type data;
} kinds[SECTIONS] = {
    [SECTION_TEXT] = {".text", SHT_NOBITS, SHF_ALLOC | SHF_EXECINSTR, ELF_T_BYTE},
    [SECTION_HUBS] = {".rodata", SHT_NOBITS, SHF_ALLOC, ELF_T_BYTE},
    [SECTION_INFO] = {".debug_info", SHT_PROGBITS, 0, ELF_T_BYTE},
    [SECTION_ABBREV] = {".debug_abbrev", SHT_PROGBITS, 0, ELF_T_BYTE},
    [SECTION_LINE] = {".debug_line", SHT_PROGBITS, 0, ELF_T_BYTE},
    [SECTION_FRAME] = {".debug_frame", SHT_PROGBITS, 0, ELF_T_BYTE},
    [SECTION_SYMTAB] = {".symtab", SHT_SYMTAB, 0, ELF_T_SYM},
    [SECTION_STRTAB] = {".strtab", SHT_STRTAB, 0, ELF_T_BYTE},
    [SECTION_NAMES] = {".shstrtab", SHT_STRTAB, 0, ELF_T_BYTE},
};

/* ----------------------------------------------------------------------- symbols */

struct table {
    struct ditto_buf symbols, strings;
};

/* The name has just been appended to the strings, from `name` on. */
static void put_symbol(struct table *table, size_t name, unsigned type, enum section section,
                       uint64_t address, uint64_t size)
{
    Elf64_Sym symbol = {
        .st_name = (Elf64_Word)name,
        .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
        .st_shndx = (Elf64_Half)section,
        .st_value = address,
        .st_size = size,
    };
    put1(&table->strings, 0);
    ditto_buf_bytes(&table->symbols, &symbol, sizeof symbol);
}

static void put_function(struct table *table, const char *name, uint64_t address, uint64_t size)
{
    size_t at = table->strings.size;
    ditto_buf_bytes(&table->strings, name, strlen(name));
    put_symbol(table, at, STT_FUNC, SECTION_TEXT, address, size);
}

/* A name with . for /, and for $ between the names of classes if asked to. */
static void put_dotted(struct ditto_buf *strings, const char *name, bool inner)
{
    for (const char *c = name; *c; c++)
        put1(strings,
             *c == '/' || (inner && *c == '$' && c != name && c[1]) ? '.' : (unsigned char)*c);
}

/* com.acme.Account.deposit and Account.deposit, and the same for Outer.Inner. */
static void put_method(struct table *table, const struct program_method *method)
{
    const char *class_name = method->owner->name, *slash = strrchr(class_name, '/');
    const char *simple = slash ? slash + 1 : class_name;
    const char *spellings[] = {simple, class_name};
    /* A damaged class may have a name that ends with its package. */
    bool nested = *simple && strchr(simple + 1, '$');
    for (size_t i = 0; i < (slash ? 2 : 1); i++) {
        for (int inner = 0; inner < (nested ? 2 : 1); inner++) {
            size_t at = table->strings.size;
            put_dotted(&table->strings, spellings[i], inner);
            put1(&table->strings, '.');
            ditto_buf_bytes(&table->strings, method->name, strlen(method->name));
            put_symbol(table, at, STT_FUNC, SECTION_TEXT, method->base, (uint64_t)method->size + 1);
        }
    }
    if (slash) { /* half Java, half C++ */
        size_t at = table->strings.size;
        put_dotted(&table->strings, class_name, false);
        ditto_buf_bytes(&table->strings, "::", 2);
        ditto_buf_bytes(&table->strings, method->name, strlen(method->name));
        put_symbol(table, at, STT_FUNC, SECTION_TEXT, method->base, (uint64_t)method->size + 1);
    }
}

/* The vtable's symbol of a class, mangled: gdb finds the class of an object by it. */
static void put_hub(struct table *table, const struct program_class *class)
{
    struct ditto_buf *strings = &table->strings;
    size_t at = strings->size;
    bool nested = strchr(class->name, '/');
    ditto_buf_bytes(strings, nested ? "_ZTVN" : "_ZTV", nested ? 5 : 4);
    for (const char *part = class->name; *part;) {
        char digits[16];
        size_t length = strcspn(part, "/");
        int count = snprintf(digits, sizeof digits, "%zu", length);
        ditto_buf_bytes(strings, digits, (size_t)count);
        ditto_buf_bytes(strings, part, length);
        part += length + (part[length] == '/');
    }
    if (nested)
        put1(strings, 'E');
    put_symbol(table, at, STT_OBJECT, SECTION_HUBS, class->hub, HUB_SIZE);
}

static void put_symbols(struct table *table, const struct program *program)
{
    Elf64_Sym none = {0};
    put1(&table->strings, 0);
    ditto_buf_bytes(&table->symbols, &none, sizeof none);
    put_function(table, "java_thread_entry", ROOT_BASE, 16);
    put_function(table, "__cxa_throw", THROW_BASE, 16);
    put_function(table, "_Unwind_DebugHook", HOOK_BASE, 16);
    if (program->main)
        put_function(table, "main", program->main->base, (uint64_t)program->main->size + 1);
    for (size_t i = 0; i < program->method_count; i++)
        put_method(table, program->methods[i]);
    for (size_t i = 0; i < program->class_count; i++)
        put_hub(table, program->classes[i]);
}

/* --------------------------------------------------------------------------- file */

struct contents {
    const void *data;
    uint64_t size, address;
};

static bool put_section(Elf *elf, enum section number, const struct contents *contents, size_t name)
{
    Elf_Scn *section = elf_newscn(elf);
    Elf64_Shdr *header = section ? elf64_getshdr(section) : NULL;
    Elf_Data *data = section ? elf_newdata(section) : NULL;
    if (!header || !data)
        return false;
    data->d_type = kinds[number].data;
    data->d_version = EV_CURRENT;
    data->d_align = number == SECTION_SYMTAB ? 8 : 1;
    data->d_size = contents->size;
    data->d_buf = (void *)contents->data;
    header->sh_name = (Elf64_Word)name;
    header->sh_type = kinds[number].type;
    header->sh_flags = kinds[number].flags;
    header->sh_addr = contents->address;
    header->sh_addralign = data->d_align;
    if (number == SECTION_SYMTAB) {
        header->sh_link = SECTION_STRTAB;
        header->sh_info = 1;
        header->sh_entsize = sizeof(Elf64_Sym);
    }
    return true;
}

static bool put_sections(Elf *elf, struct contents *contents)
{
    struct ditto_buf names = {0};
    size_t at[SECTIONS] = {0};
    put1(&names, 0);
    for (unsigned i = 1; i < SECTIONS; i++) {
        at[i] = names.size;
        put_text(&names, kinds[i].name);
    }
    contents[SECTION_NAMES] = (struct contents){names.data, names.size, 0};
    Elf64_Ehdr *header = elf64_newehdr(elf);
    bool good = header != NULL;
    if (good) {
        header->e_ident[EI_DATA] = ELFDATA2LSB;
        header->e_type = ET_EXEC;
        header->e_machine = EM_X86_64;
        header->e_version = EV_CURRENT;
        header->e_shstrndx = SECTION_NAMES;
        header->e_entry = ROOT_BASE;
    }
    for (unsigned i = 1; good && i < SECTIONS; i++)
        good = put_section(elf, i, &contents[i], at[i]);
    good = good && elf_update(elf, ELF_C_WRITE) > 0;
    ditto_buf_free(&names);
    return good;
}

static bool write_elf(int fd, struct contents *contents, struct ditto_error *error)
{
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
    bool good = elf && put_sections(elf, contents);
    if (!good)
        ditto_error_set(error,
                        "cannot make the program's symbols: %s; check the memory that is "
                        "left",
                        elf_errmsg(-1));
    elf_end(elf);
    return good;
}

bool symbols_write(const struct program *program, const struct dwarf_sources *sources, int fd,
                   struct ditto_error *error)
{
    struct dwarf dwarf;
    struct table table = {0};
    dwarf_make(program, sources, &dwarf);
    put_symbols(&table, program);
    struct contents contents[SECTIONS] = {
        [SECTION_TEXT] = {NULL, program->text_end - TEXT_BASE, TEXT_BASE},
        [SECTION_HUBS] = {NULL, program->class_count * HUB_SIZE, HUBS_BASE},
        [SECTION_INFO] = {dwarf.info.data, dwarf.info.size, 0},
        [SECTION_ABBREV] = {dwarf.abbrev.data, dwarf.abbrev.size, 0},
        [SECTION_LINE] = {dwarf.line.data, dwarf.line.size, 0},
        [SECTION_FRAME] = {dwarf.frame.data, dwarf.frame.size, 0},
        [SECTION_SYMTAB] = {table.symbols.data, table.symbols.size, 0},
        [SECTION_STRTAB] = {table.strings.data, table.strings.size, 0},
    };
    bool good = write_elf(fd, contents, error);
    dwarf_free(&dwarf);
    ditto_buf_free(&table.symbols);
    ditto_buf_free(&table.strings);
    return good;
}
