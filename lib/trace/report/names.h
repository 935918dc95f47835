/* Names as numbers. */
#ifndef ORDO_TRACE_REPORT_NAMES_H
#define ORDO_TRACE_REPORT_NAMES_H

#include "trace/event/event.h"

struct ordo_names {
    struct ordo_text *all; /* 0, 1, 2 ... in the order in which they came */
    uint32_t count, room;
    uint32_t *slots; /* by hash: 1 more than the number */
    size_t size;
};

/** The number of a name, which is new where it has not come yet; UINT32_MAX where memory runs out. */
uint32_t ordo_names_number(struct ordo_names *names, struct ordo_text name);
void ordo_names_free(struct ordo_names *names);

#endif
