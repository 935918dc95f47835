/* Facts about a rank and its machine, which reports print for people. A verification itself uses only `trust` and
 * `socket`. */
#ifndef ORDO_CLUSTER_MPI_EVIDENCE_H
#define ORDO_CLUSTER_MPI_EVIDENCE_H

#include <stddef.h>
#include <stdint.h>

/** The facts about one rank. */
struct ordo_verify_rank {
    int rank, node;        /* rank in the communicator; number of its node */
    int pid, cpus, socket; /* cpus: number of CPUs that it may use; socket: -1 if these are of several sockets */
    char host[64], boot_id[40], time_namespace[32], clocksource[32], binding[64], mpi[64];
    int64_t monotonic_shift_ns; /* offset of CLOCK_MONOTONIC in its time namespace */
    int trust;                  /* enum ordo_trust_class of its hardware clock */
    char trust_reason[160];
};

/** Fills in all members except `rank` and `node`. A member that cannot be read becomes empty. */
void ordo_evidence_take(struct ordo_verify_rank *rank);

/** Writes the name and version of the MPI library, such as "Open MPI v4.1.4". */
void ordo_evidence_mpi(char *text, size_t size);

#endif
