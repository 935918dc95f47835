/* The parts of a simulated machine's caches, for the files of this folder. */
#ifndef ORDO_LAB_CORES_CACHE_CACHES_H
#define ORDO_LAB_CORES_CACHE_CACHES_H

#include "lab/cores/cache/directory.h"
#include "lab/cores/cache/tags.h"
#include "lab/cores/machine/machine.h"

struct cores_caches {
    struct cores_tags l1, l2, l3; /* of each core, of each core, of each cluster */
    const int *core_of;           /* [cpus] */
    int line_bits;
    uint32_t percent; /* the share of a transfer for which it occupies the line */
    const struct cores_machine *machine;
    int *first;            /* [cores]: the first CPU of the core, at whose distance all its CPUs are */
    int *cluster;          /* [cores] */
    int *head;             /* [clusters]: the first core of the cluster */
    uint32_t *transfer_ps; /* [cores * cores]: requester, holder: the machine's matrix, turned */
    struct cores_directory directory;
    struct cores_pool pool;
    bool exhausted;
};

/** The time of a transfer from the core `holder` to the core `requester`. */
static inline uint32_t cores_transfer_ps(const struct cores_caches *caches, int requester, int holder)
{
    return caches->transfer_ps[(size_t)requester * (size_t)caches->machine->cores + (size_t)holder];
}

#endif
