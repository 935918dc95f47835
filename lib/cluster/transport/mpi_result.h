/* What a function of MPI returns, as an error of ours: it names the function. */
#ifndef ORDO_CLUSTER_TRANSPORT_MPI_RESULT_H
#define ORDO_CLUSTER_TRANSPORT_MPI_RESULT_H

#include <mpi.h>

#include "base/error.h"

/** Calls a function of MPI with the arguments that follow: ORDO_OK, or ORDO_E_SYSTEM with its name and MPI's words. */
#define ORDO_MPI_CALL(error, function, ...) ordo_mpi_result(function(__VA_ARGS__), #function, error)

/** ORDO_OK, or ORDO_E_SYSTEM with MPI's words for the `code` that `call` returned. */
int ordo_mpi_result(int code, const char *call, struct ordo_error *error);

#endif
