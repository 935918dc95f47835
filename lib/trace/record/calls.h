/* The names of the recorded calls: in every file they are the names 1, 2, 3 ..., in this order. */
#ifndef ORDO_TRACE_RECORD_CALLS_H
#define ORDO_TRACE_RECORD_CALLS_H

/* clang-format would indent each line of the list further than the preceding line. */
/* clang-format off */
#define ORDO_TRACE_CALL_LIST(X) \
    X(ordo_trace_timesync) X(MPI_Send) X(MPI_Bsend) X(MPI_Ssend) X(MPI_Rsend) X(MPI_Recv) X(MPI_Sendrecv) \
    X(MPI_Sendrecv_replace) X(MPI_Isend) X(MPI_Ibsend) X(MPI_Issend) X(MPI_Irsend) X(MPI_Irecv) X(MPI_Probe) \
    X(MPI_Mprobe) X(MPI_Improbe) X(MPI_Mrecv) X(MPI_Imrecv) X(MPI_Send_init) X(MPI_Bsend_init) X(MPI_Ssend_init) \
    X(MPI_Rsend_init) X(MPI_Recv_init) X(MPI_Start) X(MPI_Startall) X(MPI_Cancel) X(MPI_Request_free) X(MPI_Wait) \
    X(MPI_Waitall) X(MPI_Waitany) X(MPI_Waitsome) X(MPI_Test) X(MPI_Testall) X(MPI_Testany) X(MPI_Testsome) \
    X(MPI_Barrier) X(MPI_Bcast) X(MPI_Reduce) X(MPI_Allreduce) X(MPI_Scan) X(MPI_Exscan) X(MPI_Reduce_scatter) \
    X(MPI_Reduce_scatter_block) X(MPI_Gather) X(MPI_Gatherv) X(MPI_Scatter) X(MPI_Scatterv) X(MPI_Allgather) \
    X(MPI_Allgatherv) X(MPI_Alltoall) X(MPI_Alltoallv) X(MPI_Alltoallw) X(MPI_Ibarrier) X(MPI_Ibcast) X(MPI_Ireduce) \
    X(MPI_Iallreduce) X(MPI_Iscan) X(MPI_Iexscan) X(MPI_Ireduce_scatter) X(MPI_Ireduce_scatter_block) X(MPI_Igather) \
    X(MPI_Igatherv) X(MPI_Iscatter) X(MPI_Iscatterv) X(MPI_Iallgather) X(MPI_Iallgatherv) X(MPI_Ialltoall) \
    X(MPI_Ialltoallv) X(MPI_Ialltoallw) X(MPI_Comm_dup) X(MPI_Comm_dup_with_info) X(MPI_Comm_split) \
    X(MPI_Comm_split_type) X(MPI_Comm_create) X(MPI_Comm_create_group) X(MPI_Comm_free) X(MPI_Cart_create) \
    X(MPI_Cart_sub) X(MPI_Graph_create) X(MPI_Dist_graph_create) X(MPI_Dist_graph_create_adjacent) \
    X(MPI_Intercomm_merge) X(MPI_Intercomm_create) X(MPI_Comm_idup) X(MPI_Comm_idup_with_info) X(MPI_Comm_spawn) \
    X(MPI_Comm_spawn_multiple) X(MPI_Comm_create_from_group) X(MPI_Intercomm_create_from_groups)
/* clang-format on */
#define ORDO_TRACE_CALL_NUMBER(call) ORDO_TRACE_CALL_##call,
enum ordo_trace_call_name { ORDO_TRACE_CALL_NONE, ORDO_TRACE_CALL_LIST(ORDO_TRACE_CALL_NUMBER) ORDO_TRACE_CALL_END };

enum { ORDO_TRACE_CALLS = ORDO_TRACE_CALL_END - 1 };

/** The names, in the order of the list. */
extern const char *const ordo_trace_call_names[ORDO_TRACE_CALLS];

#endif
