/* A trace in global time: files in, one file out, and a report about the clocks and the repairs. */
#ifndef ORDO_TRACE_CORRECT_CORRECT_H
#define ORDO_TRACE_CORRECT_CORRECT_H

#include "trace/correct/types.h"

/** Corrects the trace and writes it to `stream`. If this fails, discard the output. */
int ordo_correct(const struct ordo_correct_options *options, FILE *stream, struct ordo_correct_report *report,
                 struct ordo_error *error);
void ordo_correct_report_free(struct ordo_correct_report *report);

/** Writes the offsets of the clocks as CSV, for tools that read such a table:
 * location,local_ns,offset_ns,standard_deviation_ns. Each rank has a row for every session, and a row for its first and
 * for its last event if that event is outside all sessions. Global time is local_ns + offset_ns. */
void ordo_correct_write_offsets(const struct ordo_correct_report *report, FILE *stream);

#endif
