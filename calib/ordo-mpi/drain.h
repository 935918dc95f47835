/* Waits until the output is read, before the job ends. */
#ifndef ORDO_MPI_DRAIN_H
#define ORDO_MPI_DRAIN_H

#include <stdint.h>

/** Waits for at most `most_ns` until the pipes of stdout and stderr, if they are pipes, are empty. A launcher that ends
 * a job (MPI_Abort) may stop reading at once, as MPICH's does. The caller flushes its buffers before. Makes system
 * calls only, so a signal handler may call it. */
void mpi_drain(int64_t most_ns);

#endif
