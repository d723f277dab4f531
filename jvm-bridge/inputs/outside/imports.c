/* SPDX-License-Identifier: MIT */
#include "jvm-bridge/inputs/outside/imports.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct library {
    ElfW(Addr) base;
    const ElfW(Sym) * symbols;
    const char *strings;
    const ElfW(Rela) * tables[2];
    size_t sizes[2];
};

/* The loader has added the base to the addresses already. */
static struct library describe(const struct link_map *map)
{
    struct library library = {.base = map->l_addr};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        const void *address = (const void *)entry->d_un.d_ptr;
        if (entry->d_tag == DT_SYMTAB)
            library.symbols = address;
        else if (entry->d_tag == DT_STRTAB)
            library.strings = address;
        else if (entry->d_tag == DT_JMPREL)
            library.tables[0] = address;
        else if (entry->d_tag == DT_RELA)
            library.tables[1] = address;
        else if (entry->d_tag == DT_PLTRELSZ)
            library.sizes[0] = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELASZ)
            library.sizes[1] = entry->d_un.d_val;
    }
    return library;
}

static bool is_import(const ElfW(Rela) * entry)
{
#if defined __x86_64__
    return ELF64_R_TYPE(entry->r_info) == R_X86_64_JUMP_SLOT ||
           ELF64_R_TYPE(entry->r_info) == R_X86_64_GLOB_DAT;
#elif defined __aarch64__
    return ELF64_R_TYPE(entry->r_info) == R_AARCH64_JUMP_SLOT ||
           ELF64_R_TYPE(entry->r_info) == R_AARCH64_GLOB_DAT;
#else
#error "which relocations are imports on this machine?"
#endif
}

/* Libraries are loaded with their slots made read-only; they become so again. */
static bool set_slot(void **slot, void *function)
{
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)((uintptr_t)slot & ~(size - 1));
    if (mprotect(page, size, PROT_READ | PROT_WRITE) != 0)
        return false;
    *slot = function;
    mprotect(page, size, PROT_READ);
    return true;
}

int ditto_imports_replace(const char *path, struct ditto_imports imports)
{
    struct link_map *map = NULL;
    int replaced = 0;
    void *handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
        return -1;
    struct library library = describe(map);
    for (int i = 0; i < 2; i++) {
        const ElfW(Rela) *entry = library.tables[i];
        const ElfW(Rela) *end = entry + library.sizes[i] / sizeof *entry;
        for (; entry && entry < end; entry++) {
            const char *name =
                library.strings + library.symbols[ELF64_R_SYM(entry->r_info)].st_name;
            if (!is_import(entry))
                continue;
            for (size_t j = 0; j < imports.count; j++)
                if (strcmp(imports.table[j].name, name) == 0)
                    replaced += set_slot((void **)(library.base + entry->r_offset),
                                         __extension__(void *) imports.table[j].instead);
        }
    }
    /* Never closed: the slots are to stay. */
    return replaced;
}
