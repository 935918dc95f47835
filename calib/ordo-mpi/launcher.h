/* The variables that an MPI launcher sets in the environment of its processes. */
#ifndef ORDO_MPI_LAUNCHER_H
#define ORDO_MPI_LAUNCHER_H

/** Returns the rank, or -1 if no launcher names one. */
int mpi_launcher_rank(void);

/** Returns the rank within the node. Falls back to the rank, and to -1. */
int mpi_launcher_local_rank(void);

/** Returns the number of ranks that the launcher started, or 0 if no launcher names it. */
int mpi_launcher_size(void);

/** True if ranks cannot be compared: the launcher started more processes than MPI_COMM_WORLD has; or, unless `alone`,
 * the single rank was started without a launcher. Puts the reason into `text`. */
int mpi_launcher_differs(int world_size, int alone, char text[400]);

#endif
