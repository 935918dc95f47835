/* Regions: each is the time between a begin and its end on a rank's thread, and has a depth of nesting. */
#ifndef ORDO_TRACE_REPORT_REGIONS_H
#define ORDO_TRACE_REPORT_REGIONS_H

#include "trace/event/event.h"

struct ordo_region {
    int32_t rank;
    uint32_t thread, name; /* `name` is the caller's number of the name */
    int depth;             /* 0: not within another region */
    struct ordo_event_stamp begin, end;
};

struct ordo_regions {
    struct ordo_regions_stack *stacks; /* one for each thread */
    int count, room;
    int *slots; /* hash table; a slot holds the index of a stack + 1, or 0 */
    size_t size;
    int last; /* index of the stack that was used last */
};

/** Takes a begin. Returns 0, or -1 if out of memory. */
int ordo_regions_begin(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                       const struct ordo_event_stamp *stamp);

/** Takes an end, and sets *region to the region that it closes: the innermost open region of that name. Drops open
 * regions within it. Returns 1; returns 0 if no region of that name is open, because its begin came before the
 * trace. */
int ordo_regions_end(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                     const struct ordo_event_stamp *stamp, struct ordo_region *region);

/** Returns the innermost open region of the event's thread, or NULL. */
const struct ordo_region *ordo_regions_inner(struct ordo_regions *regions, const struct ordo_event *event);

void ordo_regions_free(struct ordo_regions *regions);

#endif
