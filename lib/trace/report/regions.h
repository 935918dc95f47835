/* Regions: each is the time between a begin and its end on a rank's thread, and has a depth of nesting. */
#ifndef ORDO_TRACE_REPORT_REGIONS_H
#define ORDO_TRACE_REPORT_REGIONS_H

#include "trace/event/event.h"

struct ordo_region {
    int32_t rank;
    uint32_t thread, name; /* `name` is the caller's number of the name */
    int depth;             /* 0: not within another region */
    struct ordo_event_stamp begin, end;
    bool is_open; /* it has no end of its own */
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

/** Called with each region that has ended. Returns 0 or a negative code. */
typedef int ordo_regions_each(void *context, const struct ordo_region *region);

/** Takes a begin, an end or a span, and calls `each` with the regions that have ended:
 * - a begin whose end came earlier in the file;
 * - an end, and before it the begins without an end of their own (is_open) that are within its region;
 * - a span; and a begin without an end of its own within a span that was taken before it.
 * Returns 0; -1 if out of memory; or the code of `each`. */
int ordo_regions_take(struct ordo_regions *regions, const struct ordo_event *event, uint32_t name,
                      const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end, ordo_regions_each *each,
                      void *context);

/** Ends all open regions that have no end of their own, with the trace. Returns as ordo_regions_take. */
int ordo_regions_finish(struct ordo_regions *regions, const struct ordo_event_stamp *end, ordo_regions_each *each,
                        void *context);

/** Returns the innermost open region of the event's thread, or NULL. */
const struct ordo_region *ordo_regions_inner(struct ordo_regions *regions, const struct ordo_event *event);

void ordo_regions_free(struct ordo_regions *regions);

#endif
