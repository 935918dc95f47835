/* Functions for all commands of `ordo-mpi`. All ranks begin and end together, and only rank 0 prints. */
#ifndef ORDO_MPI_CLI_H
#define ORDO_MPI_CLI_H

#include <mpi.h>

#include "cluster/mpi/verify.h"
#include "cluster/transport/mpi_call.h"
#include "common/report.h"
#include "read.h"

enum { MPI_MOST_CLOCKS = 32 };

/** Reads the command line (table.h) before MPI starts, so that a usage error is reported at once. Only rank 0 prints
 * the error. */
void mpi_cli_read(const struct cli_table *table, int argc, char **argv, void *options);

/** True if this process is rank 0 according to the launcher's variables, or if these name no rank. Can be called before
 * MPI starts. */
bool mpi_cli_speaks(void);

/** Returns the deadline in ns, for the options of the library. Negative: no deadline. */
int64_t mpi_cli_deadline_ns(void);

/** Starts MPI and returns the rank. Rank r of a node waits r ms before MPI_Init. Its first call of MPI_Wtime is 1 ms
 * after that of rank r - 1. So if a clock takes its origin at one of these calls, the origins of two ranks certainly
 * differ.
 *
 * Ends the process with exit code 2 if
 * - the launcher started more ranks than MPI_COMM_WORLD has, or
 * - `alone` is false, and there is a single rank that was started without a launcher. */
int mpi_cli_begin(const char *program, double deadline_s, bool alone);

/** Ends MPI. Returns `exit_code` on rank 0 and 0 on other ranks, so that the launcher's exit code is that of rank 0. */
int mpi_cli_end(int exit_code);

/** If `code` is not 0, prints the error, and ends all ranks with exit code 70, because other ranks may wait for this
 * one. */
void mpi_cli_must(int code, const struct ordo_error *error);

/** Does mpi_cli_must for the result `failed` of the MPI function `call`. */
void mpi_cli_call(int failed, const char *call);

/** Calls a function of MPI with the arguments that follow its name. If it fails, ends the program. */
#define MPI_CLI_CALL(function, ...) mpi_cli_call(function(__VA_ARGS__), #function)

/** Returns the watch (mpi_call.h) that the tool uses for its own operations. Its communicator contains all ranks. */
struct ordo_mpi_watch *mpi_cli_watch(void);

/** Collective: returns when all ranks have called it. */
void mpi_cli_barrier(void);

/** Collective: replaces `values`, at most 96 bytes, by the combination of all ranks' values by `op`. */
void mpi_cli_reduce(void *values, int count, MPI_Datatype type, MPI_Op op);

/** Call it before an MPI call that blocks, with the name of the call, and afterwards with NULL. If the deadline passes
 * between the two, the process prints the name, and ends with exit code 70. */
void mpi_cli_guard(const char *call);

/** Calls a function of MPI with the arguments that follow its name, guarded by mpi_cli_guard. */
#define MPI_CLI_GUARDED(function, ...) (mpi_cli_guard(#function), (void)function(__VA_ARGS__), mpi_cli_guard(NULL))

/** Adds the injections for the rank `rank` to its clocks. */
void mpi_cli_inject(struct ordo_node_clock *clocks, int count, const struct mpi_injections *injections, int rank);

#endif
