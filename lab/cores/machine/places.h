/* The places of the CPUs of a machine: which share a core, a cluster, a node; and machines made of parts of others. */
#ifndef ORDO_LAB_CORES_PLACES_H
#define ORDO_LAB_CORES_PLACES_H

#include "lab/cores/machine/machine.h"
#include "json/reader.h"

/** Sets core, cluster and node of the machine's CPUs, and the numbers of them, from the lists "cpus" of a file (shape.h).
 * The lists must describe machine->cpus CPUs: ORDO_E_INVALID if not, and the caller says so. ORDO_E_SYSTEM: out of
 * memory. */
int cores_places_read(struct cores_machine *machine, const struct ordo_json_value *lists);

/** Returns the number of CPUs that the lists describe. */
int64_t cores_places_count(const struct ordo_json_value *lists);

/* Distances between equal parts, in picoseconds: `board` parts are near each other, all others are far. */
struct cores_boards {
    int board;           /* a power of 2 */
    uint32_t near_ps[7]; /* element (i ^ j) - 1, for the parts i and j of one board */
    uint32_t far_ps;
};

static inline uint32_t cores_boards_apart(const struct cores_boards *boards, int i, int j)
{
    return i / boards->board == j / boards->board ? boards->near_ps[(i ^ j) - 1] : boards->far_ps;
}

/* A CPU of a new machine: a CPU of the old one, in one of several copies of it. */
struct cores_choice {
    int cpu, copy;
};

/** Replaces a machine by `count` chosen CPUs of copies of it. CPUs of one copy keep their distances, cores, clusters and nodes;
 * `boards` has the distances of the copies. If the machine has times of memory, the nodes of one copy keep them, and
 * `memory_far_ps` is the time between copies. On failure the machine is unchanged. */
int cores_places_choose(struct cores_machine *machine, const struct cores_choice *choices, int count,
                        const struct cores_boards *boards, uint32_t memory_far_ps, struct ordo_error *error);

#endif
