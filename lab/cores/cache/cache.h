/* The caches and the directory of a simulated machine: the cost of an access, and the copies that it invalidates. It
 * holds no data: the program's values stay in its own memory. One thread at a time calls these functions.
 *
 * Each core has an L1 and an L2 that includes it, and each cluster an L3; all evict the line that was used longest ago.
 * The L3 takes the lines that leave the L2 caches of its cluster, and those that cores of its cluster share.
 *
 *  read of a line that              MESI                       MESIF                      MOESI
 *  no core has                      from L3 or memory; exclusive, if no other cluster's L3 has it
 *  a core has exclusive             from this core, then shared; MESIF: the reader forwards it to the next
 *  a core has modified              written back to L3         written back to L3         this core is the owner
 *  others share                     from L3 or memory          from the last reader       from the owner, L3 or memory
 *
 * The L3 of the requester's cluster serves before another core. A write takes the line from the same places, and takes
 * all other copies away at the same time; it waits for the farthest of them.
 *
 * A line serves one request after the other. Reads of a line that no core has for itself occupy it for a moment only.
 *
 * Not modelled: prefetchers; bandwidth; tables of misses in flight (a CPU of the same core hits a line that is still on
 * its way); the invalidation of copies in L3 caches takes no time; an L2 tells the directory which lines it evicts. */
#ifndef ORDO_LAB_CORES_CACHE_H
#define ORDO_LAB_CORES_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/cores/machine/machine.h"

enum cores_access {
    CORES_READ,
    CORES_WRITE,
    CORES_UPDATE, /* an atomic read-modify-write: needs the line for itself and returns its value */
    CORES_ACCESSES
};

/* The origin of a line. */
enum cores_from {
    CORES_FROM_L1,
    CORES_FROM_L2,
    CORES_FROM_L3,
    CORES_FROM_MEMORY,
    CORES_FROM_CPU,     /* another CPU's cache had it modified, owned, exclusive or forwarding */
    CORES_FROM_NOWHERE, /* the CPU had a shared copy; the others' copies were invalidated */
    CORES_FROMS
};

struct cores_caches;

/** Makes the empty caches of a machine, which must outlive them. `step`: 0, 1, 2 takes the low, likely, high value of
 * each range. */
int cores_caches_open(struct cores_caches **caches, const struct cores_machine *machine, int step,
                      struct ordo_error *error);
void cores_caches_close(struct cores_caches *caches);

/** Takes the low, likely or high value (0, 1, 2) of each range from now on; the caches keep their lines. */
void cores_caches_step(struct cores_caches *caches, int step);

/** True if the access can be done in the caches of the core of `cpu` without a word to another core; `*ps` is then its
 * cost (L1 or L2). Otherwise nothing changes, and the caller calls cores_caches_ask. */
bool cores_caches_hit(struct cores_caches *caches, int cpu, uintptr_t address, enum cores_access access, uint32_t *ps);

/* A request that has its place in the queue of its line. */
struct cores_ask {
    uint64_t start_ps; /* the time at which the request is served, behind earlier requests of the line */
    uint64_t take_ps;  /* the time at which it takes the line from the present holder, who uses it until then */
};

/** Queues an access that cores_caches_hit refused. The caller waits for its turn at take_ps, and then calls
 * cores_caches_take. Between the two calls the holder keeps its copy: a request has to reach the holder, and only then
 * the line travels back. */
struct cores_ask cores_caches_ask(struct cores_caches *caches, int cpu, uintptr_t address, enum cores_access access,
                                  uint64_t now_ps);

struct cores_miss {
    uint64_t done_ps; /* the time at which the CPU has the line */
    enum cores_from from;
    int holder;           /* the CPU whose copy was sent or, of several that were invalidated, is farthest; -1 */
    uint32_t invalidated; /* shared copies of other CPUs */
};

/** Serves a request. Calls must come in the order of their take_ps. */
struct cores_miss cores_caches_take(struct cores_caches *caches, int cpu, uintptr_t address, enum cores_access access,
                                    const struct cores_ask *ask);

/** True if memory ran out. From then on an access to a new page costs a load from the CPU's own node, and no cache
 * takes the line. */
bool cores_caches_exhausted(const struct cores_caches *caches);

/** Forgets all copies and times, but not the nodes of memory. */
void cores_caches_forget(struct cores_caches *caches);

/* What all accesses to one line cost since the caches were opened; for reports. */
struct cores_line {
    uintptr_t address; /* of its first byte */
    uint64_t misses;
    uint64_t transfers;     /* misses served by another CPU's cache */
    uint64_t invalidations; /* shared copies taken away by a write */
    uint64_t writebacks;    /* modified data written to an L3 or to memory */
    uint64_t wait_ps;       /* all misses */
    uint64_t queued_ps;     /* part of it behind earlier requests */
};

/** Returns the `most` lines with the largest wait_ps, largest first, and their number. The caller frees `*lines`. */
int cores_caches_costliest(const struct cores_caches *caches, int most, struct cores_line **lines, int *count,
                           struct ordo_error *error);

#endif
