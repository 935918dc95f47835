/* Calls that make communicators: each new communicator gets a number, and its ranks are written to the file before its
 * first event. */
#include "trace/record/message.h"

/* `made` is the new communicator, MPI_COMM_NULL if this rank is not in it. */
#define MAKES(function, parameters, arguments)                                                                         \
    ORDO_TRACE_WRAPPER int function parameters                                                                         \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_##function))                                                 \
            return P##function arguments;                                                                              \
        ordo_trace_call_begin(&call);                                                                                  \
        int code = P##function arguments;                                                                              \
        if (code == MPI_SUCCESS)                                                                                       \
            ordo_trace_communicator_number(*made);                                                                     \
        return ordo_trace_call_end(&call, code);                                                                       \
    }

MAKES(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *made), (comm, made))
MAKES(MPI_Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made), (comm, info, made))
MAKES(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *made), (comm, color, key, made))
MAKES(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made),
      (comm, type, key, info, made))
MAKES(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *made), (comm, group, made))
MAKES(MPI_Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made), (comm, group, tag, made))
MAKES(MPI_Cart_create,
      (MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm *made),
      (comm, dimensions, sizes, periods, reorder, made))
MAKES(MPI_Cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm *made), (comm, remain, made))
MAKES(MPI_Graph_create, (MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made),
      (comm, nodes, index, edges, reorder, made))
MAKES(MPI_Dist_graph_create,
      (MPI_Comm comm, int many, const int sources[], const int degrees[], const int destinations[], const int weights[],
       MPI_Info info, int reorder, MPI_Comm *made),
      (comm, many, sources, degrees, destinations, weights, info, reorder, made))
MAKES(MPI_Dist_graph_create_adjacent,
      (MPI_Comm comm, int indegree, const int sources[], const int inweights[], int outdegree, const int destinations[],
       const int outweights[], MPI_Info info, int reorder, MPI_Comm *made),
      (comm, indegree, sources, inweights, outdegree, destinations, outweights, info, reorder, made))
MAKES(MPI_Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *made), (comm, high, made))

MAKES(MPI_Intercomm_create, (MPI_Comm comm, int leader, MPI_Comm peers, int remote_leader, int tag, MPI_Comm *made),
      (comm, leader, peers, remote_leader, tag, made))

#if MPI_VERSION >= 4
MAKES(MPI_Comm_create_from_group,
      (MPI_Group group, const char *tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm *made),
      (group, tag, info, handler, made))
MAKES(MPI_Intercomm_create_from_groups,
      (MPI_Group group, int leader, MPI_Group peers, int remote_leader, const char *tag, MPI_Info info,
       MPI_Errhandler handler, MPI_Comm *made),
      (group, leader, peers, remote_leader, tag, info, handler, made))
#endif

/* The copy gets its number when its request is complete. On a communicator of one rank it gets the number at once: MPI
 * may return the same handle for several complete requests, and the table of requests could not tell them apart. */
static void remember_naming(MPI_Comm comm, MPI_Request request, struct ordo_trace_naming *naming)
{
    int size, done = 0;
    if (!naming)
        return;
    PMPI_Comm_size(comm, &size);
    if (size == 1)
        PMPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
    if (done)
        ordo_trace_naming_end(naming);
    else
        ordo_trace_request_put(&(struct ordo_trace_request){.key = (uintptr_t)request, .naming = naming});
}

#define COPIES(function, parameters, arguments)                                                                        \
    ORDO_TRACE_WRAPPER int function parameters                                                                         \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_##function))                                                 \
            return P##function arguments;                                                                              \
        ordo_trace_call_begin(&call);                                                                                  \
        int code = P##function arguments;                                                                              \
        if (code == MPI_SUCCESS)                                                                                       \
            remember_naming(comm, *request, ordo_trace_naming_begin(comm, made));                                      \
        return ordo_trace_call_end(&call, code);                                                                       \
    }

COPIES(MPI_Comm_idup, (MPI_Comm comm, MPI_Comm *made, MPI_Request *request), (comm, made, request))
#if MPI_VERSION >= 4
COPIES(MPI_Comm_idup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *made, MPI_Request *request),
       (comm, info, made, request))
#endif

ORDO_TRACE_REGION(MPI_Comm_spawn,
                  (const char *command, char *argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made,
                   int codes[]),
                  (command, argv, most, info, root, comm, made, codes))
ORDO_TRACE_REGION(MPI_Comm_spawn_multiple,
                  (int count, char *commands[], char **argvs[], const int most[], const MPI_Info infos[], int root,
                   MPI_Comm comm, MPI_Comm *made, int codes[]),
                  (count, commands, argvs, most, infos, root, comm, made, codes))
ORDO_TRACE_REGION(MPI_Comm_free, (MPI_Comm * comm), (comm))
