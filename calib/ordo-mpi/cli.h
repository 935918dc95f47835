/* What the commands of `ordo-mpi` share: they begin and end together, and only rank 0 speaks. */
#ifndef ORDO_MPI_CLI_H
#define ORDO_MPI_CLI_H

#include <mpi.h>

#include "cluster/mpi/verify.h"
#include "cluster/transport/mpi_call.h"
#include "common/report.h"
#include "read.h"

enum { MPI_MOST_CLOCKS = 32 };

/** Reads the command line (table.h) before MPI starts, so that a mistake costs no start; only rank 0 complains. */
void mpi_cli_read(const struct cli_table *table, int argc, char **argv, void *options);

/** Whether this process is rank 0, as far as can be known before MPI starts. */
bool mpi_cli_speaks(void);

/** The deadline in ns, and negative for none, as options of the library want it. */
int64_t mpi_cli_deadline_ns(void);

/** Starts MPI and returns the rank. Rank r of a node waits r ms before MPI_Init, and calls MPI_Wtime for the first time
 * 1 ms after the rank before it did: an origin that is taken at the first call then certainly differs.
 *
 * Ends the process with 2 if the launcher started more ranks than MPI knows of; and, unless `alone`, if there is one rank that no
 * launcher asked for. */
int mpi_cli_begin(const char *program, double deadline_s, bool alone);

/** Ends MPI. Rank 0 returns `exit_code`, the others 0, so that the launcher's is that of rank 0. */
int mpi_cli_end(int exit_code);

/** Where `code` is not 0: says why, and ends all ranks with 70, because the others may be waiting. */
void mpi_cli_must(int code, const struct ordo_error *error);

/** The same for what an MPI function, `call`, returned. */
void mpi_cli_call(int failed, const char *call);

/** Calls a function of MPI with the arguments that follow: the end where it fails. */
#define MPI_CLI_CALL(function, ...) mpi_cli_call(function(__VA_ARGS__), #function)

/** All ranks, as the tool's own operations see them: its communicator, and what waits on it (mpi_call.h). */
struct ordo_mpi_watch *mpi_cli_watch(void);

/** Collective: returns when all ranks have come. */
void mpi_cli_barrier(void);

/** Collective: `values`, of at most 96 bytes, become those of all ranks joined by `op`. */
void mpi_cli_reduce(void *values, int count, MPI_Datatype type, MPI_Op op);

/** Before a `call` that blocks and cannot be interrupted: should it not return within the deadline, the process ends
 * with 70. NULL: it has returned. */
void mpi_cli_guard(const char *call);

/** Calls such a function of MPI with the arguments that follow. */
#define MPI_CLI_GUARDED(function, ...) (mpi_cli_guard(#function), (void)function(__VA_ARGS__), mpi_cli_guard(NULL))

/** The clocks as this rank reads them, with the injections that are meant for it. */
void mpi_cli_inject(struct ordo_node_clock *clocks, int count, const struct mpi_injections *injections, int rank);

#endif
