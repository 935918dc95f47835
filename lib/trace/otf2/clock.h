/* Clock offset records, taken as sessions. */
#ifndef ORDO_TRACE_OTF2_CLOCK_H
#define ORDO_TRACE_OTF2_CLOCK_H

#include "trace/otf2/archive.h"
#include "trace/otf2/definitions.h"

struct ordo_otf2_offset {
    int64_t local_ns, offset_ns; /* global time is local_ns + offset_ns */
    double deviation_ns;
};

/** The clock offset records of a location, in the order of the archive. */
struct ordo_otf2_offsets {
    const struct ordo_otf2_definitions *all;
    struct ordo_otf2_offset *of;
    size_t count, room;
    bool no_memory;
};

/** A callback that adds a clock offset record to a struct ordo_otf2_offsets. */
OTF2_CallbackCode ordo_otf2_take_offset(void *user, OTF2_TimeStamp time, int64_t offset, double deviation);

/** Sends the records of each rank as sessions with the master, rank 0. `offsets` has the records of each location. */
void ordo_otf2_send_fixes(struct ordo_process_out *out, const struct ordo_otf2_definitions *all,
                          const struct ordo_otf2_offsets *offsets);

#endif
