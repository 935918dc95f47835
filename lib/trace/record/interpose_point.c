/* Point-to-point messages, and the calls that begin nonblocking ones. */
#include "trace/record/message.h"

const char *const ordo_trace_call_names[ORDO_TRACE_CALLS] = {
#define NAME(call) #call,
    ORDO_TRACE_CALL_LIST(NAME)
#undef NAME
};

/* The events of a send are stored after MPI has returned: the stores then overlap the transfer and do not delay it. */
#define SEND_AS(function, name, parameters, arguments)                                                                 \
    ORDO_TRACE_WRAPPER int function parameters                                                                         \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_##name))                                                     \
            return P##function arguments;                                                                              \
        int code = P##function arguments;                                                                              \
        ordo_trace_call_return(&call);                                                                                 \
        ordo_trace_call_begin(&call);                                                                                  \
        if (code == MPI_SUCCESS)                                                                                       \
            ordo_trace_sends(&call, ordo_trace_communicator_of(comm), dest, tag, ordo_trace_bytes(count, type));       \
        ordo_trace_call_leave(&call);                                                                                  \
        return code;                                                                                                   \
    }
#define SEND(function, parameters, arguments) SEND_AS(function, function, parameters, arguments)

#define BLOCKING (const void *bytes, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
#define NONBLOCKING                                                                                                    \
    (const void *bytes, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)

SEND(MPI_Send, BLOCKING, (bytes, count, type, dest, tag, comm))
SEND(MPI_Bsend, BLOCKING, (bytes, count, type, dest, tag, comm))
SEND(MPI_Ssend, BLOCKING, (bytes, count, type, dest, tag, comm))
SEND(MPI_Rsend, BLOCKING, (bytes, count, type, dest, tag, comm))
SEND(MPI_Isend, NONBLOCKING, (bytes, count, type, dest, tag, comm, request))
SEND(MPI_Ibsend, NONBLOCKING, (bytes, count, type, dest, tag, comm, request))
SEND(MPI_Issend, NONBLOCKING, (bytes, count, type, dest, tag, comm, request))
SEND(MPI_Irsend, NONBLOCKING, (bytes, count, type, dest, tag, comm, request))

#ifdef ORDO_TRACE_LARGE_COUNTS
#define BLOCKING_LARGE (const void *bytes, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
#define NONBLOCKING_LARGE                                                                                              \
    (const void *bytes, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request)

SEND_AS(MPI_Send_c, MPI_Send, BLOCKING_LARGE, (bytes, count, type, dest, tag, comm))
SEND_AS(MPI_Bsend_c, MPI_Bsend, BLOCKING_LARGE, (bytes, count, type, dest, tag, comm))
SEND_AS(MPI_Ssend_c, MPI_Ssend, BLOCKING_LARGE, (bytes, count, type, dest, tag, comm))
SEND_AS(MPI_Rsend_c, MPI_Rsend, BLOCKING_LARGE, (bytes, count, type, dest, tag, comm))
SEND_AS(MPI_Isend_c, MPI_Isend, NONBLOCKING_LARGE, (bytes, count, type, dest, tag, comm, request))
SEND_AS(MPI_Ibsend_c, MPI_Ibsend, NONBLOCKING_LARGE, (bytes, count, type, dest, tag, comm, request))
SEND_AS(MPI_Issend_c, MPI_Issend, NONBLOCKING_LARGE, (bytes, count, type, dest, tag, comm, request))
SEND_AS(MPI_Irsend_c, MPI_Irsend, NONBLOCKING_LARGE, (bytes, count, type, dest, tag, comm, request))
#endif

/* Defines MPI_Recv for a type of counts. */
#define RECEIVE(function, count_type)                                                                                  \
    ORDO_TRACE_WRAPPER int function(void *bytes, count_type count, MPI_Datatype type, int source, int tag,             \
                                    MPI_Comm comm, MPI_Status *status)                                                 \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        MPI_Status own;                                                                                                \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Recv))                                                   \
            return P##function(bytes, count, type, source, tag, comm, status);                                         \
        ordo_trace_call_begin(&call);                                                                                  \
        const struct ordo_trace_communicator *communicator = ordo_trace_communicator_of(comm);                         \
        uint32_t number = ordo_trace_posts(communicator, source, tag);                                                 \
        status = status == MPI_STATUS_IGNORE ? &own : status;                                                          \
        int code = P##function(bytes, count, type, source, tag, comm, status);                                         \
        ordo_trace_call_return(&call);                                                                                 \
        if (code == MPI_SUCCESS)                                                                                       \
            ordo_trace_receives(&call, communicator, number, status);                                                  \
        ordo_trace_call_leave(&call);                                                                                  \
        return code;                                                                                                   \
    }
