/* An event of a trace of any form, and its stamp in global time. */
#ifndef ORDO_TRACE_EVENT_EVENT_H
#define ORDO_TRACE_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event/device.h"

/** Text in memory that belongs to another owner. The owner states how long the text is valid. */
struct ordo_text {
    const char *at;
    size_t length;
};

enum ordo_event_kind {
    ORDO_EVENT_POINT,
    ORDO_EVENT_BEGIN,
    ORDO_EVENT_END,
    ORDO_EVENT_SEND,  /* its time is not later than the departure of the message */
    ORDO_EVENT_RECV,  /* its time is not earlier than the arrival of the message */
    ORDO_EVENT_SPAN,  /* a begin and an end in one event, `duration_ns` apart; only in Chrome's form */
    ORDO_EVENT_OTHER, /* has a time, and a meaning that only its form knows */
    ORDO_EVENT_META,  /* no event: metadata of the form, which is passed on */
    ORDO_EVENT_KINDS
};

/** Which ranks wait for which in a collective (enum ordo_trace_collective in trace/file/layout.h has the same
 * numbers). */
enum ordo_event_collective {
    ORDO_COLLECTIVE_NONE,
    ORDO_COLLECTIVE_ALL_TO_ALL,
    ORDO_COLLECTIVE_ONE_TO_ALL,
    ORDO_COLLECTIVE_ALL_TO_ONE,
    ORDO_COLLECTIVE_PREFIX
};

#define ORDO_EVENT_UNCOUNTED UINT32_MAX
#define ORDO_EVENT_NO_FLOW UINT64_MAX

/** The communicator of a call that has the name of a collective, but in which no rank waits for another. */
#define ORDO_EVENT_NO_COMMUNICATOR UINT64_MAX

/** The name of metadata whose `raw` is the name of its rank: a service, for example. */
#define ORDO_EVENT_RANK_NAME "rank_name"

/** The same of a thread of its rank. */
#define ORDO_EVENT_THREAD_NAME "name_of_thread"

struct ordo_json_members;

struct ordo_event {
    int64_t time_ns; /* by the rank's clock */
    int64_t duration_ns;
    uint64_t bytes;
    uint64_t flow; /* number in its channel, if the message is drawn as an arrow; or ORDO_EVENT_NO_FLOW */
    uint64_t row;  /* number of the event's row in its file, from 1; for error messages */
    struct ordo_text name;
    struct ordo_text raw; /* text of the event in its form; `name` and `raw` are valid until the next event is read */
    const struct ordo_json_members *members; /* of `raw`, and as long valid; NULL unless the form is Chrome's */
    int32_t rank, peer, tag, root;           /* -1: none */
    int32_t place;                           /* of a prefix reduction: the rank in the communicator; -1: not known */
    uint64_t communicator;                   /* unique in the run (ordo_trace_communicator_id); 0: MPI_COMM_WORLD */
    uint32_t thread, number;                 /* see trace/file/layout.h */
    uint8_t kind, collective;
    bool has_bytes;
    bool is_open;     /* of a begin: it has no end of its own, and lasts until its parent or the trace ends */
    int64_t moved_ns; /* how far time_ns was moved from the recorded time, because a device's clock was corrected */
    struct ordo_device_event device;
};

/** An event in global time: the estimate, between the certain bounds. */
struct ordo_event_stamp {
    int64_t global_ns, earliest_ns, latest_ns;
};

/** Returns to_ns - from_ns, or the largest or least number if it does not fit: a file may state any number as a
 * bound. */
static inline int64_t ordo_event_apart(int64_t from_ns, int64_t to_ns)
{
    int64_t apart;
    return !__builtin_sub_overflow(to_ns, from_ns, &apart) ? apart : to_ns > from_ns ? INT64_MAX : -INT64_MAX;
}

/** Returns time_ns + distance_ns, or the largest or least number if it does not fit. */
static inline int64_t ordo_event_after(int64_t time_ns, int64_t distance_ns)
{
    int64_t sum;
    return !__builtin_add_overflow(time_ns, distance_ns, &sum) ? sum : distance_ns > 0 ? INT64_MAX : -INT64_MAX;
}

/** Returns the word for a kind, which is the same in every form: "event", "begin", "end", "send", "recv". */
const char *ordo_event_kind_name(int kind);

/** Returns the kind for a word of ordo_event_kind_name, or for a word of OTF2 in any case ("ENTER", "LEAVE", "MPI_SEND",
 * "MPI_RECV", "MPI_ISEND", "MPI_IRECV"); -1 if no kind has this word. */
int ordo_event_kind_of(struct ordo_text word);

#endif
