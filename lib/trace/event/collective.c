#include "trace/event/collective.h"

#include <string.h>
#include <strings.h>

#include "trace/event/nccl.h"

enum ordo_event_collective ordo_event_collective_of(struct ordo_text name)
{
    static const struct {
        const char *word;
        enum ordo_event_collective makes;
    } known[] = {
        {"barrier", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"allreduce", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"allgather", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"allgatherv", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"alltoall", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"alltoallv", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"alltoallw", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"reduce_scatter", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"reduce_scatter_block", ORDO_COLLECTIVE_ALL_TO_ALL},
        {"bcast", ORDO_COLLECTIVE_ONE_TO_ALL},
        {"scatter", ORDO_COLLECTIVE_ONE_TO_ALL},
        {"scatterv", ORDO_COLLECTIVE_ONE_TO_ALL},
        {"reduce", ORDO_COLLECTIVE_ALL_TO_ONE},
        {"gather", ORDO_COLLECTIVE_ALL_TO_ONE},
        {"gatherv", ORDO_COLLECTIVE_ALL_TO_ONE},
        {"scan", ORDO_COLLECTIVE_PREFIX},
        {"exscan", ORDO_COLLECTIVE_PREFIX},
    };
    if (name.length < 5 || memcmp(name.at, "MPI_", 4) != 0)
        return ordo_nccl_collective_of(name);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i].word) == name.length - 4 && strncasecmp(name.at + 4, known[i].word, name.length - 4) == 0)
            return known[i].makes;
    return ORDO_COLLECTIVE_NONE;
}

enum ordo_event_collective ordo_event_waits_of(struct ordo_text name)
{
    static const char *const uneven[] = {"allgatherv",     "alltoallv", "alltoallw",
                                         "reduce_scatter", "scatterv",  "gatherv"};
    bool is_mpi = name.length > 4 && memcmp(name.at, "MPI_", 4) == 0;
    for (size_t i = 0; is_mpi && i < sizeof uneven / sizeof *uneven; i++)
        if (strlen(uneven[i]) == name.length - 4 && strncasecmp(name.at + 4, uneven[i], name.length - 4) == 0)
            return ORDO_COLLECTIVE_NONE; /* [K18] */
    return ordo_event_collective_of(name);
}
