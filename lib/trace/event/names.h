/* Names as numbers. */
#ifndef ORDO_TRACE_EVENT_NAMES_H
#define ORDO_TRACE_EVENT_NAMES_H

#include "trace/event/event.h"

struct ordo_names {
    struct ordo_text *all; /* numbers 0, 1, 2 ... in the order in which the names came */
    uint32_t count, room;
    uint32_t *slots; /* by hash: 1 more than the number */
    size_t size;
};

/** Returns the number of a name, a new one if the name is new; UINT32_MAX if out of memory. */
uint32_t ordo_names_number(struct ordo_names *names, struct ordo_text name);
void ordo_names_free(struct ordo_names *names);

#endif
