/* Shared parts of the commands of `ordo-mpi`: all ranks begin and end together, and only rank 0 prints. */
#ifndef ORDO_MPI_CLI_H
#define ORDO_MPI_CLI_H

#include <mpi.h>

#include "cluster/mpi/verify.h"
#include "cluster/transport/mpi_call.h"
#include "common/report.h"
#include "read.h"

enum { MPI_MOST_CLOCKS = 32 };

/** Reads the command line (table.h) before MPI starts, so that a usage error costs no start; only rank 0 prints it. */
void mpi_cli_read(const struct cli_table *table, int argc, char **argv, void *options);

/** True if this process is rank 0, as far as can be known before MPI starts. */
bool mpi_cli_speaks(void);

/** Returns the deadline in ns, negative for none, in the form of the library's options. */
int64_t mpi_cli_deadline_ns(void);

/** Starts MPI and returns the rank. Rank r of a node waits r ms before MPI_Init, and calls MPI_Wtime for the first time
 * 1 ms after the rank before it did, so that origins taken at the first call certainly differ.
 *
 * Ends the process with 2 if the launcher started more ranks than MPI knows of; or, unless `alone`, if there is one
 * rank and no launcher started it. */
int mpi_cli_begin(const char *program, double deadline_s, bool alone);

/** Ends MPI. Rank 0 returns `exit_code`, the others 0, so that the launcher's is that of rank 0. */
int mpi_cli_end(int exit_code);

/** If `code` is not 0: prints why, and ends all ranks with 70, because the others may be waiting. */
void mpi_cli_must(int code, const struct ordo_error *error);

/** Does the same for the result `failed` of an MPI function, `call`. */
void mpi_cli_call(int failed, const char *call);

/** Calls a function of MPI with the arguments that follow; a failure ends the program. */
#define MPI_CLI_CALL(function, ...) mpi_cli_call(function(__VA_ARGS__), #function)

/** Returns the communicator of the tool's own operations, with all ranks, and the watch on them (mpi_call.h). */
struct ordo_mpi_watch *mpi_cli_watch(void);

/** Collective: returns when all ranks have come. */
void mpi_cli_barrier(void);

/** Collective: replaces `values`, of at most 96 bytes, by those of all ranks joined by `op`. */
void mpi_cli_reduce(void *values, int count, MPI_Datatype type, MPI_Op op);

/** Guards a `call` that blocks and cannot be interrupted: if it does not return within the deadline, the process ends
 * with 70. NULL: the call has returned. */
void mpi_cli_guard(const char *call);

/** Calls a guarded function of MPI with the arguments that follow. */
#define MPI_CLI_GUARDED(function, ...) (mpi_cli_guard(#function), (void)function(__VA_ARGS__), mpi_cli_guard(NULL))

/** Adds to the clocks of this rank the injections that are meant for it. */
void mpi_cli_inject(struct ordo_node_clock *clocks, int count, const struct mpi_injections *injections, int rank);

#endif
