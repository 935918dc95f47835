/* Which algorithms to run, and what is declared of the clocks: options of all commands that synchronise. */
#ifndef ORDO_MPI_LEVELS_H
#define ORDO_MPI_LEVELS_H

#include "cluster/sync/sync.h"
#include "common/table.h"

enum { MPI_MOST_ALGORITHMS = 16 };

struct mpi_levels {
    const char *usual[3]; /* the algorithms where none is named; NULL after the last */
    int most;             /* --alg may be given so often */
    const char *inter, *socket, *intra;
    struct ordo_sync_options declared; /* the defaults, with what was declared */

    const char *names[MPI_MOST_ALGORITHMS]; /* as given */
    struct ordo_sync_options algorithms[MPI_MOST_ALGORITHMS];
    int count;
};

/** --alg, --inter, --max-wander-ppb and so on, for a struct mpi_levels with the first two and `declared` filled in. */
extern const struct cli_row mpi_levels_rows[];

/** Reads the algorithms. */
const char *mpi_levels_check(void *levels, char text[400]);

#endif
