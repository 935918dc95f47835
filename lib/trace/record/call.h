/* One call of MPI, from its entry to its exit. */
#ifndef ORDO_TRACE_RECORD_CALL_H
#define ORDO_TRACE_RECORD_CALL_H

#include <mpi.h>

#include "trace/record/calls.h"
#include "trace/record/communicator.h"
#include "trace/record/recorder.h"

/** The values of a call that go into its events. They stay in registers if the struct's address is passed to inline
 * functions only. */
struct ordo_trace_call {
    struct ordo_trace_thread *thread;
    uint64_t entry, exit; /* ticks */
    uint64_t bytes;
    uint32_t name, communicator, number;
    int32_t root;
    uint16_t collective;
};

/** Defined if MPI has calls with counts of the type MPI_Count, whose names end in _c (MPI 4). Their events have the name
 * of the call without _c, because the operation is the same. */
#if MPI_VERSION >= 4
#define ORDO_TRACE_LARGE_COUNTS
#endif

/** Marks a function that this library defines in place of MPI's own. */
#define ORDO_TRACE_WRAPPER __attribute__((visibility("default")))

/** Begins a call. Returns true if the call is to be recorded. The thread is then inside the call until
 * ordo_trace_call_leave or ordo_trace_call_drop; calls that MPI makes inside it are not recorded. */
static inline bool ordo_trace_call_enter(struct ordo_trace_call *call, enum ordo_trace_call_name name)
{
    if (ordo_trace_own.inside || !(call->thread = ordo_trace_thread_of_this()))
        return false;
    ordo_trace_own.inside = 1;
    call->bytes = 0;
    call->name = name;
    call->communicator = 0;
    call->number = ORDO_TRACE_UNCOUNTED;
    call->root = -1;
    call->collective = ORDO_TRACE_NO_COLLECTIVE;
    call->entry = ordo_trace_enters(call->thread);
    return true;
}

static inline void ordo_trace_call_push(const struct ordo_trace_call *call, enum ordo_trace_kind kind, uint64_t ticks)
{
    struct ordo_trace_event *place = ordo_trace_place(call->thread);
    if (!place)
        return;
    *place = (struct ordo_trace_event){.ticks = ticks,
                                       .bytes = call->bytes,
                                       .name = call->name,
                                       .thread = call->thread->number,
                                       .peer = -1,
                                       .tag = -1,
                                       .communicator = call->communicator,
                                       .root = call->root,
                                       .kind = (uint16_t)kind,
                                       .collective = call->collective,
                                       .number = call->number};
    ordo_trace_publish(call->thread);
}

/** Records the BEGIN. A call that waits records it at once, so that the trace of a rank that never returns shows the
 * call in which it waits. A call that sends records it after MPI has returned. */
static inline void ordo_trace_call_begin(const struct ordo_trace_call *call)
{
    ordo_trace_call_push(call, ORDO_TRACE_BEGIN, call->entry);
}

/** Reads the clock after MPI has returned. */
static inline void ordo_trace_call_return(struct ordo_trace_call *call)
{
    call->exit = ordo_trace_exits(call->thread);
}

/** Records the END, after ordo_trace_call_return and the messages that the call has received. */
static inline void ordo_trace_call_leave(const struct ordo_trace_call *call)
{
    ordo_trace_call_push(call, ORDO_TRACE_END, call->exit);
    ordo_trace_own.inside = 0;
}

/** Reads the clock and records the END of a call without messages. Returns `code`. */
static inline int ordo_trace_call_end(struct ordo_trace_call *call, int code)
{
    ordo_trace_call_return(call);
    ordo_trace_call_leave(call);
    return code;
}

/** Ends a call without recording it. */
static inline void ordo_trace_call_drop(void)
{
    ordo_trace_own.inside = 0;
}

/** Returns the bytes of `count` elements of a type, at most INT64_MAX; 0 if `count` is not positive, or if the type has
 * no size. */
static inline uint64_t ordo_trace_bytes(int64_t count, MPI_Datatype type)
{
    int size = 0;
    int64_t bytes;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return __builtin_mul_overflow(count, (int64_t)size, &bytes) ? INT64_MAX : (uint64_t)bytes;
}

/** Defines a function whose calls are recorded as regions only. */
#define ORDO_TRACE_REGION(function, parameters, arguments)                                                             \
    ORDO_TRACE_WRAPPER int function parameters                                                                         \
    {                                                                                                                  \
        struct ordo_trace_call call;                                                                                   \
        if (!ordo_trace_call_enter(&call, ORDO_TRACE_CALL_##function))                                                 \
            return P##function arguments;                                                                              \
        ordo_trace_call_begin(&call);                                                                                  \
        return ordo_trace_call_end(&call, P##function arguments);                                                      \
    }

#endif
