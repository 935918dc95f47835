/* Converts the result of a function of MPI to an error that names the function. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_RESULT_H
#define ORDO_CLUSTER_TRANSPORT_MPI_RESULT_H

#include <mpi.h>

#include "base/error.h"

/** Calls a function of MPI with the arguments that follow its name.
 * ORDO_OK: success
 * ORDO_E_SYSTEM: the function failed; the text has its name and MPI's message */
#define ORDO_MPI_CALL(error, function, ...) ordo_mpi_result(function(__VA_ARGS__), #function, error)

/** Converts the `code` that `call` returned: ORDO_OK, or ORDO_E_SYSTEM with MPI's message. */
int ordo_mpi_result(int code, const char *call, struct ordo_error *error);

#endif
