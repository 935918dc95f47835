/* Output that is read before the job ends. */
#ifndef ORDO_MPI_DRAIN_H
#define ORDO_MPI_DRAIN_H

#include <stdint.h>

/** Waits until nothing is left in the pipes that stdout and stderr may be, for at most `most_ns`: a launcher that is told
 * to end a job (MPI_Abort) ends it without reading on, MPICH's does. What is still buffered has to be flushed first. Makes
 * system calls only, so a handler of signals may call it. */
void mpi_drain(int64_t most_ns);

#endif
