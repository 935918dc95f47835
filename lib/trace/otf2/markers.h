/* The markers of an archive, which tools set after the run: each is a time, a length and a text, and belongs to the whole
 * archive or to a part of it, such as a location. */
#ifndef ORDO_TRACE_OTF2_MARKERS_H
#define ORDO_TRACE_OTF2_MARKERS_H

#include "trace/otf2/events.h"
#include "trace/otf2/write.h"

/** The values of a marker in an entry of a queue, and of a struct ordo_otf2_raw. Words with the text follow. */
enum ordo_otf2_marker {
    ORDO_OTF2_MARKER_LENGTH, /* in the queue in ticks, and elsewhere in ns */
    ORDO_OTF2_MARKER_SELF,
    ORDO_OTF2_MARKER_SCOPE,
    ORDO_OTF2_MARKER_OF,
    ORDO_OTF2_MARKER_BYTES, /* of the text */
    ORDO_OTF2_MARKER_TEXT
};

/** Reads all markers into the queue of a stream that has no location, in the order of time, and ends the stream. An
 * archive need not have markers. */
OTF2_ErrorCode ordo_otf2_markers_read(struct ordo_otf2_stream *stream, OTF2_Reader *reader);

/** Returns the rank to which a marker belongs; 0 if it belongs to all ranks. */
int32_t ordo_otf2_marker_rank(const struct ordo_otf2_definitions *all, const uint64_t *values);

/** Passes on the definitions of the source's markers. */
OTF2_ErrorCode ordo_otf2_markers_define(struct ordo_otf2_writing *writing, OTF2_Reader *source);

/** Passes on a marker. */
OTF2_ErrorCode ordo_otf2_marker_put(const struct ordo_otf2_writing *writing, uint64_t time,
                                    const struct ordo_otf2_raw *raw);

#endif
