/* The algorithms to run, and the properties declared for the clocks: options of all commands that synchronise. */
#ifndef ORDO_MPI_LEVELS_H
#define ORDO_MPI_LEVELS_H

#include "cluster/sync/sync.h"
#include "common/table.h"

enum { MPI_MOST_ALGORITHMS = 16 };

struct mpi_levels {
    const char *usual[3]; /* the default algorithms; NULL after the last */
    int most;             /* how often --alg may be given */
    const char *inter, *socket, *intra;
    struct ordo_sync_options declared; /* the defaults, with the declared values */

    const char *names[MPI_MOST_ALGORITHMS]; /* as given on the command line */
    struct ordo_sync_options algorithms[MPI_MOST_ALGORITHMS];
    int count;
};

/** Rows for --alg, --inter, --max-wander-ppb and so on, for a struct mpi_levels with the first two members and
 * `declared` filled in. */
extern const struct cli_row mpi_levels_rows[];

/** Reads the algorithms. */
const char *mpi_levels_check(void *levels, char text[400]);

#endif
