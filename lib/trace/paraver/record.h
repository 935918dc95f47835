/* The records of a trace of Paraver, and the types of events that have a meaning for Ordo. */
#ifndef ORDO_TRACE_PARAVER_RECORD_H
#define ORDO_TRACE_PARAVER_RECORD_H

#include <stdint.h>

/** Types of events, as Extrae numbers them. */
enum {
    ORDO_PARAVER_POINT_TO_POINT = 50000001, /* the value is a call of MPI; 0: its end */
    ORDO_PARAVER_COLLECTIVE = 50000002,
    ORDO_PARAVER_OTHER_MPI = 50000003,
    ORDO_PARAVER_FUNCTION = 60000019, /* the value is a function; 0: its end */
    ORDO_PARAVER_SENT_BYTES = 50100001,
    ORDO_PARAVER_COMMUNICATOR = 50100004
};

/** Types of events that only Ordo writes. */
enum {
    ORDO_PARAVER_POINT = 68000001,    /* the value is a name */
    ORDO_PARAVER_LONE = 68000002,     /* an end of a message without the other one: 1 + its rank */
    ORDO_PARAVER_ROOT = 68000003,     /* of a collective: 1 + its rank */
    ORDO_PARAVER_EARLIEST = 68000004, /* of all events of the record: ns from the earliest time to their time */
    ORDO_PARAVER_LATEST = 68000005    /* ns from their time to the latest time */
};

enum ordo_paraver_kind { ORDO_PARAVER_STATE = 1, ORDO_PARAVER_EVENT, ORDO_PARAVER_MESSAGE };

/** The thread of a record, as the file numbers it. */
struct ordo_paraver_place {
    uint32_t cpu, application, task, thread;
};

/** The parts of a message: its logical and physical send, its logical and physical receive. */
enum ordo_paraver_part { ORDO_PARAVER_SENDS, ORDO_PARAVER_LEAVES, ORDO_PARAVER_WAITS, ORDO_PARAVER_RECEIVES };

/** A state, an event with one of its pairs of type and value, or a part of a message. */
struct ordo_paraver_record {
    struct ordo_paraver_place place, other; /* `other`: the receiver of a message */
    int64_t type, value;                    /* the state is in `value`; of a message: tag and bytes */
    uint32_t kind, part;
    uint64_t message; /* the number of a message in its file */
};

/** The line behind the header by which Ordo recognises a trace that it has corrected: this and a number of ns. */
#define ORDO_PARAVER_MARK "# ordo-trace: global time in ns is the time here plus "

#endif