RECEIVE(MPI_Recv, int)
#ifdef ORDO_TRACE_LARGE_COUNTS
RECEIVE(MPI_Recv_c, MPI_Count)
#endif

/* A call that sends one message and receives another; `run` is the call of MPI. */
#define EXCHANGE(run, count, type)                                                                                     \
    ordo_trace_call_begin(&call);                                                                                      \
    const struct ordo_trace_communicator *communicator = ordo_trace_communicator_of(comm);                             \
    ordo_trace_sends(&call, communicator, dest, sendtag, ordo_trace_bytes(count, type));                               \
    uint32_t number = ordo_trace_posts(communicator, source, recvtag);                                                 \
    status = status == MPI_STATUS_IGNORE ? &own : status;                                                              \
    int code = run;                                                                                                    \
    ordo_trace_call_return(&call);                                                                                     \
    if (code == MPI_SUCCESS)                                                                                           \
        ordo_trace_receives(&call, communicator, number, status);                                                      \
    ordo_trace_call_leave(&call);                                                                                      \
    return code

/* Defines MPI_Sendrecv for a type of counts. */
#define SEND_RECEIVE(function, count_type)                                                                             \
    ORDO_TRACE_WRAPPER int function(const void *out, count_type sendcount, MPI_Datatype sendtype, int dest,            \
                                    int sendtag, void *in, count_type recvcount, MPI_Datatype recvtype, int source,    \
                                    int recvtag, MPI_Comm comm, MPI_Status *status)                                    \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        MPI_Status own;                                                                                                \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Sendrecv))                                               \
            return P##function(out, sendcount, sendtype, dest, sendtag, in, recvcount, recvtype, source, recvtag,      \
                               comm, status);                                                                          \
        EXCHANGE(P##function(out, sendcount, sendtype, dest, sendtag, in, recvcount, recvtype, source, recvtag, comm,  \
                             status),                                                                                  \
                 sendcount, sendtype);                                                                                 \
    }
SEND_RECEIVE(MPI_Sendrecv, int)
#ifdef ORDO_TRACE_LARGE_COUNTS
SEND_RECEIVE(MPI_Sendrecv_c, MPI_Count)
#endif

/* Defines MPI_Sendrecv_replace for a type of counts. */
#define REPLACE(function, count_type)                                                                                  \
    ORDO_TRACE_WRAPPER int function(void *bytes, count_type count, MPI_Datatype type, int dest, int sendtag,           \
                                    int source, int recvtag, MPI_Comm comm, MPI_Status *status)                        \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        MPI_Status own;                                                                                                \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Sendrecv_replace))                                       \
            return P##function(bytes, count, type, dest, sendtag, source, recvtag, comm, status);                      \
        EXCHANGE(P##function(bytes, count, type, dest, sendtag, source, recvtag, comm, status), count, type);          \
    }
REPLACE(MPI_Sendrecv_replace, int)
#ifdef ORDO_TRACE_LARGE_COUNTS
REPLACE(MPI_Sendrecv_replace_c, MPI_Count)
#endif

static void remember_request(MPI_Request request, MPI_Comm comm, int peer, int tag, uint64_t bytes, uint32_t number,
                             bool sends, bool persistent)
{
    struct ordo_trace_communicator *communicator = ordo_trace_communicator_of(comm);
    if (!communicator || peer == MPI_PROC_NULL || request == MPI_REQUEST_NULL)
        return;
    ordo_trace_request_put(&(struct ordo_trace_request){.key = (uintptr_t)request,
                                                        .communicator = communicator,
                                                        .peer = peer,
                                                        .tag = tag,
                                                        .bytes = bytes,
                                                        .number = number,
                                                        .sends = sends,
                                                        .persistent = persistent,
                                                        .active = !persistent});
}

