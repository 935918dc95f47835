#include "preload/vdso.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

/* The parts of the image that a search needs. */
struct symbols {
    const char *image;
    uintptr_t shift; /* address - virtual address in the file */
    const Elf64_Sym *table;
    const char *names;
    uint32_t count;
};

/* Returns the number of symbols in a GNU hash table: 1 + the index of the last symbol of all chains. */
static uint32_t count_hashed(const uint32_t *hash)
{
    const uint32_t buckets = hash[0], first = hash[1], *bucket = hash + 4 + (size_t)hash[2] * 2;
    const uint32_t *chain = bucket + buckets;
    uint32_t last = 0;
    for (uint32_t i = 0; i < buckets; i++)
        if (bucket[i] > last)
            last = bucket[i];
    if (last < first)
        return 0;
    while (!(chain[last - first] & 1))
        last++;
    return last + 1;
}

static void take_dynamic(struct symbols *symbols, const Elf64_Dyn *entry)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        const void *address = (const void *)(symbols->shift + entry->d_un.d_ptr);
        if (entry->d_tag == DT_SYMTAB)
            symbols->table = address;
        else if (entry->d_tag == DT_STRTAB)
            symbols->names = address;
        else if (entry->d_tag == DT_HASH)
            symbols->count = ((const uint32_t *)address)[1];
        else if (entry->d_tag == DT_GNU_HASH && symbols->count == 0)
            symbols->count = count_hashed(address);
    }
}

/* Fills `symbols` from the program headers. The kernel made the image, so its contents are trusted. */
static void take_image(struct symbols *symbols)
{
    const Elf64_Ehdr *head = (const void *)symbols->image;
    const Elf64_Phdr *segment = (const void *)(symbols->image + head->e_phoff);
    const Elf64_Phdr *dynamic = NULL;
    for (int i = 0; i < head->e_phnum; i++) {
        if (segment[i].p_type == PT_LOAD && segment[i].p_offset == 0)
            symbols->shift = (uintptr_t)symbols->image - segment[i].p_vaddr;
        else if (segment[i].p_type == PT_DYNAMIC)
            dynamic = &segment[i];
    }
    if (dynamic)
        take_dynamic(symbols, (const void *)(symbols->image + dynamic->p_offset));
}

const void *preload_vdso_find(const void *image, const char *name)
{
    struct symbols symbols = {.image = image};
    if (!image || ((const Elf64_Ehdr *)image)->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    take_image(&symbols);
    for (uint32_t i = 0; symbols.table && symbols.names && i < symbols.count; i++) {
        const Elf64_Sym *symbol = &symbols.table[i];
        if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
            strcmp(symbols.names + symbol->st_name, name) == 0)
            return (const void *)(symbols.shift + symbol->st_value);
    }
    return NULL;
}
