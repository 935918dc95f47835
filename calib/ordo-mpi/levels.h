/* The options of all commands that synchronise: the algorithms to run, and the declared properties of the clocks. */
#ifndef ORDO_MPI_LEVELS_H
#define ORDO_MPI_LEVELS_H

#include "cluster/sync/sync.h"
#include "common/table.h"

enum { MPI_MOST_ALGORITHMS = 16 };

struct mpi_levels {
    const char *usual[3]; /* the default algorithms; NULL after the last */
    int most;             /* largest number of --alg options */
    const char *inter, *socket, *intra;
    struct ordo_sync_options declared; /* default options, with the declared wander and skew */

    const char *names[MPI_MOST_ALGORITHMS]; /* texts of the algorithms on the command line */
    struct ordo_sync_options algorithms[MPI_MOST_ALGORITHMS];
    int count;
};

/** Rows for --alg, --inter, --max-wander-ppb and so on, which fill a struct mpi_levels. The command must set `usual`,
 * `most` and `declared` before. */
extern const struct cli_row mpi_levels_rows[];

/** Reads the algorithms, after all options were read. Returns NULL, or the text of an error. */
const char *mpi_levels_check(void *levels, char text[400]);

#endif
