/* Verification over MPI: every node of a communicator looks at its clocks; the lowest rank hears of all. */
#ifndef ORDO_CLUSTER_MPI_VERIFY_H
#define ORDO_CLUSTER_MPI_VERIFY_H

#include <mpi.h>

#include "base/error.h"
#include "cluster/mpi/verify_types.h"

/** Collective over `comm`, which is not touched: errors are returned, and nothing is sent over it that it could meet.
 * ORDO_E_SYSTEM with ETIMEDOUT, and its name in the text, where a rank is lost.
 * What is to be proved of a clock that takes its origin when it is first read is about the caller's own instance. */
int ordo_verify_run(MPI_Comm comm, const struct ordo_verify_options *options, struct ordo_verify **verify,
                    struct ordo_error *error);

#endif
