/* Collective operations. The events of an operation state which ranks wait for which (enum ordo_trace_collective),
 * except for
 * - an operation without data: no rank has to wait for a rank that contributes nothing;
 * - the v and w forms, in which ranks may contribute different amounts: one rank cannot know whether all contribute;
 * - an operation on an intercommunicator: a rank waits only for the other group, and the layout has no kind for this;
 * - a nonblocking operation, which is only a region: its ranks wait in a later call, such as MPI_Wait, which does not
 *   know the operation. */
#include "trace/record/call.h"
#include "trace/record/session.h"

static int world_rank_of_root(const struct ordo_trace_communicator *communicator, int root)
{
    return root < 0 ? -1 : ordo_trace_world_rank(communicator, root);
}

/* Enters a call. Returns true if the call is to be recorded. On MPI_COMM_WORLD a session may be held first. */
static bool enter_collective(struct ordo_trace_call *call, enum ordo_trace_call_name name, MPI_Comm comm)
{
    if (ordo_trace_own.inside || !ordo_trace_thread_of_this())
        return false;
    if (comm == MPI_COMM_WORLD)
        ordo_trace_session_periodic();
    return ordo_trace_call_enter(call, name);
}

/* Fills in the values that are known before the operation, and records its BEGIN. */
static void begin_collective(struct ordo_trace_call *call, MPI_Comm comm, enum ordo_trace_collective kind, int root,
                             uint64_t bytes)
{
    struct ordo_trace_communicator *communicator = ordo_trace_communicator_of(comm);
    bool empty = bytes == 0 && call->name != ORDO_TRACE_CALL_MPI_Barrier;
    call->bytes = bytes;
    if (communicator) {
        call->communicator = communicator->index;
        call->root = communicator->two_groups ? -1 : world_rank_of_root(communicator, root);
        call->collective = (uint16_t)(empty || communicator->two_groups ? ORDO_TRACE_NO_COLLECTIVE : kind);
        call->number = communicator->collectives++;
    }
    ordo_trace_call_begin(call);
}

/* Returns the bytes of this rank's part. At the root only `root_count` is valid, elsewhere only `count`. */
static uint64_t part(MPI_Comm comm, int root, int64_t root_count, MPI_Datatype root_type, int64_t count,
                     MPI_Datatype type)
{
    const struct ordo_trace_communicator *communicator = ordo_trace_communicator_of(comm);
    if (!communicator)
        return 0;
    return communicator->own == root ? ordo_trace_bytes(root_count, root_type) : ordo_trace_bytes(count, type);
}

/* Returns the bytes that a rank exchanges with all others; counts[i] elements with rank i. */
static uint64_t sum(MPI_Comm comm, const int counts[], MPI_Datatype type)
{
    const struct ordo_trace_communicator *communicator = ordo_trace_communicator_of(comm);
    uint64_t bytes = 0;
    for (int i = 0; communicator && counts && i < communicator->size; i++)
        bytes += ordo_trace_bytes(counts[i], type);
    return bytes;
}

