/* One call of MPI, from its entry to its exit. */
#ifndef ORDO_TRACE_RECORD_CALL_H
#define ORDO_TRACE_RECORD_CALL_H

#include <mpi.h>

#include "trace/record/calls.h"
#include "trace/record/communicator.h"
#include "trace/record/recorder.h"

/** What of it goes into its events. Where only inline functions take its address it stays in registers. */
struct ordo_trace_call {
    struct ordo_trace_thread *thread;
    uint64_t entry, exit; /* ticks */
    uint64_t bytes;
    uint32_t name, communicator, number;
    int32_t root;
    uint16_t collective;
};

/** What this library defines in the place of MPI's own. */
#define ORDO_TRACE_WRAPPER __attribute__((visibility("default")))

/** Begins one, and returns true where it is to be recorded. Until ordo_trace_call_leave this thread is inside: what MPI
 * calls in turn is not recorded. */
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

/** Its BEGIN: at once for what waits, so that it is seen what a rank waited for; behind the call for what sends. */
static inline void ordo_trace_call_begin(const struct ordo_trace_call *call)
{
    ordo_trace_call_push(call, ORDO_TRACE_BEGIN, call->entry);
}

/** MPI has returned: reads the clock. */
static inline void ordo_trace_call_return(struct ordo_trace_call *call)
{
    call->exit = ordo_trace_exits(call->thread);
}

/** Its END, after ordo_trace_call_return and the messages that it has received. */
static inline void ordo_trace_call_leave(const struct ordo_trace_call *call)
{
    ordo_trace_call_push(call, ORDO_TRACE_END, call->exit);
    ordo_trace_own.inside = 0;
}

/** Both, for a call that is a region and no more; returns `code`. */
static inline int ordo_trace_call_end(struct ordo_trace_call *call, int code)
{
    ordo_trace_call_return(call);
    ordo_trace_call_leave(call);
    return code;
}

/** Nothing is recorded of it. */
static inline void ordo_trace_call_drop(void)
{
    ordo_trace_own.inside = 0;
}

/** The bytes of `count` of a type; 0 where there are none. */
static inline uint64_t ordo_trace_bytes(int count, MPI_Datatype type)
{
    int size = 0;
    if (count <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS || size < 0)
        return 0;
    return (uint64_t)count * (uint64_t)size;
}

/** Defines a function whose calls are regions, and no more. */
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
