/* Verification over MPI: every node of a communicator measures its clocks, and the lowest rank collects the
 * findings. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_H
#define ORDO_CLUSTER_MPI_VERIFY_H

#include <mpi.h>

#include "base/error.h"
#include "cluster/mpi/verify_types.h"

/** Collective: verifies the clocks of the ranks of `comm`. Leaves `comm` as it is: errors are returned, and no message
 * is sent over `comm` that the caller could receive. ORDO_E_SYSTEM with ETIMEDOUT: a rank is lost; the text names it.
 * If a clock takes its origin at its first read, the verdict is about the caller's own instance of the clock. */
int ordo_verify_run(MPI_Comm comm, const struct ordo_verify_options *options, struct ordo_verify **verify,
                    struct ordo_error *error);

#endif