/* Defines a function whose events have the name of `call`. */
#define COLLECTIVE_AS(function, call_name, kind, root, bytes_given, parameters, arguments)                             \
    ORDO_TRACE_WRAPPER int function parameters                                                                         \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        if (!enter_collective(&call, ORDO_TRACE_CALL_##call_name, comm))                                               \
            return P##function arguments;                                                                              \
        begin_collective(&call, comm, kind, root, bytes_given);                                                        \
        return ordo_trace_call_end(&call, P##function arguments);                                                      \
    }
#define COLLECTIVE(function, ...) COLLECTIVE_AS(function, function, __VA_ARGS__)

/* clang-format off: one entry for each operation */
COLLECTIVE(MPI_Barrier, ORDO_TRACE_ALL_TO_ALL, -1, 0, (MPI_Comm comm), (comm))
COLLECTIVE(MPI_Bcast, ORDO_TRACE_ONE_TO_ALL, root, ordo_trace_bytes(count, type),
           (void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm), (bytes, count, type, root, comm))
COLLECTIVE(MPI_Reduce, ORDO_TRACE_ALL_TO_ONE, root, ordo_trace_bytes(count, type),
           (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
           (out, in, count, type, op, root, comm))
COLLECTIVE(MPI_Allreduce, ORDO_TRACE_ALL_TO_ALL, -1, ordo_trace_bytes(count, type),
           (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
COLLECTIVE(MPI_Scan, ORDO_TRACE_PREFIX, -1, ordo_trace_bytes(count, type),
           (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
COLLECTIVE(MPI_Exscan, ORDO_TRACE_PREFIX, -1, ordo_trace_bytes(count, type),
           (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
COLLECTIVE(MPI_Reduce_scatter_block, ORDO_TRACE_ALL_TO_ALL, -1, ordo_trace_bytes(count, type),
           (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
COLLECTIVE(MPI_Reduce_scatter, ORDO_TRACE_NO_COLLECTIVE, -1, sum(comm, counts, type),
           (const void *out, void *in, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, counts, type, op, comm))
COLLECTIVE(MPI_Gather, ORDO_TRACE_ALL_TO_ONE, root, part(comm, root, recvcount, recvtype, sendcount, sendtype),
           (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount, MPI_Datatype recvtype,
            int root, MPI_Comm comm),
           (out, sendcount, sendtype, in, recvcount, recvtype, root, comm))
COLLECTIVE(MPI_Gatherv, ORDO_TRACE_NO_COLLECTIVE, root, out == MPI_IN_PLACE ? 0 : ordo_trace_bytes(sendcount, sendtype),
           (const void *out, int sendcount, MPI_Datatype sendtype, void *in, const int recvcounts[], const int places[],
            MPI_Datatype recvtype, int root, MPI_Comm comm),
           (out, sendcount, sendtype, in, recvcounts, places, recvtype, root, comm))
COLLECTIVE(MPI_Scatter, ORDO_TRACE_ONE_TO_ALL, root, part(comm, root, sendcount, sendtype, recvcount, recvtype),
           (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount, MPI_Datatype recvtype,
            int root, MPI_Comm comm),
           (out, sendcount, sendtype, in, recvcount, recvtype, root, comm))
COLLECTIVE(MPI_Scatterv, ORDO_TRACE_NO_COLLECTIVE, root, in == MPI_IN_PLACE ? 0 : ordo_trace_bytes(recvcount, recvtype),
           (const void *out, const int sendcounts[], const int places[], MPI_Datatype sendtype, void *in, int recvcount,
            MPI_Datatype recvtype, int root, MPI_Comm comm),
           (out, sendcounts, places, sendtype, in, recvcount, recvtype, root, comm))
COLLECTIVE(MPI_Allgather, ORDO_TRACE_ALL_TO_ALL, -1, ordo_trace_bytes(recvcount, recvtype),
           (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount, MPI_Datatype recvtype,
            MPI_Comm comm),
           (out, sendcount, sendtype, in, recvcount, recvtype, comm))
COLLECTIVE(MPI_Allgatherv, ORDO_TRACE_NO_COLLECTIVE, -1,
           out == MPI_IN_PLACE ? 0 : ordo_trace_bytes(sendcount, sendtype),
           (const void *out, int sendcount, MPI_Datatype sendtype, void *in, const int recvcounts[], const int places[],
            MPI_Datatype recvtype, MPI_Comm comm),
           (out, sendcount, sendtype, in, recvcounts, places, recvtype, comm))
COLLECTIVE(MPI_Alltoall, ORDO_TRACE_ALL_TO_ALL, -1, ordo_trace_bytes(recvcount, recvtype),
           (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount, MPI_Datatype recvtype,
            MPI_Comm comm),
           (out, sendcount, sendtype, in, recvcount, recvtype, comm))
COLLECTIVE(MPI_Alltoallv, ORDO_TRACE_NO_COLLECTIVE, -1, out == MPI_IN_PLACE ? 0 : sum(comm, sendcounts, sendtype),
           (const void *out, const int sendcounts[], const int sendplaces[], MPI_Datatype sendtype, void *in,
            const int recvcounts[], const int recvplaces[], MPI_Datatype recvtype, MPI_Comm comm),
           (out, sendcounts, sendplaces, sendtype, in, recvcounts, recvplaces, recvtype, comm))
COLLECTIVE(MPI_Alltoallw, ORDO_TRACE_NO_COLLECTIVE, -1, 0,
           (const void *out, const int sendcounts[], const int sendplaces[], const MPI_Datatype sendtypes[], void *in,
            const int recvcounts[], const int recvplaces[], const MPI_Datatype recvtypes[], MPI_Comm comm),
           (out, sendcounts, sendplaces, sendtypes, in, recvcounts, recvplaces, recvtypes, comm))

ORDO_TRACE_REGION(MPI_Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request))
ORDO_TRACE_REGION(MPI_Ibcast,
                  (void *bytes, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),
                  (bytes, count, type, root, comm, request))
ORDO_TRACE_REGION(MPI_Ireduce,
                  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                   MPI_Request *request),
                  (out, in, count, type, op, root, comm, request))
ORDO_TRACE_REGION(MPI_Iallreduce,
                  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request),
                  (out, in, count, type, op, comm, request))
ORDO_TRACE_REGION(MPI_Iscan,
                  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request),
                  (out, in, count, type, op, comm, request))
ORDO_TRACE_REGION(MPI_Iexscan,
                  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request),
                  (out, in, count, type, op, comm, request))
ORDO_TRACE_REGION(MPI_Ireduce_scatter_block,
                  (const void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request),
                  (out, in, count, type, op, comm, request))
ORDO_TRACE_REGION(MPI_Ireduce_scatter,
                  (const void *out, void *in, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request *request),
                  (out, in, counts, type, op, comm, request))
ORDO_TRACE_REGION(MPI_Igather,
                  (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
                  (out, sendcount, sendtype, in, recvcount, recvtype, root, comm, request))
ORDO_TRACE_REGION(MPI_Igatherv,
                  (const void *out, int sendcount, MPI_Datatype sendtype, void *in, const int recvcounts[],
                   const int places[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
                  (out, sendcount, sendtype, in, recvcounts, places, recvtype, root, comm, request))
ORDO_TRACE_REGION(MPI_Iscatter,
                  (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
                  (out, sendcount, sendtype, in, recvcount, recvtype, root, comm, request))
ORDO_TRACE_REGION(MPI_Iscatterv,
                  (const void *out, const int sendcounts[], const int places[], MPI_Datatype sendtype, void *in,
                   int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request),
                  (out, sendcounts, places, sendtype, in, recvcount, recvtype, root, comm, request))
ORDO_TRACE_REGION(MPI_Iallgather,
                  (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
                  (out, sendcount, sendtype, in, recvcount, recvtype, comm, request))
ORDO_TRACE_REGION(MPI_Iallgatherv,
                  (const void *out, int sendcount, MPI_Datatype sendtype, void *in, const int recvcounts[],
                   const int places[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
                  (out, sendcount, sendtype, in, recvcounts, places, recvtype, comm, request))
ORDO_TRACE_REGION(MPI_Ialltoall,
                  (const void *out, int sendcount, MPI_Datatype sendtype, void *in, int recvcount,
                   MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request),
                  (out, sendcount, sendtype, in, recvcount, recvtype, comm, request))
ORDO_TRACE_REGION(MPI_Ialltoallv,
                  (const void *out, const int sendcounts[], const int sendplaces[], MPI_Datatype sendtype, void *in,
                   const int recvcounts[], const int recvplaces[], MPI_Datatype recvtype, MPI_Comm comm,
                   MPI_Request *request),
                  (out, sendcounts, sendplaces, sendtype, in, recvcounts, recvplaces, recvtype, comm, request))
ORDO_TRACE_REGION(MPI_Ialltoallw,
                  (const void *out, const int sendcounts[], const int sendplaces[], const MPI_Datatype sendtypes[],
                   void *in, const int recvcounts[], const int recvplaces[], const MPI_Datatype recvtypes[],
                   MPI_Comm comm, MPI_Request *request),
                  (out, sendcounts, sendplaces, sendtypes, in, recvcounts, recvplaces, recvtypes, comm, request))

#ifdef ORDO_TRACE_LARGE_COUNTS
COLLECTIVE_AS(MPI_Bcast_c, MPI_Bcast, ORDO_TRACE_ONE_TO_ALL, root, ordo_trace_bytes(count, type),
              (void *bytes, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm),
              (bytes, count, type, root, comm))
COLLECTIVE_AS(MPI_Reduce_c, MPI_Reduce, ORDO_TRACE_ALL_TO_ONE, root, ordo_trace_bytes(count, type),
              (const void *out, void *in, MPI_Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
              (out, in, count, type, op, root, comm))
COLLECTIVE_AS(MPI_Allreduce_c, MPI_Allreduce, ORDO_TRACE_ALL_TO_ALL, -1, ordo_trace_bytes(count, type),
              (const void *out, void *in, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (out, in, count, type, op, comm))
COLLECTIVE_AS(MPI_Scan_c, MPI_Scan, ORDO_TRACE_PREFIX, -1, ordo_trace_bytes(count, type),
              (const void *out, void *in, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (out, in, count, type, op, comm))
COLLECTIVE_AS(MPI_Exscan_c, MPI_Exscan, ORDO_TRACE_PREFIX, -1, ordo_trace_bytes(count, type),
              (const void *out, void *in, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (out, in, count, type, op, comm))
COLLECTIVE_AS(MPI_Reduce_scatter_block_c, MPI_Reduce_scatter_block, ORDO_TRACE_ALL_TO_ALL, -1,
              ordo_trace_bytes(count, type),
              (const void *out, void *in, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (out, in, count, type, op, comm))
COLLECTIVE_AS(MPI_Gather_c, MPI_Gather, ORDO_TRACE_ALL_TO_ONE, root,
              part(comm, root, recvcount, recvtype, sendcount, sendtype),
              (const void *out, MPI_Count sendcount, MPI_Datatype sendtype, void *in, MPI_Count recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm),
              (out, sendcount, sendtype, in, recvcount, recvtype, root, comm))
COLLECTIVE_AS(MPI_Scatter_c, MPI_Scatter, ORDO_TRACE_ONE_TO_ALL, root,
              part(comm, root, sendcount, sendtype, recvcount, recvtype),
              (const void *out, MPI_Count sendcount, MPI_Datatype sendtype, void *in, MPI_Count recvcount,
               MPI_Datatype recvtype, int root, MPI_Comm comm),
              (out, sendcount, sendtype, in, recvcount, recvtype, root, comm))
COLLECTIVE_AS(MPI_Allgather_c, MPI_Allgather, ORDO_TRACE_ALL_TO_ALL, -1, ordo_trace_bytes(recvcount, recvtype),
              (const void *out, MPI_Count sendcount, MPI_Datatype sendtype, void *in, MPI_Count recvcount,
               MPI_Datatype recvtype, MPI_Comm comm),
              (out, sendcount, sendtype, in, recvcount, recvtype, comm))
COLLECTIVE_AS(MPI_Alltoall_c, MPI_Alltoall, ORDO_TRACE_ALL_TO_ALL, -1, ordo_trace_bytes(recvcount, recvtype),
              (const void *out, MPI_Count sendcount, MPI_Datatype sendtype, void *in, MPI_Count recvcount,
               MPI_Datatype recvtype, MPI_Comm comm),
              (out, sendcount, sendtype, in, recvcount, recvtype, comm))
#endif
/* clang-format on */
