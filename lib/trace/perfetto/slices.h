/* Events of tracks (TrackEvent in Perfetto's schema). */
#ifndef ORDO_TRACE_PERFETTO_SLICES_H
#define ORDO_TRACE_PERFETTO_SLICES_H

#include "trace/perfetto/sequences.h"

/** An event: `event` has its kind, name, duration and ends of messages; the caller sets its time and thread. */
struct ordo_slice {
    struct ordo_event *event;
    uint64_t track;
    bool has_track;
};

/** Reads the event of a packet. `slice->event` is the empty event at first. */
void ordo_slice_read(const struct ordo_sequences *sequences, const struct ordo_packet *packet,
                     struct ordo_slice *slice);

#endif
