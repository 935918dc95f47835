/* The events of an archive, location by location. */
#ifndef ORDO_TRACE_OTF2_EVENTS_H
#define ORDO_TRACE_OTF2_EVENTS_H

#include "trace/otf2/definitions.h"
#include "trace/otf2/queue.h"

/** The reading of one location. */
struct ordo_otf2_stream {
    const struct ordo_otf2_location *location;
    OTF2_EvtReader *reader;
    struct ordo_otf2_queue queue;
    struct ordo_map posted; /* a request: the index of its posted receive */
    uint64_t unknown;       /* number of records of unknown kinds so far */
    bool ended, no_memory;
};

/** Opens the reading of a location: the library calls back with `stream`, which must not move. */
OTF2_ErrorCode ordo_otf2_stream_open(struct ordo_otf2_stream *stream, OTF2_Reader *reader,
                                     const struct ordo_otf2_location *location);

/** Reads further events into the queue. Sets `ended` if there are no more. */
OTF2_ErrorCode ordo_otf2_stream_read(struct ordo_otf2_stream *stream, OTF2_Reader *reader);

#endif
