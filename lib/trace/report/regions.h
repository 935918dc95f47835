/* Regions: what lies between a begin and its end, on a rank's thread, and in which others it lies. */
#ifndef ORDO_TRACE_REPORT_REGIONS_H
#define ORDO_TRACE_REPORT_REGIONS_H

#include "trace/event/event.h"

struct ordo_region {
    int32_t rank;
    uint32_t thread, name; /* the latter as the caller numbers names */
    int depth;             /* 0: in no other */
    struct ordo_event_stamp begin, end;
};

struct ordo_regions {
    struct ordo_regions_stack *stacks; /* one for each thread */
    int count, room;
    int *slots; /* by hash: 1 more than the index of a stack */
    size_t size;
    int last; /* the stack that was used last */
};

/** Takes a begin: 0, or -1 where memory runs out. */
int ordo_regions_begin(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                       const struct ordo_event_stamp *stamp);

/** Takes an end, and gives the region that it closes: the innermost open one of that name, those in it being lost. 1, or 0
 * where none is open, whose begin came before the trace. */
int ordo_regions_end(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                     const struct ordo_event_stamp *stamp, struct ordo_region *region);

/** The innermost open region of the event's thread; NULL: none. */
const struct ordo_region *ordo_regions_inner(struct ordo_regions *regions, const struct ordo_event *event);

void ordo_regions_free(struct ordo_regions *regions);

#endif
