/* The body of a trace of Paraver that is written: records in the order of time. */
#ifndef ORDO_TRACE_PARAVER_BODY_H
#define ORDO_TRACE_PARAVER_BODY_H

#include <stdio.h>

#include "base/sorter.h"
#include "trace/event/event.h"
#include "trace/paraver/record.h"

/** A record with its global times: of a state its begin and end, of a message those of its parts. */
struct ordo_paraver_line {
    struct ordo_paraver_record record;
    int64_t times_ns[4];
    int64_t earliest_ns, latest_ns; /* of an event: relative to its time, both at least 0 */
};

struct ordo_paraver_body {
    struct ordo_sorter *sorter;
    int64_t first_ns, last_ns;
    int sys_errno; /* of the first failure; 0: none */
};

int ordo_paraver_body_begin(struct ordo_paraver_body *body);

/** Adds a record. */
void ordo_paraver_body_add(struct ordo_paraver_body *body, const struct ordo_paraver_line *line);

/** Writes all records; times count from origin_ns. Returns 0, or -1 with errno. */
int ordo_paraver_body_write(const struct ordo_paraver_body *body, int64_t origin_ns, FILE *stream);

#endif