/* Defines MPI_Irecv for a type of counts. */
#define POST(function, count_type)                                                                                     \
    ORDO_TRACE_WRAPPER int function(void *bytes, count_type count, MPI_Datatype type, int source, int tag,             \
                                    MPI_Comm comm, MPI_Request *request)                                               \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Irecv))                                                  \
            return P##function(bytes, count, type, source, tag, comm, request);                                        \
        ordo_trace_call_begin(&call);                                                                                  \
        uint32_t number = ordo_trace_posts(ordo_trace_communicator_of(comm), source, tag);                             \
        int code = P##function(bytes, count, type, source, tag, comm, request);                                        \
        if (code == MPI_SUCCESS)                                                                                       \
            remember_request(*request, comm, source, tag, 0, number, false, false);                                    \
        return ordo_trace_call_end(&call, code);                                                                       \
    }
POST(MPI_Irecv, int)
#ifdef ORDO_TRACE_LARGE_COUNTS
POST(MPI_Irecv_c, MPI_Count)
#endif

#define PERSISTENT(function, parameters, arguments, peer, out)                                                         \
    ORDO_TRACE_WRAPPER int function parameters                                                                         \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_##function))                                                 \
            return P##function arguments;                                                                              \
        ordo_trace_call_begin(&call);                                                                                  \
        int code = P##function arguments;                                                                              \
        if (code == MPI_SUCCESS)                                                                                       \
            remember_request(*request, comm, peer, tag, ordo_trace_bytes(count, type), ORDO_TRACE_UNCOUNTED, out,      \
                             true);                                                                                    \
        return ordo_trace_call_end(&call, code);                                                                       \
    }

PERSISTENT(MPI_Send_init, NONBLOCKING, (bytes, count, type, dest, tag, comm, request), dest, true)
PERSISTENT(MPI_Bsend_init, NONBLOCKING, (bytes, count, type, dest, tag, comm, request), dest, true)
PERSISTENT(MPI_Ssend_init, NONBLOCKING, (bytes, count, type, dest, tag, comm, request), dest, true)
PERSISTENT(MPI_Rsend_init, NONBLOCKING, (bytes, count, type, dest, tag, comm, request), dest, true)
PERSISTENT(MPI_Recv_init,
           (void *bytes, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request),
           (bytes, count, type, source, tag, comm, request), source, false)

ORDO_TRACE_REGION(MPI_Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status), (source, tag, comm, status))
ORDO_TRACE_REGION(MPI_Mrecv, (void *bytes, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
                  (bytes, count, type, message, status))
ORDO_TRACE_REGION(MPI_Imrecv, (void *bytes, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
                  (bytes, count, type, message, request))

/* A matched probe removes its message from the queue. The message counts as received here, because it has arrived. */
ORDO_TRACE_WRAPPER int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    struct ordo_trace_call call;
    MPI_Status own;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Mprobe))
        return PMPI_Mprobe(source, tag, comm, message, status);
    ordo_trace_call_begin(&call);
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = PMPI_Mprobe(source, tag, comm, message, status);
    ordo_trace_call_return(&call);
    if (code == MPI_SUCCESS)
        ordo_trace_receives(&call, ordo_trace_communicator_of(comm), ORDO_TRACE_UNCOUNTED, status);
    ordo_trace_call_leave(&call);
    return code;
}

/* A probe that finds no message is not recorded, because a polling loop would fill the trace. */
ORDO_TRACE_WRAPPER int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                                   MPI_Status *status)
{
    struct ordo_trace_call call;
    MPI_Status own;
    if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_MPI_Improbe))
        return PMPI_Improbe(source, tag, comm, flag, message, status);
    status = status == MPI_STATUS_IGNORE ? &own : status;
    int code = PMPI_Improbe(source, tag, comm, flag, message, status);
    if (code != MPI_SUCCESS || !*flag) {
        ordo_trace_call_drop();
        return code;
    }
    ordo_trace_call_return(&call);
    ordo_trace_call_begin(&call);
    ordo_trace_receives(&call, ordo_trace_communicator_of(comm), ORDO_TRACE_UNCOUNTED, status);
    ordo_trace_call_leave(&call);
    return code;
}
