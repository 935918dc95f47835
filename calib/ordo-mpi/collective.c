#include "collective.h"

#define COLLECTIVE(name, arguments)                                                                                    \
    static int call_##name(const struct mpi_buffers *b)                                                                \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        return arguments;                                                                                              \
    }

COLLECTIVE(allgather, MPI_Allgather(b->send, b->ints, MPI_INT, b->receive, b->ints, MPI_INT, MPI_COMM_WORLD))
COLLECTIVE(allreduce, MPI_Allreduce(b->send, b->receive, b->ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD))
COLLECTIVE(alltoall, MPI_Alltoall(b->send, b->ints, MPI_INT, b->receive, b->ints, MPI_INT, MPI_COMM_WORLD))
COLLECTIVE(barrier, MPI_Barrier(MPI_COMM_WORLD))
COLLECTIVE(bcast, MPI_Bcast(b->send, b->ints, MPI_INT, 0, MPI_COMM_WORLD))
COLLECTIVE(gather, MPI_Gather(b->send, b->ints, MPI_INT, b->receive, b->ints, MPI_INT, 0, MPI_COMM_WORLD))
COLLECTIVE(reduce, MPI_Reduce(b->send, b->receive, b->ints, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD))
COLLECTIVE(reduce_scatter, MPI_Reduce_scatter_block(b->send, b->receive, b->ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD))
COLLECTIVE(scan, MPI_Scan(b->send, b->receive, b->ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD))
COLLECTIVE(scatter, MPI_Scatter(b->send, b->ints, MPI_INT, b->receive, b->ints, MPI_INT, 0, MPI_COMM_WORLD))

const struct mpi_collective mpi_collectives[] = {
    {"allgather", call_allgather},
    {"allreduce", call_allreduce},
    {"alltoall", call_alltoall},
    {"barrier", call_barrier},
    {"bcast", call_bcast},
    {"gather", call_gather},
    {"reduce", call_reduce},
    {"reduce_scatter", call_reduce_scatter},
    {"scan", call_scan},
    {"scatter", call_scatter},
    {NULL, NULL},
};

static int call_named_barrier(const struct mpi_buffers *b)
{
    return b->barrier->run(b->transport) ? MPI_ERR_OTHER : MPI_SUCCESS;
}

const struct mpi_collective mpi_named_barrier = {"a barrier", call_named_barrier};
