/* What a rank can tell about where it runs: evidence for people, on which no verdict rests. */
#ifndef ORDO_CLUSTER_MPI_EVIDENCE_H
#define ORDO_CLUSTER_MPI_EVIDENCE_H

#include "cluster/mpi/verify.h"

/** Fills in all but `rank` and `node`; what cannot be read is empty. */
void ordo_evidence_take(struct ordo_verify_rank *rank);

/** Writes the name and version of the MPI library, such as "Open MPI v4.1.4". */
void ordo_evidence_mpi(char *text, size_t size);

#endif
