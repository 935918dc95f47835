/* Messages, numbered among those with the same sender, receiver, communicator and tag; and the requests under way.
 *
 * MPI keeps messages of one sender, communicator and tag in order, and the receive that is posted earlier gets the
 * earlier message. Both sides therefore count their messages, and the same number means the same message. A receive
 * that names its sender and tag takes its number when it is posted; any other receive takes it when it is complete. */
#ifndef ORDO_TRACE_RECORD_MESSAGE_H
#define ORDO_TRACE_RECORD_MESSAGE_H

#include "trace/record/call.h"

int ordo_trace_messages_start(void);
void ordo_trace_messages_stop(void);

/** A request that is not complete, or is persistent. */
struct ordo_trace_request {
    uintptr_t key; /* the handle; 0: no entry */
    struct ordo_trace_communicator *communicator;
    struct ordo_trace_naming *naming; /* NULL, unless the request makes a communicator */
    int peer, tag;                    /* rank in the communicator, or MPI_ANY_SOURCE; tag, or MPI_ANY_TAG */
    uint64_t bytes;
    uint32_t number;
    bool sends, persistent, active;
};

/** Records that a call sends a message, at the time of the call's entry. */
void ordo_trace_message_sent(struct ordo_trace_thread *thread, uint32_t name, uint64_t entry,
                             const struct ordo_trace_communicator *communicator, int peer, int tag, uint64_t bytes);

static inline void ordo_trace_sends(const struct ordo_trace_call *call,
                                    const struct ordo_trace_communicator *communicator, int peer, int tag,
                                    uint64_t bytes)
{
    ordo_trace_message_sent(call->thread, call->name, call->entry, communicator, peer, tag, bytes);
}

/** Returns the number of a receive that is posted, or ORDO_TRACE_UNCOUNTED if it names no sender or no tag. */
uint32_t ordo_trace_posts(const struct ordo_trace_communicator *communicator, int peer, int tag);

/** Records that a call, which has returned, received the message of `status`. Do not call for a cancelled receive. */
void ordo_trace_message_received(struct ordo_trace_thread *thread, uint32_t name, uint64_t exit,
                                 const struct ordo_trace_communicator *communicator, uint32_t number,
                                 const MPI_Status *status);

static inline void ordo_trace_receives(const struct ordo_trace_call *call,
                                       const struct ordo_trace_communicator *communicator, uint32_t number,
                                       const MPI_Status *status)
{
    ordo_trace_message_received(call->thread, call->name, call->exit, communicator, number, status);
}

/** Adds a request to the table. The entry holds a reference to its communicator. */
void ordo_trace_request_put(const struct ordo_trace_request *request);

/** Moves the entry of each request from the table to `taken`, before MPI can use the handle again for another request.
 * Returns the number of requests that had an entry. */
int ordo_trace_requests_take(const MPI_Request *requests, int count, struct ordo_trace_request *taken);

/** Puts a taken entry back into the table. The handle of its request must not have changed. */
void ordo_trace_request_back(const struct ordo_trace_request *request);

/** Records that a taken request was completed by `call`, which has returned. Puts the entry back if the request is
 * persistent, and forgets it otherwise. */
void ordo_trace_request_done(const struct ordo_trace_call *call, struct ordo_trace_request *request,
                             const MPI_Status *status);

/** Records that `call` (MPI_Start) begins a taken request, and puts the entry back. */
void ordo_trace_request_starts(struct ordo_trace_call *call, struct ordo_trace_request *request);

/** Forgets a taken request, which is freed. */
void ordo_trace_request_forget(struct ordo_trace_request *request);

#endif
