/* Distances of times in a page: trace/event/event.h. */
#ifndef ORDO_TRACE_PAGE_APART_H
#define ORDO_TRACE_PAGE_APART_H

#include "trace/event/event.h"

static inline int64_t ordo_page_apart(int64_t from_ns, int64_t to_ns)
{
    return ordo_event_apart(from_ns, to_ns);
}

static inline int64_t ordo_page_after(int64_t time_ns, int64_t distance_ns)
{
    return ordo_event_after(time_ns, distance_ns);
}

#endif
