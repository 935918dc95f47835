/* Verification over MPI: the ranks of every node measure their clocks, and rank 0 collects the findings. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_H
#define ORDO_CLUSTER_MPI_VERIFY_H

#include <mpi.h>

#include "base/error.h"
#include "cluster/mpi/verify_types.h"

/** Collective: verifies the clocks of the ranks of `comm`. Does not change `comm`, and sends no message that the caller
 * could receive. Errors are returned, whatever the error handler of `comm` is. ORDO_E_SYSTEM with ETIMEDOUT: a rank is
 * lost; the text names the rank. If a clock takes its origin at its first read in a process, the verdict holds for the
 * calling processes only. */
int ordo_verify_run(MPI_Comm comm, const struct ordo_verify_options *options, struct ordo_verify **verify,
                    struct ordo_error *error);

#endif
