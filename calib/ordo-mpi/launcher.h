/* The variables that an MPI launcher sets in the environment of its processes. */
#ifndef ORDO_MPI_LAUNCHER_H
#define ORDO_MPI_LAUNCHER_H

/** Returns the rank of this process. -1: no launcher has set it. */
int mpi_launcher_rank(void);

/** Returns the rank within the node. If no launcher has set it, returns mpi_launcher_rank(). */
int mpi_launcher_local_rank(void);

/** Returns the number of ranks that the launcher started. 0: no launcher has set it. */
int mpi_launcher_size(void);

/** True if there is nothing to compare, with the reason in `text`:
 * - the launcher started more processes than MPI_COMM_WORLD has, or
 * - `alone` is false, and there is a single rank that was started without a launcher. */
int mpi_launcher_differs(int world_size, int alone, char text[400]);

#endif
