/* Messages: which of its sender, receiver, communicator and tag each is, and the receives that are under way.
 *
 * MPI keeps messages of one sender, communicator and tag in order, and a receive that is posted earlier gets the earlier
 * one. So both sides count, and the same number is the same message. A receive that names its sender and tag takes its
 * number when it is posted, any other when it is done. */
#ifndef ORDO_TRACE_RECORD_MESSAGE_H
#define ORDO_TRACE_RECORD_MESSAGE_H

#include "trace/record/call.h"

int ordo_trace_messages_start(void);
void ordo_trace_messages_stop(void);

/** A request that is not done, or is persistent. */
struct ordo_trace_request {
    uintptr_t key; /* the handle; 0: not one of these */
    struct ordo_trace_communicator *communicator;
    struct ordo_trace_naming *naming; /* NULL, unless the request makes a communicator */
    int peer, tag;                    /* in the communicator; MPI_ANY_SOURCE, MPI_ANY_TAG */
    uint64_t bytes;
    uint32_t number;
    bool sends, persistent, active;
};

/** Records that a call sends a message, with its entry's time. */
void ordo_trace_message_sent(struct ordo_trace_thread *thread, uint32_t name, uint64_t entry,
                             const struct ordo_trace_communicator *communicator, int peer, int tag, uint64_t bytes);

static inline void ordo_trace_sends(const struct ordo_trace_call *call,
                                    const struct ordo_trace_communicator *communicator, int peer, int tag,
                                    uint64_t bytes)
{
    ordo_trace_message_sent(call->thread, call->name, call->entry, communicator, peer, tag, bytes);
}

/** A receive is posted: its number, or ORDO_TRACE_UNCOUNTED where it names no sender or no tag. */
uint32_t ordo_trace_posts(const struct ordo_trace_communicator *communicator, int peer, int tag);

/** Records that a call, which has returned, received what `status` says; it was not cancelled. */
void ordo_trace_message_received(struct ordo_trace_thread *thread, uint32_t name, uint64_t exit,
                                 const struct ordo_trace_communicator *communicator, uint32_t number,
                                 const MPI_Status *status);

static inline void ordo_trace_receives(const struct ordo_trace_call *call,
                                       const struct ordo_trace_communicator *communicator, uint32_t number,
                                       const MPI_Status *status)
{
    ordo_trace_message_received(call->thread, call->name, call->exit, communicator, number, status);
}

/** Remembers a request; it keeps its communicator. */
void ordo_trace_request_put(const struct ordo_trace_request *request);

/** Takes out what is known of each request into `taken`, before MPI can give the handle away again. Returns how many are
 * known. */
int ordo_trace_requests_take(const MPI_Request *requests, int count, struct ordo_trace_request *taken);

/** Puts one back whose handle is still its own. */
void ordo_trace_request_back(const struct ordo_trace_request *request);

/** One that was taken is done, in `call`, which has returned. It is put back where it is persistent, and else forgotten. */
void ordo_trace_request_done(const struct ordo_trace_call *call, struct ordo_trace_request *request,
                             const MPI_Status *status);

/** One that was taken begins, in `call` (MPI_Start), and is put back. */
void ordo_trace_request_starts(struct ordo_trace_call *call, struct ordo_trace_request *request);

/** One that was taken is freed. */
void ordo_trace_request_forget(struct ordo_trace_request *request);

#endif
