#include "trace/record/fortran.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The imports of a loaded library: its symbols, and the two tables of relocations. */
struct imports {
    const ElfW(Sym) * symbols;
    const char *names;
    struct table {
        const char *first;
        size_t bytes, step;
    } tables[3]; /* DT_REL, DT_RELA, DT_JMPREL */
};

enum { REL, RELA, JUMPS };

static bool is_binding(const char *path)
{
    static const char *const parts[] = {"mpifh", "usempi", "mpichfort", "mpifort"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strncmp(name, "lib", 3) == 0 && strstr(name, parts[i]))
            return true;
    return false;
}

/* Some C libraries relocate the addresses of the dynamic section, and others leave them relative to the base. */
static const char *address_of(const struct dl_phdr_info *library, uintptr_t value)
{
    return (const char *)(value < library->dlpi_addr ? library->dlpi_addr + value : value);
}

/* Fills in the part of `imports` that one entry of the dynamic section describes. */
static void take_entry(const struct dl_phdr_info *library, const ElfW(Dyn) * entry, struct imports *imports)
{
    const char *address = address_of(library, entry->d_un.d_ptr);
    switch (entry->d_tag) {
    case DT_SYMTAB:
        imports->symbols = (const void *)address;
        break;
    case DT_STRTAB:
        imports->names = address;
        break;
    case DT_REL:
        imports->tables[REL].first = address;
        break;
    case DT_RELSZ:
        imports->tables[REL].bytes = entry->d_un.d_val;
        break;
    case DT_RELA:
        imports->tables[RELA].first = address;
        break;
    case DT_RELASZ:
        imports->tables[RELA].bytes = entry->d_un.d_val;
        break;
    case DT_JMPREL:
        imports->tables[JUMPS].first = address;
        break;
    case DT_PLTRELSZ:
        imports->tables[JUMPS].bytes = entry->d_un.d_val;
        break;
    case DT_PLTREL:
        imports->tables[JUMPS].step = entry->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
        break;
    default:
        break;
    }
}

static struct imports imports_of(const struct dl_phdr_info *library)
{
    struct imports imports = {.tables = {[REL] = {.step = sizeof(ElfW(Rel))}, [RELA] = {.step = sizeof(ElfW(Rela))}}};
    for (int i = 0; i < library->dlpi_phnum; i++) {
        if (library->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            take_entry(library, entry, &imports);
    }
    return imports;
}

/* Returns this library's function in place of MPI's `name`, such as PMPI_Send. Returns NULL if this library has none, or
 * if another tool's function comes first: C programs then call that tool, and Fortran programs must not call this one. */
static void *own_function(const char *name)
{
    Dl_info own, found;
    if (strncmp(name, "PMPI_", 5) != 0)
        return NULL;
    void *function = dlsym(RTLD_DEFAULT, name + 1);
    bool is_own = function && dladdr(function, &found) &&
                  dladdr((void *)(uintptr_t)ordo_trace_fortran_redirect, &own) && found.dli_fbase == own.dli_fbase;
    return is_own ? function : NULL;
}

/* True if the linker has made the page of an address read-only after it had relocated the library. */
static bool is_sealed(const struct dl_phdr_info *library, uintptr_t address, uintptr_t page)
{
    for (int i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        uintptr_t from = library->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
        if (part->p_type == PT_GNU_RELRO && address >= (from & -page) && address < (to & -page))
            return true;
    }
    return false;
}

/* [F1] Writes a slot. If its page cannot be made writable, the calls by this slot are not recorded. */
static void write_slot(const struct dl_phdr_info *library, uintptr_t slot, void *function)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    bool sealed = is_sealed(library, slot, page);
    if (sealed && mprotect((void *)(slot & -page), page, PROT_READ | PROT_WRITE))
        return;
    /* relaxed: another thread calls by the old address or by the new one, and both functions exist already */
    __atomic_store_n((void **)slot, function, __ATOMIC_RELAXED);
    if (sealed)
        (void)mprotect((void *)(slot & -page), page, PROT_READ);
}

static void redirect_table(const struct dl_phdr_info *library, const struct imports *imports, const struct table *table)
{
    for (size_t at = 0; table->first && at + table->step <= table->bytes; at += table->step) {
        const ElfW(Rel) *relocation = (const void *)(table->first + at); /* the common part of both kinds */
        size_t symbol = (size_t)(sizeof(void *) == 8 ? (uint64_t)relocation->r_info >> 32 : relocation->r_info >> 8);
        const ElfW(Sym) *import = &imports->symbols[symbol];
        void *function =
            symbol && import->st_shndx == SHN_UNDEF ? own_function(imports->names + import->st_name) : NULL;
        if (function)
            write_slot(library, library->dlpi_addr + relocation->r_offset, function);
    }
}

static int redirect_library(struct dl_phdr_info *library, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (!library->dlpi_name || !is_binding(library->dlpi_name))
        return 0;
    struct imports imports = imports_of(library);
    for (int i = 0; i < 3 && imports.symbols && imports.names; i++)
        redirect_table(library, &imports, &imports.tables[i]);
    return 0;
}

__attribute__((constructor)) void ordo_trace_fortran_redirect(void)
{
    (void)dl_iterate_phdr(redirect_library, NULL);
}
