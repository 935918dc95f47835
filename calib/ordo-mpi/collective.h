/* The collective operations whose run time can be measured. Each is a function that makes one call of MPI. */
#ifndef ORDO_MPI_COLLECTIVE_H
#define ORDO_MPI_COLLECTIVE_H

#include <mpi.h>
#include <stddef.h>

#include "cluster/barrier/barrier.h"

struct mpi_buffers {
    void *send, *receive; /* two buffers, each with room for `ints` ints per rank */
    int ints;             /* number of ints in the part of one rank */
    /* For mpi_named_barrier only. */
    const struct ordo_barrier *barrier;
    struct ordo_transport *transport;
};

struct mpi_collective {
    const char *name;
    /* Makes the call, and returns MPI's result. */
    int (*call)(const struct mpi_buffers *buffers);
};

/** All collectives, ending with a NULL name. */
extern const struct mpi_collective mpi_collectives[];

/** The barrier that the buffers name. It sends its own messages, instead of calling MPI_Barrier. */
extern const struct mpi_collective mpi_named_barrier;

#endif
