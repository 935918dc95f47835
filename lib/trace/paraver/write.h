/* Writes a trace of Paraver: the folder gets trace.prv, trace.pcf and trace.row. */
#ifndef ORDO_TRACE_PARAVER_WRITE_H
#define ORDO_TRACE_PARAVER_WRITE_H

#include "base/folder.h"
#include "trace/event/event.h"

struct ordo_paraver_out;

/** Returns a writer. `source`: the trace whose header and names are passed on, and whose records come in
 * ordo_event.raw; NULL: events of other forms. Returns NULL if out of memory. */
struct ordo_paraver_out *ordo_paraver_create(const char *source);
void ordo_paraver_free(struct ordo_paraver_out *out);

/** Takes an event, in any order of time. An error is kept for ordo_paraver_finish. */
void ordo_paraver_put(struct ordo_paraver_out *out, const struct ordo_event *event,
                      const struct ordo_event_stamp *stamp, const struct ordo_event_stamp *end);

/** Makes the folder and writes its files, in the order of time. */
int ordo_paraver_finish(struct ordo_paraver_out *out, struct ordo_folder *folder, struct ordo_error *error);

#endif
