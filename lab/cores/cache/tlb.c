#include "lab/cores/cache/tlb.h"

#include <stdbool.h>
#include <string.h>

enum { FULL = 64, WAYS = 8 }; /* a level of up to FULL pages is fully associative */

/* True if the set had the page; it is the most recent one now. */
static bool page_touch(const struct cores_tags *tags, int core, uint64_t page)
{
    uint64_t *set = cores_tags_set(tags, core, page), tag = page << 2 | CORES_COPY_SHARED;
    if (set[0] == tag)
        return true;
    int way = cores_tags_find(set, tags->ways, page);
    if (way < 0)
        (void)cores_tags_put(set, tags->ways, tag);
    else
        cores_tags_front(set, way, tag);
    return way >= 0;
}

static int level_open(struct cores_tags *tags, int entries, const struct cores_machine *machine,
                      struct ordo_error *error)
{
    struct cores_level level = {(uint64_t)entries * (uint64_t)machine->tlb.page_bytes, entries <= FULL ? entries : WAYS,
                                1};
    return cores_tags_open(tags, &level, machine->cores, machine->tlb.page_bytes, error);
}

int cores_tlb_open(struct cores_tlb *tlb, const struct cores_machine *machine, struct ordo_error *error)
{
    memset(tlb, 0, sizeof *tlb);
    if (!machine->tlb.first)
        return ORDO_OK;
    tlb->second_ps = machine->tlb.second_ps;
    tlb->walk_ps = machine->tlb.walk_ps;
    tlb->page_bits = __builtin_ctz((unsigned)machine->tlb.page_bytes);
    int code = level_open(&tlb->first, machine->tlb.first, machine, error);
    return code ? code : level_open(&tlb->second, machine->tlb.second, machine, error);
}

void cores_tlb_close(struct cores_tlb *tlb)
{
    cores_tags_close(&tlb->first);
    cores_tags_close(&tlb->second);
}

uint32_t cores_tlb_translate(struct cores_tlb *tlb, int core, uintptr_t address)
{
    uint64_t page = address >> tlb->page_bits;
    if (!tlb->first.tag || page_touch(&tlb->first, core, page))
        return 0;
    return page_touch(&tlb->second, core, page) ? tlb->second_ps : tlb->walk_ps;
}
