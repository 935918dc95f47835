/* The names of states, and of the types and values of events: NAME.pcf of a trace NAME.prv of Paraver. */
#ifndef ORDO_TRACE_PARAVER_LABELS_H
#define ORDO_TRACE_PARAVER_LABELS_H

#include "base/error.h"
#include "base/map.h"
#include "trace/event/event.h"

struct ordo_labels {
    char **texts;
    size_t count, room;
    struct ordo_map states, types, values; /* a state, a type, a type and a value: index of the text + 1 */
    struct ordo_map regions;               /* the types whose value 0 has a name: it is the end of another value */
    bool no_memory;
};

/** Reads the names of the trace `path`. There need not be any. ORDO_E_SYSTEM: out of memory. */
int ordo_labels_read(struct ordo_labels *labels, const char *path, struct ordo_error *error);
void ordo_labels_free(struct ordo_labels *labels);

/** Returns the name of a state, a type, or a value of a type; an empty text if there is none. */
struct ordo_text ordo_labels_state(const struct ordo_labels *labels, uint64_t state);
struct ordo_text ordo_labels_type(const struct ordo_labels *labels, uint64_t type);
struct ordo_text ordo_labels_value(const struct ordo_labels *labels, uint64_t type, uint64_t value);

/** True if a value of the type begins a region, which the value 0 ends: calls of MPI, functions, and types whose value 0
 * has a name. */
bool ordo_labels_is_region(const struct ordo_labels *labels, uint64_t type);

/** Writes the name of a trace with another suffix, ".pcf" for example, into `room`. Its own suffix may be that of a
 * compressed trace, such as ".prv.gz". Returns false if the name is too long. */
bool ordo_labels_beside(const char *path, const char *suffix, char *room, size_t size);

#endif
