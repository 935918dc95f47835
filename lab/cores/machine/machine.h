/* The machines that can be simulated. Each is one file NAME.json in this folder (shape.h), with a matrix of published
 * transfer times in the folder published; this folder is the registry. All times are whole picoseconds, so that a run is deterministic. */
#ifndef ORDO_LAB_CORES_MACHINE_H
#define ORDO_LAB_CORES_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum cores_protocol { CORES_MESI, CORES_MESIF, CORES_MOESI };
enum cores_order { CORES_TSO, CORES_WEAK };

/* A level of cache of one core (L1, L2) or of one cluster (L3). No such level: 0 bytes. */
struct cores_level {
    uint64_t bytes;
    int ways;
    uint32_t hit_ps; /* load to use */
};

/* What a core knows of page tables. Without a description of it `first` is 0, and translation takes no time. */
struct cores_pages {
    int first, second; /* pages that each level of the TLB holds */
    int page_bytes;
    uint32_t second_ps; /* added if only the second level has the page */
    uint32_t walk_ps;   /* added if no level has it */
};

/* A value that is not known exactly. A simulation runs once with each of the three. */
struct cores_range {
    uint32_t low, likely, high;
};

struct cores_machine {
    const char *name;   /* the word on the command line */
    const char *title;  /* the processor, as its vendor names it */
    const char *source; /* where each constant is from; lines of text */
    int cpus, cores, clusters, nodes;
    int *core, *cluster, *node; /* [cpus]; CPUs of one core share L1 and L2, those of one cluster share the L3 */
    int line_bytes;
    enum cores_protocol protocol;
    enum cores_order order;
    struct cores_level l1, l2, l3;
    struct cores_pages tlb;
    uint32_t *transfer_ps; /* [cpus * cpus]: time of a modified line from the holder (row) to the requester (column) */
    uint32_t *memory_ps;   /* [nodes * nodes]: time of a load of node (row) from the memory of node (column) */
    struct cores_range transfer_percent; /* share of transfer_ps for which a queue of requests occupies a line */
    struct cores_range overlap;          /* number of independent loads that miss at the same time */
    int store_entries;                   /* stores that one CPU can have in flight */
    uint32_t cycle_ps;                   /* of a core's clock under load */
    uint32_t instruction_ps;             /* mean time of an instruction whose operands are in L1 */
    uint32_t mispredict_ps;
    uint32_t call_ps;       /* a system call that does nothing */
    uint32_t wake_ps;       /* from the call that wakes a thread until the thread runs on an idle CPU */
    uint32_t wake_call_ps;  /* of it, for the thread that wakes: added to a call for each thread that it wakes */
    uint32_t switch_ps;     /* from one thread to another one of the same CPU */
    uint32_t pause_ps;      /* the instruction that eases spinning */
    uint32_t update_ps;     /* an atomic read-modify-write of a line that the CPU owns */
    uint32_t fence_ps;      /* a full fence without a store in flight */
    uint32_t clock_ps;      /* an unordered read of the counter */
    uint32_t clock_load_ps; /* added by waiting for earlier loads, and by holding later accesses back: each */
    uint32_t smt_percent;   /* speed of a CPU while the other CPUs of its core are busy, in percent; 100 without SMT */
    uint64_t clock_hz;      /* frequency of the counter */
};

/** Opens the machine NAME; a name with a '/' or with the ending .json is the path of a file. If `cpus` > 0, enlarges or
 * reduces it to this number of CPUs: an enlarged machine has more copies of its largest node, at the distance "far" of
 * its file; a reduced machine has its first CPUs. Returns
 *
 * - ORDO_OK: the caller closes the machine;
 * - ORDO_E_INVALID: there is no such machine, its file is damaged, or it cannot have `cpus` CPUs; `error` names the
 *   file, the fault and the remedy;
 * - ORDO_E_SYSTEM: out of memory. */
int cores_machine_open(struct cores_machine **machine, const char *name, int cpus, struct ordo_error *error);

void cores_machine_close(struct cores_machine *machine);

/** Returns the name at `index` in alphabetical order; NULL behind the last. */
const char *cores_machine_name(size_t index);

#endif
