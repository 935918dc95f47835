/* An event of a trace, whatever form it came in, and where it lies in global time. */
#ifndef ORDO_TRACE_EVENT_EVENT_H
#define ORDO_TRACE_EVENT_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Letters that belong to somebody else, who says how long they stay. */
struct ordo_text {
    const char *at;
    size_t length;
};

enum ordo_event_kind {
    ORDO_EVENT_POINT,
    ORDO_EVENT_BEGIN,
    ORDO_EVENT_END,
    ORDO_EVENT_SEND,  /* not later than the message left */
    ORDO_EVENT_RECV,  /* not earlier than it had come */
    ORDO_EVENT_SPAN,  /* begin and end in one, `duration_ns` apart: of Chrome's forms only */
    ORDO_EVENT_OTHER, /* has a time, and its form alone knows what it is */
    ORDO_EVENT_META,  /* no event: what a form says of the trace, and is passed on */
    ORDO_EVENT_KINDS
};

/** What a collective makes certain (struct ordo_trace_event in trace/file/layout.h has the same numbers). */
enum ordo_event_collective {
    ORDO_COLLECTIVE_NONE,
    ORDO_COLLECTIVE_ALL_TO_ALL,
    ORDO_COLLECTIVE_ONE_TO_ALL,
    ORDO_COLLECTIVE_ALL_TO_ONE,
    ORDO_COLLECTIVE_PREFIX
};

#define ORDO_EVENT_UNCOUNTED UINT32_MAX
#define ORDO_EVENT_NO_FLOW UINT64_MAX

/** The communicator of a call that binds no rank to another one, although its name is that of a collective. */
#define ORDO_EVENT_NO_COMMUNICATOR UINT64_MAX

struct ordo_event {
    int64_t time_ns; /* by the rank's clock */
    int64_t duration_ns;
    uint64_t bytes;
    uint64_t flow; /* of a message that is drawn as an arrow: which of its channel; else ORDO_EVENT_NO_FLOW */
    uint64_t row;  /* in its file, from 1, for complaints */
    struct ordo_text name;
    struct ordo_text raw;          /* the event in its own form; both stay until the next event of the file is read */
    int32_t rank, peer, tag, root; /* -1: none */
    int32_t place;                 /* of a prefix reduction: the rank in the communicator; -1: not known */
    uint64_t communicator;         /* unique in the run (ordo_trace_communicator_id); 0: MPI_COMM_WORLD */
    uint32_t thread, number;       /* see trace/file/layout.h */
    uint8_t kind, collective;
    bool has_bytes;
    bool new_thread; /* `thread` is not the number that the form has for it: another one of the rank has that */
};

/** Where an event lies in global time: what is likely, between what is certain. */
struct ordo_event_stamp {
    int64_t global_ns, earliest_ns, latest_ns;
};

/** The word of a kind in every form: "event", "begin", "end", "send", "recv". */
const char *ordo_event_kind_name(int kind);

/** The kind of that word, or -1. */
int ordo_event_kind_of(struct ordo_text word);

/** What the collective of this name makes certain, of the names of MPI ("MPI_Allreduce"), blocking ones only. */
enum ordo_event_collective ordo_event_collective_of(struct ordo_text name);

#endif
