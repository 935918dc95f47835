/* The collective operations whose run time can be measured, each as one call with all its buffers. */
#ifndef ORDO_MPI_COLLECTIVE_H
#define ORDO_MPI_COLLECTIVE_H

#include <mpi.h>
#include <stddef.h>

struct mpi_buffers {
    void *send, *receive; /* each `bytes` for every rank */
    int ints;             /* in one rank's part */
};

struct mpi_collective {
    const char *name;
    /* Returns the result of MPI. */
    int (*call)(const struct mpi_buffers *buffers);
};

/** All collectives, ending with a NULL name. */
extern const struct mpi_collective mpi_collectives[];

#endif
