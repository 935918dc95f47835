/* The translations of page numbers that a core holds, in two levels. A page that neither level has costs a walk of the
 * page tables. A walk always takes the same time: the caches do not hold page tables. All pages are as large as the
 * machine says. */
#ifndef ORDO_LAB_CORES_CACHE_TLB_H
#define ORDO_LAB_CORES_CACHE_TLB_H

#include <stdint.h>

#include "lab/cores/cache/tags.h"

struct cores_tlb {
    struct cores_tags first, second; /* of each core; a tag is made of the number of a page */
    uint32_t second_ps, walk_ps;
    int page_bits;
};

/** Opens the empty TLBs of all cores. A machine without a description of its TLB translates in no time.
 * 0: open
 * ORDO_E_SYSTEM: out of memory */
int cores_tlb_open(struct cores_tlb *tlb, const struct cores_machine *machine, struct ordo_error *error);
void cores_tlb_close(struct cores_tlb *tlb);

/** Returns the time until the core knows the translation of an address, in picoseconds. It holds the translation
 * afterwards. */
uint32_t cores_tlb_translate(struct cores_tlb *tlb, int core, uintptr_t address);

#endif
