/* Waits until the launcher has read the output, before the job ends. */
#ifndef ORDO_MPI_DRAIN_H
#define ORDO_MPI_DRAIN_H

#include <stdint.h>

/** Waits, at most for `most_ns`, until stdout and stderr are empty, if they are pipes. Call it before MPI_Abort,
 * because a launcher may then stop reading at once, as MPICH's does. The caller must flush its buffers before. Makes
 * only system calls, so a signal handler may call it. */
void mpi_drain(int64_t most_ns);

#endif
