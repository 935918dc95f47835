/* Gives each name of a region a number. A name is written to the file before the first event that has it. */
#ifndef ORDO_TRACE_RECORD_NAMES_H
#define ORDO_TRACE_RECORD_NAMES_H

#include "trace/record/file.h"

struct ordo_trace_names {
    char **texts;      /* texts[id - 1] is the name with number `id` */
    uint32_t *buckets; /* hash table with 2 * `room` slots; a slot holds the number of a name, or 0 */
    uint32_t count, room;
};

/** Returns the number of `text`; writes the name to `file` if it is new. Returns 0 if out of memory. Call with the
 * recorder's lock held. */
uint32_t ordo_trace_name(struct ordo_trace_names *names, struct ordo_trace_file *file, const char *text);

/** Adds `count` new names in one chunk. Returns the number of the first name; the numbers are consecutive. */
uint32_t ordo_trace_names_add(struct ordo_trace_names *names, struct ordo_trace_file *file, const char *const *texts,
                              int count);

void ordo_trace_names_free(struct ordo_trace_names *names);

#endif
