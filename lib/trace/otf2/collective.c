#include "trace/otf2/collective.h"

#include <string.h>

#include "trace/event/collective.h"

static const struct {
    const char *name;
    OTF2_CollectiveOp operation;
    uint8_t waits;
} all[] = {{"MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST, ORDO_COLLECTIVE_ONE_TO_ALL},
           {"MPI_Gather", OTF2_COLLECTIVE_OP_GATHER, ORDO_COLLECTIVE_ALL_TO_ONE},
           {"MPI_Gatherv", OTF2_COLLECTIVE_OP_GATHERV, ORDO_COLLECTIVE_ALL_TO_ONE},
           {"MPI_Scatter", OTF2_COLLECTIVE_OP_SCATTER, ORDO_COLLECTIVE_ONE_TO_ALL},
           {"MPI_Scatterv", OTF2_COLLECTIVE_OP_SCATTERV, ORDO_COLLECTIVE_ONE_TO_ALL},
           {"MPI_Allgather", OTF2_COLLECTIVE_OP_ALLGATHER, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Allgatherv", OTF2_COLLECTIVE_OP_ALLGATHERV, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Alltoallw", OTF2_COLLECTIVE_OP_ALLTOALLW, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE, ORDO_COLLECTIVE_ALL_TO_ONE},
           {"MPI_Reduce_scatter", OTF2_COLLECTIVE_OP_REDUCE_SCATTER, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Reduce_scatter_block", OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, ORDO_COLLECTIVE_ALL_TO_ALL},
           {"MPI_Scan", OTF2_COLLECTIVE_OP_SCAN, ORDO_COLLECTIVE_PREFIX},
           {"MPI_Exscan", OTF2_COLLECTIVE_OP_EXSCAN, ORDO_COLLECTIVE_PREFIX}};

enum { COUNT = sizeof all / sizeof *all };

enum ordo_event_collective ordo_otf2_waits(OTF2_CollectiveOp operation)
{
    for (int i = 0; i < COUNT; i++)
        if (all[i].operation == operation)
            return (enum ordo_event_collective)all[i].waits;
    return ORDO_COLLECTIVE_NONE; /* handles and memory: MPI does not say that the ranks wait */
}

bool ordo_otf2_is_uneven(OTF2_CollectiveOp operation)
{
    for (int i = 0; i < COUNT; i++)
        if (all[i].operation == operation)
            return !ordo_event_waits_of((struct ordo_text){all[i].name, strlen(all[i].name)}); /* [K18] */
    return false;
}

OTF2_CollectiveOp ordo_otf2_operation(struct ordo_text name, enum ordo_event_collective waits)
{
    OTF2_CollectiveOp same = OTF2_COLLECTIVE_OP_BARRIER;
    for (int i = COUNT - 1; i >= 0; i--) {
        if (strlen(all[i].name) == name.length && memcmp(all[i].name, name.at, name.length) == 0)
            return all[i].operation;
        same = all[i].waits == waits ? all[i].operation : same;
    }
    return same;
}
