/* What a launcher tells a process in its environment, before MPI starts. */
#ifndef ORDO_MPI_LAUNCHER_H
#define ORDO_MPI_LAUNCHER_H

/** Returns the rank, or -1 if no launcher names one. */
int mpi_launcher_rank(void);

/** Returns the rank within the node. Falls back to the rank, and to -1. */
int mpi_launcher_local_rank(void);

/** Returns the number of ranks that the launcher started, or 0 if no launcher names it. */
int mpi_launcher_size(void);

/** Says in `text` why ranks cannot be compared: the launcher started several processes, and each is an MPI world of its own; or,
 * unless `alone`, no launcher started the single rank. Returns 1, or 0 if there is nothing to say. */
int mpi_launcher_differs(int world_size, int alone, char text[400]);

#endif
